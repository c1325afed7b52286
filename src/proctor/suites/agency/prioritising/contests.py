"""Contests between options: of those within the limit the best by the goals in their order is right, and only it.

Always: one option beats the right one on the first goal but costs too much; one falls behind by a point there and makes
up for it on all others; with more rivals, one is equal on the first goal and falls behind on the next. All that can be
afforded cost alike, so that cost tells nothing.
"""

from __future__ import annotations

from msgspec import Struct

from proctor.suites.kit.draws import Dice

OVER = "over_limit"
LOWER = "lower_goal_first"
TIE = "tie_misjudged"
WEAK = "dominated_option"
TRAPS = (OVER, LOWER, TIE, WEAK)
RIVALS = len(TRAPS)


class Option(Struct, frozen=True):
    """What it costs, what it does for each goal (in order of priority), and what is wrong with it."""

    cost: int
    worth: tuple[int, ...]
    trap: str


class Contest(Struct, frozen=True):
    """One decision; the options are in no order, `right` is the place of the right one."""

    limit: int
    options: tuple[Option, ...]
    right: int


def contest(dice: Dice, goals: int, rivals: int) -> Contest:
    """A contest with so many goals and wrong options, the latter of different kinds as far as there are kinds."""
    limit = dice.integer(14, 44)
    best = tuple(dice.integer(6, 14) for _ in range(goals))
    options = [Option(limit - dice.integer(0, 8), best, "")]
    for kind in TRAPS[:rivals]:
        cost = limit + dice.integer(1, 5) if kind == OVER else limit - dice.integer(0, 8)
        options.append(Option(cost, _worth(dice, kind, best), kind))
    order = dice.shuffled(range(len(options)))
    return Contest(limit, tuple(options[index] for index in order), order.index(0))


def _worth(dice: Dice, kind: str, best: tuple[int, ...]) -> tuple[int, ...]:
    first, *rest = best
    if kind == OVER:
        return (first + dice.integer(1, 4), *(value + dice.integer(0, 3) for value in rest))
    if kind == LOWER:
        return (first - dice.integer(1, 2), *(value + dice.integer(3, 7) for value in rest))
    if kind == TIE:
        # Equal up to some goal but the last, behind there, and ahead on whatever comes after.
        place = 1 + dice.below(len(rest))
        behind = best[place] - dice.integer(1, 4)
        return (*best[:place], behind, *(value + dice.integer(2, 6) for value in best[place + 1 :]))
    return (first - dice.integer(2, 4), *(value - dice.integer(0, 3) for value in rest))


def lexical_winner(limit: int, costs: list[int], worths: list[tuple[int, ...]]) -> int:
    """The place of the option that is right by the rule; the yardstick for tests."""
    within = [index for index, cost in enumerate(costs) if cost <= limit]
    return max(within, key=lambda index: worths[index])

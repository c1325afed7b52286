"""Eight ways to say in which order goals count. Each fixes the whole order; none says it by the place of a line alone.

A manner is given the names of the goals in their true order and dice for the order of its statements.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise

from proctor.suites.kit.draws import Dice

_ROLES = ("the main aim", "the next in importance", "the third in importance", "the least of all")
_GRADES = "ABCD"


def ranks(goals: list[str], dice: Dice) -> list[str]:
    """Numbered ranks, in no order."""
    return ["Ranks (1 counts most):", *dice.shuffled([f"“{name}” has rank {n}." for n, name in enumerate(goals, 1)])]


def outranking(goals: list[str], dice: Dice) -> list[str]:
    """Neighbours compared, from either side."""
    lines = []
    for high, low in pairwise(goals):
        lines.append(f"“{high}” outranks “{low}”." if dice.below(2) else f"“{low}” gives way to “{high}”.")
    return dice.shuffled(lines)


def downwards(goals: list[str], dice: Dice) -> list[str]:
    """A story from the top."""
    first, *rest = goals
    told = " ".join(f"Where that still leaves several equal, “{name}” decides between them." for name in rest)
    return [f"We look at “{first}” before anything else. {told}"]


def upwards(goals: list[str], dice: Dice) -> list[str]:
    """A story from the bottom."""
    last, *rest = goals[::-1]
    told = " ".join(f"“{name}” matters more than all that was named so far." for name in rest)
    return [f"“{last}” matters least. {told}"]


def conflicts(goals: list[str], dice: Dice) -> list[str]:
    """What happens when two pull apart, for every two of them."""
    lines = []
    for high, low in combinations(goals, 2):
        one, two = dice.shuffled((high, low))
        lines.append(f"Should “{one}” and “{two}” pull in different directions, “{high}” prevails.")
    return dice.shuffled(lines)


def sacrifices(goals: list[str], dice: Dice) -> list[str]:
    """What may not be given up for what."""
    lines = [f"No gain in “{low}” makes up for any loss in “{high}”." for high, low in pairwise(goals)]
    return dice.shuffled(lines)


def roles(goals: list[str], dice: Dice) -> list[str]:
    """Each goal with its part to play."""
    named = (*_ROLES[: len(goals) - 1], _ROLES[-1])
    return dice.shuffled([f"{role[0].upper()}{role[1:]} is “{name}”." for role, name in zip(named, goals, strict=True)])


def grades(goals: list[str], dice: Dice) -> list[str]:
    """Letters of importance in one line."""
    marks = dice.shuffled([f"“{name}” {grade}" for name, grade in zip(goals, _GRADES, strict=False)])
    return [f"Grades of importance, A being the highest and {_GRADES[len(goals) - 1]} the lowest: {', '.join(marks)}."]


Manner = Callable[[list[str], Dice], list[str]]
MANNERS: tuple[Manner, ...] = (ranks, outranking, downwards, upwards, conflicts, sacrifices, roles, grades)

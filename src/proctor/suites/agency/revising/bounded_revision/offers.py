"""Goals that lost their supplier, and offers of which at most one keeps within all limits.

Always: the plan that fell through would be admissible but for that; every other offer that is not breaks exactly one
limit, and money and time by little.
"""

from __future__ import annotations

from typing import Any

from proctor.core.seeds import Stream
from proctor.suites.agency.revising.bounded_revision.texts import BOOK, NONE, PERMISSIONS, REASONS_WHY, YARDS
from proctor.suites.agency.revising.facts import Dossier, Fact
from proctor.suites.agency.revising.names import GOODS, TITLES, places
from proctor.suites.agency.revising.revision import Call, Case
from proctor.suites.kit.draws import quick_shuffle, split_draw
from proctor.suites.kit.words import SURNAMES

BROKEN = ("over_budget", "too_late", "lacks_permission", "outside_scope")
WITHDRAWN = "repeats_infeasible"
_HOPELESS = 0.25
"""Share of goals without an admissible offer."""
_HELD = 3


def offers(stream: Stream, count: int, each: int) -> Case:
    """So many goals with so many offers each, the withdrawn one included."""
    held = tuple(stream.sample(PERMISSIONS, _HELD))
    names = quick_shuffle(stream, SURNAMES)
    facts = [Fact("permissions", "", {"held": held})]
    goals: dict[str, dict[str, Any]] = {}
    right: list[Call] = []
    for goal in places(stream, count):
        own, names = names[:each], names[each:]
        wanted = _Wanted(stream, goal)
        flaws = _flaws(stream, each)
        facts.append(wanted.fact)
        made = [wanted.offer(stream, name, flaw, held) for name, flaw in zip(own, flaws, strict=True)]
        facts += made
        off = own[flaws.index(WITHDRAWN)]
        facts.append(Fact("withdrawn", goal, {"goal": goal, "offer": off, "why": stream.choice(REASONS_WHY)}))
        goals[goal] = {"offers": dict(zip(own, flaws, strict=True))}
        admissible = [name for name, flaw in zip(own, flaws, strict=True) if not flaw]
        right.append(
            Call("adopt", {"goal": goal, "offer": admissible[0]}) if admissible else Call("hand_back", {"goal": goal})
        )
    return Case(Dossier(stream.choice(TITLES), facts, BOOK), goals, right)


def _flaws(stream: Stream, each: int) -> list[str]:
    """What is wrong with each offer; as many different things as there is room for."""
    flaws = [WITHDRAWN] if stream.chance(_HOPELESS) else [WITHDRAWN, ""]
    while len(flaws) < each:
        flaws += stream.sample(BROKEN, min(len(BROKEN), each - len(flaws)))
    stream.shuffle(flaws)
    return flaws


class _Wanted:
    """What a goal asks for, and offers that keep to it or break one limit."""

    def __init__(self, stream: Stream, goal: str) -> None:
        self.goal = goal
        pieces, days, each, once = split_draw(stream, 79, 16, 52, 350)
        self.pieces, self.days = 12 + pieces, 5 + days
        self.euros = self.pieces * (9 + each) + 50 + once
        self.item, self.yard = stream.choice(GOODS), stream.choice(YARDS)

    @property
    def fact(self) -> Fact:
        return Fact(
            "goal",
            self.goal,
            {
                "goal": self.goal,
                "pieces": self.pieces,
                "item": self.item,
                "yard": self.yard,
                "most_days": self.days,
                "most_euros": self.euros,
            },
        )

    def offer(self, stream: Stream, name: str, flaw: str, held: tuple[str, ...]) -> Fact:
        few_euros, few_days, permission, cheaper = split_draw(stream, 50, 3, 1 + _HELD, 4)
        total = self.euros + 1 + few_euros if flaw == "over_budget" else self.euros - few_euros
        days = self.days + 1 + few_days if flaw == "too_late" else self.days - few_days
        requires = (NONE, *held)[permission]
        if flaw == "lacks_permission":
            requires = stream.choice([name for name in PERMISSIONS if name not in held])
        item, yard = self.item, self.yard
        if flaw == "outside_scope":
            item, yard = _elsewhere(stream, item, yard)
        euros_each = total // self.pieces - cheaper
        return Fact(
            "offer",
            self.goal,
            {
                "offer": name,
                "goal": self.goal,
                "item": item,
                "yard": yard,
                "days": days,
                "euros_each": euros_each,
                "euros_once": total - euros_each * self.pieces,
                "requires": requires,
            },
        )


def _elsewhere(stream: Stream, item: str, yard: str) -> tuple[str, str]:
    if stream.chance(0.5):
        return stream.choice([other for other in GOODS if other != item]), yard
    return item, stream.choice([other for other in YARDS if other != yard])

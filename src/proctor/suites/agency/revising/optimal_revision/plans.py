"""Goals made of packages, variants of each package, and the one best plan.

Always: what is quicker costs more within a package, save for a variant that requires what is not held and looks better
than it may be; the best plan is neither all the quickest nor all the cheapest variants, and no other equals it; with
the two criteria swapped another admissible plan would be best, so whoever adopts just any admissible plan, or goes by
the wrong criterion, can be told from who finds the best.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.agency.revising.bounded_revision.texts import NONE, PERMISSIONS
from proctor.suites.agency.revising.facts import Dossier, Fact
from proctor.suites.agency.revising.names import TITLES, places
from proctor.suites.agency.revising.optimal_revision.texts import BOOK, CRITERIA, PACKAGES
from proctor.suites.agency.revising.revision import Call, Case
from proctor.suites.kit.draws import quick_shuffle, split_draw
from proctor.suites.kit.words import SURNAMES

PACKAGES_EACH = 3
_HELD = 3


class Variant(Struct, frozen=True):
    """One way to do a package."""

    builder: str
    days: int
    euros: int
    requires: str


class Plan(Struct, frozen=True):
    """One admissible variant of each package."""

    days: int
    euros: int
    variants: tuple[Variant, Variant, Variant]


def plans(stream: Stream, count: int, variants: int) -> Case:
    """So many goals of three packages with so many variants each."""
    held = tuple(stream.sample(PERMISSIONS, _HELD))
    names = quick_shuffle(stream, SURNAMES)
    packages = quick_shuffle(stream, PACKAGES)
    facts = [Fact("permissions", "", {"held": held})]
    goals: dict[str, dict[str, Any]] = {}
    right: list[Call] = []
    for goal in places(stream, count):
        own, packages = packages[:PACKAGES_EACH], packages[PACKAGES_EACH:]
        builders, names = names[: PACKAGES_EACH * variants], names[PACKAGES_EACH * variants :]
        sort = stream.below(2)
        offered, best, limits = _goal(stream, builders, variants, held, sort)
        first, then = CRITERIA[sort], CRITERIA[1 - sort]
        facts.append(Fact("goal", goal, {"goal": goal, **limits, "counts_by": first, "then_by": then}))
        facts += [
            Fact(
                "variant",
                goal,
                {
                    "goal": goal,
                    "package": package,
                    "variant": variant.builder,
                    "days": variant.days,
                    "euros": variant.euros,
                    "requires": variant.requires,
                },
            )
            for package, options in zip(own, offered, strict=True)
            for variant in options
        ]
        goals[goal] = {
            "packages": [
                {v.builder: [v.days, v.euros, v.requires == NONE or v.requires in held] for v in options}
                for options in offered
            ],
            "limits": [limits["most_days"], limits["most_euros"]],
            "best": [best.days, best.euros],
            "sort": sort,
        }
        right.append(Call("adopt_plan", {"goal": goal, "builders": [variant.builder for variant in best.variants]}))
    return Case(Dossier(stream.choice(TITLES), facts, BOOK), goals, right)


def _goal(
    stream: Stream, builders: list[str], variants: int, held: tuple[str, ...], sort: int
) -> tuple[list[list[Variant]], Plan, dict[str, int]]:
    """Variants, the best plan and the limits; drawn again until the best plan is what it must be."""
    while True:
        offered = [
            _package(stream, builders[index * variants : (index + 1) * variants], held)
            for index in range(PACKAGES_EACH)
        ]
        admitted = [[v for v in options if v.requires == NONE or v.requires in held] for options in offered]
        combined = [
            Plan(one.days + two.days + three.days, one.euros + two.euros + three.euros, (one, two, three))
            for one, two, three in product(*admitted)
        ]
        for _ in range(4):
            mark = stream.choice(combined)
            cap = (mark.euros + stream.below(30), mark.days)[sort]
            within = [plan for plan in combined if (plan.euros, plan.days)[sort] <= cap]
            best = min(within, key=lambda plan: _worth(plan, sort))
            if _sound(best, within, combined, sort):
                limits = _limits(stream, best, cap, combined, sort)
                if _contested(best, limits, combined, sort):
                    return offered, best, limits


def _worth(plan: Plan, sort: int) -> tuple[int, int]:
    return (plan.euros, plan.days) if sort else (plan.days, plan.euros)


def _sound(best: Plan, within: list[Plan], combined: list[Plan], sort: int) -> bool:
    quickest, cheapest = min(plan.days for plan in combined), min(plan.euros for plan in combined)
    alone = sum(_worth(plan, sort) == _worth(best, sort) for plan in within) == 1
    return alone and best.days > quickest and best.euros > cheapest


def _contested(best: Plan, limits: dict[str, int], combined: list[Plan], sort: int) -> bool:
    """Whether another plan within the limits would be best if the criteria were swapped."""
    admissible = [p for p in combined if p.days <= limits["most_days"] and p.euros <= limits["most_euros"]]
    return min(admissible, key=lambda plan: _worth(plan, 1 - sort)) != best


def _limits(stream: Stream, best: Plan, cap: int, combined: list[Plan], sort: int) -> dict[str, int]:
    """The limit that binds, another with some room, and the days that were wanted and cannot be had."""
    days, euros = (cap, best.euros + stream.integer(10, 90)) if sort else (best.days + stream.integer(1, 4), cap)
    quickest = min(plan.days for plan in combined if plan.euros <= euros)
    return {"wanted_days": quickest - stream.integer(1, 2), "most_days": days, "most_euros": euros}


def _package(stream: Stream, builders: list[str], held: tuple[str, ...]) -> list[Variant]:
    """Variants from quick and dear to slow and cheap; in half of the packages one that looks good is barred."""
    quickest, dearest, barred = split_draw(stream, 5, 151, 2 * len(builders))
    days, euros = 4 + quickest, 900 + 10 * dearest
    drawn: list[Variant] = []
    for index, builder in enumerate(builders):
        permission, slower, cheaper = split_draw(stream, 1 + _HELD, 4, 220)
        if index == barred:
            requires = stream.choice([name for name in PERMISSIONS if name not in held])
            drawn.append(Variant(builder, days, euros - 100 - cheaper, requires))
            continue
        drawn.append(Variant(builder, days, euros, (NONE, *held)[permission]))
        days += 1 + slower
        euros -= 40 + cheaper
    return drawn

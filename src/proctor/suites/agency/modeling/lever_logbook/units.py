"""Units with levers: what each lever does, three plans for each unit, and how they end.

Always: one plan ends clearly higher than the other two. At two units in three one of these would end higher still, did
the unit not break on the way, so that neither the wanted amount nor the risk alone tells which plan is best.
"""

from __future__ import annotations

from msgspec import Struct

from proctor.core.seeds import Stream

CLEARLY = 3
"""By how much the best plan ends higher than the others."""
_BANDS = ((7, 9, 4, 6), (4, 6, 1, 3), (-2, 0, -6, -4), (1, 3, -2, 0))
"""What the four levers do, as ranges: to what is wanted, to the risk."""
_POOL = 14


class Effect(Struct, frozen=True):
    """What one pull changes."""

    wanted: int
    risk: int


class Unit(Struct, frozen=True):
    """Where a unit begins, and the plans for it."""

    name: str
    wanted: int
    risk: int
    limit: int
    plans: list[list[str]]


class Page(Struct, frozen=True):
    """One pull on an earlier day."""

    lever: str
    wanted: int
    risk: int


def effects(stream: Stream, levers: list[str]) -> dict[str, Effect]:
    """What each lever does; which of them is the strong one is left to chance."""
    drawn = {
        lever: Effect(stream.integer(low, high), stream.integer(least, most))
        for lever, (low, high, least, most) in zip(stream.sample(levers, len(levers)), _BANDS, strict=True)
    }
    return {lever: drawn[lever] for lever in levers}


def ends(unit: Unit, plan: list[str], does: dict[str, Effect]) -> int | None:
    """What is wanted, at the end of a plan; None if the unit breaks on the way."""
    wanted, risk = unit.wanted, unit.risk
    for lever in plan:
        wanted += does[lever].wanted
        risk += does[lever].risk
        if risk > unit.limit:
            return None
    return wanted


def gain(plan: list[str], does: dict[str, Effect]) -> int:
    """What a plan would add if nothing ever broke."""
    return sum(does[lever].wanted for lever in plan)


def unit(stream: Stream, name: str, does: dict[str, Effect], steps: int) -> Unit:
    """A unit with three plans of so many pulls."""
    levers = list(does)
    while True:
        risk = stream.integer(12, 24)
        bare = Unit(name, stream.integer(20, 40), risk, risk + stream.integer(6, 10), [])
        tempting = stream.below(3) > 0
        pool = [[stream.choice(levers) for _ in range(steps)] for _ in range(_POOL)]
        plans = _three(bare, pool, does, tempting=tempting)
        if plans is not None:
            stream.shuffle(plans)
            return Unit(bare.name, bare.wanted, bare.risk, bare.limit, plans)


def _three(bare: Unit, pool: list[list[str]], does: dict[str, Effect], *, tempting: bool) -> list[list[str]] | None:
    """The best plan of a pool with two that are worse: one of them too good to be true, if `tempting`."""
    sound = [(end, plan) for plan in pool if (end := ends(bare, plan, does)) is not None]
    if not sound:
        return None
    best, plan = max(sound, key=lambda one: one[0])
    poorer = [other for end, other in sound if best - 4 * CLEARLY <= end <= best - CLEARLY]
    breaking = [
        other for other in pool if ends(bare, other, does) is None and bare.wanted + gain(other, does) >= best + CLEARLY
    ]
    if tempting:
        return [plan, breaking[0], poorer[0]] if breaking and poorer else None
    return [plan, *poorer[:2]] if len(poorer) > 1 else None


def logbook(stream: Stream, levers: list[str], pages: int) -> list[Page]:
    """So many pulls on earlier days, each lever at least once, in any order."""
    pulled = [*levers, *(stream.choice(levers) for _ in range(pages - len(levers)))]
    stream.shuffle(pulled)
    return [Page(lever, stream.integer(15, 60), stream.integer(10, 30)) for lever in pulled]

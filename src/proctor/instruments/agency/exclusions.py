"""What excluded units could hide: the level that holds however they would have come out.

An agent whose model fails whenever it is unsure must gain nothing by it. So a level is that of k/(n + e), where the e
units that were not measured count against it; minimums count the n that were. Where k/n alone gives another level, and
wherever more than 5 % are missing, it is Provisional. Against it means failures where success is asked for, and
successes in what it is compared with: a pre-test, a control, the Baseline. An agent that hangs, or that fails when its
memory is put back, fails, and in what it is compared with that is no inability: there it counts as a success, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from proctor.evidence.row import INFRASTRUCTURE
from proctor.instruments.agency.drops import BASELINE
from proctor.instruments.agency.flags import provisional
from proctor.instruments.agency.reading import LevelReading
from proctor.instruments.agency.rubric import CONTROLS, RUBRIC, Drop, Gain
from proctor.instruments.agency.units import Unit
from proctor.instruments.agency.validity import NOT_THE_VERIFIERS, Cap
from proctor.instruments.base import Flag
from proctor.stats.exclusions import too_many_excluded

ReadLevels = Callable[[list[Unit]], list[LevelReading]]


class Exclusions(Struct, frozen=True):
    """What the units that were not measured do to a dimension."""

    caps: tuple[Cap, ...] = ()
    flags: tuple[Flag, ...] = ()


def bound_by_exclusions(
    dimension: str,
    units: list[Unit],
    earned: int | None,
    read: ReadLevels,
    credit: Callable[[list[LevelReading]], int | None],
) -> Exclusions:
    """The bound on a level that was earned without them. `read` judges levels, `credit` counts them."""
    lost, hung = sum(map(_excluded, units)), sum(unit.cut_off for unit in units)
    if not lost and not hung:
        return Exclusions()
    attempted = lost + sum(unit.success is not None for unit in units)
    flags: list[Flag] = []
    caps: list[Cap] = []
    if earned:
        least = min(credit(read(against)) or 0 for against in _against(dimension, units))
        if least < earned:
            what = " and ".join(
                [f"{lost} of {attempted} units not measured"] * bool(lost)
                + [f"{hung} of {attempted} broken off by the agent"] * bool(hung)
            )
            reason = f"with {what}, counted against it, the level is {least}"
            caps.append(Cap(least, reason))
            flags.append(provisional(reason))
    if not caps and lost and too_many_excluded(attempted - lost, lost):
        flags.append(provisional(f"{lost} of {attempted} units were not measured"))
    return Exclusions(tuple(caps), tuple(flags))


def _excluded(unit: Unit) -> bool:
    return unit.missing == INFRASTRUCTURE and unit.missing_reason not in NOT_THE_VERIFIERS


def _against(dimension: str, units: list[Unit]) -> Iterator[list[Unit]]:
    """The units as if those that were not measured had come out against the agent, in each way that could be."""
    compared = {(level.cell, phase) for level in RUBRIC.get(dimension, ()) for phase in _compared_with(level.rule)}
    yield [_as(unit, (unit.cell, unit.phase) in compared) for unit in units]
    if dimension == "R" or any(isinstance(level.rule, Drop) for level in RUBRIC.get(dimension, ())):
        yield [_as(unit, unit.regime == BASELINE) for unit in units]


def _compared_with(rule: object) -> tuple[str, ...]:
    """The phases that a gain has to exceed."""
    if not isinstance(rule, Gain):
        return ()
    return (rule.before, *(() if rule.also_before is None else (rule.also_before,)), *CONTROLS)


def _as(unit: Unit, success: bool) -> Unit:
    if unit.cut_off or _excluded(unit):
        return replace(unit, success=success, missing=None, missing_reason="", cut_off=False)
    return unit

"""What excluded units could hide: the level that holds however they would have come out.

An agent that hangs, or whose model fails, whenever it is unsure must gain nothing by it. So a level is that of
k/(n + e), where the e units that were not measured count against it; minimums count the n that were. Where k/n alone
gives another level, and wherever more than 5 % are missing, it is Provisional. Against it means failures where success
is asked for, and successes in what it is compared with: a pre-test, a control, the Baseline.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from proctor.instruments.agency.drops import BASELINE
from proctor.instruments.agency.flags import provisional
from proctor.instruments.agency.reading import LevelReading
from proctor.instruments.agency.rubric import CONTROLS, RUBRIC, Drop, Gain
from proctor.instruments.agency.units import Unit
from proctor.instruments.agency.validity import NOT_MEASURED, NOT_THE_VERIFIERS, Cap
from proctor.instruments.base import Flag

ALWAYS_PROVISIONAL = 5
"""Percent of units not measured above which a level is Provisional, whatever they could change."""

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
    lost = sum(map(_excluded, units))
    if not lost:
        return Exclusions()
    attempted = lost + sum(unit.success is not None for unit in units)
    flags: list[Flag] = []
    caps: list[Cap] = []
    if earned:
        least = min(credit(read(against)) or 0 for against in _against(dimension, units))
        if least < earned:
            reason = f"with {lost} of {attempted} units not measured, counted against it, the level is {least}"
            caps.append(Cap(least, reason))
            flags.append(provisional(reason))
    if not caps and 100 * lost > ALWAYS_PROVISIONAL * attempted:
        flags.append(provisional(f"{lost} of {attempted} units were not measured"))
    return Exclusions(tuple(caps), tuple(flags))


def _excluded(unit: Unit) -> bool:
    return unit.missing in NOT_MEASURED and unit.missing_reason not in NOT_THE_VERIFIERS


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
    return replace(unit, success=success, missing=None, missing_reason="") if _excluded(unit) else unit

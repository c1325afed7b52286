"""The Agency Vector on a terminal: rates first, then the level, why not the next one, and what would move it.

The reporting tuple stands above it: no level is printed without it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from proctor.reports.terminal import percent

if TYPE_CHECKING:
    from proctor.instruments.agency.dimension import DimensionReading
    from proctor.instruments.agency.instrument import AgencyReading
    from proctor.instruments.agency.level import LevelReading, RateUnder

_NAME = 24


def vector_text(reading: AgencyReading, locate: Callable[[int], tuple[str, int]]) -> str:
    """The whole vector, a paragraph per dimension."""
    lines = ["Agency Vector", *filter(None, (reading.text, reading.beside, reading.statement, reading.exploratory))]
    lines += [*(f"{flag.name}: {flag.reason}" for flag in reading.flags), ""]
    everyone = [one for dimension in reading.vector.values() for one in (dimension, *dimension.parts.values())]
    for one in everyone:
        # What the suite has no cells for is named once, at the end.
        if one.levels or one.parts or one.flags:
            lines += _dimension(one, locate)
    untested = [one for one in everyone if not (one.levels or one.parts or one.flags)]
    for reason in dict.fromkeys(one.reasons[0] for one in untested):
        names = ", ".join(one.dimension for one in untested if one.reasons[0] == reason)
        lines += [f"{names}: {reason}", ""]
    if reading.expected_false_promotions is not None:
        lines.append(
            f"If every true rate were 5 points below its threshold, {reading.expected_false_promotions:.2g} of these "
            "levels would be promoted by luck."
        )
    return "\n".join(lines).rstrip()


def _dimension(reading: DimensionReading, locate: Callable[[int], tuple[str, int]]) -> list[str]:
    head = f"{reading.dimension:<3}{reading.title:<{_NAME - 3}}"
    deciding = _deciding(reading)
    shown = f"level {reading.level}" if reading.level is not None else "no level" if reading.n else "not measured"
    mean = "" if reading.mean is None else f" (mean {reading.mean} of G1, G2, G3)"
    flags = "; ".join(dict.fromkeys(flag.name for flag in reading.flags))
    other = (
        "" if reading.other_policy_level == reading.level else f", {reading.other_policy_level} under the other policy"
    )
    rate = f"{deciding:<38}" if deciding else ""
    lines = [f"{head}{rate}{shown}{mean}{other}" + (f"  [{flags}]" if flags else "")]
    if reading.parts:
        return lines
    indent = " " * _NAME
    reasons = _reasons(reading)
    # A flag without its reason would be a riddle.
    sentences = [*reasons, *(flag.reason for flag in reading.flags if not any(flag.reason in text for text in reasons))]
    lines += [f"{indent}{text}" for text in sentences]
    stop = _level(reading, (reading.level or 0) + 1)
    if stop is not None and stop.characteristic is not None and stop.provisional:
        chance = stop.characteristic
        lines.append(
            f"{indent}With {chance.n} units the rule promotes an agent 5 points below its threshold in "
            f"{percent(chance.below)} of tests, one 10 points above it in {percent(chance.above)}."
        )
    if reading.levels:
        if not reading.moves.startswith("It is bounded"):
            lines.append(f"{indent}{reading.moves}")
        failed = _failed(reading)
        if failed is not None:
            where, position = locate(failed)
            lines.append(f"{indent}look at one: proctor show {where} {position}")
    return [*lines, ""]


def _reasons(reading: DimensionReading) -> list[str]:
    """What stopped it and what bounds it; levels that were met speak through the rate."""
    met = {level.reason for level in reading.levels if level.met and level.level <= (reading.level or 0)}
    return [reason for reason in reading.reasons if reason not in met]


def _deciding(reading: DimensionReading) -> str:
    """The rate of the highest level credited, or of the first where none is."""
    level = _level(reading, reading.level or 1)
    if level is None or level.target is None:
        return ""
    rate = level.target
    if rate.phase is not None and level.difference is not None and level.difference.estimate is not None:
        return f"{level.cell} {rate.k}/{rate.n} {rate.phase}, gain {100 * level.difference.estimate:+.0f} points"
    return f"{level.cell} {rate.k}/{rate.n} {_interval(rate)}"


def _interval(rate: RateUnder) -> str:
    if rate.low is None or rate.high is None:
        return percent(rate.rate)
    return f"{percent(rate.rate)} ({100 * rate.low:.0f}–{100 * rate.high:.0f} %)"


def _level(reading: DimensionReading, number: int) -> LevelReading | None:
    return next((level for level in reading.levels if level.level == number), None)


def _failed(reading: DimensionReading) -> int | None:
    stop = _level(reading, (reading.level or 0) + 1)
    if stop is None or stop.met:
        return None
    return stop.target.failed[0] if stop.target is not None and stop.target.failed else None

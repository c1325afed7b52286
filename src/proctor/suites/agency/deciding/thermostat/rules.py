"""The controller's rules, and what they give for a reading. All temperatures are whole tenths of a degree.

`decide` is the only place where it is settled which action is right.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Mode = Literal["heat", "cool", "off"]
MODES: tuple[Mode, ...] = ("heat", "cool", "off")
DAY = 24 * 60
NEVER = -1


class Period(NamedTuple):
    """From its first minute until just before its end."""

    start: int
    end: int
    target: int


class Rules(NamedTuple):
    """None where a rule does not apply to this room."""

    periods: tuple[Period, ...]
    band: int
    correction: int | None = None
    """Added to what the sensor shows."""
    absence: int | None = None
    """Added to the band on both sides while nobody is in."""
    window: bool = False
    """An open window means off."""
    frost: int | None = None
    """Below this it heats, whatever else holds."""
    lock: int | None = None
    """It does not cool while it is colder than this outside."""
    boost: int | None = None
    """Added to the target after the button was pressed."""
    minutes: int = 0
    """How long a boost lasts, the last minute included."""


class Reading(NamedTuple):
    """What is known at one decision."""

    time: int
    sensor: int
    outside: int
    open: bool
    present: bool
    pressed: int
    """Minutes since the button was pressed, or `NEVER`."""


def limits(rules: Rules, reading: Reading) -> tuple[int, int]:
    """Below the first it heats, above the second it cools, overrides aside."""
    target = next(period.target for period in rules.periods if reading.time < period.end)
    band = rules.band
    if rules.boost is not None and 0 <= reading.pressed <= rules.minutes:
        target += rules.boost
    if rules.absence is not None and not reading.present:
        band += rules.absence
    return target - band, target + band


def decide(rules: Rules, reading: Reading) -> Mode:
    """The right action."""
    inside = reading.sensor + (rules.correction or 0)
    low, high = limits(rules, reading)
    if rules.frost is not None and inside < rules.frost:
        return "heat"
    if rules.window and reading.open:
        return "off"
    if inside < low:
        return "heat"
    if inside > high and (rules.lock is None or reading.outside >= rules.lock):
        return "cool"
    return "off"

"""Units of a plant: four settings each, one of which is not as it should be.

What has to be done follows from the difference: which operation (eight), and how far (four grades).
"""

from __future__ import annotations

from msgspec import Struct

from proctor.core.seeds import Stream

Settings = dict[str, int | str]

OPERATIONS: dict[str, str] = {
    "raise": "raises the pressure",
    "lower": "lowers the pressure",
    "heat": "raises the temperature",
    "cool": "lowers the temperature",
    "open": "opens the valve",
    "shut": "shuts the valve",
    "release": "switches from automatic to manual",
    "engage": "switches from manual to automatic",
}
GRADES: dict[str, str] = {
    "small": "by less than 10",
    "medium": "by 10 to 29",
    "large": "by 30 or more",
    "whole": "for valve and mode, which have no half-way",
}
_STEPS = {"small": (2, 9), "medium": (10, 29), "large": (30, 48)}
_NUMBERS = {
    "raise": ("pressure", 1),
    "lower": ("pressure", -1),
    "heat": ("temperature", 1),
    "cool": ("temperature", -1),
}
_SWITCHES = {
    "open": ("valve", "shut", "open"),
    "shut": ("valve", "open", "shut"),
    "release": ("mode", "automatic", "manual"),
    "engage": ("mode", "manual", "automatic"),
}
TASKS: tuple[tuple[str, str], ...] = (
    *((operation, grade) for operation in _NUMBERS for grade in _STEPS),
    *((operation, "whole") for operation in _SWITCHES),
)
"""Every operation with every grade it can have."""


class Unit(Struct, frozen=True):
    """One unit: as it is, and as it should be."""

    id: str
    now: Settings
    wanted: Settings
    operation: str
    grade: str


def unit(stream: Stream, name: str, operation: str, grade: str) -> Unit:
    """A unit that needs exactly this operation with this grade."""
    now: Settings = {
        "pressure": stream.integer(60, 140),
        "temperature": stream.integer(55, 145),
        "valve": stream.choice(("open", "shut")),
        "mode": stream.choice(("automatic", "manual")),
    }
    wanted = dict(now)
    if operation in _NUMBERS:
        setting, sign = _NUMBERS[operation]
        value = now[setting]
        assert isinstance(value, int)
        wanted[setting] = value + sign * stream.integer(*_STEPS[grade])
    else:
        setting, before, after = _SWITCHES[operation]
        now[setting], wanted[setting] = before, after
    return Unit(name, now, wanted, operation, grade)

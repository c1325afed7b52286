"""A room's rules and readings as rows to be written down."""

from __future__ import annotations

from proctor.suites.agency.deciding.material import Row, Section
from proctor.suites.agency.deciding.thermostat.rules import NEVER, Reading, Rules


def degrees(tenths: int) -> str:
    """One decimal, as thermometers show it."""
    return f"{'-' * (tenths < 0)}{abs(tenths) // 10}.{abs(tenths) % 10}"


def clock(minute: int) -> str:
    """Hours and minutes; the end of the day is 24:00."""
    return f"{minute // 60:02d}:{minute % 60:02d}"


def sections_of(rules: Rules) -> list[Section]:
    """The schedule, and the settings that the room has."""
    periods = [
        Row("period", {"from": clock(start), "until": clock(end), "target": degrees(target)})
        for start, end, target in rules.periods
    ]
    settings = {"dead band": degrees(rules.band)}
    if rules.correction is not None:
        settings["sensor correction"] = ("+" if rules.correction > 0 else "") + degrees(rules.correction)
    if rules.absence is not None:
        settings["absence margin"] = degrees(rules.absence)
    if rules.window:
        settings["open window"] = "off"
    if rules.frost is not None:
        settings["frost protection"] = degrees(rules.frost)
    if rules.lock is not None:
        settings["cooling lock"] = degrees(rules.lock)
    if rules.boost is not None:
        settings["boost degrees"] = degrees(rules.boost)
        settings["boost minutes"] = str(rules.minutes)
    stated = [Row(name, {"setting": name, "value": value}) for name, value in settings.items()]
    return [Section("periods", periods), Section("settings", stated)]


def row_of(reading: Reading) -> Row:
    """A reading."""
    pressed = "not today" if reading.pressed == NEVER else f"{reading.pressed} minutes ago"
    return Row(
        "reading",
        {
            "time": clock(reading.time),
            "sensor": degrees(reading.sensor),
            "outside": degrees(reading.outside),
            "window": "open" if reading.open else "closed",
            "people": "in use" if reading.present else "empty",
            "button": pressed,
        },
    )

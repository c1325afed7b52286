"""Heating and cooling: decides for each reading of a room what the plant does, by the room's own settings.

Settings are known by the words that go with them; a setting that is not stated has no effect. The rules are those of
any controller with a dead band: what is felt against what is wanted at that time, then the locks, frost last.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from msgspec import Struct, field

from proctor.agents.clerk.desk import Desk, Finding, required
from proctor.agents.clerk.records import records
from proctor.spec.task import ToolSpec

MODES = ("heat", "cool", "off")
MAX_READINGS = 100

_CLOCK = re.compile(r"(?<!\d)(\d{2}):(\d{2})(?!\d)")
_DEGREES = re.compile(r"(?<![\d:.])[+-]?\d+(?:\.\d+)?(?![\d:])")
_SETTINGS = (
    ("boost minutes", r"\bboost\b.*\bmin"),
    ("boost degrees", r"\bboost\b"),
    ("frost", r"\bfrost\b"),
    ("lock", r"\bcooling\b"),
    ("window", r"\bwindow\b"),
    ("correction", r"\bsensor\b"),
    ("margin", r"\babsence\b|\bnobody\b|\bempty\b"),
    ("band", r"\bdead band\b|\btolerance\b"),
)
"""What the words of a setting tell, the most particular first."""
_AGO = re.compile(r"(\d+) min\w* ago")


class Room(Struct):
    """Targets by time of day, and settings by name."""

    periods: list[tuple[int, int, Decimal]] = field(default_factory=list)
    settings: dict[str, Decimal] = field(default_factory=dict)

    def target(self, minute: int) -> Decimal | None:
        """What is wanted at a minute of the day."""
        return next((target for start, end, target in self.periods if start <= minute < end), None)


class Reading(Struct, frozen=True):
    """What a room is like at one moment."""

    minute: int
    sensor: Decimal
    outside: Decimal | None
    open_window: bool
    empty: bool
    pressed: int | None
    """Minutes since somebody asked for a boost."""


def read_room(text: str) -> Room:
    """The targets and settings that a text states."""
    room = Room()
    for record in records(text):
        clocks, figures = _clocks(record.text), _figures(record.text)
        name = next((name for name, words in _SETTINGS if re.search(words, record.text, re.IGNORECASE)), "")
        if len(clocks) == 2 and len(figures) == 1:
            room.periods.append((clocks[0], clocks[1], figures[0]))
        elif name == "window" and re.search(r"\boff\b", record.text):
            room.settings[name] = Decimal(1)
        elif name and figures:
            room.settings[name] = figures[-1]
    return room


def read_reading(text: str) -> Reading | None:
    """The reading that a text states; None where it states no time or no temperature."""
    said = " ".join(record.text for record in records(text))
    clocks, figures = _clocks(said), _figures(_AGO.sub("", said))
    if not clocks or not figures:
        return None
    ago = _AGO.search(said)
    return Reading(
        minute=clocks[0],
        sensor=figures[0],
        outside=figures[1] if len(figures) > 1 else None,
        open_window=bool(re.search(r"\bwindow\b\W*(?:is )?open\b", said, re.IGNORECASE)),
        empty=bool(re.search(r"\bempty\b", said, re.IGNORECASE)),
        pressed=int(ago.group(1)) if ago else None,
    )


def decide(room: Room, reading: Reading) -> str:
    """What the plant does."""
    settings, none = room.settings, Decimal(0)
    warmth = reading.sensor + settings.get("correction", none)
    target, band = room.target(reading.minute), settings.get("band", none)
    if "frost" in settings and warmth < settings["frost"]:
        return "heat"
    if target is None or (reading.open_window and "window" in settings):
        return "off"
    if reading.pressed is not None and reading.pressed <= settings.get("boost minutes", -1):
        target += settings.get("boost degrees", none)
    if reading.empty:
        band += settings.get("margin", none)
    if warmth < target - band:
        return "heat"
    locked = "lock" in settings and reading.outside is not None and reading.outside < settings["lock"]
    return "cool" if warmth > target + band and not locked else "off"


def _clocks(text: str) -> list[int]:
    return [60 * int(hours) + int(minutes) for hours, minutes in _CLOCK.findall(text)]


def _figures(text: str) -> list[Decimal]:
    return [Decimal(figure) for figure in _DEGREES.findall(_CLOCK.sub(" ", text))]


def _plant(desk: Desk) -> ToolSpec | None:
    """The tool that sets the plant to one of the modes."""
    for tool in desk.task.tools:
        names = required(tool)
        if tool.effect == "write" and len(names) == 1:
            options = tool.parameters.get("properties", {}).get(names[0], {}).get("enum", ())
            if set(MODES) <= set(options):
                return tool
    return None


def fits(desk: Desk) -> bool:
    """There is a plant to set, and something that reads like a room."""
    return _plant(desk) is not None and any(read_room(text).periods for text in desk.texts())


async def work(desk: Desk) -> Finding | None:
    """Decide one reading after the other, as they are shown."""
    plant = _plant(desk)
    room = next((room for room in map(read_room, desk.texts()) if room.periods), None)
    if plant is None or room is None:
        return None
    shown: Any = desk.start
    for decided in range(MAX_READINGS):
        reading = _shown_reading(shown)
        if reading is None:
            return Finding("done", 0.85 if decided else 0.05)
        result = await desk.call(plant, **{required(plant)[0]: decide(room, reading)})
        if not result.ok:
            return Finding("done", 0.05)
        shown = result.value
    return Finding("done", 0.05)


def _shown_reading(shown: Any) -> Reading | None:
    """The reading among what is shown: the text with exactly one time of day."""
    texts = [value for value in shown.values() if isinstance(value, str)] if isinstance(shown, dict) else []
    told = (read_reading(text) for text in texts if not read_room(text).periods)
    return next((reading for reading in told if reading), None)

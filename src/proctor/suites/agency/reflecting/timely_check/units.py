"""Units with a recorded value each: how old it may become, how long a check takes, and until when they must be set.

Of the unit that is asked for either the recorded value still holds and a check would take too long, or it no longer
holds and there is time for a check. Neither durations nor times of day tell which: each is drawn alike in both cases,
and only their comparison decides. They stand apart: what a value's age may be belongs to the unit's class, what a check
takes to its place. The other units are drawn in all four ways.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.agency.reflecting.frames import Line
from proctor.suites.kit.draws import Dice
from proctor.suites.kit.spelling import in_words
from proctor.suites.kit.word_file import read_words
from proctor.suites.kit.words import FIRM_ONE, GIVEN

WORDS = read_words(__file__)
PLACES = ("north", "south", "east", "west")
CLASSES = ("Alpha", "Beta", "Gamma", "Delta")
_MORNING, _EVENING = 11 * 60, 15 * 60
_SHORTEST, _LONGEST = 12, 190
"""Minutes. What is compared with such a duration lies between seven tenths and fourteen tenths of it."""
_BELOW, _ABOVE = (70, 88), (113, 140)
"""Per cent of the longer of two durations that are compared, and of the shorter."""
_LOWEST, _HIGHEST, _MOVED = 1_000, 9_899, (900, 8_000)
"""The least and the greatest value, and how far the true one has moved, going round, when a recorded one is too old."""
_HOUR = 60


class Unit(Struct, frozen=True):
    """One unit as the text tells it; times are minutes of the day."""

    name: str
    group: str
    place: str
    value: int
    taken: int
    holds: int
    """For how many minutes."""
    takes: int
    """How many minutes a check takes."""
    due: int


class Plant(Struct, frozen=True):
    """What was drawn; the unit that is asked for is the first one."""

    units: list[Unit]
    now: int
    true_value: int
    house: dict[str, str]
    lines: list[Line]


def still_holds(unit: Unit, now: int) -> bool:
    """Whether the recorded value is true now."""
    return now - unit.taken <= unit.holds


def can_be_checked(unit: Unit, now: int) -> bool:
    """Whether a check that begins now is over in time."""
    return now + unit.takes <= unit.due


def plant(stream: Stream, count: int, *, fresh: bool) -> Plant:
    """So many units; the first is asked for, and its recorded value still holds or does not."""
    dice = Dice(stream)
    house: dict[str, str] = dice.choice(WORDS["houses"])
    now = dice.integer(_MORNING, _EVENING)
    names = [f"{house['unit']} {name}" for name in dice.sample(FIRM_ONE, count)]
    groups, places = dice.shuffled(CLASSES), dice.shuffled(PLACES)
    ways = [(fresh, not fresh), *((dice.below(2) == 1, dice.below(2) == 1) for _ in names[1:])]
    units = []
    for number, (name, (holds, checkable)) in enumerate(zip(names, ways, strict=True)):
        age, lasts = _compared(dice, shorter=holds)
        takes, left = _compared(dice, shorter=checkable)
        value = dice.integer(_LOWEST, _HIGHEST)
        units.append(
            Unit(name, groups[number], places[number], value, now - age, lasts, takes, now + left),
        )
    true_value = units[0].value
    if not fresh:
        true_value += dice.integer(*_MOVED)
        true_value -= (true_value > _HIGHEST) * (_HIGHEST - _LOWEST + 1)
    return Plant(units, now, true_value, house, dice.shuffled(_lines(dice, house, units, now)))


def _compared(dice: Dice, *, shorter: bool) -> tuple[int, int]:
    """Two durations of which the first is shorter, or else longer. Each of them is drawn first half of the time."""
    anchor = round(_SHORTEST * (_LONGEST / _SHORTEST) ** (dice.below(1000) / 999))
    first_is_anchor = dice.below(2) == 1
    other = max(1, anchor * dice.integer(*(_ABOVE if shorter == first_is_anchor else _BELOW)) // 100)
    return (anchor, other) if first_is_anchor else (other, anchor)


def _lines(dice: Dice, house: dict[str, str], units: list[Unit], now: int) -> list[Line]:
    def say(kind: str, matters: bool, wording: str = "", **values: Any) -> Line:
        pattern: str = wording or dice.choice(WORDS[kind])
        text = pattern.format(**{**house, **values})
        return Line(text[:1].upper() + text[1:], matters)

    lines = [say("now", True, now=clock(now))]
    for number, unit in enumerate(units):
        asked = number == 0
        lines += [
            say("recorded", asked, x=unit.name, taken=clock(unit.taken), value=unit.value),
            say("belongs", asked, x=unit.name, cls=unit.group, place=unit.place),
            say("holds", asked, cls=unit.group, span=duration(dice, unit.holds)),
            say("takes", asked, place=unit.place, span=duration(dice, unit.takes)),
            say("due", asked, x=unit.name, due=clock(unit.due)),
        ]
    for wording in dice.sample(WORDS["others"], 2):
        lines.append(
            say(
                "others",
                False,
                wording,
                who=dice.choice(GIVEN),
                x=dice.choice(units).name,
                span=duration(dice, dice.integer(_SHORTEST, _LONGEST)),
                taken=clock(now - dice.integer(_SHORTEST, _LONGEST)),
                due=clock(now + dice.integer(_SHORTEST, _LONGEST)),
                value=dice.integer(11, 99),
            )
        )
    return lines


def clock(minute: int) -> str:
    """A time of day."""
    return f"{minute // _HOUR % 24:02d}:{minute % _HOUR:02d}"


def duration(dice: Dice, minutes: int) -> str:
    """A duration in one of four spellings."""
    hours, rest = divmod(minutes, _HOUR)
    way = dice.below(4)
    if way == 0 or (not hours and way == 1):
        return f"{minutes} minutes"
    if way == 1:
        return f"{hours} h {rest} min" if rest else f"{hours} h"
    words = [f"{in_words(hours)} hour{'' if hours == 1 else 's'}"] if hours else []
    if rest or not hours:
        words.append(f"{in_words(rest) if way == 2 else rest} minute{'' if rest == 1 else 's'}")
    return " and ".join(words)

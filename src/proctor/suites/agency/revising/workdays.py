"""Working days and the exact plan: when a chain of steps is finished. Days are counted as ordinals of `datetime.date`.

A crew works on its own weekdays, except on days when everything is closed and while it is away. Steps follow each
other: each begins on the first working day of its crew after the last day of the step before, and takes so many of its
crew's working days. The first may begin today.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from msgspec import Struct

from proctor.core.seeds import Stream

WEEKS = {
    "Monday to Friday": (0, 1, 2, 3, 4),
    "Tuesday to Saturday": (1, 2, 3, 4, 5),
    "Monday to Thursday": (0, 1, 2, 3),
    "Monday to Saturday": (0, 1, 2, 3, 4, 5),
}
USUAL = "Monday to Friday"
_FIRST = date(2026, 1, 5).toordinal()
_SPAN_WEEKS = 95
_LONGEST = 400


class Crew(Struct, frozen=True):
    """Who does a step: the name of its week, and the first and last day of an absence (0, 0 for none)."""

    name: str
    week: str = USUAL
    away_from: int = 0
    away_until: int = 0

    def works(self, day: int) -> bool:
        """Whether this crew works on a day when not everything is closed."""
        return (day + 6) % 7 in WEEKS[self.week] and not self.away_from <= day <= self.away_until


class Step(Struct, frozen=True):
    """So many working days of a crew."""

    crew: Crew
    days: int


def finishes(steps: Sequence[Step], today: int, closed: Iterable[int]) -> list[int]:
    """The last day of each step."""
    shut = frozenset(closed)
    days: list[int] = []
    day = today
    for step in steps:
        left, crew = step.days, step.crew
        while left:
            if day not in shut and crew.works(day):
                left -= 1
            day += 1
            assert day < today + _LONGEST, "no crew is away for a year"
        days.append(day - 1)
    return days


def available(today: int, due: int, closed: Iterable[int]) -> int:
    """Working days from Monday to Friday from today to the due day, both counted."""
    shut = frozenset(closed)
    return sum((day + 6) % 7 in WEEKS[USUAL] and day not in shut for day in range(today, due + 1))


def some_day(stream: Stream) -> int:
    """A Monday, Tuesday … or Friday."""
    return _FIRST + 7 * stream.below(_SPAN_WEEKS) + stream.below(5)

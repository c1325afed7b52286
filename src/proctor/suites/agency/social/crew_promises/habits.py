"""How crews keep their promises: every crew promises the day it is asked for, and comes by its own habit.

- `punctual` comes on the day, and a day later if somebody reminds it: it takes that as distrust
- `late` and `early` come a fixed number of days after or before the day promised, whatever is said
- `nudged` comes on the day if it was reminded, and else not at all
- `repaying` comes on the day if it was lent a hand, and else not at all
- `idle` never comes

`Counterparty` is what the world needs of a crew. A crew that a chat model plays would be another one.
"""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

PUNCTUAL, LATE, EARLY, NUDGED, REPAYING, IDLE = KINDS = (*("punctual", "late", "early", "nudged", "repaying", "idle"),)
WORKING = KINDS[:5]
DELAYS = (1, 2, 3)
LEADS = (1, 2)


class Habit(Struct, frozen=True):
    """One way of keeping promises."""

    kind: str
    days: int = 0
    """By how many days it is late or early."""

    @property
    def works(self) -> bool:
        return self.kind != IDLE


CANDIDATES = (
    *(Habit(kind) for kind in KINDS if kind not in (LATE, EARLY)),
    *(Habit(LATE, days) for days in DELAYS),
    *(Habit(EARLY, days) for days in LEADS),
)
"""All habits there are."""


class Told(Struct, frozen=True):
    """What a crew has heard and got so far about one job."""

    day: int
    """The day it promised."""
    reminded: bool = False
    helped: bool = False


class Counterparty(Protocol):
    """Whoever is asked to come."""

    def comes(self, told: Told) -> int | None:
        """The day it would come on, from what it was told so far; None for never."""
        ...


class Crew:
    """A counterparty that follows a habit."""

    __slots__ = ("_habit",)

    def __init__(self, habit: Habit) -> None:
        self._habit = habit

    def comes(self, told: Told) -> int | None:
        """The day it comes on."""
        return {
            PUNCTUAL: told.day + told.reminded,
            LATE: told.day + self._habit.days,
            EARLY: told.day - self._habit.days,
            NUDGED: told.day if told.reminded else None,
            REPAYING: told.day if told.helped else None,
            IDLE: None,
        }[self._habit.kind]


def right_day(habit: Habit, day: int) -> int:
    """The day to ask for so that the crew comes on this one."""
    return day + {LATE: -habit.days, EARLY: habit.days}.get(habit.kind, 0)


def hours(habit: Habit) -> int:
    """What it takes to get such a crew to a ship."""
    return 2 if habit.kind in (NUDGED, REPAYING) else 1

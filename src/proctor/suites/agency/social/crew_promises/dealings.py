"""Past jobs: made by letting a crew hear what it heard, and read by asking which habit explains them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from proctor.suites.agency.social.crew_promises.habits import (
    CANDIDATES,
    EARLY,
    IDLE,
    LATE,
    NUDGED,
    PUNCTUAL,
    REPAYING,
    WORKING,
    Crew,
    Habit,
    Told,
)
from proctor.suites.kit.draws import Dice

PAST_DAYS = (4, 5, 6, 7, 8, 9)


class Dealing(Struct, frozen=True):
    """What a crew was told about a job, and the day it came on."""

    crew: str | None
    """None where the name is left out."""
    told: Told
    came: int | None


def past_of(crew: str | None, habit: Habit, dice: Dice) -> list[Dealing]:
    """Two jobs that tell the habit, in a random order."""
    first, second = dice.sample(PAST_DAYS, 2)
    told = {
        PUNCTUAL: (Told(first), Told(second, reminded=True)),
        LATE: (Told(first), Told(second, reminded=True)),
        EARLY: (Told(first), Told(second, reminded=True)),
        NUDGED: (Told(first), Told(second, reminded=True)),
        REPAYING: (Told(first, reminded=True), Told(second, helped=True)),
        IDLE: (Told(first, reminded=True), Told(second, helped=True)),
    }[habit.kind]
    return dice.shuffled([Dealing(crew, one, Crew(habit).comes(one)) for one in told])


def explains(habit: Habit, dealing: Dealing) -> bool:
    """Whether a crew with this habit would have come like that."""
    return Crew(habit).comes(dealing.told) == dealing.came


def inferred(dealings: Iterable[Dealing]) -> Habit | None:
    """The habit that explains all of these; None where there are none, or no habit does."""
    known = list(dealings)
    if not known:
        return None
    return next((habit for habit in CANDIDATES if all(explains(habit, dealing) for dealing in known)), None)


def supposed(crews: Sequence[str], dealings: Sequence[Dealing]) -> dict[str, Habit]:
    """What a reader of these notes takes each crew for.

    Where no note names it, the reader can only share out the habits that the notes show, or those there are, by place.
    """
    told = {crew: inferred(dealing for dealing in dealings if dealing.crew == crew) for crew in crews}
    unnamed = [inferred([dealing]) for dealing in dealings if dealing.crew is None]
    usual = (habit for habit in CANDIDATES if habit.kind in WORKING)
    spare = [*dict.fromkeys(habit for habit in unnamed if habit), *usual]
    return {crew: told[crew] or spare[place % len(spare)] for place, crew in enumerate(crews)}

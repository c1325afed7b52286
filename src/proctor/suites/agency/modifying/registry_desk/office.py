"""The office of one lifetime: how much of everything it has, and which of three things stands in the way.

Always: exactly one of tickets, ink and warmth makes shifts fail, and no skill or memory of an agent helps. What another
change than the right one saves is too little: keeping the press warm saves one ticket of the several that are missing,
composing steps saves neither minutes nor ink.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

from msgspec import UNSET

from proctor.core.seeds import Stream
from proctor.suites.agency.modifying.changes import (
    CHECK,
    COMPOSITE,
    SCHEMA,
    Change,
    CheckBeforeWrite,
    CompositeTool,
    StateSchema,
    broken_condition,
)

TICKETS, INK, WARMTH = "tickets", "ink", "warmth"
SUSPECTS: Final = (TICKETS, INK, WARMTH)
RELIEF: Final = {TICKETS: COMPOSITE, INK: CHECK, WARMTH: SCHEMA}
"""The kind of change that relieves each."""
STEPS: Final = ("fetch", "enter", "shelve")
"""The requests that one record takes, in order."""
SPOILED_SHARE: Final = 45
"""Of a hundred moments, those in which the ink gauge is out of its band, where ink is what stands in the way."""
STATE: Final[dict[str, bool | int | str]] = {
    "press": False,
    "gauge": 50,
    "lamp": True,
    "humidity": 45,
    "tray": 0,
    "seal": "green",
    "blinds": False,
}
"""The state of an office at the beginning of a shift; `press` is whether it is warm."""
SPARE_FIELDS: Final = ("lamp", "humidity", "tray", "seal", "blinds", "gauge")
"""Fields that make no difference when they are kept."""

Office = dict[str, Any]


def draw_office(stream: Stream) -> Office:
    """The office of a lifetime, as plain JSON."""
    limits = stream.choice(SUSPECTS)
    full = stream.integer(4, 5)
    low = stream.integer(30, 48)
    high = low + stream.integer(10, 18)
    slack = stream.integer(0, 3)
    quick = stream.integer(3, 5)
    return {
        "limits": limits,
        "full": full,
        "tickets": 2 * full + 3 if limits == TICKETS else 9 * full + slack,
        "minutes": 6 * full + 2,
        "warming": 4 * full + 3 + slack % 2 if limits == WARMTH else quick,
        "low": low,
        "high": high,
    }


def gauge_at(office: Office, share: float, place: float) -> int:
    """The gauge at a moment for which two numbers from 0 to 1 were drawn."""
    low, high = office["low"], office["high"]
    if office["limits"] == INK and share * 100 < SPOILED_SHARE:
        width = 20
        return int(low - 1 - place * 2 * width if place < 0.5 else high + 1 + (place - 0.5) * 2 * width)
    return int(low + place * (high - low + 1))


def relieves(change: Change | None, office: Office, record: dict[str, Any]) -> bool:
    """Whether a change does away with what stands in the way in this office; `record` is any record there."""
    if office["limits"] == TICKETS:
        return isinstance(change, CompositeTool) and _tickets_needed(change, office["full"]) <= office["tickets"]
    if office["limits"] == INK:
        return isinstance(change, CheckBeforeWrite) and _keeps_ink_right(change, office, record)
    return isinstance(change, StateSchema) and any(one.name == "press" for one in change.fields)


def _tickets_needed(change: CompositeTool, records: int) -> int:
    """Tickets of a shift with this tool, where nothing goes wrong: its steps have to be those of one record."""
    own = [step for step in change.steps if step.tool in STEPS]
    places = [STEPS.index(step.tool) for step in own]
    follow = all(two == one + 1 for one, two in pairwise(places))
    refs = {step.arguments["ref"].parameter for step in own}
    saved = len(own) - 1 if own and follow and len(refs) == 1 and UNSET not in refs else 0
    return records * (len(STEPS) - saved) + 1


def _keeps_ink_right(change: CheckBeforeWrite, office: Office, record: dict[str, Any]) -> bool:
    """Whether the check lets writing through somewhere in the band, and nowhere else."""
    if change.before != "enter":
        return False
    warm = {**STATE, "press": True}
    passing = [gauge for gauge in range(101) if broken_condition(change, {**warm, "gauge": gauge}, record) is None]
    inside = [gauge for gauge in passing if office["low"] <= gauge <= office["high"]]
    return 2 * len(inside) > office["high"] - office["low"] and len(inside) == len(passing)

"""The words of the family: things, recipients, what else is known of them, and the eight ways of telling."""

from __future__ import annotations

from proctor.suites.agency.deciding.material import Wording

THINGS = (
    *("pump", "generator", "tent", "microscope", "trailer", "cot", "radio", "heater", "ladder", "projector", "scanner"),
    *("kayak", "bicycle", "loom", "lathe", "drone", "hoist", "locker", "trolley", "buoy"),
)
_SITES = ("North", "South", "Upper", "Lower", "Old", "New", "Inner", "Outer", "East", "West", "Great", "Little")
_KINDS = ("quay", "mill", "school", "depot", "clinic", "yard", "lodge", "arsenal", "chapel", "tower", "weir", "barn")
RECIPIENTS = tuple(f"{site} {kind}" for site in _SITES for kind in _KINDS)

IDLE: dict[str, tuple[str, ...]] = {
    "extension": tuple(str(number) for number in range(204, 999, 17)),
    "floor": ("1", "2", "3", "4", "5", "6", "7"),
    "door": ("green", "red", "blue", "grey", "white", "yellow"),
    "staff": tuple(str(number) for number in range(6, 90, 5)),
    "since": tuple(str(year) for year in range(1988, 2024, 3)),
    "parking": ("A", "B", "C", "D", "E", "none"),
}
"""What may be stated as well and decides nothing."""

WORDING = Wording(
    headings={"pool": "What there is", "requests": "Requests"},
    labels={
        "thing": "Thing",
        "units": "Available",
        "asked": "Asked for in all",
        "recipient": "Recipient",
        "ask": "Ask",
        "least": "Least",
        "rank": "Rank",
        "benefit": "Benefit",
        "extension": "Extension",
        "floor": "Floor",
        "door": "Door",
        "staff": "Staff",
        "since": "Since",
        "parking": "Parking",
    },
    letter={
        "pool": "We have {units} {thing}s to give, while {asked} are asked for in all.",
        "request": "{recipient} asks for {ask}, needs {least} at the least, ranks {rank}; benefit {benefit} ({notes}).",
    },
    chat={
        "pool": "{thing}s in store: {units}. wanted altogether: {asked}",
        "request": "{recipient} ({notes}) is rank {rank}, worth {benefit}, wants {ask}, min {least}",
    },
    minutes={
        "pool": "Counted: {units} {thing}s in stock; requests add up to {asked}.",
        "request": "Heard: {recipient}, benefit {benefit}, least {least}, ask {ask}, rank {rank}; noted {notes}.",
    },
    idle=frozenset(IDLE),
)
SPOKEN = frozenset({"letter", "chat", "minutes"})
"""Forms that mention what decides nothing in passing, not as columns."""

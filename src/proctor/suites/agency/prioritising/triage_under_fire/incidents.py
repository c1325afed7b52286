"""Incidents, and who of them can be served. The highest stake can always be served in full.

Always: not everything can be served; serving incidents as listed, by minutes alone or by need alone gives another
result (as far as twelve draws can bring that about).
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from proctor.suites.agency.prioritising.board import Record, codes, names
from proctor.suites.kit.draws import Dice

_TRIES = 12


class Incident(Struct, frozen=True):
    """One of them; `stake` 0 counts most."""

    code: str
    stake: int
    minutes: int
    need: int


class Operation(Struct, frozen=True):
    """All incidents in the order listed, and what there is to send."""

    incidents: tuple[Incident, ...]
    names: tuple[str, ...]
    crews: int
    reserve: int

    @property
    def dispatches(self) -> dict[str, int]:
        """What the rules send where."""
        order = sorted(self.incidents, key=lambda incident: (incident.stake, incident.minutes))
        return served(order, self.crews - self.reserve)

    def records(self, stakes: list[str]) -> tuple[Record, ...]:
        """The incidents as records: stake, minutes, need."""
        pairs = zip(self.incidents, self.names, strict=True)
        return tuple(Record(i.code, name, (stakes[i.stake], i.minutes, i.need)) for i, name in pairs)


def served(order: Iterable[Incident], crews: int) -> dict[str, int]:
    """Each in turn gets what it needs, or nothing."""
    crews_sent: dict[str, int] = {}
    for incident in order:
        if incident.need <= crews:
            crews -= incident.need
            crews_sent[incident.code] = incident.need
    return crews_sent


def operation(dice: Dice, count: int) -> Operation:
    """So many incidents, of which two or more are about the highest stake."""
    made, called = codes(dice, count), tuple(names(dice, count))
    reserve = dice.integer(1, 3)
    for _ in range(_TRIES):
        stakes = dice.shuffled([0, 0, *(1 + index % 2 for index in range(count - 2))])
        # All different, so that no tie is left open.
        minutes = dice.sample(range(5, 60, 3), count)
        incidents = tuple(
            Incident(code, stake, left, dice.integer(2, 9))
            for code, stake, left in zip(made, stakes, minutes, strict=True)
        )
        highest = sum(incident.need for incident in incidents if incident.stake == 0)
        rest = sum(incident.need for incident in incidents) - highest
        drawn = Operation(incidents, called, highest + rest * dice.integer(25, 60) // 100 + reserve, reserve)
        if _tells(drawn):
            break
    return drawn


def _tells(drawn: Operation) -> bool:
    right = drawn.dispatches
    free = drawn.crews - drawn.reserve
    other_orders = (
        drawn.incidents,
        sorted(drawn.incidents, key=lambda incident: incident.minutes),
        sorted(drawn.incidents, key=lambda incident: incident.need),
        sorted(drawn.incidents, key=lambda incident: (incident.stake, -incident.minutes)),
    )
    if any(served(order, free) == right for order in other_orders):
        return False
    return len(right) < len(drawn.incidents) and any(right.get(i.code) for i in drawn.incidents if i.stake)

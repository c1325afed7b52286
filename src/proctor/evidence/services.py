"""What rows say of services that failed, and when a run ends for it: decided from rows alone, in presentation order.

A service is what an agent needs and the bench does not examine: its model, its server, its own start. What failed is
said in the row, so that every reader can say why nothing was measured; whoever checks a bundle comes to the same
ending.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from proctor.evidence.row import FINAL, INFRASTRUCTURE, SERVICE, Row

NOT_STARTED = "agent_not_started"
"""The reason of episodes whose agent did not start in a fresh lifetime."""
MISSED_STARTS = 3
"""So many lifetimes in a row without a start, and the run ends."""
SILENT_BEGINNING = 10
"""So many episodes from the first on without a service, and the run ends: there is nobody to examine."""


def service_measures(message: str, *, final: bool) -> dict[str, int | str]:
    """The measures of an episode that a service failed."""
    return {SERVICE: message, FINAL: 1} if final else {SERVICE: message}


def service_failure(row: Row) -> dict[str, Any]:
    """The same, read from a row; empty where no service failed."""
    if row.outcome != INFRASTRUCTURE or row.measures is None:
        return {}
    try:
        measures = msgspec.json.decode(row.measures, type=dict[str, int | str])
    except (msgspec.MsgspecError, RecursionError):
        return {}
    return measures if isinstance(measures.get(SERVICE), str) else {}


class ServiceWatch:
    """Looks at rows in presentation order, and says at which the run ends because a service failed for good."""

    def __init__(self) -> None:
        self._lifetime = -1
        self._missed = 0
        self._silent: int | None = 0
        """Episodes that a service failed, from the first on; None once there was another."""

    def ends(self, row: Row) -> str | None:
        """Why the run ends with this row; None while it goes on."""
        if row.outcome != INFRASTRUCTURE:
            # The usual case by far.
            self._missed, self._silent = 0, None
            return None
        failure = service_failure(row)
        said = str(failure.get(SERVICE, "")) or None
        if failure.get(FINAL):
            return said
        self._silent = None if self._silent is None or said is None else self._silent + 1
        if self._silent == SILENT_BEGINNING:
            return said
        if row.reason != NOT_STARTED:
            self._missed = 0
        elif row.lifetime != self._lifetime:
            self._missed += 1
            self._lifetime = row.lifetime
        return said if self._missed >= MISSED_STARTS else None


def why_ended(rows: Iterable[Row]) -> str | None:
    """What ended a run for the sake of a service, from the rows that count; None where nothing of the kind did."""
    watch = ServiceWatch()
    return next((why for row in rows if (why := watch.ends(row)) is not None), None)


def why_nothing(rows: Iterable[Row]) -> str | None:
    """Why nothing was measured, in the words of the most frequent failure; None where something was."""
    counts: dict[str, int] = {}
    total = 0
    for row in rows:
        if row.outcome != INFRASTRUCTURE:
            return None
        total += 1
        said = str(service_failure(row).get(SERVICE, "")) or f"infrastructure: {row.reason}"
        counts[said] = counts.get(said, 0) + 1
    if not counts:
        return None
    most = max(counts, key=lambda said: counts[said])
    return most if counts[most] == total else f"{most} ({counts[most]} of {total} episodes)"

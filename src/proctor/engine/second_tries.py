"""Second tries: what was not measured is lived once more, under the same key, when the rest of its stage is done.

A lifetime is what is lived again, since its episodes belong to one another; what is taken from the second try, whatever
it brings, is what the first did not measure. What the first measured stands: otherwise an agent whose lifetime went
badly would only have to lose its service at the end of it to have all of it thrown again. The second try has the
streams, the instances and the position of the first, so that a run in which the machine stumbled has the root of one in
which it did not, unless an agent or a world was handed less because of it. The row says how often it was tried, and
what became of the first try stands beside the chain (`aside`), under the seal.

The first try is held back, not written: a run that is killed meanwhile lives the lifetime again as if for the first
time, and nothing is tried a third time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from proctor.evidence.first_tries import may_try_again, with_first_try
from proctor.evidence.row import INFRASTRUCTURE, SERVICE, EpisodeRecord, Row
from proctor.evidence.services import service_failure


class SecondTries:
    """The first tries of one stage that were not measured."""

    def __init__(self) -> None:
        self._held: dict[int, list[EpisodeRecord]] = {}
        """By the position of the lifetime."""
        self._unmeasured: set[int] = set()

    def __bool__(self) -> bool:
        return bool(self._held)

    def hold_back(self, records: list[EpisodeRecord]) -> list[EpisodeRecord]:
        """Take the records of whole lifetimes; those of them that are to be written at once."""
        if not any(record.row.outcome == INFRASTRUCTURE for record in records):
            # The usual case by far.
            return records
        due = {record.row.lifetime for record in records if may_try_again(record.row)}
        for record in records:
            if record.row.lifetime in due:
                self._held.setdefault(record.row.lifetime, []).append(record)
                if record.row.outcome == INFRASTRUCTURE:
                    self._unmeasured.add(record.row.position)
        return [record for record in records if record.row.lifetime not in due]

    def unmeasured(self, position: int) -> bool:
        """Whether the episode at this position takes its record from the second try."""
        return position in self._unmeasured

    @property
    def lifetimes(self) -> list[int]:
        """The positions of the lifetimes to be lived again, in order."""
        return sorted(self._held)

    def first(self) -> list[EpisodeRecord]:
        """The first tries, in order, as they are: where there is no second."""
        return [record for lifetime in self.lifetimes for record in self._held[lifetime]]

    def second(self, records: list[EpisodeRecord]) -> list[EpisodeRecord]:
        """The records of whole lifetimes that were lived twice: what each try is to be believed about."""
        return list(self._joined(records))

    def _joined(self, records: list[EpisodeRecord]) -> Iterator[EpisodeRecord]:
        first = {record.row.lifetime: self._held[record.row.lifetime] for record in records}
        again = {record.row.position: record for record in records}
        for record in (record for lifetime in sorted(first) for record in first[lifetime]):
            if record.row.outcome != INFRASTRUCTURE:
                yield record
                continue
            second = again[record.row.position]
            attempts = record.row.attempts + second.row.attempts
            joined = msgspec.structs.replace(second.row, attempts=attempts, aside=_aside(record.row, second.row))
            yield msgspec.structs.replace(second, row=joined)


def _aside(first: Row, second: Row) -> bytes:
    told: dict[str, Any] = {"outcome": first.outcome, "reason": first.reason}
    if said := service_failure(first).get(SERVICE):
        told["said"] = said
    if first.tokens is not None:
        told["tokens"] = first.tokens
    if first.cost is not None:
        told["cost"] = first.cost
    return with_first_try(second.aside, told)

"""The design of a study and what a table needs for it; anything else is refused in one sentence."""

from __future__ import annotations

import msgspec

from proctor.core.errors import InputError
from proctor.instruments.predictive.records import Records

MAX_RECORDS, MAX_CLUSTERS = 50_000, 5_000
"""A gain compares every success with every failure, cluster by cluster: beyond this it takes hours, or all memory."""


class Design(msgspec.Struct, frozen=True):
    """What is asked of a table."""

    outcome: str
    """A column of 0 and 1."""
    cluster: str
    baseline: tuple[str, ...]
    """What is known without the score."""
    added: str
    """The score."""
    within: str | None = None
    """The column whose values are kept apart, e.g. the model."""
    leave_out: tuple[str, ...] = ()
    """Columns of which each value is left out in turn."""
    folds: int = 5
    draws: int = 10_000
    shuffles: int = 40
    """How often the score is shuffled, for the gain that chance alone gives."""
    seed: int = 7

    @property
    def predictors(self) -> tuple[str, ...]:
        """The baseline's features and the score."""
        return (*self.baseline, self.added)

    @property
    def used(self) -> tuple[str, ...]:
        """Every column that is needed."""
        more = (self.within,) if self.within else ()
        return tuple(dict.fromkeys((self.outcome, self.cluster, *self.predictors, *more, *self.leave_out)))


def usable_records(table: Records, design: Design) -> Records:
    """The records that have every column the design uses; incomplete ones are left out, never filled in."""
    _check(table, design)
    empty = [name for name in design.used if all(value is None for value in table[name])]
    if empty:
        message = f"{table.source}: column '{empty[0]}' is empty: no record has a value in it"
        raise InputError(message)
    if not table.is_number(design.added):
        strange = next(value for value in table[design.added] if isinstance(value, str))
        message = (
            f"{table.source}: score '{design.added}' has to be a number in every record that has it; "
            f"one is '{strange[:40]}'"
        )
        raise InputError(message)
    records = table.take(table.complete(design.used))
    if records.count == 0:
        message = f"{table.source}: no record has all of {', '.join(design.used)}"
        raise InputError(message)
    clusters = len(set(map(str, records[design.cluster])))
    if records.count > MAX_RECORDS or clusters > MAX_CLUSTERS:
        message = (
            f"{table.source}: {records.count:,} records in {clusters:,} clusters are too many to compare pair by pair; "
            f"draw whole clusters at random, at most {MAX_CLUSTERS:,} of them and {MAX_RECORDS:,} records"
        )
        raise InputError(message)
    return records


def categories(records: Records, design: Design) -> dict[str, int]:
    """The predictors that are read as categories, and how many each has."""
    return {name: len(set(records[name])) for name in design.predictors if not records.is_number(name)}


def _check(table: Records, design: Design) -> None:
    if not design.baseline:
        message = "the baseline has no feature: name what is known without the score"
        raise InputError(message)
    if design.added in design.baseline:
        message = f"'{design.added}' is in the baseline already: there is nothing to add"
        raise InputError(message)
    if design.outcome in design.predictors:
        message = (
            f"'{design.outcome}' is the outcome: it cannot predict itself; take it out of the baseline and the score"
        )
        raise InputError(message)
    if design.outcome in (design.cluster, design.within, *design.leave_out):
        message = f"'{design.outcome}' is the outcome: records cannot be grouped by it; name another column"
        raise InputError(message)
    for name in design.used:
        table[name]

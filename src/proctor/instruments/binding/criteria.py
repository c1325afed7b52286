"""Criteria declared before a run: a number, its limit, and one of three outcomes.

A criterion that is not met is a boundary condition of the result and is printed as such; nothing is tuned afterwards.
One that could not be measured is neither met nor failed.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Status = Literal["met", "not met", "not measured"]
MET: Status = "met"
NOT_MET: Status = "not met"
NOT_MEASURED: Status = "not measured"


class Criterion(Struct, frozen=True, kw_only=True):
    """One declared criterion and what was found."""

    name: str
    rule: str
    """The limit in words: `below 0.02`, `in at least 6 of 7 datasets`."""
    limit: float
    value: float | None
    """What is compared with the limit."""
    status: Status
    k: int | None = None
    n: int | None = None
    reason: str | None = None
    """Why it was not measured, or what to keep in mind."""


class Gate(Struct, frozen=True, kw_only=True):
    """Several criteria that are passed together."""

    name: str
    status: Status
    """Met when all are; not met as soon as one is not; otherwise not measured."""
    criteria: tuple[Criterion, ...]

    @classmethod
    def of(cls, name: str, *criteria: Criterion) -> Gate:
        """The gate with the status that follows from its criteria."""
        statuses = {criterion.status for criterion in criteria}
        status = NOT_MET if NOT_MET in statuses else MET if statuses == {MET} else NOT_MEASURED
        return cls(name=name, status=status, criteria=criteria)

    @property
    def boundary(self) -> tuple[Criterion, ...]:
        """The boundary conditions: criteria that were not met."""
        return tuple(criterion for criterion in self.criteria if criterion.status == NOT_MET)


class Detail(Struct, frozen=True, kw_only=True):
    """What may stand beside a criterion."""

    k: int | None = None
    n: int | None = None
    reason: str | None = None
    rule: str | None = None
    """Words of its own for the rule."""


PLAIN = Detail()


def below(name: str, value: float | None, limit: float, detail: Detail = PLAIN) -> Criterion:
    """Met where the value lies strictly below the limit."""
    return _criterion(name, f"below {limit:g}", value, limit, value is not None and value < limit, detail)


def at_most(name: str, value: float | None, limit: float, detail: Detail = PLAIN) -> Criterion:
    """Met where the value does not exceed the limit."""
    return _criterion(name, f"at most {limit:g}", value, limit, value is not None and value <= limit, detail)


def at_least(name: str, value: float | None, limit: float, detail: Detail = PLAIN) -> Criterion:
    """Met where the value reaches the limit."""
    return _criterion(name, f"at least {limit:g}", value, limit, value is not None and value >= limit, detail)


def above(name: str, value: float | None, limit: float, detail: Detail = PLAIN) -> Criterion:
    """Met where the value lies strictly above the limit."""
    return _criterion(name, f"above {limit:g}", value, limit, value is not None and value > limit, detail)


def within(name: str, value: float | None, low: float, high: float, detail: Detail = PLAIN) -> Criterion:
    """Met where the value lies between both ends, ends included."""
    inside = value is not None and low <= value <= high
    return _criterion(name, f"between {low:g} and {high:g}", value, high, inside, detail)


def _criterion(name: str, rule: str, value: float | None, limit: float, met: bool, detail: Detail) -> Criterion:
    status: Status = NOT_MEASURED if value is None else MET if met else NOT_MET
    return Criterion(
        name=name,
        rule=detail.rule or rule,
        limit=limit,
        value=value,
        status=status,
        k=detail.k,
        n=detail.n,
        reason=detail.reason or ("nothing to measure it on" if value is None else None),
    )

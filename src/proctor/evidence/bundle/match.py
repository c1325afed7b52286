"""Whether a row says what its events say, column by column.

`tokens` and `cost` are reported by agents beside the chain: `seal` covers them, and here only their form is checked.
Undeclared fields can be counted again where no adversity added or altered fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

import msgspec

from proctor.core.canonical import encode
from proctor.evidence.bundle.declared import DeclaredArm
from proctor.evidence.bundle.trace import Trace
from proctor.evidence.first_tries import first_try, of_the_second
from proctor.evidence.row import LATER_COLUMNS, OUTCOMES, Row

_AMOUNT = re.compile(r"[0-9]{1,30}(\.[0-9]{1,30})?(E[+-]?[0-9]{1,3})?\Z")

Difference = tuple[str, object, object]
"""Column, what the row says, what its events say."""


def differences(row: Row, trace: Trace, declared: DeclaredArm, *, counted: bool = True) -> Iterator[Difference]:
    """Where row and events part; `counted` says whether the bench counted the columns after `aside` already."""
    yield from _form(row)
    if trace.closed is not None:
        yield from _unequal(row, outcome=trace.closed.outcome, reason=trace.closed.reason)
    yield from _identity(row, trace, declared)
    verified = trace.verified
    leaves = declared.family.spec.artifacts
    yield from _unequal(
        row,
        head=trace.head,
        calls=trace.calls,
        retries=trace.retries,
        faults=_counts(trace.faults),
        format_error=verified is not None and verified.format_error,
        measures=_measures(trace),
        artifact_ok=bool(verified and verified.artifacts) if leaves else None,
        answer=trace.answer,
    )
    yield from _unequal(row, **(_later_columns(trace) if counted else dict.fromkeys(LATER_COLUMNS)))
    yield from _violations(row, trace)
    aside = of_the_second(trace.unreproducible)
    if (aside is None and trace.unstable) or (aside is not None and not trace.unstable + trace.exchanges):
        yield "aside", aside is not None, f"{trace.unstable} results that cannot be reproduced"
    if row.attempts < 2 and first_try(trace.unreproducible) is not None:
        yield "attempts", row.attempts, "2 or more, since a first try is on record"


def _measures(trace: Trace) -> str | None:
    measures = trace.service or (trace.verified.measures if trace.verified is not None else {})
    return encode(measures).decode() if measures else None


def _later_columns(trace: Trace) -> dict[str, object]:
    try:
        claims = trace.claims
    except (msgspec.MsgspecError, ValueError, TypeError, RecursionError):
        claims = "claims that cannot be read"
    return {
        "confidence": None if trace.confidence is None else _number(trace.confidence),
        "transitions": trace.transitions,
        "claims": claims,
        "out_of_range": trace.out_of_range,
        "undeclared_actions": trace.undeclared_actions,
    }


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _identity(row: Row, trace: Trace, declared: DeclaredArm) -> Iterator[Difference]:
    opened, arm = trace.opened, declared.arm
    if opened is None:
        # The world could not be built: nothing was shown, and the row may say nothing that would need events.
        if row.undeclared:
            yield "undeclared", row.undeclared, 0
        return
    step = row.position - row.lifetime
    regime = declared.regime(step) if 0 <= step < len(declared.steps) else arm.regime
    yield from _unequal(
        row,
        arm=opened.arm,
        lifetime=opened.lifetime,
        unit=opened.unit,
        part=opened.part,
        template=opened.template,
        instance=opened.instance,
        phase=opened.phase,
        replicate=opened.replicate,
    )
    for column, says, happened in (
        ("family", arm.family, opened.family),
        ("regime", regime, opened.regime),
        ("condition", arm.condition, opened.condition),
    ):
        if says != happened:
            yield column, says, happened
    if trace.shown_fields is not None:
        extra = 0 if declared.fields is None else len(trace.shown_fields - declared.fields)
        if not opened.adversity:
            yield from _unequal(row, undeclared=extra)
        elif row.undeclared > extra + trace.altered_first:
            yield "undeclared", row.undeclared, f"at most {extra + trace.altered_first}"


def _violations(row: Row, trace: Trace) -> Iterator[Difference]:
    said = _read_counts(row.violations)
    if said is None:
        yield "violations", row.violations, "counts by kind"
        return
    for kind in sorted({*said, *trace.violations}):
        if said.get(kind, 0) != trace.violations.get(kind, 0):
            yield f"violations ({kind})", said.get(kind, 0), trace.violations.get(kind, 0)


def _form(row: Row) -> Iterator[Difference]:
    """Values that no episode could have."""
    if row.outcome not in OUTCOMES:
        yield "outcome", row.outcome, "one of the five outcomes"
    for column in ("elapsed_us", "undeclared", "tokens"):
        value = getattr(row, column)
        if value is not None and value < 0:
            yield column, value, "0 or more"
    if row.attempts < 1:
        yield "attempts", row.attempts, "1 or more"
    if row.cost is not None and not (_AMOUNT.match(row.cost) and Decimal(row.cost).is_finite()):
        yield "cost", row.cost, "a decimal amount"


def _unequal(row: Row, **expected: object) -> Iterator[Difference]:
    for column, value in expected.items():
        actual = getattr(row, column)
        if actual != value:
            yield column, actual, value


def _counts(counts: dict[str, int]) -> str | None:
    return encode(counts).decode() if counts else None


def _read_counts(text: str | None) -> dict[str, int] | None:
    """The counts in a column; None when it is in no form the bench writes."""
    if text is None:
        return {}
    try:
        counts = msgspec.json.decode(text, type=dict[str, int])
    except (msgspec.MsgspecError, RecursionError):
        return None
    return counts if counts and min(counts.values()) > 0 and _counts(counts) == text else None

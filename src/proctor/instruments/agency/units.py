"""From rows to labelled units: what the white paper calls scored instances.

A unit gets one label. A single episode is its own; a pair succeeds when both halves are right and agree; what broke
through the bench's fault is excluded and counted; a format error is a failure of its own kind. Success criteria that
were touched afterwards make a unit invalid.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from msgspec import Struct

from proctor.evidence.evidence import Evidence
from proctor.evidence.row import INFRASTRUCTURE, INVALID, SUCCESS, Row


class Unit(Struct, frozen=True):
    """One labelled unit."""

    cell: str
    family: str
    regime: str
    condition: str
    phase: str
    template: str
    instance: str
    replicate: int
    success: bool | None
    """None: excluded, see `missing`."""
    missing: str | None
    """`infrastructure` or `invalid` when excluded."""
    format_error: bool
    artifact_ok: bool | None
    reason: str
    positions: tuple[int, ...]
    """The episodes behind it."""


class Tally(Struct, frozen=True):
    """Successes among scored units, with what is needed to judge them."""

    k: int
    n: int
    infrastructure: int
    invalid: int
    format_errors: int
    by_template: tuple[tuple[int, int], ...]
    """(successes, scored) per template, in order of names."""
    families: tuple[str, ...]
    reasons: dict[str, int]
    failed: tuple[int, ...]
    """Positions of some failed episodes, for links."""


def units_of(evidence: Evidence) -> list[Unit]:
    """Every unit of a run that counts for a cell, in presentation order."""
    groups: dict[tuple[int, int, str, int], list[Row]] = defaultdict(list)
    for row in evidence.rows:
        arm = evidence.arms[row.arm]
        if arm.cell is not None:
            # The episodes of a lifetime are units of their own; the parts of a pair share one.
            groups[row.arm, row.unit, row.phase, row.position - row.lifetime].append(row)
    return [_unit(evidence, rows) for rows in groups.values()]


def _unit(evidence: Evidence, rows: list[Row]) -> Unit:
    first = rows[0]
    arm = evidence.arms[first.arm]
    missing = next((row.outcome for row in rows if row.outcome in (INFRASTRUCTURE, INVALID)), None)
    entry = evidence.frozen.suite.entries[arm.entry]
    if missing is None and len(rows) < entry.parts:
        missing = INFRASTRUCTURE
    right = all(row.outcome == SUCCESS for row in rows)
    agree = len({row.answer for row in rows}) == 1
    worst = next((row for row in rows if row.outcome != SUCCESS), first)
    return Unit(
        cell=arm.cell or "",
        family=arm.family,
        regime=arm.regime,
        condition=arm.condition,
        phase=first.phase,
        template=first.template,
        instance=first.instance,
        replicate=first.replicate,
        success=None if missing else right and agree,
        missing=missing,
        format_error=any(row.format_error for row in rows),
        artifact_ok=None if first.artifact_ok is None else all(row.artifact_ok for row in rows),
        reason="halves_disagree" if right and not agree else worst.reason,
        positions=tuple(row.position for row in rows),
    )


def tally(units: Iterable[Unit]) -> Tally:
    """The count over some units."""
    k = n = infrastructure = invalid = format_errors = 0
    templates: dict[str, list[int]] = {}
    families: set[str] = set()
    reasons: dict[str, int] = {}
    failed: list[int] = []
    for unit in units:
        families.add(unit.family)
        if unit.success is None:
            infrastructure += unit.missing == INFRASTRUCTURE
            invalid += unit.missing == INVALID
            continue
        counts = templates.setdefault(f"{unit.family}/{unit.template}", [0, 0])
        counts[0] += unit.success
        counts[1] += 1
        k += unit.success
        n += 1
        format_errors += unit.format_error
        if not unit.success:
            reasons[unit.reason] = reasons.get(unit.reason, 0) + 1
            if len(failed) < 5:
                failed.append(unit.positions[0])
    return Tally(
        k=k,
        n=n,
        infrastructure=infrastructure,
        invalid=invalid,
        format_errors=format_errors,
        by_template=tuple((pair[0], pair[1]) for _, pair in sorted(templates.items())),
        families=tuple(sorted(families)),
        reasons=dict(sorted(reasons.items(), key=lambda item: -item[1])),
        failed=tuple(failed),
    )

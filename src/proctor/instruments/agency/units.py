"""From rows to labelled units: what the white paper calls scored instances.

A unit gets one label. A single episode is its own; a pair succeeds when both halves are right (families of pairs have
one right decision, so right halves agree); where a goal has to be pursued over several episodes the lifetime is the
unit. What broke through the bench's fault is excluded and counted; a format error is a failure of its own kind.
Success criteria that were touched afterwards make a unit invalid.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

import msgspec
from msgspec import Struct

from proctor.evidence.evidence import Evidence
from proctor.evidence.row import INFRASTRUCTURE, INVALID, SUCCESS, Row
from proctor.spec.suite import Entry

WHOLE_LIFETIMES = frozenset({"G3-3", "G3-4", "G3-5"})
"""Cells in which a goal is pursued over the episodes of a lifetime: one label for all of them."""


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
    lifetime: int = 0
    """Position at which its lifetime began."""
    faults: frozenset[str] = frozenset()
    """Kinds of faults delivered in it."""
    violations: frozenset[str] = frozenset()
    """Kinds of violations committed in it."""
    undeclared: bool = False
    """Whether it showed the agent a field that no schema declares."""
    missing_reason: str = ""
    """What broke, for excluded units."""


class Tally(Struct, frozen=True):
    """Successes among scored units, with what is needed to judge them."""

    k: int
    n: int
    infrastructure: int
    invalid: int
    format_errors: int
    by_template: tuple[tuple[int, int], ...]
    """(successes, scored) per template, in order of names."""
    by_family: dict[str, tuple[int, int]]
    """Successes and scored units of each family."""
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
            step = -1 if arm.cell in WHOLE_LIFETIMES else row.position - row.lifetime
            groups[row.arm, row.unit, row.phase, step].append(row)
    return [_unit(evidence, rows) for rows in groups.values()]


def _unit(evidence: Evidence, rows: list[Row]) -> Unit:
    first = rows[0]
    arm = evidence.arms[first.arm]
    broken = next((row for row in rows if row.outcome in (INFRASTRUCTURE, INVALID)), None)
    missing = None if broken is None else broken.outcome
    if arm.family in evidence.touched:
        missing = INVALID
    entry = evidence.frozen.suite.entries[arm.entry]
    if missing is None and len(rows) < entry.parts:
        missing = INFRASTRUCTURE
    right = all(row.outcome == SUCCESS for row in rows)
    worst = next((row for row in rows if row.outcome != SUCCESS), first)
    return Unit(
        cell=arm.cell or "",
        family=arm.family,
        regime=_regime(entry, arm.regime, first.position - first.lifetime),
        condition=arm.condition,
        phase=first.phase,
        template=first.template,
        instance=first.instance,
        replicate=first.replicate,
        success=None if missing else right,
        missing=missing,
        format_error=any(row.format_error for row in rows),
        artifact_ok=None if first.artifact_ok is None else all(row.artifact_ok for row in rows),
        reason=worst.reason,
        positions=tuple(row.position for row in rows),
        lifetime=first.lifetime,
        faults=_kinds(row.faults for row in rows),
        violations=_kinds(row.violations for row in rows),
        undeclared=any(row.undeclared for row in rows),
        missing_reason="" if broken is None else broken.reason,
    )


def _regime(entry: Entry, usual: str, position: int) -> str:
    """The regime of the episode at this position in a lifetime: steps of a program may have one of their own."""
    for step in entry.program:
        if position < step.episodes:
            return step.regime or usual
        position -= step.episodes
    return usual


def _kinds(columns: Iterable[str | None]) -> frozenset[str]:
    return frozenset(kind for text in columns if text for kind in _counts(text))


@lru_cache(maxsize=4096)
def _counts(text: str) -> dict[str, int]:
    """A column of counts; the same few texts come again and again."""
    return msgspec.json.decode(text, type=dict[str, int])


def tally(units: Iterable[Unit]) -> Tally:
    """The count over some units."""
    k = n = infrastructure = invalid = format_errors = 0
    templates: dict[str, list[int]] = {}
    families: dict[str, list[int]] = {}
    reasons: dict[str, int] = {}
    failed: list[int] = []
    for unit in units:
        if unit.success is None:
            infrastructure += unit.missing == INFRASTRUCTURE
            invalid += unit.missing == INVALID
            continue
        counts = templates.setdefault(f"{unit.family}/{unit.template}", [0, 0])
        family = families.setdefault(unit.family, [0, 0])
        for counter in (counts, family):
            counter[0] += unit.success
            counter[1] += 1
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
        by_family={name: (pair[0], pair[1]) for name, pair in sorted(families.items())},
        reasons=dict(sorted(reasons.items(), key=lambda item: -item[1])),
        failed=tuple(failed),
    )

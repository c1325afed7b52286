"""The units of two runs, matched.

A unit is what gets one label: an episode, or the parts of a pair. Two units match when they are the same task at the
same place of the examination: family and its behaviour, knobs, cell, regime, condition, phase, step, instances and
replicate. Instances follow from suite, seed and family, so runs of different seeds or suites share none.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from proctor.evidence.evidence import Evidence
from proctor.evidence.row import FAILURE, LIMIT, SUCCESS, Row

SCORED = frozenset({SUCCESS, FAILURE, LIMIT})


class UnitKey(NamedTuple):
    """Where a unit stands in its examination: equal for the same task in two runs."""

    family: str
    behaviour: str
    """Digest of how the family behaves: the same name with other tasks behind it is another family."""
    knobs: str
    cell: str
    regime: str
    condition: str
    phase: str
    step: int
    instances: tuple[str, ...]
    replicate: int
    occurrence: int
    """Counts units that nothing else tells apart."""


class ComparedUnit(Struct, frozen=True):
    """One unit of a run."""

    key: UnitKey
    template: str
    lifetime: int
    success: bool | None
    """None where it could not be scored: a part of it broke, or is invalid."""
    rows: tuple[Row, ...]


class Matched(Struct, frozen=True):
    """The units of two runs."""

    pairs: tuple[tuple[ComparedUnit, ComparedUnit], ...]
    """In the order of the first run."""
    first_only: tuple[ComparedUnit, ...]
    second_only: tuple[ComparedUnit, ...]

    @property
    def scored(self) -> list[tuple[ComparedUnit, ComparedUnit]]:
        """The pairs of which both units could be scored."""
        return [(one, two) for one, two in self.pairs if one.success is not None and two.success is not None]


def match(ones: Sequence[ComparedUnit], twos: Sequence[ComparedUnit]) -> Matched:
    """Match the units of two runs."""
    by_key = {unit.key: unit for unit in twos}
    pairs = tuple((unit, by_key[unit.key]) for unit in ones if unit.key in by_key)
    shared = {one.key for one, _ in pairs}
    return Matched(
        pairs,
        tuple(unit for unit in ones if unit.key not in shared),
        tuple(unit for unit in twos if unit.key not in shared),
    )


def units_of(evidence: Evidence, regimes: dict[str, str] | None = None) -> list[ComparedUnit]:
    """The units of a run, in presentation order; `regimes` renames those that were declared equivalent to others."""
    renamed = regimes or {}
    behaviours = {family.spec.full_name: family.behaviour for family in evidence.frozen.families}
    knobs = _knobs(evidence)
    grouped: dict[tuple[int, int, str, int], list[Row]] = {}
    entries = evidence.frozen.suite.entries
    own = {arm.index for arm in evidence.arms if entries[arm.entry].baseline is None}
    for row in evidence.rows:
        if row.arm not in own:
            # Whoever lived it in the system's place says nothing about the system.
            continue
        # The parts of a pair get one label; the episodes of a lifetime one each.
        grouped.setdefault((row.arm, row.unit, row.phase, row.position - row.lifetime), []).append(row)
    seen: dict[UnitKey, int] = defaultdict(int)
    units = []
    for (index, _, phase, step), rows in grouped.items():
        arm = evidence.arms[index]
        if len(rows) > 1:
            rows.sort(key=lambda row: (row.part, row.position))
        key = UnitKey(
            arm.family,
            behaviours.get(arm.family, ""),
            knobs[index],
            arm.cell or "",
            renamed.get(arm.regime, arm.regime),
            arm.condition,
            phase,
            step,
            tuple(row.instance for row in rows),
            rows[0].replicate,
            0,
        )
        occurrence, seen[key] = seen[key], seen[key] + 1
        whole = all(row.outcome in SCORED for row in rows)
        success = all(row.outcome == SUCCESS for row in rows) if whole else None
        lifetime = min(row.lifetime for row in rows)
        if occurrence:
            key = key._replace(occurrence=occurrence)
        units.append(ComparedUnit(key, rows[0].template, lifetime, success, tuple(rows)))
    return units


def _knobs(evidence: Evidence) -> list[str]:
    """By arm: all knobs its instances were made with, as JSON."""
    defaults = {
        family.reference: {name: knob.default for name, knob in family.spec.knobs.items()}
        for family in evidence.frozen.families
    }
    texts = []
    for arm in evidence.arms:
        entry = evidence.frozen.suite.entries[arm.entry]
        texts.append(json.dumps({**defaults.get(entry.family, {}), **entry.knobs}, sort_keys=True))
    return texts

"""From rows to labelled units: what the white paper calls scored instances.

A unit gets one label. A single episode is its own; a pair succeeds when both halves are right (families of pairs have
one right decision, so right halves agree); where a goal has to be pursued over several episodes the lifetime is the
unit. What broke through the bench's fault, and what only real time ended, is excluded and counted; a format error is a
failure of its own kind.
Success criteria that were touched afterwards make a unit invalid. Units of a family count only for cells that its
frozen declaration says it evidences, and without intervention in the agent's state. An instance counts once in a cell
and regime, however often it was taken: replicates, stages and phases of the same instance are no further instances.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

import msgspec
from msgspec import Struct

from proctor.evidence.evidence import Evidence
from proctor.evidence.row import INFRASTRUCTURE, INVALID, MEMORY_FAILED, STUCK, SUCCESS, Arm, Row
from proctor.evidence.timing import RealTime
from proctor.spec.claims import evidences
from proctor.spec.protocols import WHOLE_LIFETIMES, protocol_problem
from proctor.spec.released import is_impostor
from proctor.spec.suite import Entry, Step
from proctor.spec.system import Baseline

COMPARED_BY_PHASE = ("L", "T6")
"""Cells whose phases are compared with each other begin with this."""
Knobs = tuple[tuple[str, int | str], ...]
_BROKEN_OFF = frozenset({MEMORY_FAILED, STUCK})
"""Reasons of failures that show no inability: whoever is compared with itself could choose them."""


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
    knobs: Knobs = ()
    """The knobs in force, by name: which of its family's tasks it was."""
    calls: int = 0
    undeclared_actions: int | None = None
    """Calls of tools that the system's declared action schema does not have; None where they were not counted."""
    transitions: int | None = None
    """Calls after which the world's state was another one; None where that was not counted."""
    confidence: float | None = None
    """The confidence handed in; None where none was stated."""
    measures: str | None = None
    """What else the verifier found, as canonical JSON."""
    cut_off: bool = False
    """Whether the safety net ended it, or the agent failed at its memory: a failure that shows no inability."""


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


def units_of(evidence: Evidence, *, baseline: Baseline | None = None) -> list[Unit]:
    """Every unit of a run that counts for a cell its family evidences, in presentation order. A task counts once.

    Those that the system lived itself, or those that a baseline lived in its place: never both.
    """
    groups: dict[tuple[int, int, str, int], list[Row]] = defaultdict(list)
    credited = [
        arm.cell is not None and baseline_of(arm, evidence) == baseline and why_not_credited(arm, evidence) is None
        for arm in evidence.arms
    ]
    for row in evidence.rows:
        if credited[row.arm]:
            # The episodes of a lifetime are units of their own; the parts of a pair share one.
            step = -1 if evidence.arms[row.arm].cell in WHOLE_LIFETIMES else row.position - row.lifetime
            groups[row.arm, row.unit, row.phase, step].append(row)
    places = _Places(evidence)
    return _once_per_instance([_unit(evidence, rows, places) for rows in groups.values()])


def _once_per_instance(units: list[Unit]) -> list[Unit]:
    """Of units about one instance the first replicate, then the first presented; the others would be counted again.

    Which one counts must not depend on how they came out. The phases of a learning cell are compared with each other,
    so there an instance counts once in each; elsewhere a phase is a name like any other.
    """
    chosen: dict[tuple[str, str, str, Knobs, str, str], Unit] = {}
    for unit in units:
        phase = unit.phase if unit.cell.startswith(COMPARED_BY_PHASE) else ""
        place = (unit.cell, unit.family, unit.regime, unit.knobs, phase, unit.instance)
        first = chosen.setdefault(place, unit)
        if (unit.replicate, unit.positions) < (first.replicate, first.positions):
            chosen[place] = unit
    return list(chosen.values()) if len(chosen) < len(units) else units


def baseline_of(arm: Arm, evidence: Evidence) -> Baseline | None:
    """Who lived the episodes of an arm in the system's place; None where it was the system itself."""
    return evidence.frozen.suite.entries[arm.entry].baseline


def not_credited(evidence: Evidence) -> dict[str, tuple[str, ...]]:
    """By cell: what was run for it and does not count, in words."""
    found: dict[str, set[str]] = defaultdict(set)
    for arm in evidence.arms:
        if arm.cell is None or baseline_of(arm, evidence) is not None:
            continue
        if (why := why_not_credited(arm, evidence)) is not None:
            found[arm.cell].add(why)
    return {cell: tuple(sorted(words)) for cell, words in found.items()}


def why_not_credited(arm: Arm, evidence: Evidence) -> str | None:
    """Why the episodes of an arm do not count towards its cell: its family, as frozen, or its entry."""
    family = next((one for one in evidence.frozen.families if one.spec.full_name == arm.family), None)
    if family is None or not evidences(family.spec, arm.cell or ""):
        return f"{arm.family} does not evidence {arm.cell}"
    if is_impostor(family):
        return f"{arm.family} is not the family of Proctor's whose name it bears ({arm.cell})"
    problem = protocol_problem(evidence.frozen.suite.entries[arm.entry])
    return None if problem is None else f"{arm.family} for {arm.cell}: {problem}"


class _Places:
    """Which regime and knobs an episode had, by its place in the program of its entry."""

    def __init__(self, evidence: Evidence) -> None:
        self._entries = evidence.frozen.suite.entries
        self._defaults = {
            family.spec.full_name: {name: knob.default for name, knob in family.spec.knobs.items()}
            for family in evidence.frozen.families
        }
        self._known: dict[tuple[int, int], tuple[str, Knobs]] = {}
        self.real_time = RealTime(evidence)

    def of(self, arm: Arm, place: int) -> tuple[str, Knobs]:
        """Steps of a program may have a regime and knobs of their own."""
        found = self._known.get((arm.index, place))
        if found is None:
            entry = self._entries[arm.entry]
            step = _step(entry, place)
            knobs = {**self._defaults.get(arm.family, {}), **entry.knobs, **(step.knobs if step else {})}
            regime = (step.regime if step else None) or arm.regime
            found = self._known[arm.index, place] = (regime, tuple(sorted(knobs.items())))
        return found


def _step(entry: Entry, place: int) -> Step | None:
    for step in entry.program:
        if place < step.episodes:
            return step
        place -= step.episodes
    return None


def _unit(evidence: Evidence, rows: list[Row], places: _Places) -> Unit:
    first = rows[0]
    arm = evidence.arms[first.arm]
    broken = next((row for row in rows if row.outcome in (INFRASTRUCTURE, INVALID)), None)
    missing = None if broken is None else broken.outcome
    missing_reason = "" if broken is None else broken.reason
    if missing is None and len(rows) < evidence.frozen.suite.entries[arm.entry].parts:
        missing = INFRASTRUCTURE
    if {arm.family, arm.family.partition("@")[0]} & evidence.touched:
        # Not the bench's fault and not the agent's: there was no rule to judge it by.
        missing, missing_reason = INVALID, "touched_criterion"
    regime, knobs = places.of(arm, first.position - first.lifetime)
    right = all(row.outcome == SUCCESS for row in rows)
    worst = next((row for row in rows if row.outcome != SUCCESS), first)
    return Unit(
        cell=arm.cell or "",
        family=arm.family,
        regime=regime,
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
        missing_reason=missing_reason,
        knobs=knobs,
        calls=sum(row.calls for row in rows),
        undeclared_actions=_total(row.undeclared_actions for row in rows),
        transitions=_total(row.transitions for row in rows),
        confidence=first.confidence,
        measures=first.measures,
        cut_off=missing is None and any(row.reason in _BROKEN_OFF or places.real_time.cut_off(row) for row in rows),
    )


def _total(counts: Iterable[int | None]) -> int | None:
    """The sum; None where one was not counted."""
    known = list(counts)
    return None if None in known else sum(count or 0 for count in known)


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

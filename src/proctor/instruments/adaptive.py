"""Which entries of a suite are still undecided: sampling goes on there until a confidence sequence decides.

Only cells that are decided by one success rate take part. Gains, drops and robustness compare two samples; they keep
the sizes their suite declares, and are taken whole in the first look.
"""

from __future__ import annotations

from collections import Counter

from proctor.evidence.evidence import Evidence
from proctor.evidence.row import FAILURE, LIMIT, SUCCESS
from proctor.instruments.agency.rubric import RUBRIC, Rate
from proctor.instruments.agency.threshold import threshold_of_family
from proctor.instruments.agency.units import units_of
from proctor.spec.claims import CONFIDENCE
from proctor.spec.rules import Rules
from proctor.spec.suite import Entry
from proctor.stats.sequences import sequential_decision

_BY_RATE = {level.cell for levels in RUBRIC.values() for level in levels if isinstance(level.rule, Rate)}

FIRST_LOOK = 20


def is_adaptive(entry: Entry) -> bool:
    """Whether an entry's sample may grow with what is seen."""
    if entry.cell is None:
        return entry.baseline is None and sum(step.episodes for step in entry.program) == 1
    return entry.baseline is None and entry.cell in _BY_RATE


def undecided(evidence: Evidence, rules: Rules) -> set[int]:
    """The entries (of the first look's suite) in which some arm is neither met nor not met."""
    met: Counter[tuple[str, str, str]] = Counter()
    scored: Counter[tuple[str, str, str]] = Counter()
    for unit in units_of(evidence):
        if unit.success is not None:
            scored[unit.cell, unit.family, unit.regime] += 1
            met[unit.cell, unit.family, unit.regime] += unit.success
    for row in evidence.rows:
        arm = evidence.arms[row.arm]
        if arm.cell is None and row.outcome in (SUCCESS, FAILURE, LIMIT):
            scored["", arm.family, arm.regime] += 1
            met["", arm.family, arm.regime] += row.outcome == SUCCESS
    entries: set[int] = set()
    for arm in evidence.arms:
        if not is_adaptive(evidence.frozen.suite.entries[arm.entry]):
            continue
        key = (arm.cell or "", arm.family, arm.regime)
        decision = sequential_decision(
            met[key],
            scored[key],
            threshold=float(threshold_of_family(arm.family, rules)),
            confidence=rules.confidence if arm.cell is None else CONFIDENCE,
        )
        if decision == "undecided":
            entries.add(arm.entry)
    return entries

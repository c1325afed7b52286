"""The rates instrument: how often the agent succeeded, per family, regime and condition, with intervals.

The plainest reading there is, and the one every summary starts with. It counts units: a pair succeeds when both halves
do. Denominators follow the outcomes: failures and limits count against the agent, infrastructure and invalid episodes
are left out and counted as missing; between what the rate lies however these would have come out is said beside it.
Phases of a lifetime are never pooled.
"""

from __future__ import annotations

from collections import Counter

from proctor.evidence.arms import knobs_apart
from proctor.evidence.evidence import Evidence
from proctor.evidence.row import FAILURE, LIMIT, SUCCESS, Arm, Row
from proctor.evidence.services import why_nothing
from proctor.instruments.base import Flag, Reading, Value, conditions_of
from proctor.spec.rules import Rules
from proctor.stats.estimate import Estimate
from proctor.stats.exclusions import too_many_excluded
from proctor.stats.intervals import clustered_proportion, proportion

SCORED = frozenset({SUCCESS, FAILURE, LIMIT})


class RatesInstrument:
    """Success rates by arm."""

    name = "rates"
    version = "1.0"
    priority = 0

    def applies(self, evidence: Evidence) -> bool:
        """Every run has rates: they sum up what no other instrument does."""
        return True

    def read(self, evidence: Evidence, rules: Rules) -> Reading:
        groups: dict[tuple[int, str], list[Row]] = {}
        for row in evidence.rows:
            groups.setdefault((row.arm, row.phase), []).append(row)
        apart = knobs_apart(evidence)
        several = {arm for arm, _ in groups if sum(1 for other, _ in groups if other == arm) > 1}
        values = tuple(
            _rate(evidence.arms[arm], phase if arm in several else None, apart.get(arm), rows, rules)
            for (arm, phase), rows in sorted(groups.items())
        )
        measured = any(value.estimate.scored for value in values)
        return Reading(
            instrument=self.name,
            version=self.version,
            measured=measured,
            reason=None if measured else _nothing(evidence),
            values=values,
            flags=() if evidence.complete else (Flag("Provisional", "the run is not complete"),),
            conditions=conditions_of(evidence, rules, __name__),
        )


def _nothing(evidence: Evidence) -> str:
    why = why_nothing(evidence.rows)
    return "no episode could be scored" + (f": {why}" if why else "")


def _rate(arm: Arm, phase: str | None, knobs: str | None, rows: list[Row], rules: Rules) -> Value:
    units: dict[tuple[int, int], list[Row]] = {}
    for row in rows:
        # The parts of a pair get one label; the episodes of a lifetime one each.
        units.setdefault((row.unit, row.position - row.lifetime), []).append(row)
    scored = [parts for parts in units.values() if all(row.outcome in SCORED for row in parts)]
    successes = sum(all(row.outcome == SUCCESS for row in parts) for parts in scored)
    missing = len(units) - len(scored)
    flags = []
    if missing > rules.infrastructure_cutoff * len(units):
        text = f"{missing} of {len(units)} units were not measured"
        flags.append(Flag("Invalid (Verification Infrastructure)", text))
    elif too_many_excluded(len(scored), missing):
        # However many there are, their band stands beside the rate.
        flags.append(Flag("Provisional", f"{missing} of {len(units)} units were not measured"))
    reasons = Counter(f"{row.outcome}: {row.reason}" for row in rows if row.outcome != SUCCESS)
    where = {"family": arm.family, "regime": arm.regime, "condition": arm.condition}
    if arm.cell is not None:
        where["cell"] = arm.cell
    if phase is not None:
        where["phase"] = phase
    if knobs is not None:
        where["knobs"] = knobs
    return Value(
        name="success rate",
        estimate=_estimate(scored, successes, missing, rules),
        successes=successes,
        where=where,
        reasons=dict(reasons.most_common()),
        flags=tuple(flags),
    )


def _estimate(scored: list[list[Row]], successes: int, missing: int, rules: Rules) -> Estimate:
    """With replicates the instance is what was sampled: the interval is clustered by it."""
    by_instance: dict[str, list[int]] = {}
    for parts in scored:
        counts = by_instance.setdefault(parts[0].instance, [0, 0])
        counts[0] += all(row.outcome == SUCCESS for row in parts)
        counts[1] += 1
    if any(n > 1 for _, n in by_instance.values()):
        return clustered_proportion(
            [k for k, _ in by_instance.values()],
            [n for _, n in by_instance.values()],
            confidence=rules.confidence,
            missing=missing,
        )
    return proportion(successes, len(scored), method=rules.interval, confidence=rules.confidence, missing=missing)


instrument = RatesInstrument()

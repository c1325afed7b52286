"""The rates instrument: how often the agent succeeded, per family, regime and condition, with intervals.

The plainest reading there is, and the one every summary starts with. Denominators follow the outcomes: failures and
limits count against the agent, infrastructure and invalid episodes are left out and counted as missing.
"""

from __future__ import annotations

from collections import Counter

from proctor.evidence.evidence import Evidence
from proctor.evidence.row import FAILURE, LIMIT, SUCCESS, Arm, Row
from proctor.instruments.base import Flag, Reading, Value, conditions_of
from proctor.spec.rules import Rules
from proctor.stats.intervals import proportion

SCORED = frozenset({SUCCESS, FAILURE, LIMIT})


class RatesInstrument:
    """Success rates by arm."""

    name = "rates"
    version = "1.0"

    def read(self, evidence: Evidence, rules: Rules) -> Reading:
        by_arm: dict[int, list[Row]] = {}
        for row in evidence.rows:
            by_arm.setdefault(row.arm, []).append(row)
        values = tuple(_rate(arm, by_arm[arm.index], rules) for arm in evidence.arms if arm.index in by_arm)
        measured = any(value.estimate.scored for value in values)
        return Reading(
            instrument=self.name,
            version=self.version,
            measured=measured,
            reason=None if measured else "no episode could be scored",
            values=values,
            flags=() if evidence.complete else (Flag("Provisional", "the run is not complete"),),
            conditions=conditions_of(evidence, rules),
        )


def _rate(arm: Arm, rows: list[Row], rules: Rules) -> Value:
    scored = [row for row in rows if row.outcome in SCORED]
    successes = sum(1 for row in scored if row.outcome == SUCCESS)
    missing = len(rows) - len(scored)
    flags = []
    if missing > rules.infrastructure_cutoff * len(rows):
        flags.append(Flag("Invalid (Verification Infrastructure)", f"{missing} of {len(rows)} episodes broke"))
    reasons = Counter(f"{row.outcome}: {row.reason}" for row in rows if row.outcome != SUCCESS)
    where = {"family": arm.family, "regime": arm.regime, "condition": arm.condition}
    if arm.cell is not None:
        where["cell"] = arm.cell
    return Value(
        name="success rate",
        estimate=proportion(
            successes, len(scored), method=rules.interval, confidence=rules.confidence, missing=missing
        ),
        successes=successes,
        where=where,
        reasons=dict(reasons.most_common()),
        flags=tuple(flags),
    )


instrument = RatesInstrument()

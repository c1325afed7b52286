"""The efficiency profile: what episodes cost. It stands beside every other reading and enters none of them (§8.3).

Actions, retries, tokens and cost are what the evidence has; wall-clock time is what this execution took, and comes out
otherwise on another machine. What an agent does not report is missing, never zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from proctor.evidence.arms import knobs_apart
from proctor.evidence.evidence import Evidence
from proctor.evidence.row import Row
from proctor.instruments.base import Reading, Value, conditions_of
from proctor.spec.rules import Rules
from proctor.stats.estimate import Estimate
from proctor.stats.intervals import mean

Measure = Callable[[Row], float | None]

MEASURES: dict[str, tuple[Measure, str]] = {
    "actions per episode": (lambda row: row.calls, "no episode was lived"),
    "retries per episode": (lambda row: row.retries, "no episode was lived"),
    "tokens per episode": (lambda row: row.tokens, "the agent reports no tokens"),
    "cost per episode": (lambda row: None if row.cost is None else float(row.cost), "the agent reports no cost"),
    "real milliseconds per episode": (lambda row: row.elapsed_us / 1000, "no episode was lived"),
}


class EfficiencyInstrument:
    """What was spent, by family and regime."""

    name = "efficiency"
    version = "1.0"

    def read(self, evidence: Evidence, rules: Rules) -> Reading:
        """The profile of this evidence."""
        apart = knobs_apart(evidence)
        by_arm: dict[int, list[Row]] = {}
        for row in evidence.rows:
            by_arm.setdefault(row.arm, []).append(row)
        values = tuple(
            Value(
                name=name,
                estimate=_mean([measure(row) for row in rows], why, rules),
                where={
                    "family": evidence.arms[arm].family,
                    "regime": evidence.arms[arm].regime,
                    "condition": evidence.arms[arm].condition,
                    **({"cell": cell} if (cell := evidence.arms[arm].cell) else {}),
                    **({"knobs": apart[arm]} if arm in apart else {}),
                },
            )
            for arm, rows in sorted(by_arm.items())
            for name, (measure, why) in MEASURES.items()
        )
        return Reading(
            instrument=self.name,
            version=self.version,
            measured=bool(values),
            reason=None if values else "no episode was lived",
            values=values,
            flags=(),
            conditions=conditions_of(evidence, rules, __name__),
        )


def _mean(values: Sequence[float | None], why: str, rules: Rules) -> Estimate:
    given = [value for value in values if value is not None]
    missing = len(values) - len(given)
    if not given:
        return Estimate(estimate=None, n=0, missing=missing, method="mean", confidence=rules.confidence, reason=why)
    return mean(values, confidence=rules.confidence)


instrument = EfficiencyInstrument()

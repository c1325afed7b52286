"""The instrument `quay-calls`: how many tool calls an episode of ship loading took."""

from __future__ import annotations

from proctor.evidence.evidence import Evidence
from proctor.instruments.base import Reading, Value, conditions_of
from proctor.spec.rules import Rules
from proctor.stats.intervals import mean

FAMILY = "quay-loading@"


class CallsInstrument:
    """Calls per episode of the family, over all regimes."""

    name = "quay-calls"
    version = "1.0"
    priority = 40

    def applies(self, evidence: Evidence) -> bool:
        """Runs of ship loading are summed up by this instrument."""
        return any(arm.family.startswith(FAMILY) for arm in evidence.arms)

    def read(self, evidence: Evidence, rules: Rules) -> Reading:
        own = {arm.index for arm in evidence.arms if arm.family.startswith(FAMILY)}
        calls = [float(row.calls) for row in evidence.rows if row.arm in own]
        value = Value("calls per episode", mean(calls, confidence=rules.confidence)) if calls else None
        return Reading(
            instrument=self.name,
            version=self.version,
            measured=value is not None,
            reason=None if value is not None else "no ship was loaded",
            values=() if value is None else (value,),
            flags=(),
            conditions=conditions_of(evidence, rules, __name__),
        )


instrument = CallsInstrument()

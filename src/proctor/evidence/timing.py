"""Episodes that the safety net ended: real time, in a regime that is not about it.

They count as any limit does, or an agent that hangs when it is unsure would choose what counts. But they show no
inability either: as what a gain or a loss is measured from (a pre-test, a control, the Baseline) they count against
the agent as well. Where the regime itself is about real time (`clock: real`), it is a limit like any other.
"""

from __future__ import annotations

from proctor.evidence.evidence import Evidence
from proctor.evidence.row import LIMIT, WALL_CLOCK, Row


class RealTime:
    """Knows which episodes of a run were about real time."""

    def __init__(self, evidence: Evidence) -> None:
        regimes = evidence.frozen.suite.all_regimes
        self._real = frozenset(name for name, regime in regimes.items() if regime.compute.clock == "real")
        self._entries = evidence.frozen.suite.entries
        self._arms = evidence.arms

    def cut_off(self, row: Row) -> bool:
        """Whether real time ended an episode that is not about it."""
        if row.reason != WALL_CLOCK or row.outcome != LIMIT:
            return False
        return not self._real or self._regime(row) not in self._real

    def _regime(self, row: Row) -> str:
        """A step of a program may have a regime of its own."""
        arm = self._arms[row.arm]
        place = row.position - row.lifetime
        for step in self._entries[arm.entry].program:
            if place < step.episodes:
                return step.regime or arm.regime
            place -= step.episodes
        return arm.regime

"""Decisions in presentation order, though episodes finish in any.

Fail-fast and run limits must not depend on which worker was quicker. A `Prefix` takes summaries as they come, looks at
them strictly by position, and says where to cut; what lies beyond the cut is outside `root`.
"""

from __future__ import annotations

from decimal import Decimal

import msgspec

from proctor.evidence.row import Outcome, Row
from proctor.evidence.services import ServiceWatch
from proctor.spec.rules import Rules

SAFETY_STOP = "S1"
"""A violation of this name in a row stops a run whose rules say fail-fast."""


class Cut(msgspec.Struct, frozen=True):
    """Where a run ends early, and why. `episodes` is the number kept."""

    episodes: int
    reason: str
    status: str


class Prefix:
    """What holds of the episodes 0..n, all of which are known."""

    def __init__(self, rules: Rules, price: str | None = None) -> None:
        """`price` is that of a million tokens: what an episode cost that names tokens and no cost."""
        self._rules = rules
        self._price = None if price is None else Decimal(price) / 1_000_000
        self._waiting: dict[int, Row] = {}
        self._next = 0
        self._tokens = 0
        self._cost = Decimal(0)
        self._infrastructure = 0
        self._services = ServiceWatch()
        self.cut: Cut | None = None

    def add(self, row: Row) -> Cut | None:
        """Take one row; the cut, if one is due now or was before."""
        if self.cut is not None:
            return self.cut
        self._waiting[row.position] = row
        while self.cut is None and (due := self._waiting.pop(self._next, None)) is not None:
            self._next += 1
            self.cut = self._look(due)
        if self.cut is not None:
            self._waiting.clear()
        return self.cut

    def _look(self, row: Row) -> Cut | None:
        rules = self._rules
        kept = self._next
        if rules.fail_fast and row.violations is not None and SAFETY_STOP in msgspec.json.decode(row.violations):
            return Cut(kept, f"a violation of severity S1 at episode {row.position}", "failed-safety")
        if (why := self._services.ends(row)) is not None:
            return Cut(kept, why, "failed")
        if row.outcome == Outcome.INFRASTRUCTURE.value:
            self._infrastructure += 1
            if rules.max_infrastructure is not None and self._infrastructure >= rules.max_infrastructure:
                return Cut(kept, f"{self._infrastructure} episodes broke through the bench's own fault", "failed")
        self._tokens += row.tokens or 0
        if rules.limits.run_tokens is not None and self._tokens >= rules.limits.run_tokens:
            return Cut(kept, f"the run's {rules.limits.run_tokens} tokens are used up", "limit")
        self._cost += self._cost_of(row)
        if rules.limits.run_cost is not None and self._cost >= Decimal(rules.limits.run_cost):
            return Cut(kept, f"the run's cost limit of {rules.limits.run_cost} is reached", "limit")
        return None

    def _cost_of(self, row: Row) -> Decimal:
        if row.cost is not None:
            return Decimal(row.cost)
        return Decimal(0) if self._price is None else self._price * (row.tokens or 0)

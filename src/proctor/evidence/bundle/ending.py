"""Why a run ended where it did: the rules looked at its rows in presentation order, and so does this.

A run that stopped for a safety violation cannot be passed off as one that ran out of its budget.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

import msgspec

from proctor.evidence.row import RUN_LIMIT, Outcome, Row
from proctor.evidence.services import ServiceWatch
from proctor.spec.rules import Rules

SAFETY_STOP = "S1"
COMPLETE, LIMIT, FAILED, FAILED_SAFETY = "complete", "limit", "failed", "failed-safety"


class Ending:
    """Takes the rows that count, in order."""

    def __init__(self, rules: Rules, price: str | None = None) -> None:
        """`price` is that of a million tokens, for episodes that state no cost."""
        self._rules = rules
        self._price = None if price is None else _amount(price) / 1_000_000
        self._tokens = 0
        self._cost = Decimal(0)
        self._infrastructure = 0
        self._services = ServiceWatch()
        self._stopped: tuple[int, str] | None = None
        """(episodes kept, status) where the rules stop the run."""
        self.stage: str | None = None
        """The stage in which they stop it; None where they do not."""

    def add(self, row: Row, stage: str = "") -> None:
        """Take the next row, of an episode of this stage."""
        if self._stopped is None:
            status = self._look(row)
            if status is not None:
                self._stopped = (row.position + 1, status)
                self.stage = stage

    def _look(self, row: Row) -> str | None:
        rules, limits = self._rules, self._rules.limits
        if rules.fail_fast and SAFETY_STOP in _kinds(row.violations):
            return FAILED_SAFETY
        limited = limits.run_tokens is not None or limits.run_cost is not None
        if limited and row.reason == RUN_LIMIT and row.outcome == Outcome.INFRASTRUCTURE:
            return LIMIT
        if self._services.ends(row) is not None:
            return FAILED
        if row.outcome == Outcome.INFRASTRUCTURE:
            self._infrastructure += 1
            if rules.max_infrastructure is not None and self._infrastructure >= rules.max_infrastructure:
                return FAILED
        self._tokens += row.tokens or 0
        if limits.run_tokens is not None and self._tokens >= limits.run_tokens:
            return LIMIT
        if limits.run_cost is not None:
            self._cost += self._cost_of(row)
            if self._cost >= Decimal(limits.run_cost):
                return LIMIT
        return None

    def _cost_of(self, row: Row) -> Decimal:
        if row.cost is not None:
            return _amount(row.cost)
        return Decimal(0) if self._price is None else self._price * (row.tokens or 0)

    def expected(self, planned: int, cut: int | None) -> tuple[int | None, str]:
        """(cut, status) that the rules give. A limit on episodes is rounded down to whole lifetimes by the plan."""
        if self._stopped is not None:
            return self._stopped
        limit = self._rules.limits.run_episodes
        if limit is None or limit >= planned:
            return None, COMPLETE
        return (cut if cut is not None and 0 <= cut <= limit else limit), LIMIT


def _amount(text: str) -> Decimal:
    """Text that is no amount is found when the row is looked at on its own."""
    try:
        amount = Decimal(text)
    except InvalidOperation:
        return Decimal(0)
    return amount if amount.is_finite() else Decimal(0)


def _kinds(violations: str | None) -> set[str]:
    if violations is None:
        return set()
    try:
        return set(msgspec.json.decode(violations, type=dict[str, int]))
    except (msgspec.MsgspecError, RecursionError):
        return set()

"""What each run spent, beside what it reached: calls, tokens, cost and real time, per episode.

Where units are matched, only matched ones count, so that a run of fewer tasks does not look cheaper. What nobody
counted is None, never zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

from msgspec import Struct

from proctor.evidence.row import Row
from proctor.instruments.comparing.units import ComparedUnit, Matched


class Spent(Struct, frozen=True):
    """What the episodes of one run spent."""

    episodes: int
    calls: float | None
    """Tool calls per episode."""
    tokens: float | None
    """Per episode that counted them."""
    counted: int
    """Episodes that counted tokens."""
    cost: str | None
    """In all, a decimal amount."""
    seconds: float | None
    """Real time per episode: of its machine and its load, so it says little about another."""


class Spending(Struct, frozen=True):
    """What both spent, on the same units where they are matched."""

    first: Spent
    second: Spent


def spending_of(first: Sequence[ComparedUnit], second: Sequence[ComparedUnit], matched: Matched | None) -> Spending:
    """The spending of two runs."""
    if matched is not None:
        first = [one for one, _ in matched.pairs]
        second = [two for _, two in matched.pairs]
    return Spending(_spent([row for unit in first for row in unit.rows]), _spent([r for u in second for r in u.rows]))


def _spent(rows: list[Row]) -> Spent:
    counted = [row.tokens for row in rows if row.tokens is not None]
    costs = [amount for row in rows if row.cost is not None and (amount := _amount(row.cost)) is not None]
    n = len(rows)
    return Spent(
        episodes=n,
        calls=sum(row.calls for row in rows) / n if n else None,
        tokens=sum(counted) / len(counted) if counted else None,
        counted=len(counted),
        cost=str(sum(costs, Decimal(0))) if costs else None,
        seconds=sum(row.elapsed_us for row in rows) / n / 1e6 if n else None,
    )


def _amount(cost: str) -> Decimal | None:
    """A decimal amount; None for what a stranger's run may hold instead."""
    try:
        amount = Decimal(cost)
    except InvalidOperation:
        return None
    return amount if amount.is_finite() else None

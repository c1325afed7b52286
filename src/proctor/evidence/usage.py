"""What a run spent on models: added up row by row while it goes on, kept with the facts of its execution.

Everything that was lived counts, wherever the run was cut: it was paid for. What nobody counted is said to be so and is
never a zero.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Any, Final

import msgspec
from msgspec import Struct

from proctor.evidence.replies import exchanges
from proctor.evidence.row import Row

USAGE: Final = "usage"
"""Where the facts of an execution have it; runs that asked no model have none."""
_MAX_DIGITS: Final = 40
MIXED: Final = "mixed"
"""Said where costs are in several currencies, so that their sum means nothing."""
_COUNTED: Final = ("prompt_tokens", "completion_tokens", "cached_tokens")


class RunUsage(Struct, frozen=True):
    """The totals."""

    requests: int = 0
    """Exchanges with models on record; 0 where agents reported tokens of their own. What Proctor itself refused to pass
    on is none."""
    uncounted: int = 0
    """Of these, such as the provider did not count."""
    replayed: int = 0
    """Of these, such as came from an earlier run's record or from a cache: nobody was asked or paid."""
    tokens: int | None = None
    """All that was counted or reported; None: nothing was."""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    """Of the prompts', those from the provider's own cache; None: no provider said."""
    cost: str | None = None
    currency: str = ""
    """Empty: not stated."""

    @property
    def token_words(self) -> str:
        """The tokens, for people."""
        if self.tokens is None:
            return "not counted"
        parts = [f"{self.tokens:,}"]
        if self.prompt_tokens is not None and self.completion_tokens is not None:
            cached = f" ({self.cached_tokens:,} of them cached)" if self.cached_tokens else ""
            parts.append(f"{self.prompt_tokens:,} in prompts{cached}, {self.completion_tokens:,} in replies")
        if self.requests:
            parts.append(f"{self.requests:,} request{'' if self.requests == 1 else 's'}")
        if self.uncounted:
            parts.append(f"{self.uncounted:,} of them not counted by the provider")
        if self.replayed:
            parts.append(f"{self.replayed:,} of them from a record or cache, which costs nothing")
        return "; ".join(parts)

    @property
    def cost_words(self) -> str | None:
        """The cost, for people; None where there is no price."""
        return None if self.cost is None else f"{self.cost} {self.currency}".rstrip()


class UsageMeter:
    """Adds up rows, in any order."""

    def __init__(self) -> None:
        self._counts = dict.fromkeys(("requests", "uncounted", "replayed"), 0)
        self._sums: dict[str, int | None] = dict.fromkeys(("tokens", *_COUNTED))
        self._cost: Decimal | None = None
        self._currencies: set[str] = set()

    def add(self, row: Row) -> None:
        """Take one row."""
        if row.tokens is None and row.aside is None and row.cost is None:
            # The usual case by far.
            return
        if row.tokens is not None:
            self._sums["tokens"] = (self._sums["tokens"] or 0) + row.tokens
        if row.cost is not None:
            self._cost = (self._cost or Decimal(0)) + _amount(row.cost)
        if row.aside is not None:
            for details in exchanges(row.aside):
                self._add(details)

    def _add(self, details: dict[str, Any]) -> None:
        if details.get("refused_by") == "proctor":
            # It went to no provider, which could therefore not count it.
            return
        self._counts["requests"] += 1
        self._counts["replayed"] += details.get("replayed") is True or details.get("cached") is True
        counted = {name: details[name] for name in _COUNTED if type(details.get(name)) is int}
        self._counts["uncounted"] += not counted
        for name, number in counted.items():
            self._sums[name] = (self._sums[name] or 0) + number
        if isinstance(details.get("currency"), str):
            self._currencies.add(details["currency"])

    def total(self) -> RunUsage | None:
        """What was spent so far; None where no model was asked and nothing reported."""
        if not self._counts["requests"] and self._sums["tokens"] is None and self._cost is None:
            return None
        cost = None if self._cost is None else f"{self._cost.normalize():f}"
        currency = next(iter(self._currencies), "") if len(self._currencies) < 2 else MIXED
        sums = self._sums
        return RunUsage(
            **self._counts,
            tokens=sums["tokens"],
            prompt_tokens=sums["prompt_tokens"],
            completion_tokens=sums["completion_tokens"],
            cached_tokens=sums["cached_tokens"],
            cost=cost,
            currency=currency,
        )


def usage_of(execution: dict[str, Any]) -> RunUsage | None:
    """What a run's execution says it spent; None where it says nothing, or nothing that makes sense."""
    try:
        return msgspec.convert(execution[USAGE], RunUsage) if USAGE in execution else None
    except msgspec.ValidationError:
        # A stranger's run may hold anything there.
        return None


def _amount(text: str) -> Decimal:
    try:
        amount = Decimal(text)
    except InvalidOperation:
        return Decimal(0)
    # Written out in full it would have as many digits.
    return amount if amount.is_finite() and abs(amount.adjusted()) < _MAX_DIGITS else Decimal(0)

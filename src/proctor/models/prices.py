"""What a model's tokens cost: as `proctor.yaml` says, else from a small table of published prices.

Prices change; the table says of when each is, and whatever stands in `system.prices` goes before it. A model without a
price has none: it does not cost zero.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from msgspec import Struct

from proctor.spec.system import System

MILLION: Final = 1_000_000
_DATED: Final = re.compile(r"-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$")


class Price(Struct, frozen=True):
    """Amounts per million tokens."""

    prompt: Decimal
    completion: Decimal
    cached: Decimal
    """Of the prompt's tokens that the provider took from its own cache."""
    currency: str = "USD"
    """Empty: the user's own, who wrote amounts without one."""
    source: str = "declared"
    """`declared`, or when the provider published it."""

    def cost(
        self, prompt_tokens: int | None, completion_tokens: int | None, cached_tokens: int | None = None
    ) -> Decimal | None:
        """What an exchange cost, exactly; None where nobody counted its tokens."""
        if prompt_tokens is None or completion_tokens is None:
            return None
        cached = min(cached_tokens or 0, prompt_tokens)
        fresh = prompt_tokens - cached
        return (fresh * self.prompt + cached * self.cached + completion_tokens * self.completion) / MILLION


def _published(prompt: str, completion: str, cached: str, month: str) -> Price:
    return Price(Decimal(prompt), Decimal(completion), Decimal(cached), "USD", f"published {month}")


TABLE: Final[dict[str, Price]] = {
    "openai:gpt-4o": _published("2.50", "10.00", "1.25", "2025-11"),
    "openai:gpt-4o-mini": _published("0.15", "0.60", "0.075", "2025-11"),
    "openai:gpt-4.1": _published("2.00", "8.00", "0.50", "2025-11"),
    "openai:gpt-4.1-mini": _published("0.40", "1.60", "0.10", "2025-11"),
    "openai:gpt-4.1-nano": _published("0.10", "0.40", "0.025", "2025-11"),
    "openai:gpt-5": _published("1.25", "10.00", "0.125", "2025-11"),
    "openai:gpt-5-mini": _published("0.25", "2.00", "0.025", "2025-11"),
    "openai:gpt-5-nano": _published("0.05", "0.40", "0.005", "2025-11"),
    "openai:gpt-5.4": _published("2.50", "15.00", "0.25", "2026-06"),
    "openai:gpt-5.4-mini": _published("0.75", "4.50", "0.075", "2026-06"),
    "openai:gpt-5.4-nano": _published("0.20", "1.25", "0.02", "2026-06"),
    "openai:gpt-5.5": _published("5.00", "30.00", "0.50", "2026-06"),
    "anthropic:claude-haiku-4-5": _published("1.00", "5.00", "0.10", "2026-06"),
    "anthropic:claude-sonnet-4-5": _published("3.00", "15.00", "0.30", "2025-11"),
    "anthropic:claude-sonnet-5": _published("2.00", "10.00", "0.20", "2026-06"),
    "anthropic:claude-sonnet-5-5": _published("2.00", "10.00", "0.10", "2026-10"),
    "anthropic:claude-opus-4-5": _published("5.00", "25.00", "0.50", "2026-06"),
    "anthropic:claude-opus-4-6": _published("5.00", "25.00", "0.50", "2026-06"),
    "anthropic:claude-opus-4-7": _published("5.00", "25.00", "0.50", "2026-06"),
    "anthropic:claude-opus-4-8": _published("5.00", "25.00", "0.50", "2026-06"),
    "anthropic:claude-opus-5": _published("5.00", "25.00", "0.50", "2026-06"),
}
"""By kind and name of the model."""


def price_of(model_name: str, system: System) -> Price | None:
    """The price of a model, named as on record (`openai:gpt-4o-mini`): as declared for it, with its kind or without;
    the system's flat price; or as published. None: nobody said."""
    bare = model_name.partition(":")[2] or model_name
    for name in (model_name, bare):
        if (declared := system.prices.get(name)) is not None:
            prompt = Decimal(declared.input)
            cached = prompt if declared.cached is None else Decimal(declared.cached)
            return Price(prompt, Decimal(declared.output), cached, declared.currency)
    if system.price_per_million_tokens is not None:
        flat = Decimal(system.price_per_million_tokens)
        return Price(flat, flat, flat, "")
    return TABLE.get(model_name) or TABLE.get(_DATED.sub("", model_name))

"""What tokens of a model cost."""

from __future__ import annotations

from decimal import Decimal

from msgspec import Struct

from proctor.spec.system import System


class Price(Struct, frozen=True):
    """Amounts per million tokens."""

    prompt: Decimal
    completion: Decimal
    cached: Decimal
    """Of the prompt's tokens, those the provider took from its own cache."""
    currency: str = ""
    """Empty: not stated."""


def price_of(model_name: str, system: System) -> Price | None:
    """The price of a model as the system declares it; None where there is none."""
    flat = system.price_per_million_tokens
    if flat is None:
        return None
    amount = Decimal(flat)
    return Price(amount, amount, amount)

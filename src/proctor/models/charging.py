"""What calls of a model cost, and how many tokens a call may take at most: one way to reckon for all who ask models.

A limit is to hold before it is exceeded, so a call is reckoned at its most before it is made: the tokens of its prompt,
which are estimated on the high side where nobody has counted them yet, and as many tokens as its reply may have.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from msgspec import Struct

from proctor.models.prices import Price

MILLION: Final = Decimal(1_000_000)
BYTES_A_TOKEN: Final = 2
"""Text that nobody has counted is taken for one token per so many bytes: about twice what English, code and JSON have.
"""
MESSAGE_TOKENS: Final = 8
"""What an interface puts around each message, at most."""


class Usage(Struct, frozen=True):
    """The tokens of one call, as the provider counted them."""

    prompt: int
    completion: int
    cached: int = 0
    """Of the prompt's, those from the provider's own cache."""

    @property
    def tokens(self) -> int:
        return self.prompt + self.completion


def cost_of(usage: Usage, price: Price) -> Decimal:
    """What a call cost."""
    cached = min(usage.cached, usage.prompt)
    amount = (usage.prompt - cached) * price.prompt + cached * price.cached + usage.completion * price.completion
    return amount / MILLION


def most_of(prompt: int, completion: int, price: Price) -> Decimal:
    """What a call of so many tokens costs at most: nothing comes from a cache."""
    return (prompt * max(price.prompt, price.cached) + completion * price.completion) / MILLION


def affordable(prompt: int, price: Price, amount: Decimal) -> int | None:
    """How many tokens a reply may have for the amount, its prompt paid; below 0: not even that. None: any number."""
    left = amount - most_of(prompt, 0, price)
    if left < 0:
        return -1
    return None if price.completion == 0 else int(left * MILLION / price.completion)


def estimated_tokens(text: str) -> int:
    """More tokens than a text is likely to have, where nobody can count them."""
    return len(text.encode("utf-8", "replace")) // BYTES_A_TOKEN + MESSAGE_TOKENS


def amount_text(amount: Decimal) -> str:
    """An amount as it is written down: without exponent or trailing zeros."""
    text = f"{amount:f}"
    return (text.rstrip("0").rstrip(".") or "0") if "." in text else text

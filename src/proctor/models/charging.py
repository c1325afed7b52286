"""What calls of a model cost, and how many tokens a call may take at most: one way to reckon for all who ask models.

A limit is to hold before it is exceeded, so a call is reckoned at its most before it is made: the tokens of its prompt,
which are estimated on the high side where nobody has counted them yet, and as many tokens as its reply may have.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from typing import Final

import msgspec
from msgspec import Struct

from proctor.models.contract import Message, ModelTool, Reply
from proctor.models.prices import Price

MILLION: Final = Decimal(1_000_000)
MAX_MONEY: Final = 10**12
"""No amount is larger, in any currency: a record of it has to stay short."""
_LONGEST: Final = 100
_SMALLEST: Final = Decimal("1e-15")
"""What is smaller is rounded away: a thousandth of a token of the cheapest model costs more."""
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


def usage_of(reply: Reply) -> Usage | None:
    """What a provider counted; None where it counted nothing."""
    if reply.prompt_tokens is None and reply.completion_tokens is None:
        return None
    return Usage(reply.prompt_tokens or 0, reply.completion_tokens or 0, reply.cached_tokens or 0)


def charged(usage: Usage | None, price: Price | None) -> dict[str, str]:
    """What a call cost, as it stands among the details of its exchange; empty where that is not known."""
    if usage is None or price is None:
        return {}
    cost = {"cost": amount_text(cost_of(usage, price))}
    return {**cost, "currency": price.currency} if price.currency else cost


def cost_of(usage: Usage, price: Price) -> Decimal:
    """What a call cost."""
    return price.cost(usage.prompt, usage.completion, usage.cached) or Decimal(0)


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


def estimated_prompt(messages: Iterable[Message], tools: Iterable[ModelTool] = ()) -> int:
    """The same for messages, and for what is said of tools."""
    said = sum(
        estimated_tokens(one.content + "".join(f"{call.name}{call.arguments}" for call in one.calls))
        for one in messages
    )
    return said + sum(estimated_tokens(json.dumps(msgspec.to_builtins(tool))) for tool in tools)


def money(text: str) -> Decimal:
    """An amount that somebody names; a ValueError where it is none.

    Who names it may be an agent, and `1e-999999` is a number whose digits would fill a megabyte of the record.
    """
    try:
        amount = Decimal(text[:_LONGEST])
    except InvalidOperation:
        amount = Decimal(-1)
    if len(text) > _LONGEST or not amount.is_finite() or not 0 <= amount < MAX_MONEY:
        message = f"cost={text[:_LONGEST]!r}: a decimal amount, from 0 to less than {MAX_MONEY:,}"
        raise ValueError(message)
    return amount.quantize(_SMALLEST)


def amount_text(amount: Decimal) -> str:
    """An amount as it is written down: without exponent or trailing zeros."""
    text = f"{amount:f}"
    return (text.rstrip("0").rstrip(".") or "0") if "." in text else text

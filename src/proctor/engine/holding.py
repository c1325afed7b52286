"""Setting aside what a call of a model may use at most, so that limits end an episode before they are exceeded.

A limit of a call or of the episode shortens the reply that may still come; where not even a short one fits, the episode
ends there. A limit of the run shortens nothing: an agent must not fail for what others spent before it.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

from proctor.models.charging import Usage, affordable, amount_text, cost_of, most_of
from proctor.models.prices import Price

if TYPE_CHECKING:
    from proctor.engine.account import Account
    from proctor.engine.session import LiveSession

SHORTEST_REPLY: Final = 16
"""Tokens. Where limits leave less for a reply, nobody is asked."""
_NOTHING: Final = Decimal(0)


class Purse:
    """What the calls of one episode have set aside or, where nobody counted, are taken to have used."""

    __slots__ = ("account", "call_tokens", "cost", "tokens")

    def __init__(self, account: Account | None, call_tokens: int | None) -> None:
        self.account = account
        self.call_tokens = call_tokens
        self.tokens = 0
        self.cost = _NOTHING


class Hold:
    """What one call may use, set aside. It has to be settled or released."""

    __slots__ = ("_cost", "_price", "_purse", "_session", "_tokens", "completion_tokens")

    def __init__(self, session: LiveSession, purse: Purse, prompt: int, completion: int, price: Price | None) -> None:
        self.completion_tokens = completion
        """How many tokens the reply may have."""
        self._session = session
        self._purse = purse
        self._price = price
        self._tokens = prompt + completion
        self._cost = _NOTHING if price is None else most_of(prompt, completion, price)
        if purse.account is not None:
            purse.account.hold(self._tokens, self._cost)
        purse.tokens += self._tokens
        purse.cost += self._cost

    def settle(self, usage: Usage | None, *, free: bool = False) -> None:
        """Report what the provider counted; `free` where the reply was kept from before. None: it counted nothing, so
        that for the limits it was all that was set aside, and what was used stays unknown.

        Raises `LimitReached` where a limit is exceeded all the same.
        """
        if usage is None:
            return
        self.release()
        cost = None if self._price is None or free else amount_text(cost_of(usage, self._price))
        self._session.spend(tokens=usage.tokens, cost=cost)

    def release(self) -> None:
        """Nothing was used: nobody answered."""
        self._purse.tokens -= self._tokens
        self._purse.cost -= self._cost
        if self._purse.account is not None:
            self._purse.account.change(-self._tokens, -self._cost)
        self._tokens, self._cost = 0, _NOTHING


def hold(
    session: LiveSession, purse: Purse, *, prompt_tokens: int, completion_tokens: int, price: Price | None
) -> Hold:
    """Set aside a call. Raises `LimitReached` or `RunLimitReached` where there is too little left for it."""
    least = min(completion_tokens, SHORTEST_REPLY)
    granted, budget = completion_tokens, session.budget
    for limit, left in (("call_tokens", purse.call_tokens), ("tokens", budget.tokens)):
        if left is not None:
            granted = min(granted, left - prompt_tokens)
            if granted < least:
                session.stop(limit)
    if budget.cost is not None:
        # Where nobody knows a price, nothing is known to be affordable.
        most = -1 if price is None else affordable(prompt_tokens, price, Decimal(budget.cost))
        granted = granted if most is None else min(granted, most)
        if granted < least:
            session.stop("cost")
    return Hold(session, purse, prompt_tokens, granted, price)

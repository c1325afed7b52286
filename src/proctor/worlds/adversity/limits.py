"""What an episode may spend: the tightest of what instance, regime and rules say.

These limits need no layer; the session counts and stops. A regime that says `strict` takes the instance's own strict
cap, and an instance that states none cannot be used under it.
"""

from __future__ import annotations

from decimal import Decimal

from proctor.core.errors import InputError
from proctor.spec.regime import Regime
from proctor.spec.rules import Limits
from proctor.spec.task import Budget, Instance


def effective_budget(instance: Instance, regime: Regime, limits: Limits) -> Budget:
    """The budget in force; the instance's own object where nothing is tighter."""
    own = instance.budget
    action, compute = regime.action, regime.compute
    cap = action.cap
    if cap == "strict":
        cap = _strict(instance, regime)
    actions = _least(own.actions, cap, limits.episode_actions)
    queries = _least(own.queries, regime.information.queries, None)
    tokens = _least(own.tokens, compute.tokens, limits.episode_tokens)
    milliseconds = _least(own.milliseconds, compute.milliseconds, limits.episode_milliseconds)
    retries = _least(own.retries, action.retries, None)
    if (
        actions == own.actions
        and queries == own.queries
        and tokens == own.tokens
        and milliseconds == own.milliseconds
        and retries == own.retries
        and limits.episode_cost in (None, own.cost)
    ):
        return own
    return Budget(actions, queries, tokens, milliseconds, retries, _cheapest(own.cost, limits.episode_cost))


def _strict(instance: Instance, regime: Regime) -> int:
    if instance.strict_actions is None:
        message = (
            f"regime '{regime.id}' sets a strict action cap, but this instance (template '{instance.template}') states "
            "no strict_actions; let the family state it, or use a regime with a number"
        )
        raise InputError(message)
    return instance.strict_actions


def _least(own: int | None, second: int | None, third: int | None) -> int | None:
    least = own
    if second is not None and (least is None or second < least):
        least = second
    if third is not None and (least is None or third < least):
        least = third
    return least


def _cheapest(own: str | None, limit: str | None) -> str | None:
    if own is None or limit is None:
        return limit if own is None else own
    return min(own, limit, key=Decimal)

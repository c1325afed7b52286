"""A guard around an agent in production: an action stands only if the decisive field in view supports it.

    from proctor.guard import Field, Guard

    guard = Guard(defer="ACT_DEFER")
    ruling = guard.rule("ACT_B", event="order-17", field=Field(event="order-17", implies="ACT_A"))
    ruling.action, ruling.verdict        # ("ACT_A", "correct")

Before an action is carried out the guard asks two questions: does the decisive field in view belong to the event at
hand, and does the action agree with what the field says it implies? A field of another event, or of one that is not
named, is never bound to: the action is deferred. A disagreement is corrected only where the field itself declares the
action it implies (and that is one of the actions there are, where the guard is told them); otherwise nothing is known
that could correct it, and the action stands. Without a field nothing is changed.

No model is asked and nothing is stored; a ruling takes about a microsecond. The binding instrument evaluates exactly
this code on recorded episodes, so what is measured is what runs.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable, Collection
from typing import Any, Generic, Literal, ParamSpec, TypeVar, cast

from msgspec import Struct

Verdict = Literal["accept", "correct", "defer"]
Action = TypeVar("Action")
Call = ParamSpec("Call")


class Field(Struct, Generic[Action], frozen=True):
    """The decisive field as the agent saw it."""

    event: str
    """The event it belongs to."""
    implies: Action | None = None
    """The action it declares; None where it declares none and only a reader could tell."""


class Ruling(Struct, Generic[Action], frozen=True):
    """What the guard made of a proposed action."""

    verdict: Verdict
    action: Action
    """What should be carried out."""
    reason: Literal["no_field", "agrees", "undeclared", "unlisted", "disagrees", "other_event"]
    """`unlisted`: the field declares something that is no action, which corrects nothing."""

    @property
    def changed(self) -> bool:
        """Whether something else than the proposal is to be carried out."""
        return self.verdict != "accept"


Seen = Callable[..., tuple[str, Field[Any] | None]]
"""From an agent's arguments: the event at hand and the decisive field in view, or None."""


class Guard(Generic[Action]):
    """The rule, with the action that stands for deferring. Holds nothing between rulings: threads may share it."""

    __slots__ = ("_actions", "_defer", "_watch")

    def __init__(
        self,
        defer: Action,
        *,
        actions: Collection[Action] | None = None,
        watch: Callable[[Ruling[Action]], None] | None = None,
    ) -> None:
        """`defer` is carried out instead of an action bound to another event.

        With `actions`, no field can bring in an action that is not among them: fields may come from anywhere. `watch`
        is told of every ruling; what it raises gets through.
        """
        self._defer = defer
        self._actions = actions
        self._watch = watch

    def rule(self, action: Action, *, event: str, field: Field[Action] | None) -> Ruling[Action]:
        """Accept, correct or defer one proposed action."""
        ruling = self._ruled(action, event, field)
        if self._watch is not None:
            self._watch(ruling)
        return ruling

    def _ruled(self, action: Action, event: str, field: Field[Action] | None) -> Ruling[Action]:
        if field is None:
            return Ruling("accept", action, "no_field")
        # Two ids that are both missing do not make one event.
        if field.event != event or not event:
            return Ruling("defer", self._defer, "other_event")
        if field.implies is None:
            return Ruling("accept", action, "undeclared")
        if field.implies == action:
            return Ruling("accept", action, "agrees")
        if self._actions is not None and field.implies not in self._actions:
            return Ruling("accept", action, "unlisted")
        return Ruling("correct", field.implies, "disagrees")

    def around(self, seen: Seen) -> Callable[[Callable[Call, Any]], Callable[Call, Any]]:
        """Decorate what returns a proposed action, or something to await that gives one.

        `seen` is called with the same arguments, before the agent, and says which event this is and which decisive
        field is in view; the decorated function returns the action that should be carried out. What the agent or `seen`
        raises gets through. Agents that yield actions are refused: rule each with `rule`.
        """

        def decorate(propose: Callable[Call, Any]) -> Callable[Call, Any]:
            if inspect.isgeneratorfunction(propose) or inspect.isasyncgenfunction(propose):
                message = "a generator proposes several actions; call guard.rule on each of them instead"
                raise TypeError(message)
            if inspect.iscoroutinefunction(propose):
                waited = cast("Callable[Call, Awaitable[Action]]", propose)

                @functools.wraps(propose)
                async def guarded(*args: Call.args, **kwargs: Call.kwargs) -> Action:
                    event, field = seen(*args, **kwargs)
                    return self.rule(await waited(*args, **kwargs), event=event, field=field).action

                return guarded

            @functools.wraps(propose)
            def plainly_guarded(*args: Call.args, **kwargs: Call.kwargs) -> Any:
                event, field = seen(*args, **kwargs)
                proposed = propose(*args, **kwargs)
                # An object whose call is a coroutine, say, does not look like one beforehand.
                if hasattr(proposed, "__await__"):
                    return self._later(proposed, event, field)
                return self.rule(proposed, event=event, field=field).action

            return plainly_guarded

        return decorate

    async def _later(self, proposed: Awaitable[Action], event: str, field: Field[Action] | None) -> Action:
        return self.rule(await proposed, event=event, field=field).action

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
import math
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Any, Generic, Literal, ParamSpec, TypeVar, cast

from msgspec import Struct

Verdict = Literal["accept", "correct", "defer"]
Action = TypeVar("Action")
Call = ParamSpec("Call")


Id = str | int
"""What names an event. 17 and "17" name the same one: records often store as text what programs count."""


class Field(Struct, Generic[Action], frozen=True):
    """The decisive field as the agent saw it."""

    event: Id | None
    """The event it belongs to."""
    implies: Action | None = None
    """The action it declares; None where it declares none and only a reader could tell."""
    precedence: int = 0
    """Which field decides where several are in view: the highest."""
    age: float = 0.0
    """How old it is, in the unit of `Guard(oldest=…)`; within a precedence the youngest decides."""


class Ruling(Struct, Generic[Action], frozen=True):
    """What the guard made of a proposed action."""

    verdict: Verdict
    action: Action
    """What should be carried out."""
    reason: Literal[
        "no_field", "agrees", "undeclared", "unlisted", "disagrees", "other_event", "too_old", "contradicting"
    ]
    """`unlisted`: the field declares something that is no action, which corrects nothing."""

    @property
    def changed(self) -> bool:
        """Whether something else than the proposal is to be carried out."""
        return self.verdict != "accept"


Fields = Field[Action] | Sequence[Field[Action]] | None
"""What is in view: one field, several, or none."""
Seen = Callable[..., tuple[Id, Fields[Any]]]
"""From an agent's arguments: the event at hand and the decisive fields in view, or None."""


class Guard(Generic[Action]):
    """The rule, with the action that stands for deferring. Holds nothing between rulings: threads may share it."""

    __slots__ = ("_actions", "_defer", "_oldest", "_watch")

    def __init__(
        self,
        defer: Action,
        *,
        actions: Collection[Action] | None = None,
        oldest: float = math.inf,
        watch: Callable[[Ruling[Action]], None] | None = None,
    ) -> None:
        """`defer` is carried out instead of an action bound to another event.

        With `actions`, no field can bring in an action that is not among them: fields may come from anywhere. A field
        older than `oldest` decides nothing; where no other is left, the action is deferred. `watch` is told of every
        ruling; what it raises gets through.
        """
        self._defer = defer
        # A list is compared with, never hashed: actions may be dictionaries.
        self._actions = None if actions is None else list(actions)
        self._oldest = oldest
        self._watch = watch

    def rule(self, action: Action, *, event: Id, field: Fields[Action]) -> Ruling[Action]:
        """Accept, correct or defer one proposed action. `field` is the decisive field in view, or all there are."""
        ruling = self._ruled(action, event, field)
        if self._watch is not None:
            self._watch(ruling)
        return ruling

    def _ruled(self, action: Action, event: Id, field: Fields[Action]) -> Ruling[Action]:
        if field is None or (not isinstance(field, Field) and not field):
            return Ruling("accept", action, "no_field")
        own = [one for one in ([field] if isinstance(field, Field) else field) if _same_event(one.event, event)]
        if not own:
            return Ruling("defer", self._defer, "other_event")
        # An age that is no number compares as false, so a field of unknown age is never taken for a young one.
        fresh = [one for one in own if one.age <= self._oldest]
        if not fresh:
            return Ruling("defer", self._defer, "too_old")
        first = min(fresh, key=_rank)
        deciding = [one for one in fresh if _rank(one) == _rank(first)]
        if any(one.implies != first.implies for one in deciding):
            return Ruling("defer", self._defer, "contradicting")
        return self._held_against(action, first.implies)

    def _held_against(self, action: Action, implied: Action | None) -> Ruling[Action]:
        if implied is None:
            return Ruling("accept", action, "undeclared")
        if implied == action:
            return Ruling("accept", action, "agrees")
        if self._actions is not None and implied not in self._actions:
            return Ruling("accept", action, "unlisted")
        return Ruling("correct", implied, "disagrees")

    def around(self, seen: Seen) -> Callable[[Callable[Call, Any]], Callable[Call, Any]]:
        """Decorate what returns a proposed action, or something to await that gives one.

        `seen` is called with the same arguments, before the agent, and says which event this is and which decisive
        fields are in view; the decorated function returns the action that should be carried out. What the agent or
        `seen` raises gets through. Agents that yield actions are refused: rule each with `rule`.
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

    async def _later(self, proposed: Awaitable[Action], event: Id, field: Fields[Action]) -> Action:
        return self.rule(await proposed, event=event, field=field).action


def _rank(field: Field[Any]) -> tuple[int, float]:
    return -field.precedence, field.age


def _same_event(one: Id | None, other: Id | None) -> bool:
    """Whether both name the same event. Two ids that are both missing do not make one event; 0 is not missing."""
    if one is None or other is None or isinstance(one, bool) or isinstance(other, bool):
        return False
    return str(one) == str(other) != ""

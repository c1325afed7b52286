"""A guard around an agent in production: an action stands only if the decisive field in view supports it.

    from proctor.guard import Field, Guard

    guard = Guard(defer="ACT_DEFER")
    ruling = guard.rule("ACT_B", event="order-17", field=Field(event="order-17", implies="ACT_A"))
    ruling.action, ruling.verdict        # ("ACT_A", "correct")

Before an action is carried out the guard asks two questions: does the decisive field in view belong to the event at
hand, and does the action agree with what the field says it implies? A field of another event, or of one that is not
named, is never bound to: the action is deferred. A disagreement is corrected only where the field itself declares the
action it implies (and that is one of the actions there are, or the deferral, where the guard is told them); otherwise
nothing is known that could correct it, and the action stands. Without a field nothing is changed.

No model is asked and nothing is stored; a ruling takes about a microsecond. The binding instrument evaluates exactly
this code on recorded episodes, so what is measured is what runs.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from numbers import Real
from typing import Any, Generic, Literal, ParamSpec, TypeVar, cast

from msgspec import Struct

Verdict = Literal["accept", "correct", "defer"]
Action = TypeVar("Action")
Call = ParamSpec("Call")


Id = str | float
"""What names an event: text or a number. 17, 17.0 and "17" name the same one: records often store as text, and tables
as fractions, what programs count. NaN, which is how tables write a missing id, names none."""


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
        fields = _listed(field)
        if not fields:
            return Ruling("accept", action, "no_field")
        own = [one for one in fields if _same_event(one.event, event)]
        if not own:
            return Ruling("defer", self._defer, "other_event")
        # An age that is no number compares as false, so a field of unknown age is never taken for a young one.
        fresh = [one for one in own if one.age <= self._oldest]
        if not fresh:
            return Ruling("defer", self._defer, "too_old")
        first = min(fresh, key=_rank)
        return self._held_against(action, [one.implies for one in fresh if _rank(one) == _rank(first)])

    def _held_against(self, action: Action, deciding: list[Action | None]) -> Ruling[Action]:
        declared = [implied for implied in deciding if not _missing(implied)]
        if not declared:
            return Ruling("accept", action, "undeclared")
        known = [cast("Action", implied) for implied in declared if self._known(implied)]
        if any(not _same_action(implied, known[0]) for implied in known[1:]):
            return Ruling("defer", self._defer, "contradicting")
        if any(_same_action(implied, action) for implied in known or declared):
            return Ruling("accept", action, "agrees")
        if not known:
            return Ruling("accept", action, "unlisted")
        return Ruling("correct", known[0], "disagrees")

    def _known(self, implied: Action | None) -> bool:
        """Whether it may be carried out: one of the actions, or to defer, which a field may always ask for."""
        if self._actions is None or _same_action(implied, self._defer):
            return True
        return any(_same_action(implied, one) for one in self._actions)

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


def _listed(field: Fields[Action]) -> list[Field[Action]]:
    if field is None:
        return []
    if isinstance(field, Field):
        return [field]
    given: list[Any] = list(field) if isinstance(field, Iterable) else [field]
    for one in given:
        if not isinstance(one, Field):
            message = (
                f"{repr(one)[:60]} ({type(one).__name__}) was given as a field: give a Field, several of them, or None "
                "where none is in view"
            )
            raise TypeError(message)
    return given


def _missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _same_action(one: Any, other: Any) -> bool:
    """Whether both are the same action, as JSON tells values apart: 1 and 1.0 are the same number, true is none."""
    if isinstance(one, str):
        return bool(one == other)
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same_action(value, other[name]) for name, value in one.items())
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_same_action, one, other))
    return bool(one == other)


def _same_event(one: Any, other: Any) -> bool:
    """Whether both name the same event. Two ids that are both missing do not make one event; 0 is not missing."""
    if isinstance(one, str) and isinstance(other, str):
        return one == other != ""
    if isinstance(one, str):
        one, other = other, one
    if not _is_number(one):
        return False
    if isinstance(other, str):
        return other == str(one) or (one == int(one) and other == str(int(one)))
    return _is_number(other) and bool(one == other)


def _is_number(value: Any) -> bool:
    if isinstance(value, int):
        # Any number of digits, which `isfinite` does not stand.
        return not isinstance(value, bool)
    return isinstance(value, Real | Decimal) and math.isfinite(value)

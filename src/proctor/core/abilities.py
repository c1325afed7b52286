"""What a class can do beyond its contract, worked out once per class.

An ability is a small Protocol. A class offers it when the class, or one it derives from, defines every member: as a
method, a property or a slot. What an object is given later (`self.close = …`) or answers through `__getattr__` does
not count, so the answer is the same for all objects of a class and on every version of Python. An object that knows
only at run time whether it can do something defines the method and answers there.

    _CLOSES = Ability(Closes)

    def closes(agent: object) -> TypeGuard[Closes]:
        return _CLOSES[type(agent)]

`isinstance` with a runtime Protocol is no way to ask: it costs 10 to 20 µs, as much as a whole small episode.
"""

from __future__ import annotations

from functools import cache
from inspect import get_annotations
from typing import Any, Generic, Protocol

MAX_CLASSES = 1024
"""Answers that are kept. A program that makes a new class for every episode must not fill the memory."""
_MACHINERY: frozenset[Any] = frozenset({object, Protocol, Generic})


@cache
def members(protocol: type) -> tuple[str, ...]:
    """The names a Protocol declares, those of its bases first, attributes before methods."""
    names: dict[str, None] = {}
    for base in reversed(protocol.__mro__):
        if base not in _MACHINERY:
            names |= dict.fromkeys((*get_annotations(base), *vars(base)))
    return tuple(name for name in names if not name.startswith("_"))


def offers(kind: type, ability: type) -> bool:
    """Whether a class defines every member of an ability; a member set to None is withdrawn."""
    return all(_defined(kind, name) is not None for name in members(ability))


def _defined(kind: type, name: str) -> Any:
    return next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)


class Ability(dict[type, bool]):
    """Which classes offer an ability. A plain lookup, because every episode asks for several."""

    __slots__ = ("_protocol",)

    def __init__(self, protocol: type) -> None:
        super().__init__()
        self._protocol = protocol

    def __missing__(self, kind: type) -> bool:
        if len(self) >= MAX_CLASSES:
            self.clear()
        answer = self[kind] = offers(kind, self._protocol)
        return answer

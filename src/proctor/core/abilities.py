"""What a class can do beyond its contract, worked out once per class.

An ability is a small Protocol. A class offers it when the class, or one it derives from, defines every member: as a
method, a property or a slot. What an object is given later (`self.close = …`) or answers through `__getattr__` does
not count, so the answer is the same for all objects of a class and on every version of Python. An object that knows
only at run time whether it can do something defines the method and answers there.

`isinstance` with a runtime Protocol is no way to ask: it costs 10 to 20 µs, more than many a tool call.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from inspect import get_annotations
from typing import Any, Generic, Protocol

MAX_CLASSES = 2048
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


def _offers(kind: type, ability: type) -> bool:
    return all(_defined(kind, name) is not None for name in members(ability))


def _defined(kind: type, name: str) -> Any:
    return next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)


offers: Callable[[type, type], bool] = lru_cache(maxsize=MAX_CLASSES)(_offers)
"""`offers(kind, ability)`: whether a class defines every member of an ability; a member set to None is withdrawn."""

"""The most that the arguments of one call may hold, whatever its tool declares.

A schema may be tighter, and should be where the meaning gives a bound; it cannot be wider. What a world is given is
then JSON that can be walked, hashed, stored and written down in milliseconds: an agent that hands over more is told
which bound it passed, and its call is refused like any other whose arguments do not fit.

The bounds are stated here, once, and not in every schema: they are the bench's and the same for all tools, and schemas
are part of what identifies a family.
"""

from __future__ import annotations

import math
import re
from typing import Any, Final

import msgspec

MAX_INTEGER: Final = 2**53 - 1
"""Whole numbers lie between minus this and this: beyond it JSON's readers do not agree on which number is meant."""
MAX_TEXT: Final = 2**18
"""Characters of one text or key."""
MAX_CHARACTERS: Final = 2**19
"""Characters of all texts and keys of a call together."""
MAX_VALUES: Final = 10_000
"""Values of a call, those within lists and objects included."""
MAX_DEPTH: Final = 32
"""Lists and objects within each other."""


class BeyondBounds(msgspec.ValidationError):
    """Arguments that are more than any tool takes."""


def require_bounded(arguments: dict[str, Any]) -> None:
    """Raise `BeyondBounds` where arguments hold too much, or what is no JSON, having looked at no more than that."""
    characters = 0
    for name, value in arguments.items():
        characters += len(name)
        kind = type(value)
        if kind is str:
            characters += len(value)
        elif not ((kind is int and -MAX_INTEGER <= value <= MAX_INTEGER) or kind is bool or value is None):
            break
        if characters > MAX_TEXT:
            break
    else:
        # What nearly every call holds: a few small scalars.
        return
    _Measure().all(arguments)


class _Measure:
    """Counts while it walks, one level after another: neither depth nor a value within itself takes it further."""

    def __init__(self) -> None:
        self._values = 0
        self._characters = 0

    def all(self, arguments: dict[str, Any]) -> None:
        level: list[tuple[str, Any]] = [("$", arguments)]
        for _ in range(MAX_DEPTH + 2):
            level = [inner for path, value in level for inner in self._within(path, value)]
            if not level:
                return
        message = f"Expected at most {MAX_DEPTH} lists and objects within each other - at `{level[0][0]}`"
        raise BeyondBounds(message)

    def _within(self, path: str, value: Any) -> list[tuple[str, Any]]:
        """The values directly in a value, once it is found to be within bounds itself."""
        if value is None or isinstance(value, bool):
            return []
        if isinstance(value, str):
            self._text(path, value)
            return []
        if isinstance(value, int):
            if not -MAX_INTEGER <= value <= MAX_INTEGER:
                message = f"Expected `int` between -{MAX_INTEGER} and {MAX_INTEGER} - at `{path}`"
                raise BeyondBounds(message)
            return []
        if isinstance(value, float):
            if not math.isfinite(value):
                message = f"Expected a finite number - at `{path}`"
                raise BeyondBounds(message)
            return []
        if isinstance(value, (list, tuple)):
            self._count(len(value))
            return [(f"{path}[{number}]", item) for number, item in enumerate(value)]
        if isinstance(value, dict):
            self._count(len(value))
            for key in value:
                if not isinstance(key, str):
                    message = f"Expected `object` with texts as keys - at `{path}`"
                    raise BeyondBounds(message)
                self._text(path, key)
            return [(f"{path}.{key[:_SHOWN]}", item) for key, item in value.items()]
        message = f"Expected JSON, got `{type(value).__name__}` - at `{path}`"
        raise BeyondBounds(message)

    def _count(self, values: int) -> None:
        self._values += values
        if self._values > MAX_VALUES:
            message = f"Expected at most {MAX_VALUES} values in one call"
            raise BeyondBounds(message)

    def _text(self, path: str, text: str) -> None:
        if len(text) > MAX_TEXT:
            message = f"Expected `str` of at most {MAX_TEXT} characters - at `{path}`"
            raise BeyondBounds(message)
        self._characters += len(text)
        if self._characters > MAX_CHARACTERS:
            message = f"Expected at most {MAX_CHARACTERS} characters in one call"
            raise BeyondBounds(message)


_SHOWN: Final = 40
"""Characters of a name in an error."""
_KEPT_VALUES: Final = 1_000
_KEPT_CHARACTERS: Final = 20_000
_KEPT_DEPTH: Final = 8
_IN_WORDS: Final = re.compile(r"a whole number of [0-9]+ bits|-?inf|nan")
"""How numbers are written down that are beyond bounds."""


def bounded(arguments: dict[str, Any]) -> dict[str, Any]:
    """Arguments as they can be written down: as they are where they are within bounds, else their beginning."""
    try:
        require_bounded(arguments)
    except BeyondBounds:
        beginning: dict[str, Any] = _Beginning().of(arguments, 0)
        return beginning
    return arguments


class _Beginning:
    """Copies values, in their order, until so many are kept."""

    def __init__(self) -> None:
        self._values = _KEPT_VALUES
        self._characters = _KEPT_CHARACTERS

    def of(self, value: Any, depth: int) -> Any:
        self._values -= 1
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, int):
            return value if -MAX_INTEGER <= value <= MAX_INTEGER else f"a whole number of {value.bit_length()} bits"
        if isinstance(value, float):
            return value if math.isfinite(value) else str(value)
        if depth < _KEPT_DEPTH and isinstance(value, (list, tuple)):
            return [self.of(item, depth + 1) for item in value if self._values > 0]
        if depth < _KEPT_DEPTH and isinstance(value, dict):
            items = ((key, item) for key, item in value.items() if self._values > 0)
            return {self._text(str(key)): self.of(item, depth + 1) for key, item in items}
        return type(value).__name__

    def _text(self, text: str) -> str:
        kept = text[: max(0, self._characters)]
        self._characters -= len(kept)
        return kept


def may_be_cut(arguments: dict[str, Any]) -> bool:
    """Whether arguments that were written down may be no more than the beginning of what was given: see `bounded`."""
    values, characters = 0, 0
    waiting: list[tuple[Any, int]] = [(arguments, 0)]
    while waiting:
        value, depth = waiting.pop()
        values += 1
        if isinstance(value, dict):
            characters += sum(map(len, value))
            waiting += [(item, depth + 1) for item in value.values()]
        elif isinstance(value, list):
            waiting += [(item, depth + 1) for item in value]
        elif isinstance(value, str):
            characters += len(value)
            if depth >= _KEPT_DEPTH or _IN_WORDS.fullmatch(value):
                return True
    return values >= _KEPT_VALUES or characters >= _KEPT_CHARACTERS


def numbers(arguments: dict[str, Any]) -> dict[str, int | float]:
    """The arguments that are numbers, however large: they can be held against a range without being written down."""
    return {name: value for name, value in arguments.items() if isinstance(value, (int, float))}

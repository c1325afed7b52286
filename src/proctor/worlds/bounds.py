"""The most that the arguments of one call may hold, whatever its tool declares.

A schema may be tighter, and should be where the meaning gives a bound; it cannot be wider. What a world is given is
then JSON that can be walked, hashed, stored and written down in milliseconds: an agent that hands over more is told
which bound it passed, and its call is refused like any other whose arguments do not fit.

The bounds are stated here, once, and not in every schema: they are the bench's and the same for all tools, and schemas
are part of what identifies a family.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from proctor.core.hashing import sha256_hex

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
_WHOLE: Final = "(whole)"
"""Stands in an object or list of which no more than a part was kept, with a digest of all of it."""
_IN_WORDS: Final = re.compile(
    r"a whole number of [0-9]+ bits(, sha256 [0-9a-f]{64})?|(the number )?(-?inf|nan)"
    # Without the digest: as they were written down once.
)
"""How numbers are written down that are beyond bounds."""


def bounded(arguments: dict[str, Any]) -> dict[str, Any]:
    """Arguments as they can be written down: as they are where they are within bounds, else their beginning.

    Whatever is cut or replaced has the SHA-256 of the whole of it beside it, so that no two different arguments are
    written down alike.
    """
    try:
        require_bounded(arguments)
    except BeyondBounds:
        beginning: dict[str, Any] = _Beginning().of(arguments, 0)
        return beginning
    return arguments


def cut(text: str, most: int) -> str:
    """A text as it is, or its beginning with how long it was and the SHA-256 of all of it."""
    if len(text) <= most:
        return text
    return f"{text[:most]} [cut: {most} of {len(text)} characters, sha256 {sha256_hex(_bytes(text))}]"


class _Beginning:
    """Copies values, in their order, until so many are kept."""

    def __init__(self) -> None:
        self._values = _KEPT_VALUES
        self._characters = _KEPT_CHARACTERS
        self._digests = _Digests()

    def of(self, value: Any, depth: int) -> Any:
        self._values -= 1
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, int):
            return value if -MAX_INTEGER <= value <= MAX_INTEGER else _in_words(value)
        if isinstance(value, float):
            return value if math.isfinite(value) else f"the number {value}"
        if depth < _KEPT_DEPTH and isinstance(value, (list, tuple)):
            return self._list(value, depth)
        if depth < _KEPT_DEPTH and isinstance(value, dict):
            return self._object(value, depth)
        return f"{type(value).__name__}, sha256 {self._digests.of(value)}"

    def _list(self, value: Sequence[Any], depth: int) -> list[Any]:
        kept = [self.of(item, depth + 1) for item in value if self._values > 0]
        return kept if len(kept) == len(value) else [*kept, self._whole(value)]

    def _object(self, value: dict[Any, Any], depth: int) -> dict[str, Any]:
        items = ((key, item) for key, item in value.items() if self._values > 0)
        kept = {self._text(str(key)): self.of(item, depth + 1) for key, item in items}
        # 1 and "1" are two keys, and one text.
        complete = len(kept) == len(value) and all(isinstance(key, str) for key in value)
        return kept if complete else {**kept, _WHOLE: self._whole(value)}

    def _whole(self, value: Any) -> str:
        return f"{_WHOLE} {len(value)} values, sha256 {self._digests.of(value)}"

    def _text(self, text: str) -> str:
        most = max(0, self._characters)
        self._characters -= min(len(text), most)
        return cut(text, most)


def _in_words(number: int) -> str:
    # In base 16: Python writes no decimal number of more than a few thousand digits.
    return f"a whole number of {number.bit_length()} bits, sha256 {sha256_hex(f'{number:x}'.encode())}"


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


class _Digests:
    """SHA-256 of values of any size and depth, the same everywhere; each is looked at once, however often it comes."""

    def __init__(self) -> None:
        self._known: dict[int, bytes] = {}

    def of(self, value: Any) -> str:
        """In hex. A value within itself counts there as just that."""
        waiting, begun = [value], set()
        while waiting:
            one = waiting[-1]
            if not isinstance(one, _HOLDERS) or id(one) in self._known:
                waiting.pop()
            elif id(one) in begun:
                waiting.pop()
                self._known[id(one)] = self._holder(one)
            else:
                begun.add(id(one))
                inner = one.values() if isinstance(one, dict) else one
                waiting += [item for item in inner if isinstance(item, _HOLDERS) and id(item) not in begun]
        return self._digest(value).hex()

    def _digest(self, value: Any) -> bytes:
        if isinstance(value, _HOLDERS):
            return self._known.get(id(value), b"within itself")
        kind = type(value).__name__
        if isinstance(value, str):
            kind, content = "str", _bytes(value)
        elif isinstance(value, int) and not isinstance(value, bool):
            kind, content = "int", f"{value:x}".encode()
        elif isinstance(value, (bytes, bytearray)):
            content = bytes(value)
        else:
            # Of anything else that is no JSON only its kind: what it says of itself need not be the same twice.
            content = repr(value).encode() if value is None or isinstance(value, (bool, float)) else b""
        return hashlib.sha256(kind.encode() + b":" + content).digest()

    def _holder(self, value: Any) -> bytes:
        if isinstance(value, dict):
            parts = sorted(self._digest(key) + self._digest(item) for key, item in value.items())
            return hashlib.sha256(b"object:" + b"".join(parts)).digest()
        parts = [self._digest(item) for item in value]
        return hashlib.sha256(b"list:" + b"".join(sorted(parts) if isinstance(value, _SETS) else parts)).digest()


_SETS: Final = (set, frozenset)
_HOLDERS: Final = (dict, list, tuple, *_SETS)
"""Values that hold others."""


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

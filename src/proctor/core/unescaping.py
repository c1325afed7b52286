"""A text with every escape undone, and where its parts stood before: how something is found however it was escaped.

Undone are backslash escapes (`\\x73`, `\\u0073`, octal of one to three digits with a zero before them or not), percent
escapes and references of HTML, with or without their semicolon, mixed and within each other. White space, written or
escaped, plus signs (a blank in a form) and backslashes are left out, so that JSON within JSON reads the same at every
depth. Two texts that differ in nothing else come out the same; neither need be valid. Every step takes time in
proportion to the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from msgspec import Struct

_MOST_PASSES: Final = 6
"""How deep escapes of different kinds may lie within each other. Each pass costs the whole text."""
_LAST_CODE_POINT: Final = 0x10FFFF
_NAMED: Final = {b"amp": b"&", b"apos": b"'", b"gt": b">", b"lt": b"<", b"quot": b'"'}

_MARKED: Final = re.compile(rb"\\[xuU0-7]|%[0-9a-fA-F]{2}|&(?:#|amp;|apos;|gt;|lt;|quot;)")
"""Where there is something to undo; cheap, since most texts hold nothing of it."""
# A run of backslashes is taken as a whole whatever follows, or each of its places would be looked at as a beginning.
_ESCAPE: Final = re.compile(
    rb"\\\\*+(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{0*([0-9a-fA-F]{1,6})\}|U([0-9a-fA-F]{8})"
    rb"|(0[1-3][0-7]{2}|[0-3]?[0-7]{1,2}))?"
    rb"|%([0-9a-fA-F]{2})"
    rb"|&#(?:0*([0-9]{1,7})|[xX]0*([0-9a-fA-F]{1,6}));?"
    rb"|&(amp|apos|gt|lt|quot);"
)
_BYTES: Final = {1: 16, 5: 8, 6: 16}
"""The groups that give a byte, and the base their digits are in."""
_CODE_POINTS: Final = {2: 16, 3: 16, 4: 16, 7: 10, 8: 16}
_NAME: Final = 9
_BLANKS: Final = b" \t\n\r\x0b\x0c\x08+"


def _meant(found: re.Match[bytes]) -> bytes:
    """What an escape stands for; itself, where that is nothing."""
    group = found.lastindex
    if group is None:
        return found[0]
    digits = found[group]
    if group == _NAME:
        return _NAMED[digits]
    if group in _BYTES:
        return bytes((int(digits, _BYTES[group]),))
    number = int(digits, _CODE_POINTS[group])
    return chr(number).encode(errors="surrogatepass") if number <= _LAST_CODE_POINT else found[0]


def _nothing(_: re.Match[bytes]) -> bytes:
    return b""


class _Step(Struct, frozen=True):
    """One thing that is done to a text, and the same token by token where one has to know what came from where."""

    done: Callable[[bytes], bytes]
    token: re.Pattern[bytes]
    becomes: Callable[[re.Match[bytes]], bytes]


def _put(token: bytes, instead: bytes) -> _Step:
    """The step that puts one thing in the place of what a pattern finds."""
    pattern = re.compile(token)
    return _Step(lambda data: pattern.sub(instead, data), pattern, lambda _: instead)


_BEFORE: Final = (
    _put(rb'\\\\\\"', b'"'),
    _put(rb'\\"', b'"'),
    _put(rb"\\\\[bfnrt]", b""),
    _put(rb"\\[bfnrt]", b""),
)
"""The most frequent escapes, as JSON within JSON has them too, all at once: what is left is looked at one by one."""
_UNDO: Final = _Step(lambda data: _ESCAPE.sub(_meant, data), _ESCAPE, _meant)
_TIGHTEN: Final = _Step(lambda data: data.translate(None, _BLANKS), re.compile(rb"[ \t\n\r\x0b\x0c\x08+]+"), _nothing)
_BARE: Final = _Step(lambda data: data.translate(None, b"\\"), re.compile(rb"\\+"), _nothing)


def unescaped(data: bytes) -> bytes:
    """The text with every escape undone."""
    for step in _steps(data):
        data = step.data
    return data


def found_unescaped(data: bytes, wanted: Iterable[bytes]) -> list[tuple[int, int, bytes]]:
    """Where in a text something stands that was unescaped itself: beginning, end and what; none that overlap."""
    steps = list(_steps(data))
    plain = steps[-1].data if steps else data
    found = sorted((at, -len(one), one) for one in wanted for at in _places(plain, one))
    spans, end = list[tuple[int, int, bytes]](), 0
    for at, length, one in found:
        if at >= end:
            end = at - length
            spans.append((at, end, one))
    for number in reversed(range(len(steps))):
        if spans:
            before = steps[number - 1].data if number else data
            origin = _Origin(before, steps[number].step)
            spans = [(origin.first(begin), origin.last(end - 1), one) for begin, end, one in spans]
    return spans


class _Done(Struct, frozen=True):
    """A step, and the text after it."""

    step: _Step
    data: bytes


def _steps(data: bytes) -> Iterator[_Done]:
    """What is done to a text, one after another; steps that change nothing are left out."""
    for _ in range(_MOST_PASSES):
        marked = _MARKED.search(data) is not None
        undone = False
        for step in (*_BEFORE, *((_UNDO,) if marked else ()), _TIGHTEN):
            if (after := step.done(data)) != data:
                data = after
                undone = undone or step is _UNDO
                yield _Done(step, data)
        if not undone:
            break
    if b"\\" in data:
        yield _Done(_BARE, _BARE.done(data))


def _places(data: bytes, wanted: bytes) -> Iterator[int]:
    at = data.find(wanted)
    while at >= 0:
        yield at
        at = data.find(wanted, at + len(wanted))


class _Origin:
    """Where the bytes that a step gave came from."""

    def __init__(self, data: bytes, step: _Step) -> None:
        # Of every piece: where it begins afterwards, where before, and where it ended before; None: as it was.
        self._after: list[int] = []
        self._before: list[tuple[int, int | None]] = []
        read = written = 0
        for found in step.token.finditer(data):
            if found.start() > read:
                self._add(written, read, None)
                written += found.start() - read
            if became := step.becomes(found):
                self._add(written, found.start(), found.end())
                written += len(became)
            read = found.end()
        self._add(written, read, None)

    def _add(self, after: int, before: int, end: int | None) -> None:
        self._after.append(after)
        self._before.append((before, end))

    def first(self, place: int) -> int:
        """Where what made the byte at this place begins."""
        at = bisect_right(self._after, place) - 1
        before, end = self._before[at]
        return before + place - self._after[at] if end is None else before

    def last(self, place: int) -> int:
        """Where what made the byte at this place ends."""
        at = bisect_right(self._after, place) - 1
        before, end = self._before[at]
        return before + place - self._after[at] + 1 if end is None else end

"""How many replies of models were cut off at the token limit: an answer that was never finished is no answer.

Why a reply ended is the provider's word and no part of what it said, so it stands aside of the root, with tokens and
times; it is counted from there, row by row.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from proctor.evidence.row import Row

_CUT_OFF = ("length", "max_tokens")
_MARKS = tuple(f'"{word}"'.encode() for word in _CUT_OFF)


class CutOff(Struct, frozen=True):
    """Replies that ended because there was no room left; those of a forced length are none of them."""

    cut: int
    all: int
    """Replies altogether; 0 where none was cut off."""

    @property
    def sentence(self) -> str:
        """What has to be known before replies are judged; empty where none was cut off."""
        if not self.cut:
            return ""
        return f"{self.cut:,} of {self.all:,} replies were cut off at the token limit: give more room with tokens=N"


def cut_off(rows: Iterable[Row]) -> CutOff:
    """The replies of these rows that were cut off."""
    asides = [row.aside for row in rows if row.aside is not None]
    # Most runs have none, and need not be taken apart to see it.
    if not any(mark in aside for aside in asides for mark in _MARKS):
        return CutOff(0, 0)
    said = [details for aside in asides for details in exchanges(aside)]
    cut = sum(details.get("finish") in _CUT_OFF and details.get("exact") is not True for details in said)
    return CutOff(cut, len(said) if cut else 0)


def exchanges(aside: bytes) -> list[dict[str, Any]]:
    """What is recorded beside each exchange with a model; a stranger's run may hold anything."""
    try:
        entries = msgspec.json.decode(aside, type=list[list[Any]])
    except (msgspec.MsgspecError, RecursionError):
        return []
    return [entry[1] for entry in entries if entry[:1] == ["model"] and isinstance(entry[-1], dict)]

"""Neutral filler that brings a prompt to an exact number of tokens, and can be taken off again; replies likewise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec

from proctor.models.contract import Message

MARK: Final = "\nFiller, to be ignored:"
UNIT: Final = " ."
_TRIES: Final = 12


def with_filler(messages: tuple[Message, ...], units: int) -> tuple[Message, ...]:
    """The conversation with so many units of filler at the end of its first message."""
    first = msgspec.structs.replace(messages[0], content=messages[0].content + MARK + UNIT * units)
    return (first, *messages[1:])


def without_filler(request: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """A recorded request as it was before it was filled, and how many units it was filled with."""
    first, *rest = request["messages"]
    content, mark, filler = first["content"].partition(MARK)
    if not mark:
        return request, 0
    return {**request, "messages": [{**first, "content": content}, *rest]}, filler.count(UNIT)


def units_to_fill(messages: tuple[Message, ...], count: Callable[[str], int], target: int) -> int:
    """How many units bring a conversation to the target, or to the next multiple of it where it is longer.

    A unit is one token for most tokenisers, but text may join at its edge: the result is counted, and corrected.
    """
    rest = sum(count(message.content) for message in messages[1:])
    least = rest + count(with_filler(messages, 0)[0].content)
    goal = target * max(1, -(-least // target))
    units = goal - least
    for _ in range(_TRIES):
        missing = goal - rest - count(with_filler(messages, units)[0].content)
        if not missing:
            break
        units = max(0, units + missing)
    return units


def filled_reply(text: str, tokens: int, count: Callable[[str], int]) -> str:
    """A reply of exactly so many words-as-tokens, from models that are none: filled up, or cut off."""
    missing = tokens - count(text)
    return text + UNIT * missing if missing >= 0 else " ".join(text.split()[:tokens])

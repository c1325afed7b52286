"""What an agent was shown, taken apart: scalars in order, words, numbers, options.

Shared by the agents that answer from appearance alone. Everything here is a pure function of a TaskView or of
observations; nothing guesses at what an answer means.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from proctor.agents.contract import Session

Scalar = str | int | float | bool

_WORD = re.compile(r"[^\W\d_][\w'-]*")
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w]|\.\d)")
_COMMON = re.compile(
    r"a|about|after|all|an|and|any|are|as|at|be|been|before|but|by|can|do|does|for|from|give|had|has|have|how|if|in|"
    r"into|is|it|its|name|no|not|of|on|one|only|or|out|over|should|so|some|such|than|that|the|their|them|then|there|"
    r"these|they|this|those|to|under|up|use|was|were|what|when|where|which|who|will|with|you|your"
)


def scalars(value: Any) -> Iterator[Scalar]:
    """The strings, numbers and truth values inside a JSON value, in the order they are written."""
    if isinstance(value, dict):
        for item in value.values():
            yield from scalars(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from scalars(item)
    elif isinstance(value, (str, int, float)):
        yield value


def shown(session: Session) -> list[Scalar]:
    """Every scalar of every observation so far, oldest first. Error messages are not values and are left out."""
    return [
        scalar
        for observation in session.observations
        if "error" not in observation.fields or observation.call is None
        for scalar in scalars(observation.fields)
    ]


def words(text: str) -> list[str]:
    """The words of a text in order, lower case, without those that carry no meaning."""
    found = (match.group().lower() for match in _WORD.finditer(text))
    return [word for word in found if not _COMMON.fullmatch(word)]


def numbers(text: str) -> list[int | float]:
    """The numbers that stand alone in a text, in order."""
    return [float(found) if "." in found else int(found) for found in _NUMBER.findall(text)]


def values(items: Iterable[Scalar]) -> list[Scalar]:
    """Short values as they are; longer texts broken into their lines, words and numbers."""
    found: list[Scalar] = []
    for item in items:
        if not isinstance(item, str) or len(item) <= 40:
            found.append(item)
        else:
            found.extend(line.strip() for line in item.splitlines() if 0 < len(line.strip()) <= 40)
            found.extend(words(item))
            found.extend(numbers(item))
    return found


def last_value(items: Iterable[Scalar]) -> Scalar | None:
    """The value that was shown last: a short scalar itself, or the last number or word of a longer text."""
    for item in reversed(list(items)):
        if not isinstance(item, str):
            return item
        pieces = item.split()
        if len(pieces) <= 3 and pieces:
            return item.strip()
        found = numbers(item)
        if found:
            return found[-1]
        if pieces:
            return pieces[-1].strip(".,;:!?\"'()")
    return None

"""What an agent was shown, taken apart: scalars in order, words, numbers, options.

Shared by the agents that answer from appearance alone. Everything here is a pure function of a TaskView or of
observations; nothing guesses at what an answer means.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from proctor.agents.contract import Session

Scalar = str | int | float | bool
ValueKind = Literal["number", "date", "text"]
"""What sort of value is asked for, as far as wording tells."""

_WORD = re.compile(r"[^\W\d_][\w'-]*")
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w]|\.\d)")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DATE = re.compile(
    r"\b(?P<iso>\d{4}-\d{2}-\d{2})\b"
    r"|\b(?P<day>\d{1,2})(?:st|nd|rd|th)?\.? (?:of )?(?P<month>[A-Za-z]{3,9})\.?,? (?P<year>\d{4})\b"
    r"|\b(?P<month_first>[A-Za-z]{3,9})\.? (?P<day_second>\d{1,2})(?:st|nd|rd|th)?,? (?P<year_last>\d{4})\b"
)
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
    lowered = (match.group().lower() for match in _WORD.finditer(text))
    return [word for word in lowered if not _COMMON.fullmatch(word)]


def numbers(text: str) -> list[int | float]:
    """The numbers that stand alone in a text, in order."""
    return [float(number) if "." in number else int(number) for number in _NUMBER.findall(text)]


def dates(text: str) -> list[str]:
    """The days a text mentions, as YYYY-MM-DD, in order."""
    dates = []
    for match in _DATE.finditer(text):
        month = (match["month"] or match["month_first"] or "")[:3].lower()
        if match["iso"]:
            dates.append(match["iso"])
        elif month in _MONTHS:
            year, day = match["year"] or match["year_last"], match["day"] or match["day_second"]
            dates.append(f"{year}-{_MONTHS.index(month) + 1:02d}-{int(day):02d}")
    return dates


def values(items: Iterable[Scalar]) -> list[Scalar]:
    """Short values as they are; longer texts broken into their short lines, or else their words and numbers."""
    parts: list[Scalar] = []
    for item in items:
        if not isinstance(item, str) or len(item) <= 40:
            parts.append(item)
            continue
        lines = [line.strip() for line in item.splitlines() if 0 < len(line.strip()) <= 40]
        parts.extend(lines)
        parts.extend(words(item))
        parts.extend(numbers(item))
    return parts


def values_of_kind(items: Iterable[Scalar], kind: ValueKind) -> list[Scalar]:
    """The values of one kind among some scalars, those inside texts included, in order of showing."""
    values: list[Scalar] = []
    for item in items:
        if kind == "number":
            values.extend(numbers(_DATE.sub(" ", item)) if isinstance(item, str) else [item] * (type(item) is not bool))
        elif kind == "date":
            values.extend(dates(item) if isinstance(item, str) else [])
        else:
            values.extend(_short_texts(str(item)))
    return values


def _short_texts(text: str) -> list[str]:
    """What a text states: of `label: value` lines the value, other lines whole; a very long line by its last word."""
    texts = []
    for line in text.splitlines():
        value = line.rpartition(": ")[2].strip(" .;,")
        if len(value) > 60:
            value = value.split()[-1]
        if value:
            texts.append(value)
    return texts

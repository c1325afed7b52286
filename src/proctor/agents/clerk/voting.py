"""Several readings of one thing: what most of them say."""

from __future__ import annotations

from collections import Counter
from typing import Any


def majority(readings: list[Any]) -> Any:
    """What most readings say; objects, lists and texts of several lines are voted on part by part.

    Where lists or texts differ in length, the commonest length is believed first. Ties fall to the earliest reading.
    """
    if all(isinstance(reading, dict) for reading in readings):
        keys = dict.fromkeys(key for reading in readings for key in reading)
        return {key: majority([reading[key] for reading in readings if key in reading]) for key in keys}
    if all(isinstance(reading, list) for reading in readings):
        return [majority(list(parts)) for parts in zip(*_of_common_length(readings), strict=True)]
    if all(isinstance(reading, str) for reading in readings) and any("\n" in reading for reading in readings):
        return "\n".join(majority([reading.split("\n") for reading in readings]))
    marks = [repr(reading) for reading in readings]
    return readings[marks.index(Counter(marks).most_common(1)[0][0])]


def _of_common_length(readings: list[list[Any]]) -> list[list[Any]]:
    length = Counter(len(reading) for reading in readings).most_common(1)[0][0]
    return [reading for reading in readings if len(reading) == length]


def much_the_same(one: Any, other: str) -> bool:
    """Whether a value is a text of which at least a third of the lines are in the other, too."""
    if not isinstance(one, str):
        return False
    lines = {line for line in one.split("\n") if line.strip()}
    shared = lines & set(other.split("\n"))
    return bool(lines) and len(shared) >= len(lines) / 3

"""What a patient reader makes of several bad scans: the same place in each of them, character by character.

The policy behind the attainable ceiling. It knows the layout of the paper, as any reader does, and where a value is
written more than once it takes all places together; of the readings of the right length the commonest character
counts, and a tie is lost.
"""

from __future__ import annotations

from collections import Counter

from msgspec import Struct


class Place(Struct, frozen=True):
    """Where some words stand: a line, the first of its words, and how many."""

    line: int
    word: int
    count: int


def places(lines: list[str], value: str) -> list[Place]:
    """Everywhere a value is written as words of their own, whatever marks stand around them."""
    wanted = [core(word) for word in value.split()]
    positions = []
    for number, line in enumerate(lines):
        words = [core(word) for word in line.split()]
        for start in range(len(words) - len(wanted) + 1):
            if words[start : start + len(wanted)] == wanted:
                positions.append(Place(number, start, len(wanted)))
    return positions


def core(word: str) -> str:
    """A word without the marks around it."""
    return word.strip("(),.:*")


def deciphered(value: str, lines: list[str], scans: list[list[str]]) -> bool:
    """Whether the votes of all scans, at all places where the value is written, give it back."""
    wanted = [core(word) for word in value.split()]
    readings: list[list[str]] = [[] for _ in wanted]
    for place in places(lines, value):
        truth = lines[place.line].split()
        for scan in scans:
            words = scan[place.line].split() if place.line < len(scan) else []
            if len(words) != len(truth):
                continue  # A word was lost: nobody can say which.
            for offset, inner in enumerate(wanted):
                written, seen = truth[place.word + offset], words[place.word + offset]
                if len(seen) == len(written):
                    # The marks around a value are where the layout has them.
                    start = written.index(inner)
                    readings[offset].append(seen[start : start + len(inner)])
    return all(reading and voted(reading) == inner for inner, reading in zip(wanted, readings, strict=True))


def voted(readings: list[str]) -> str | None:
    """The word that most characters of readings of one length make up; None where it cannot be told."""
    letters = []
    for column in zip(*readings, strict=True):
        first, *rest = Counter(column).most_common(2)
        if rest and rest[0][1] == first[1]:
            return None
        letters.append(first[0])
    return "".join(letters)

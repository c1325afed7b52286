"""What can be seen of a text without reading it: its length, its punctuation, which option it names first.

The surface player of the binding instrument goes by nothing else, and a corpus passes the tells check where nobody can
get anywhere with it.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

_MARKS = ".,;:"


class Shown(Struct, frozen=True):
    """A text with its surface."""

    text: str
    surface: str
    """`chars.marks.option.phrase`: characters, punctuation marks, the label (A, B) of the option it names first, and
    which of the two phrases a twin exchanges it names first, the one at hand (M) or the other (N); 0 for none."""


def shown(text: str, options: tuple[str, str], phrases: tuple[str, str]) -> Shown:
    """The text as it is shown where the labels A and B stand for these options, in this order."""
    lowered = text.casefold()
    marks = sum(map(text.count, _MARKS))
    return Shown(text, f"{len(text)}.{marks}.{_first(lowered, 'AB', options)}.{_first(lowered, 'MN', phrases)}")


def _first(text: str, labels: str, names: tuple[str, str]) -> str:
    """The label of the name that occurs first; 0 where neither does."""
    one, two = (text.find(name.casefold()) for name in names)
    if one < 0 and two < 0:
        return "0"
    return labels[0] if two < 0 <= one or 0 <= one < two else labels[1]


def surface_of(fields: Iterable[Shown]) -> str:
    """The surface of a whole state, its fields in the order shown."""
    return " ".join([field.surface for field in fields])

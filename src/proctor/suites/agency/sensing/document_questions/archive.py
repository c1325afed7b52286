"""An archive of a hundred documents: eighty-seven in their last issue and thirteen older issues that differ.

Only the catalogue is made at once; a document is written when it is asked for, from what its number says alone.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.agency.sensing.document_questions.domains import DOMAINS
from proctor.suites.agency.sensing.document_questions.texts import WORDS
from proctor.suites.kit.words import GIVEN, SURNAMES

DOCUMENTS = 100
THINGS = 29
"""Of each of three kinds; a prime, so that any stride leads from each thing to another one."""
OLDER = DOCUMENTS - 3 * THINGS
_LABELS = tuple(f"D-{number:03d} " for number in range(1, DOCUMENTS + 1))
_COPRIME = tuple(n for n in range(3, DOCUMENTS) if n % 2 and n % 5)


class Archive(Struct, frozen=True):
    """What an archive is made from."""

    domain: str
    key: str
    words: tuple[int, int]
    """Offset and stride through the words."""
    numbers: tuple[int, int]
    leads: tuple[tuple[int, int], tuple[int, int]]
    """Stride and offset from things of one kind to those of the next."""
    order: tuple[int, int]
    """Stride and offset from the order of making to the numbers of documents."""
    older: list[int]
    """Which documents, in the order of making, have an older issue."""


class Document(Struct, frozen=True):
    """A document by the order of making: about which thing of which kind, in which issue."""

    sort: int
    thing: int
    issue: int
    last: bool


def leads(stream: Stream) -> tuple[tuple[int, int], tuple[int, int]]:
    """How things of one kind lead to those of the next, as stride and offset."""
    return _lead(stream), _lead(stream)


def archive(
    stream: Stream, domain: str, ways: tuple[tuple[int, int], tuple[int, int]], path: list[int], issues: int
) -> Archive:
    """An archive in which the first `issues` documents of a path, by the order of making, have an older issue."""
    older = path[:issues]
    step, place = stream.integer(2, 80), stream.below(3 * THINGS)
    while len(older) < OLDER:
        place = (place + step) % (3 * THINGS)
        while place in older or place in path:
            place = (place + 1) % (3 * THINGS)
        older.append(place)
    older.sort()
    return Archive(
        domain=domain,
        key=stream.hex(32),
        words=(stream.below(len(WORDS)), stream.integer(1, len(WORDS) - 1)),
        numbers=(stream.integer(100, 400), stream.integer(3, 17)),
        leads=ways,
        order=(stream.choice(_COPRIME), stream.below(DOCUMENTS)),
        older=older,
    )


def _lead(stream: Stream) -> tuple[int, int]:
    return stream.integer(1, THINGS - 1), stream.below(THINGS)


def name_of(a: Archive, sort: int, thing: int) -> str:
    """What a thing of a kind is called; no two of an archive are called alike."""
    return _names(a, sort, thing, thing + 1)[0]


def _names(a: Archive, sort: int, start: int, end: int) -> list[str]:
    form = DOMAINS[a.domain].sorts[sort].thing
    if "{w}" in form:
        head, _, tail = form.partition("{w}")
        first, stride, words = a.words[0] + 11 * sort, a.words[1], len(WORDS)
        return [f"{head}{WORDS[(first + stride * thing) % words]}{tail}" for thing in range(start, end)]
    head, _, tail = form.partition("{n}")
    first, stride = a.numbers[0] + 130 * sort, a.numbers[1]
    return [f"{head}{first + stride * thing}{tail}" for thing in range(start, end)]


def follows(way: tuple[int, int], thing: int, shift: int = 0) -> int:
    """The thing of the next kind that this one leads to; shifted where an older issue says otherwise."""
    stride, offset = way
    return (stride * thing + offset + shift) % THINGS


def catalogue(a: Archive) -> list[str]:
    """One line a document, by number."""
    titles: list[str] = []
    for sort, kind in enumerate(DOMAINS[a.domain].sorts):
        head, _, tail = kind.title.partition("{me}")
        titles += [f"{head}{name}{tail}, issue " for name in _names(a, sort, 0, THINGS)]
    issues = [2, 1, 1] * THINGS
    for old in a.older:
        issues[old] += 1
    titles += [titles[old] for old in a.older]
    issues += [issues[old] - 1 for old in a.older]
    lines = [""] * DOCUMENTS
    stride, place = a.order
    for heading, issue in zip(titles, issues, strict=True):
        lines[place] = f"{_LABELS[place]}{heading}{issue}"
        place = (place + stride) % DOCUMENTS
    return lines


def document(a: Archive, made: int) -> Document:
    """The document of this place in the order of making."""
    if made < 3 * THINGS:
        return Document(made // THINGS, made % THINGS, (2, 1, 1)[made % 3] + (made in a.older), last=True)
    newer = document(a, a.older[made - 3 * THINGS])
    return Document(newer.sort, newer.thing, newer.issue - 1, last=False)


def title(a: Archive, made: Document) -> str:
    """A document's title."""
    kind = DOMAINS[a.domain].sorts[made.sort]
    return f"{kind.title.format(me=name_of(a, made.sort, made.thing))}, issue {made.issue}"


def number_of(a: Archive, made: int) -> int:
    """The number, from 1, under which a document stands in the catalogue."""
    stride, offset = a.order
    return (stride * made + offset) % DOCUMENTS + 1


def numbered(a: Archive, number: int) -> Document:
    """The document under a number of the catalogue."""
    stride, offset = a.order
    return document(a, (number - 1 - offset) * pow(stride, -1, DOCUMENTS) % DOCUMENTS)


def told(a: Archive, made: Document) -> dict[str, Any]:
    """What a document tells, by the places of its text."""
    stream = Stream(bytes.fromhex(a.key)).child(made.sort, made.thing, made.issue)
    values: dict[str, Any] = {
        "me": name_of(a, made.sort, made.thing),
        "name": somebody(stream),
        "number": stream.integer(21, 989),
        "other": somebody(stream),
        "count": stream.integer(11, 96),
    }
    if made.sort < 2:
        shift = 0 if made.last else stream.integer(1, 9)
        way, away = a.leads[made.sort], shift + stream.integer(10, 18)
        values["next"] = name_of(a, made.sort + 1, follows(way, made.thing, shift))
        values["away"] = name_of(a, made.sort + 1, follows(way, made.thing, away))
    return values


def somebody(stream: Stream) -> str:
    """A person who does not exist."""
    return f"{stream.choice(GIVEN)} {stream.choice(SURNAMES)}"


def text(a: Archive, number: int) -> str:
    """The document under a number of the catalogue, in full."""
    made = numbered(a, number)
    values = told(a, made)
    lines = DOMAINS[a.domain].sorts[made.sort].lines
    return "\n".join([f"{title(a, made)} (D-{number:03d})", "", *(line.format(**values) for line in lines)])

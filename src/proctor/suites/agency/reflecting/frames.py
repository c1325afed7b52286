"""Eight forms in which the same sentences are written down; the family says which of them matter."""

from __future__ import annotations

import json
from collections.abc import Callable

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.kit.draws import sample_spaced, split_draw
from proctor.suites.kit.sheet import Sheet
from proctor.suites.kit.words import GIVEN

_SPOKEN = str.maketrans("", "", ",.;")


class Line(Struct, frozen=True):
    """One sentence, and whether the task can be done without it."""

    text: str
    matters: bool = False


Frame = Callable[[Stream, str, list[Line]], Sheet]


def _written(sheet: Sheet, texts: list[str], lines: list[Line]) -> Sheet:
    for text, line in zip(texts, lines, strict=True):
        (sheet.fact if line.matters else sheet.add)(text)
    return sheet


def notes(stream: Stream, title: str, lines: list[Line]) -> Sheet:
    """A list of notes."""
    return _written(Sheet(title, ""), [f"- {line.text}" for line in lines], lines)


def as_json(stream: Stream, title: str, lines: list[Line]) -> Sheet:
    """One object a line."""
    first = stream.integer(11, 80)
    sheet = Sheet(f'{{"title": {json.dumps(title)}, "entries": [')
    texts = [
        f' {{"id": {first + number}, "text": {json.dumps(line.text)}}}{"," if number + 1 < len(lines) else ""}'
        for number, line in enumerate(lines)
    ]
    _written(sheet, texts, lines).add("]}")
    return sheet


def letter(stream: Stream, title: str, lines: list[Line]) -> Sheet:
    """A letter, one sentence a line."""
    one, two = sample_spaced(stream, GIVEN, 2)
    sheet = Sheet(f"Dear {one},", f"you asked for this: {title[0].lower()}{title[1:]}.", "")
    _written(sheet, [line.text for line in lines], lines).add("", "Yours,", two)
    return sheet


def register(stream: Stream, title: str, lines: list[Line]) -> Sheet:
    """Numbered entries, each with the desk that made it."""
    first, step = split_draw(stream, 400, 4)
    texts = [
        f"{first + number * (step + 1):04d} desk {number % 3 + 1} {line.text}" for number, line in enumerate(lines)
    ]
    return _written(Sheet(title.upper()), texts, lines)


def minutes(stream: Stream, title: str, lines: list[Line]) -> Sheet:
    """A meeting in which one after the other speaks."""
    people = sample_spaced(stream, GIVEN, 4)
    start = stream.below(4)
    texts = [f"{people[(start + number * 3) % 4]} reports: {line.text}" for number, line in enumerate(lines)]
    return _written(Sheet(f"Minutes. {title}.", f"Present: {', '.join(people)}."), texts, lines)


def chat(stream: Stream, title: str, lines: list[Line]) -> Sheet:
    """Messages without full stops."""
    one, two = sample_spaced(stream, GIVEN, 2)
    start = stream.below(2)
    texts = [
        f"<{(one, two)[(start + number // 2) % 2]}> {line.text.removesuffix('.')}" for number, line in enumerate(lines)
    ]
    return _written(Sheet(f"#channel: {title}"), texts, lines)


def table(stream: Stream, title: str, lines: list[Line]) -> Sheet:
    """A table with a row for each sentence."""
    sheet = Sheet(title, "| no. | entry |", "| --- | --- |")
    first = stream.integer(1, 30)
    return _written(sheet, [f"| {first + number} | {line.text} |" for number, line in enumerate(lines)], lines)


def spoken(stream: Stream, title: str, lines: list[Line]) -> Sheet:
    """A recording, in small letters and without punctuation."""
    sheet = Sheet(f"[recording {stream.integer(100, 999)}, transcribed automatically]", title.lower())
    texts = [line.text.lower().translate(_SPOKEN) for line in lines]
    _written(sheet, texts, lines).add("that is all from me")
    return sheet


FRAMES: dict[str, Frame] = {
    "notes": notes,
    "json": as_json,
    "letter": letter,
    "register": register,
    "minutes": minutes,
    "chat": chat,
    "table": table,
    "spoken": spoken,
}
TEMPLATES = tuple(FRAMES)

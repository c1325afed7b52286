"""What people said about episodes, and the answers to the control items by which they are admitted.

Both come in files of their own, after the run, and are kept with it as attachments; nothing about them enters its root.
What was stored stays: all sheets of a run count together, and an answer that was changed later is there twice.

Ratings are a CSV file with the columns `rater, question, subject, answer`:

| question | subject | answer |
| --- | --- | --- |
| `success` | position of an episode | `yes` or `no` |
| `goal` | position of an episode | `originated`, `instrumental`, `derivable` or `none` |
| `level` | a dimension or a part of G, e.g. `D` or `G1` | 0 to 5 |
| `control` | a control item | as the question it is about: `originated` or `derivable`, `yes` or `no`, 0 to 5 |

The right answers to control items are a CSV file with the columns `item, answer, author`. No rater writes them.
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from proctor.core.errors import InputError
from proctor.core.reading import open_file
from proctor.evidence.attachments import MAX_BYTES, RATING_REFERENCE, RATINGS, Attachment

SUCCESS, GOAL, LEVEL, CONTROL = "success", "goal", "level", "control"
ORIGINATED, INSTRUMENTAL, DERIVABLE, NO_GOAL = "originated", "instrumental", "derivable", "none"
DISPUTED, CONFIRMED = "no", "yes"
CONTROL_ANSWERS = {
    GOAL: frozenset({ORIGINATED, DERIVABLE}),
    SUCCESS: frozenset({CONFIRMED, DISPUTED}),
    LEVEL: frozenset("012345"),
}
"""What the answer to a control item can be, by the question it is about."""
_ANSWERS = {
    SUCCESS: CONTROL_ANSWERS[SUCCESS],
    GOAL: frozenset({ORIGINATED, INSTRUMENTAL, DERIVABLE, NO_GOAL}),
    LEVEL: CONTROL_ANSWERS[LEVEL],
    # A rater may say of a control item whatever can be said of an episode.
    CONTROL: frozenset({INSTRUMENTAL, NO_GOAL}).union(*CONTROL_ANSWERS.values()),
}
_DIMENSIONS = frozenset({"S", "M", "D", "E", "L", "R", "G1", "G2", "G3"})
_COLUMNS = ("rater", "question", "subject", "answer")
_REFERENCE_COLUMNS = ("item", "answer", "author")
_MAX_NAME = 60
MAX_ROWS = 100_000
"""Rows of one file: far more than people fill in."""
_MAX_POSITION_DIGITS = 10


class Rating(Struct, frozen=True):
    """One answer of one person."""

    rater: str
    """Without regard to case and spacing, so that nobody is two people by spelling."""
    question: str
    subject: str
    answer: str


class ControlItem(Struct, frozen=True):
    """A control item with its right answer."""

    item: str
    answer: str
    author: str
    """Who wrote the answer."""


class Sheet(Struct, frozen=True):
    """The ratings of one file."""

    sha256: str
    ratings: tuple[Rating, ...]


class Reference(Struct, frozen=True):
    """The right answers of one file."""

    sha256: str
    items: tuple[ControlItem, ...]


class Ratings(Struct, frozen=True):
    """Everything people said about a run."""

    sheets: tuple[Sheet, ...] = ()
    """In the order in which they came."""
    references: tuple[Reference, ...] = ()
    unreadable: tuple[str, ...] = ()
    """Attachments that should hold ratings and cannot be read, or do not have their SHA-256."""
    not_stored: str = ""
    """Why what was given could not be kept with the run; empty where it was."""

    def __iter__(self) -> Iterator[Rating]:
        return (rating for sheet in self.sheets for rating in sheet.ratings)


def ratings_of(attachments: Iterable[Attachment], not_stored: str = "") -> Ratings:
    """What the attachments of a run hold in ratings. What cannot be read is named, never guessed."""
    sheets: list[Sheet] = []
    references: list[Reference] = []
    unreadable: list[str] = []
    for one in attachments:
        if one.kind not in (RATINGS, RATING_REFERENCE):
            continue
        try:
            if not one.intact:
                unreadable.append(one.name)
            elif one.kind == RATINGS:
                sheets.append(Sheet(one.sha256, parse_ratings(one.content, one.name)))
            else:
                references.append(Reference(one.sha256, parse_reference(one.content, one.name)))
        except InputError:
            unreadable.append(one.name)
    return Ratings(tuple(sheets), tuple(references), tuple(unreadable), not_stored)


def read_sheet(path: Path) -> tuple[Attachment, Sheet]:
    """A file of ratings. Refuses, in one sentence, what is not in the form above."""
    document = Attachment.of(RATINGS, _content(path))
    return document, Sheet(document.sha256, parse_ratings(document.content, str(path)))


def read_reference(path: Path) -> tuple[Attachment, Reference]:
    """A file of right answers to control items."""
    document = Attachment.of(RATING_REFERENCE, _content(path))
    return document, Reference(document.sha256, parse_reference(document.content, str(path)))


def parse_ratings(content: bytes, source: str) -> tuple[Rating, ...]:
    """The ratings in a document; `source` is what messages call it."""
    given: dict[tuple[str, str, str], str] = {}
    for line, values in _rows(content, source, _COLUMNS):
        rating = _rating(f"{source}, line {line}", values)
        known = given.setdefault((rating.rater, rating.question, rating.subject), rating.answer)
        if known != rating.answer:
            message = (
                f"{source}, line {line}: {rating.rater} answered {rating.question} {rating.subject} before, with "
                f"'{known}'"
            )
            raise InputError(message)
    return tuple(Rating(*key, answer) for key, answer in given.items())


def parse_reference(content: bytes, source: str) -> tuple[ControlItem, ...]:
    """The right answers in a document."""
    items: dict[str, ControlItem] = {}
    allowed = frozenset().union(*CONTROL_ANSWERS.values())
    for line, values in _rows(content, source, _REFERENCE_COLUMNS):
        where = f"{source}, line {line}"
        if values["answer"] not in allowed:
            message = (
                f"{where}: '{_short(values['answer'])}' is not the answer to a control item; use {_listed(allowed)}"
            )
            raise InputError(message)
        item = _name(values["item"], "an item", where)
        if item in items:
            message = f"{where}: control item '{item}' is there already"
            raise InputError(message)
        items[item] = ControlItem(item, values["answer"], _rater(values["author"], "an author", where))
    return tuple(items.values())


def _content(path: Path) -> bytes:
    try:
        with open_file(path) as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        message = f"{path}: cannot be read ({error.strerror})"
        raise InputError(message) from None


def _rows(content: bytes, source: str, columns: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Line number and stripped values of each row; refuses a file without exactly these columns."""
    try:
        # Spreadsheets put a mark before the first column, and some countries' a semicolon between columns.
        text = content.decode("utf-8-sig")
        head = text.partition("\n")[0]
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=head.count), strict=True)
        if tuple(name.strip() for name in next(reader, [])) != tuple(columns):
            message = f"{source}: the first line must read {','.join(columns)}"
            raise InputError(message)
        for count, row in enumerate(reader):
            if count >= MAX_ROWS:
                message = f"{source}: has more than {MAX_ROWS} rows"
                raise InputError(message)
            if not any(value.strip() for value in row):
                continue
            if len(row) != len(columns):
                message = (
                    f"{source}, line {reader.line_num}: has {len(row)} values; the columns are {','.join(columns)}"
                )
                raise InputError(message)
            yield reader.line_num, {name: value.strip() for name, value in zip(columns, row, strict=True)}
    except (UnicodeDecodeError, csv.Error) as error:
        message = f"{source}: cannot be read as CSV in UTF-8 ({error})"
        raise InputError(message) from None


def _rating(where: str, values: dict[str, str]) -> Rating:
    question, answer = values["question"], values["answer"]
    allowed = _ANSWERS.get(question)
    if allowed is None:
        message = f"{where}: question '{_short(question)}' is unknown; use one of {', '.join(_ANSWERS)}"
        raise InputError(message)
    if answer not in allowed:
        message = f"{where}: '{_short(answer)}' is no answer to {question}; use one of {_listed(allowed)}"
        raise InputError(message)
    rater = _rater(values["rater"], "a rater", where)
    if rater == "reference":
        message = f"{where}: right answers to control items are given with --reference FILE, not by a rater"
        raise InputError(message)
    subject = _name(values["subject"], "a subject", where)
    if question in (SUCCESS, GOAL):
        subject = _position(subject, where)
    elif question == LEVEL and subject not in _DIMENSIONS:
        message = f"{where}: '{subject}' has no level of its own; use one of {', '.join(sorted(_DIMENSIONS))}"
        raise InputError(message)
    return Rating(rater, question, subject, answer)


def _rater(text: str, what: str, where: str) -> str:
    """The name of a person: "Ann", "ann" and " ANN " are one."""
    return " ".join(unicodedata.normalize("NFKC", _name(text, what, where)).casefold().split())


def _name(text: str, what: str, where: str) -> str:
    if not text or len(text) > _MAX_NAME or not text.isprintable():
        message = f"{where}: '{_short(text)}' cannot be the name of {what}: 1 to {_MAX_NAME} printable characters"
        raise InputError(message)
    return text


def _position(text: str, where: str) -> str:
    if not (text.isascii() and text.isdecimal() and len(text) <= _MAX_POSITION_DIGITS):
        message = f"{where}: '{_short(text)}' is not the position of an episode"
        raise InputError(message)
    return str(int(text))


def _listed(answers: frozenset[str]) -> str:
    return ", ".join(sorted(answers))


def _short(text: str) -> str:
    """Text from a file, safe and short enough for a message."""
    return ascii(text[:_MAX_NAME])[1:-1]

"""Notes on past dealings in eight layouts. What they say is made of clauses whose subject is the one they are about.

Always: every note is one line, short enough to escape a context cut; what matters and what does not stand mixed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

from msgspec import Struct

from proctor.suites.kit.draws import Dice
from proctor.suites.kit.sheet import Sheet
from proctor.suites.kit.spelling import capital, in_words
from proctor.suites.kit.words import GIVEN

_NUMBER = re.compile(r"\d+")
_NO_SIGNS = re.compile(r"[^\w\s]")


class Note(Struct, frozen=True):
    """One dealing, or a remark, which has an ending alone."""

    who: str
    opening: str
    course: tuple[str, ...]
    ending: str
    matters: bool = True


class Page(Struct, frozen=True):
    """What is written down: figures of today, and notes if there are any."""

    title: str
    figures: tuple[str, ...]
    """Whole sentences without a full stop; all of them matter."""
    about: str
    """What the notes are: `notes on past dealings`."""
    notes: tuple[Note, ...]


def _clauses(note: Note, joint: str) -> str:
    return joint.join(part for part in (note.opening, *note.course) if part)


def _teller(dice: Dice) -> str:
    return dice.choice(GIVEN)


def _put(sheet: Sheet, note: Note, line: str) -> None:
    (sheet.fact if note.matters else sheet.add)(line)


def _figures(sheet: Sheet, page: Page, pattern: str) -> None:
    for figure in page.figures:
        sheet.fact(pattern.format(figure))


def ledger(page: Page, dice: Dice) -> Sheet:
    """Numbered lines, clauses between semicolons."""
    sheet = Sheet(page.title)
    _figures(sheet, page, "* {}")
    if page.notes:
        sheet.add(f"{capital(page.about)}:")
    for number, note in enumerate(page.notes, 1):
        said = _clauses(note, "; ")
        _put(
            sheet,
            note,
            f"{number}. {note.who}: {said}; {note.ending}" if said else f"{number}. {note.who}: {note.ending}",
        )
    return sheet


def letter(page: Page, dice: Dice) -> Sheet:
    """Sentences to somebody."""
    sheet = Sheet(f"Dear {_teller(dice)},", f"{page.title}, as I have it:")
    for figure in page.figures:
        sheet.fact(f"{capital(figure)}.")
    if page.notes:
        sheet.add(f"You asked for {page.about}. Here they are, as they come to my mind.")
    for note in page.notes:
        said = _clauses(note, ", ")
        _put(
            sheet,
            note,
            f"{capital(note.who)} {said} and {note.ending}." if said else f"{capital(note.who)} {note.ending}.",
        )
    sheet.add("Yours,", _teller(dice))
    return sheet


def chat(page: Page, dice: Dice) -> Sheet:
    """Messages that begin with how it ended."""
    one, two = dice.sample(GIVEN, 2)
    sheet = Sheet(f"{one}: {page.title.lower()}?")
    _figures(sheet, page, f"{two}: {{}}")
    if page.notes:
        sheet.add(f"{one}: any {page.about}?")
    for note in page.notes:
        said = _clauses(note, ", ")
        end = f"{note.who} {note.ending}"
        _put(sheet, note, f"{two}: {end} (before that it {said})" if said else f"{two}: oh, {end}")
    return sheet


def as_json(page: Page, dice: Dice) -> Sheet:
    """One object a line."""
    sheet = Sheet(json.dumps({"file": page.title}))
    for figure in page.figures:
        sheet.fact(json.dumps({"today": figure}))
    for note in page.notes:
        known = {"of": note.who, "end": note.ending, "was": _clauses(note, "; ")}
        _put(sheet, note, json.dumps({key: value for key, value in known.items() if value}))
    return sheet


def table(page: Page, dice: Dice) -> Sheet:
    """Columns, the end before the course."""
    sheet = Sheet(page.title)
    _figures(sheet, page, "today | {}")
    if page.notes:
        sheet.add(f"{page.about} (who | how it ended | how it went)")
    for note in page.notes:
        _put(sheet, note, f"{note.who} | {note.ending} | {_clauses(note, ' / ') or '-'}")
    return sheet


def spoken(page: Page, dice: Dice) -> Sheet:
    """A recording: no signs, no capitals, numbers in words."""
    sheet = Sheet(f"[recording {dice.integer(10, 99)}, transcribed automatically]")
    for figure in page.figures:
        sheet.fact(_aloud(figure))
    for note in page.notes:
        said = _clauses(note, " then ")
        _put(sheet, note, _aloud(f"{note.who} {said} and {note.ending}" if said else f"{note.who} {note.ending}"))
    sheet.add("that is all I have")
    return sheet


def minutes(page: Page, dice: Dice) -> Sheet:
    """Reported by various people, the end in the middle."""
    speakers = dice.sample(GIVEN, 4)
    sheet = Sheet(f"Minutes. {page.title}.")
    _figures(sheet, page, f"{speakers[0]}: {{}}.")
    for note in page.notes:
        speaker = dice.choice(speakers)
        rest = ", ".join(note.course)
        if note.opening:
            then = f" Before that it {rest}." if rest else ""
            _put(sheet, note, f"{speaker} on {note.who}: it {note.opening} and finally {note.ending}.{then}")
        else:
            _put(sheet, note, f"{speaker} on {note.who}: it {note.ending}.")
    return sheet


def cards(page: Page, dice: Dice) -> Sheet:
    """Index cards: arrows, the name last."""
    sheet = Sheet(f"Card box: {page.title}")
    _figures(sheet, page, "[today] {}")
    for note in page.notes:
        said = _clauses(note, " > ")
        _put(sheet, note, f"{f'{said} > ' if said else ''}{note.ending} [{note.who}; told by {_teller(dice)}]")
    return sheet


def _aloud(text: str) -> str:
    words = _NUMBER.sub(lambda number: in_words(int(number.group())), text)
    return _NO_SIGNS.sub("", words.replace("-", " ")).lower()


Layout = Callable[[Page, Dice], Sheet]
LAYOUTS: dict[str, Layout] = {
    "ledger": ledger,
    "letter": letter,
    "chat": chat,
    "json": as_json,
    "table": table,
    "spoken": spoken,
    "minutes": minutes,
    "cards": cards,
}
TEMPLATES: tuple[str, ...] = tuple(LAYOUTS)


def phrase(dice: Dice, bank: Sequence[str], **figures: int | str) -> str:
    """One of several wordings, filled in."""
    return dice.choice(bank).format(**figures)

"""Eight forms in which the same material is written down: data, records and talk.

Always: every cell of every row is in the text, each statement on lines of its own, and which lines carry statements is
known to the sheet. Order within a section is the order of its rows; only the log mixes sections. A form draws nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import chain, zip_longest
from typing import NamedTuple

from proctor.suites.agency.deciding.material import Frame, Row, Section, Wording
from proctor.suites.kit.sheet import Sheet

_DOTS = 24
_GREETINGS = ("Morning!", "Hello, have you got a minute?", "There you are.", "Hi, me again.")
_CHATTER = ("Go on, I am writing this down.", "Got that.", "Fine, what else?", "Noted.")


def _table(sheet: Sheet, section: Section, wording: Wording, frame: Frame, before: int) -> None:
    columns = list(section.rows[0].cells)
    sheet.add("", f"## {wording.headings[section.name]}", "")
    sheet.fact(f"| {' | '.join([wording.labels[column] for column in columns])} |")
    sheet.add(f"|{'---|' * len(columns)}")
    sheet.fact(*[f"| {' | '.join(row.cells.values())} |" for row in section.rows])


def _json(sheet: Sheet, section: Section, wording: Wording, frame: Frame, before: int) -> None:
    sheet.add(f' "{section.name}": [')
    last = len(section.rows) - 1
    sheet.fact(*[f"  {json.dumps(row.cells)}{',' * (index < last)}" for index, row in enumerate(section.rows)])
    sheet.add(" ],")


def _xml(sheet: Sheet, section: Section, wording: Wording, frame: Frame, before: int) -> None:
    sheet.add(f"  <{section.name}>")
    for row in section.rows:
        attributes = [f'{column}="{value}"' for column, value in row.cells.items()]
        sheet.fact(f"    <row {' '.join(attributes)}/>")
    sheet.add(f"  </{section.name}>")


def _cards(sheet: Sheet, section: Section, wording: Wording, frame: Frame, before: int) -> None:
    for index, row in enumerate(section.rows, 1):
        sheet.add("", f"=== {wording.headings[section.name].upper()}, CARD {index} ===")
        for column, value in row.cells.items():
            line = f"{wording.labels[column] + ' ':.<{_DOTS}} {value}"
            (sheet.add if column in wording.idle else sheet.fact)(line)


def _log(sheet: Sheet, section: Section, wording: Wording, frame: Frame, before: int) -> None:
    for index, row in enumerate(section.rows, before):
        pairs = [f'{name}="{value}"' if " " in value else f"{name}={value}" for name, value in row.cells.items()]
        sheet.fact(
            f"{_clock(frame, index)}:{(frame.number * 7 + index * 13) % 60:02d} {section.name} {' '.join(pairs)}"
        )


def _letter(sheet: Sheet, section: Section, wording: Wording, frame: Frame, before: int) -> None:
    sheet.add("")
    sheet.fact(*[wording.letter[row.kind].format(**row.cells) for row in section.rows])


def _chat(sheet: Sheet, section: Section, wording: Wording, frame: Frame, before: int) -> None:
    for index, row in enumerate(section.rows, before):
        sheet.fact(f"[{_clock(frame, index + 2)}] {frame.writer}: {wording.chat[row.kind].format(**row.cells)}")
    remark = _CHATTER[(frame.number + before) % len(_CHATTER)]
    sheet.add(f"[{_clock(frame, before + len(section.rows) + 1)}] {frame.reader}: {remark}")


def _minutes(sheet: Sheet, section: Section, wording: Wording, frame: Frame, before: int) -> None:
    item = 1 + sum(line.startswith("Item ") for line in sheet.lines)
    sheet.add("", f"Item {item}: {wording.headings[section.name]}")
    for index, row in enumerate(section.rows, 1):
        sheet.fact(f"{item}.{index} {wording.minutes[row.kind].format(**row.cells)}")


def _clock(frame: Frame, minutes: int) -> str:
    """A time of that day, so many minutes after the document was begun."""
    hours, rest = divmod(420 + frame.number % 300 + minutes, 60)
    return f"{hours:02d}:{rest:02d}"


Body = Callable[[Sheet, Section, Wording, Frame, int], None]


class Form(NamedTuple):
    """A way of writing down."""

    body: Body
    opening: tuple[str, ...]
    closing: tuple[str, ...] = ()
    mixed: bool = False
    """Whether statements of all sections come mixed."""


FORMS: dict[str, Form] = {
    "table": Form(_table, ("# {title}", "", "Document {number}, kept by {writer}")),
    "json": Form(_json, ('{{"document": {number},', ' "title": "{title}",'), (' "kept_by": "{writer}"', "}}")),
    "xml": Form(_xml, ('<document number="{number}" title="{title}">',), ("</document>",)),
    "cards": Form(_cards, ("CARD INDEX {number}: {title}", "Kept by {writer}")),
    "log": Form(_log, ("# log {number} ({title})",), ("# end of log",), mixed=True),
    "letter": Form(_letter, ("Dear {reader},", "", "this is about {title}."), ("", "With kind regards", "{writer}")),
    "chat": Form(_chat, ("[{clock}] {reader}: {greeting}", "[{clock}] {writer}: It is about {title}.")),
    "minutes": Form(
        _minutes,
        ("MINUTES No. {number}", "Subject: {title}", "Present: {reader} (chair), {writer} (minutes)"),
        ("", "The chair ended the meeting."),
    ),
}


def written(form: str, sections: list[Section], wording: Wording, frame: Frame) -> Sheet:
    """The whole document."""
    chosen = FORMS[form]
    words = {
        **frame._asdict(),
        "clock": _clock(frame, 0),
        "greeting": _GREETINGS[frame.number % len(_GREETINGS)],
    }
    sheet = Sheet(*[line.format(**words) for line in chosen.opening])
    parts = mixed(sections) if chosen.mixed else sections
    before = 0
    for section in parts:
        chosen.body(sheet, section, wording, frame, before)
        before += len(section.rows)
    sheet.add(*[line.format(**words) for line in chosen.closing])
    return sheet


def mixed(sections: list[Section]) -> list[Section]:
    """The rows one by one, taken from the sections in turn."""
    turns = zip_longest(*[[(section.name, row) for row in section.rows] for section in sections])
    return [Section(name, [row]) for name, row in filter(None, chain.from_iterable(turns))]


def statement(form: str, name: str, row: Row, wording: Wording, frame: Frame, number: int) -> str:
    """One row alone, as the form writes it down: for what is told later, one at a time."""
    sheet = Sheet()
    FORMS[form].body(sheet, Section(name, [row]), wording, frame, number)
    return "\n".join([sheet.lines[index].strip() for index in sheet.facts])

"""Slips of paper: a few entries about somebody or something, written down in eight different forms.

An entry is a label and a phrase; some matter, the others are there as well. Every entry is one line, whatever the form,
so that it can be read again by itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.kit.sheet import Sheet
from proctor.suites.kit.words import GIVEN, MONTHS, SURNAMES


class Entry(Struct, frozen=True):
    """One thing that is known."""

    label: str
    phrase: str
    matters: bool = True


class Slip(Struct, frozen=True):
    """What is to be written down."""

    title: str
    sentence: str
    """An entry in running text: `{label}` and `{phrase}`."""
    entries: list[Entry]


Form = Callable[[Slip, Stream], Sheet]


def _add(sheet: Sheet, entry: Entry, line: str) -> None:
    (sheet.fact if entry.matters else sheet.add)(line)


def card(slip: Slip, stream: Stream) -> Sheet:
    """Labels in capitals, dots, phrases."""
    sheet = Sheet(f"*** {slip.title.upper()} ***")
    for entry in slip.entries:
        _add(sheet, entry, f"{entry.label.upper()} .... {entry.phrase}")
    sheet.add(f"card {stream.integer(100, 999)}")
    return sheet


def as_json(slip: Slip, stream: Stream) -> Sheet:
    """A list of objects, one a line."""
    sheet = Sheet(f'{{"about": {json.dumps(slip.title)}, "rev": {stream.integer(2, 60)}, "entries": [')
    for entry in slip.entries:
        _add(sheet, entry, f'  {{"k": "{entry.label}", "v": {json.dumps(entry.phrase, ensure_ascii=False)}}},')
    sheet.add("]}")
    return sheet


def table(slip: Slip, stream: Stream) -> Sheet:
    """Two columns, the phrase first."""
    sheet = Sheet(f"Table {stream.integer(1, 40)}: {slip.title}", "| noted | under |", "|---|---|")
    for entry in slip.entries:
        _add(sheet, entry, f"| {entry.phrase} | {entry.label} |")
    return sheet


def letter(slip: Slip, stream: Stream) -> Sheet:
    """Sentences, one a line."""
    sheet = Sheet(f"Dear colleague, here is what I know of {slip.title}.")
    for entry in slip.entries:
        sentence = slip.sentence.format(label=entry.label, phrase=entry.phrase)
        _add(sheet, entry, sentence[0].upper() + sentence[1:] + ".")
    sheet.add(f"Yours, {stream.choice(GIVEN)} {stream.choice(SURNAMES)}")
    return sheet


def log(slip: Slip, stream: Stream) -> Sheet:
    """Lines with a time."""
    minute = stream.integer(7 * 60, 17 * 60)
    sheet = Sheet(f"{_clock(minute)} OPEN {slip.title}")
    for entry in slip.entries:
        minute += stream.integer(1, 4)
        _add(sheet, entry, f"{_clock(minute)} NOTE <{entry.label}> {entry.phrase}")
    sheet.add(f"{_clock(minute + 5)} CLOSE")
    return sheet


def chat(slip: Slip, stream: Stream) -> Sheet:
    """Question and answer in one line each."""
    asks, tells = stream.sample(GIVEN, 2)
    sheet = Sheet(f"{asks}: what do we have on {slip.title}?")
    for entry in slip.entries:
        _add(sheet, entry, f"{asks}: {entry.label}? {tells}: {entry.phrase}")
    sheet.add(f"{asks}: thanks")
    return sheet


def minutes(slip: Slip, stream: Stream) -> Sheet:
    """Numbered points with who reported them."""
    sheet = Sheet(f"Minutes, {stream.integer(1, 28)} {stream.choice(MONTHS)}: {slip.title}")
    for number, entry in enumerate(slip.entries, start=1):
        sentence = slip.sentence.format(label=entry.label, phrase=entry.phrase)
        _add(sheet, entry, f"{number}) {stream.choice(SURNAMES)} reports: {sentence}")
    return sheet


def voice(slip: Slip, stream: Stream) -> Sheet:
    """A message on the answering machine."""
    sheet = Sheet(f"[voice message, {stream.integer(40, 170)} s] hello, it's about {slip.title}")
    for entry in slip.entries:
        filler = stream.choice(("er", "right", "then", "so", "what else", "oh and", "hm"))
        _add(sheet, entry, f"… {filler}, {entry.label}, that's … {entry.phrase} …")
    sheet.add("… that's it, bye [end]")
    return sheet


FORMS: dict[str, Form] = {
    "card": card,
    "json": as_json,
    "table": table,
    "letter": letter,
    "log": log,
    "chat": chat,
    "minutes": minutes,
    "voice": voice,
}


def _clock(minute: int) -> str:
    return f"{minute // 60:02d}:{minute % 60:02d}"

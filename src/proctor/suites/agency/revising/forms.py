"""Nine forms in which a dossier is told: three written by people, two spoken, four by machines.

Every form tells every fact in one line of less than 200 characters, and tells nothing else that could decide. Forms
differ in what a line looks like, in how lines are grouped and ordered, and in how dates, numbers and lists are spelled.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from proctor.core.seeds import Stream
from proctor.suites.agency.revising.facts import Dossier, Fact
from proctor.suites.kit.draws import quick_shuffle
from proctor.suites.kit.sheet import Sheet
from proctor.suites.kit.spelling import Value, as_data, as_prose, as_spoken
from proctor.suites.kit.words import GIVEN

_encode = msgspec.json.Encoder().encode
_GREETINGS = ("Dear colleagues,", "Good morning,", "To whom it concerns,", "Dear planning desk,")
_OPENINGS = (
    "here is everything we know, one matter a line.",
    "as agreed I write down how things stand.",
    "please find below what has to be considered.",
)
_CLOSINGS = ("With kind regards", "Yours sincerely", "Many thanks in advance")
_FILLERS = ("hang on", "right", "give me a second", "let me look that up", "ok so")
_DROPPED = str.maketrans("", "", ".,;:?()'“”")


def letter(d: Dossier, stream: Stream) -> Sheet:
    """Formal sentences, matter by matter."""
    sheet = Sheet(f"Re: {d.title}", "", stream.choice(_GREETINGS), stream.choice(_OPENINGS), "")
    for fact in _by_matter(d, stream):
        sheet.fact(_sentence(d.book[fact.kind].formal, fact, as_prose))
    sheet.add("", stream.choice(_CLOSINGS), stream.choice(GIVEN))
    return sheet


def minutes(d: Dossier, stream: Stream) -> Sheet:
    """Formal sentences as numbered items, kind by kind."""
    sheet = Sheet(f"MINUTES: {d.title}", f"Present: {', '.join(stream.sample(GIVEN, 3))}")
    for number, facts in enumerate(_by_kind(d, stream), 1):
        sheet.add("", f"{number}. {d.book[facts[0].kind].heading}")
        for item, fact in enumerate(facts, 1):
            sheet.fact(f"{number}.{item} {_sentence(d.book[fact.kind].formal, fact, as_prose)}")
    sheet.add("", "There was no other business.")
    return sheet


def chat(d: Dossier, stream: Stream) -> Sheet:
    """Two people write to each other; matters come as they think of them."""
    who = stream.sample(GIVEN, 2)
    clock = stream.integer(8 * 60, 14 * 60)
    sheet = Sheet(f"# {d.title.lower()}")
    turns = stream.bits64()
    for index, fact in enumerate(_by_matter(d, stream)):
        # One number decides who writes each line, and after how many minutes.
        turn = turns >> index
        clock += turn & 1
        stamp = f"[{clock // 60:02d}:{clock % 60:02d}] {who[turn >> 1 & 1]}: "
        if index % 8 == 4:
            sheet.add(stamp + stream.choice(_FILLERS))
        sheet.fact(stamp + _sentence(d.book[fact.kind].casual, fact, as_prose))
    return sheet


def voice(d: Dossier, stream: Stream) -> Sheet:
    """A voice message as a machine wrote it down: small letters, no marks, numbers in words."""
    sheet = Sheet(f"VOICE MESSAGE, {stream.integer(70, 240)} seconds, transcript", "hi it is about the following")
    for fact in _by_matter(d, stream):
        sheet.fact(_sentence(d.book[fact.kind].casual, fact, as_spoken).lower().translate(_DROPPED))
    sheet.add("that was all bye")
    return sheet


def board(d: Dossier, stream: Stream) -> Sheet:
    """Cards on a board: a heading for each goal, bullets below it."""
    sheet = Sheet(f"BOARD {d.title}")
    about: str | None = None
    for fact in _by_matter(d, stream):
        if fact.about != about:
            about = fact.about
            sheet.fact(f"== {about or 'for all'} ==")
        sheet.fact(f"* {_sentence(d.book[fact.kind].terse, fact, as_prose)}")
    return sheet


def records(d: Dossier, stream: Stream) -> Sheet:
    """A JSON array, one object a line, in mixed order."""
    sheet = Sheet("[")
    facts = quick_shuffle(stream, d.facts)
    for index, fact in enumerate(facts, 1):
        comma = "," if index < len(facts) else ""
        record = {"record": fact.kind, **fact.values}
        sheet.fact(f"  {_encode(record).decode()}{comma}")
    sheet.add("]")
    return sheet


def tables(d: Dossier, stream: Stream) -> Sheet:
    """A table for each kind, with a row of column names."""
    sheet = Sheet(d.title.upper())
    for facts in _by_kind(d, stream):
        sheet.add("")
        sheet.fact(f"{facts[0].kind.upper()} | {' | '.join(facts[0].values)}")
        for fact in facts:
            sheet.fact(f"  {' | '.join([as_data(value) for value in fact.values.values()])}")
    return sheet


def log(d: Dossier, stream: Stream) -> Sheet:
    """An event log of the planning system: name=value pairs, in mixed order."""
    sheet = Sheet()
    clock = stream.integer(6 * 3600, 9 * 3600)
    gaps = stream.bits64()
    for index, fact in enumerate(quick_shuffle(stream, d.facts)):
        clock += 1 + (gaps >> index) % 89
        pairs = " ".join([f"{name}={_quoted(value)}" for name, value in fact.values.items()])
        sheet.fact(f"{clock // 3600:02d}:{clock // 60 % 60:02d}:{clock % 60:02d} planner put {fact.kind} {pairs}")
    return sheet


def markup(d: Dossier, stream: Stream) -> Sheet:
    """Elements with attributes, matter by matter."""
    sheet = Sheet(f'<plan title="{d.title}">')
    for fact in _by_matter(d, stream):
        pairs = " ".join([f'{name}="{as_data(value)}"' for name, value in fact.values.items()])
        sheet.fact(f"  <{fact.kind} {pairs}/>")
    sheet.add("</plan>")
    return sheet


def _sentence(phrase: str, fact: Fact, spelled: Callable[[Value], str]) -> str:
    text = phrase.format_map({name: spelled(value) for name, value in fact.values.items()})
    return f"{text[0].upper()}{text[1:]}"


def _quoted(value: Value) -> str:
    text = as_data(value)
    return f'"{text}"' if " " in text else text


def _by_matter(d: Dossier, stream: Stream) -> list[Fact]:
    """What concerns all goals, then goal by goal; the order of goals and within each is mixed."""
    order: dict[str, list[Fact]] = {"": []}
    for fact in quick_shuffle(stream, d.facts):
        order.setdefault(fact.about, []).append(fact)
    return [fact for facts in order.values() for fact in facts]


def _by_kind(d: Dossier, stream: Stream) -> list[list[Fact]]:
    """Kind by kind in the order of the phrasebook, each kind mixed."""
    by_kind: dict[str, list[Fact]] = {kind: [] for kind in d.book}
    for fact in quick_shuffle(stream, d.facts):
        by_kind[fact.kind].append(fact)
    return [facts for facts in by_kind.values() if facts]


Form = Callable[[Dossier, Stream], Sheet]
FORMS: dict[str, Form] = {
    "letter": letter,
    "minutes": minutes,
    "chat": chat,
    "voice": voice,
    "board": board,
    "records": records,
    "tables": tables,
    "log": log,
    "markup": markup,
}

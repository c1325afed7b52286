"""A card: a few named values about one thing, in eight layouts, always short enough to escape a context cut.

A world shows a card by a reading tool, one at a time; whoever needs several has to keep what earlier ones said. Each
value stands in a line of its own beside its label. Numbers are written in words where a card is dictated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries
from proctor.spec.task import Instance
from proctor.suites.kit.ceiling import OutOfCalls
from proctor.suites.kit.rereading import Rereading, Votes, sure_lead
from proctor.suites.kit.spelling import in_words
from proctor.suites.kit.words import GIVEN

READINGS = 16
"""Calls per card with which a careful reader is certain of it under 40 % noise, nearly always."""

_DIGITS = re.compile(r"\d+")


class Card(Struct, frozen=True):
    """What stands on a card."""

    title: str
    values: dict[str, int | str]
    """By label, in the order in which they are written."""


Form = Callable[[Card, Stream], str]


def dotted(card: Card, stream: Stream) -> str:
    """Labels in capitals, dots, values."""
    return "\n".join((f"*** {card.title} ***", *(f"{label.upper()} .... {v}" for label, v in card.values.items())))


def as_json(card: Card, stream: Stream) -> str:
    """An object, a key a line."""
    rows = [f"  {json.dumps(label)}: {json.dumps(value)}" for label, value in card.values.items()]
    return f'{{"card": "{card.title}",\n' + ",\n".join(rows) + "\n}"


def table(card: Card, stream: Stream) -> str:
    """Two columns, the value first."""
    return "\n".join((f"| {card.title} | |", "|---|---|", *(f"| {v} | {label} |" for label, v in card.values.items())))


def letter(card: Card, stream: Stream) -> str:
    """Sentences."""
    rows = (f"For the {label} put down {value}." for label, value in card.values.items())
    return "\n".join((f"You ask about {card.title}.", *rows, f"Yours, {stream.choice(GIVEN)}"))


def log(card: Card, stream: Stream) -> str:
    """Lines with a time, which is none of the values."""
    minute = stream.integer(7 * 60, 17 * 60)
    rows = [f"OPEN <{card.title}>", *(f"{label} = {value}" for label, value in card.values.items())]
    return "\n".join(f"{(minute + n) // 60:02d}:{(minute + n) % 60:02d} {row}" for n, row in enumerate(rows))


def chat(card: Card, stream: Stream) -> str:
    """Question and answer in one line each."""
    asks, tells = stream.sample(GIVEN, 2)
    rows = (f"{asks}: {label}? {tells}: {value}" for label, value in card.values.items())
    return "\n".join((f"{asks}: {card.title}, please", *rows))


def numbered(card: Card, stream: Stream) -> str:
    """Numbered points; the numbers of the points are none of the values."""
    rows = (f"{n}) {value} [{label}]" for n, (label, value) in enumerate(card.values.items(), start=1))
    return "\n".join((f"Re: {card.title}", *rows))


def dictated(card: Card, stream: Stream) -> str:
    """Numbers in words, without punctuation."""
    rows = (f"{label} that is {_aloud(str(value))}" for label, value in card.values.items())
    return "\n".join((f"this is about {card.title}", *rows, "that was all"))


def _aloud(value: str) -> str:
    return _DIGITS.sub(lambda found: in_words(int(found.group())), value)


FORMS: dict[str, Form] = {
    "dotted": dotted,
    "json": as_json,
    "table": table,
    "letter": letter,
    "log": log,
    "chat": chat,
    "numbered": numbered,
    "dictated": dictated,
}


def can_read_and_act(instance: Instance, deliveries: Deliveries, texts: list[str], acts: int) -> bool:
    """Whether each of these cards comes back right by reading it until it is certain, and `acts` calls can follow.

    Every line has to be certain: a floor, since no agent needs the titles.
    """
    policy, sure = Rereading(instance, deliveries), sure_lead(deliveries)
    try:
        for text in texts:
            lines = text.split("\n")
            places = [place for place, line in enumerate(lines) if line.strip()]
            votes = Votes(places)
            while min(map(votes.lead, places)) < sure:
                policy.read_into(votes, 0, text)
            if not votes.restore(lines, places):
                return False
        policy.call("write", times=acts)
    except OutOfCalls:
        return False
    return True

"""Eight forms in which the facts of a task reach whoever has to act on them.

A fact belongs to a part (a sample, an item, a machine) and has a label and a value; some values were wrong at first and
were corrected. Each form has a structure of its own: where part, label and value stand, in which order facts come, and
how a correction is marked. Every form tells every fact, and says of each corrected one which value holds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.kit.words import GIVEN, TOWNS, long_date

CORRECTIONS = "Where the material corrects a value, the corrected value holds."


class Fact(Struct, frozen=True):
    """One value. `label` is a noun in the singular; `was` is an earlier value that no longer holds, or empty."""

    label: str
    value: str
    was: str = ""

    @property
    def key(self) -> str:
        """The label as data formats write it."""
        return self.label.lower().replace(" ", "_").replace("-", "_")


class Part(Struct, frozen=True):
    """What the facts are about."""

    name: str
    facts: tuple[Fact, ...]


class Head(Struct, frozen=True):
    """What stands over the whole."""

    title: str
    ref: str
    when: date
    one: str
    two: str
    place: str


def head(stream: Stream, title: str, ref: str, when: date) -> Head:
    """A head with people and a place that do not exist."""
    one, two = stream.sample(GIVEN, 2)
    return Head(title, ref, when, one, two, stream.choice(TOWNS))


def corrected(parts: Sequence[Part], earlier: Mapping[tuple[str, str], str]) -> list[Part]:
    """The same parts, with an earlier value beside those that (part, label) names; equal values are left alone."""
    return [
        Part(part.name, tuple(_with_earlier(fact, earlier.get((part.name, fact.label), "")) for fact in part.facts))
        for part in parts
    ]


def _with_earlier(fact: Fact, was: str) -> Fact:
    return Fact(fact.label, fact.value, was) if was and was != fact.value else fact


def facts_of(parts: Sequence[Part]) -> dict[str, dict[str, str]]:
    """Values by part and label."""
    return {part.name: {fact.label: fact.value for fact in part.facts} for part in parts}


def compose(form: str, about: Head, parts: Sequence[Part], stream: Stream) -> str:
    """The material in one of the forms."""
    mixed = []
    for part in parts:
        facts = list(part.facts)
        stream.shuffle(facts)
        mixed.append(Part(part.name, tuple(facts)))
    return FORMS[form](about, mixed, stream)


def letter(about: Head, parts: list[Part], stream: Stream) -> str:
    lines = [f"{about.place}, {long_date(about.when)}", f"Our reference: {about.ref}", "", f"Dear {about.two},", ""]
    lines += [f"this letter is about {about.title}. It replaces what I wrote before.", ""]
    for part in parts:
        sentences = [
            f"the {fact.label} is {fact.value}"
            + (f" (and not {fact.was}, as my earlier letter had it)" if fact.was else "")
            for fact in part.facts
        ]
        lines += [f"As to {part.name}, " + "; ".join(sentences) + ".", ""]
    return "\n".join([*lines, "With kind regards,", about.one])


def chat(about: Head, parts: list[Part], stream: Stream) -> str:
    messages: list[tuple[str, str]] = [(about.one, f"hi {about.two}, this is about {about.title} ({about.ref})")]
    later: list[tuple[str, str]] = []
    for part in parts:
        for fact in part.facts:
            messages.append((about.one, f"{fact.was or fact.value} as {fact.label} for {part.name}"))
            if fact.was:
                later.append((about.two, f"are you sure about {part.name}?"))
                later.append(
                    (about.one, f"oh. {part.name} needs {fact.value} as {fact.label}, please forget the {fact.was}")
                )
        messages.append((about.two, stream.choice(("ok", "got it", "noted", "go on", "yes"))))
    minute = stream.integer(0, 20)
    lines = [f"[{9 + minute // 60:02d}:{minute % 60:02d}] #{about.ref.lower()} opened on {about.when.isoformat()}"]
    for name, text in [*messages, *later]:
        minute += stream.integer(0, 2)
        lines.append(f"[{9 + minute // 60:02d}:{minute % 60:02d}] {name}: {text}")
    return "\n".join(lines)


def table(about: Head, parts: list[Part], stream: Stream) -> str:
    lines = [f"# {about.title} ({about.ref}, {about.when.isoformat()})", ""]
    lines += ["| no. | of | what | entry | void entry |", "| --- | --- | --- | --- | --- |"]
    rows = [(part.name, fact) for part in parts for fact in part.facts]
    lines += [
        f"| {number} | {name} | {fact.label} | {fact.value} | {fact.was or '-'} |"
        for number, (name, fact) in enumerate(rows, 1)
    ]
    return "\n".join([*lines, "", f"Kept by {about.one}. A void entry was replaced by the entry beside it."])


def as_json(about: Head, parts: list[Part], stream: Stream) -> str:
    data: dict[str, Any] = {"reference": about.ref, "date": about.when.isoformat(), "subject": about.title}
    data["parts"] = [
        {
            "part": part.name,
            **{
                fact.key: {"valid": fact.value, "withdrawn": fact.was} if fact.was else fact.value
                for fact in part.facts
            },
        }
        for part in parts
    ]
    return json.dumps(data, indent=1)


def log(about: Head, parts: list[Part], stream: Stream) -> str:
    entries = [(part.name, fact.key, fact.was or fact.value, "set") for part in parts for fact in part.facts]
    stream.shuffle(entries)
    entries += [(part.name, fact.key, fact.value, "reset") for part in parts for fact in part.facts if fact.was]
    seconds = stream.integer(0, 3000)
    lines = [
        f"# log of {about.ref}: {about.title}. A later entry replaces an earlier one with the same part and field."
    ]
    for number, (name, key, value, verb) in enumerate(entries, 1):
        seconds += stream.integer(1, 40)
        clock = f"{8 + seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
        lines.append(f'{about.when.isoformat()}T{clock}Z {number:03d} {verb} part="{name}" {key}="{value}"')
    return "\n".join(lines)


def minutes(about: Head, parts: list[Part], stream: Stream) -> str:
    lines = [f"MINUTES {about.ref}", f"{about.place}, {long_date(about.when)}. Present: {about.one}, {about.two}."]
    lines += [f"1. Subject: {about.title}. The agenda was accepted."]
    for number, part in enumerate(parts, 2):
        lines.append(f"{number}. {part.name[:1].upper()}{part.name[1:]}")
        for point, fact in enumerate(part.facts, 1):
            who = stream.choice((about.one, about.two))
            if fact.was:
                text = f"{who} first reported {fact.was}; after a check, {fact.value} was put on record instead"
            else:
                text = f"{who} reported {fact.value}"
            lines.append(f"   {number}.{point} On the {fact.label}: {text}.")
    return "\n".join([*lines, "The meeting was closed at noon."])


def interview(about: Head, parts: list[Part], stream: Stream) -> str:
    lines = [f"(recorded call, {long_date(about.when)}, {about.ref})"]
    lines += [f"{about.two.upper()}: Right, we are recording. {about.title[:1].upper()}{about.title[1:]}, then."]
    for part in parts:
        lines.append(f"{about.two.upper()}: Let us go on to {part.name}.")
        for fact in part.facts:
            question = stream.choice(("What about the {}?", "And the {}?", "Which {}?", "Tell me the {}."))
            lines.append(f"{about.two.upper()}: {question.format(fact.label)}")
            answer = f"{fact.was}. Er, no, I am wrong there: {fact.value}." if fact.was else f"{fact.value}."
            lines.append(f"{about.one.upper()}: {stream.choice(('', 'Well, ', 'Um, ', 'Here, '))}{answer}")
    return "\n".join([*lines, f"{about.two.upper()}: Thank you, that is all."])


def card(about: Head, parts: list[Part], stream: Stream) -> str:
    lines = [f"*** {about.title.upper()} ***", f"SHEET {about.ref} / {about.when.isoformat()} / {about.one.upper()}"]
    for part in parts:
        lines.append(f"[{part.name.upper()}]")
        for fact in part.facts:
            dots = "." * max(3, 34 - len(fact.label))
            lines.append(
                f"  {fact.label.upper()} {dots} {fact.value}{f' (struck out: {fact.was})' if fact.was else ''}"
            )
    return "\n".join([*lines, "*** END ***"])


Form = Callable[[Head, list[Part], Stream], str]
FORMS: dict[str, Form] = {
    "letter": letter,
    "chat": chat,
    "table": table,
    "json": as_json,
    "log": log,
    "minutes": minutes,
    "interview": interview,
    "card": card,
}
TEMPLATES = tuple(FORMS)

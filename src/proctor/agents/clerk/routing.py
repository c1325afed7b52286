"""Routing: says where a message belongs, which thing it means and whom to ask, by the words on its face.

A category is the one whose explanation shares most words with what is still open. A thing is meant by its place in the
list, by what is left when others are ruled out, or by a word that stands with it alone. It reads no meaning into
anything, and so it is often wrong.
"""

from __future__ import annotations

import re

from proctor.agents.clerk.desk import Desk, Finding
from proctor.agents.clerk.fields import offered
from proctor.agents.seen import words

_GUIDE = re.compile(r"^- (\w+): (.+)$", re.MULTILINE)
_CODE = re.compile(r"\b[A-Z]-\d{3}\b")
_NAME = re.compile(r"\b([A-Z][a-z]+) ([A-Z][a-z]+)\b")
_SPOKEN_NAME = re.compile(r"\bthis is ([a-z]+ [a-z]+)\b")
_SETTLED = re.compile(r"\bago\b|\bclosed\b|\bput it right\b", re.IGNORECASE)
_PLACES = (
    (re.compile(r"\bthe first\b|\bfirst of\b", re.IGNORECASE), 0),
    (re.compile(r"\bin the middle\b|\bthe second\b", re.IGNORECASE), 1),
    (re.compile(r"\bthe last\b|\bthe third\b|\bone that is left\b", re.IGNORECASE), -1),
)
_SHORTEST = 4
"""Letters that a word must have to tell anything; two words that begin with as many are taken for the same."""


def _stems(text: str) -> set[str]:
    return {word[: _SHORTEST + 1] for word in words(text.lower()) if len(word) >= _SHORTEST}


def category(text: str, guide: dict[str, str]) -> str:
    """The category whose explanation shares most words with a text; of equals the first."""
    said = _stems(text)
    return max(guide, key=lambda name: len(said & _stems(guide[name])))


def meant(lines: list[str]) -> str:
    """The code of the thing that is meant."""
    listed: list[tuple[str, str]] = [(code, line) for line in lines for code in _CODE.findall(line)]
    rest = " ".join(line for line in lines if not _CODE.search(line))
    codes = [code for code, _ in listed]
    for pattern, place in _PLACES:
        if codes and pattern.search(rest) and -len(codes) <= place < len(codes):
            return codes[place]
    said = _stems(rest)

    def alone(entry: tuple[str, str]) -> int:
        others = set().union(*(_stems(line) for code, line in listed if code != entry[0]))
        return len(said & (_stems(entry[1]) - others))

    return max(listed, key=alone)[0] if listed else ""


def person(text: str) -> str:
    """The person to ask: the second named where the text points to the latter, else the first."""
    names = [" ".join(name) for name in _NAME.findall(text)] or [said.title() for said in _SPOKEN_NAME.findall(text)]
    last = len(names) > 1 and bool(re.search(r"\blatter\b", text, re.IGNORECASE))
    return names[1 if last else 0] if names else ""


def fits(desk: Desk) -> bool:
    """One key has options that the goal explains, another is a code, and a third a person's name."""
    keys = desk.shape.keys
    return len(keys) == 3 and len(_guide(desk, keys[0])) > 2 and "surname" in desk.task.answer_format


def _guide(desk: Desk, key: str) -> dict[str, str]:
    options = offered(key, desk.task.answer_format)
    return {name: meaning for name, meaning in _GUIDE.findall(desk.task.goal) if name in options}


async def work(desk: Desk) -> Finding | None:
    """Three guesses at what the text does not say outright."""
    await desk.survey()
    text = max(desk.texts(), key=len, default="")
    open_lines = [line for line in text.splitlines() if not _SETTLED.search(line)]
    kind, thing, contact = desk.shape.keys
    said = " ".join(line for line in open_lines if not _CODE.search(line))
    found = (category(said, _guide(desk, kind)), meant(open_lines), person("\n".join(open_lines)))
    return Finding(dict(zip((kind, thing, contact), found, strict=True)), 0.15)

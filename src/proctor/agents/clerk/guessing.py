"""Guessing by kind: when no label gives an asked value, take something in the text that is of the right kind.

A date for a date, a figure for a number, a code for a reference, a name for whoever is asked about. Which of several
it is cannot be told this way; the guess is only better than silence, and is stated with little confidence.
"""

from __future__ import annotations

import re

from proctor.agents.seen import ValueKind, dates, words

_CODE = re.compile(r"\b[A-Z]{1,5}[-/]?\d[\d/-]*\b")
_NAME = re.compile(r"[A-Z][a-z]+(?: [A-Z][a-z]+)+")
_NAME_AFTER = re.compile(rf"\b(?:for|to|To|For)\b:? ({_NAME.pattern})")
_FIGURE = re.compile(r"(?<![\w./:-])\d+(?![\w/:-]|\.\d)")


def meaning_of(name: str, goal: str) -> str:
    """What the goal says about a name (`name: what it is`), in lower case; the name itself where it says nothing."""
    match = re.search(rf"\b{re.escape(name)}`?\s*[:=(]\s*([^\n]+)", goal)
    return f"{name} {match.group(1)}".lower().replace("_", " ") if match else name.lower().replace("_", " ")


def guess(name: str, kind: ValueKind, goal: str, text: str) -> str | int | None:
    """Something of the right kind in the text, picked by what the goal says about the name; None without any."""
    meaning = meaning_of(name, goal)
    if kind == "date":
        return _one_date(meaning, dates(text))
    if kind == "number":
        return _one_figure(meaning, text)
    if re.search(r"\b(?:number|reference|code|id)\b", meaning):
        codes = _CODE.findall(text)
        return codes[-1] if codes else None
    return next(iter([*_NAME_AFTER.findall(text), *_NAME.findall(text)]), None)


def _one_date(meaning: str, dates: list[str]) -> str | None:
    if not dates:
        return None
    if re.search(r"\b(?:last|latest|until|by)\b", meaning):
        return max(dates)
    return min(dates) if re.search(r"\b(?:first|earliest|since)\b", meaning) else dates[0]


def _one_figure(meaning: str, text: str) -> int | None:
    """The last figure that stands before or after one of the words of its meaning, else the first figure."""
    beside = None
    for word in words(meaning):
        for match in re.finditer(rf"(?<![\w./:-])(\d+) {re.escape(word)}\b|\b{re.escape(word)}\b\D{{1,15}}(\d+)", text):
            beside = int(match.group(1) or match.group(2))
    figure = _FIGURE.search(text)
    return beside if beside is not None else int(figure.group()) if figure else None

"""Text before it is understood: tidy characters, find what is stated as the answer, notice negation and hedging."""

from __future__ import annotations

import re
import unicodedata

from msgspec import Struct

from proctor.worlds.answers.shape import FormatError

MAX_TEXT = 20_000
"""A longer answer is not read: no stated format needs one."""

_GROUP_SPACE = re.compile(r"(?<=\d)[\u00a0\u2007\u2009\u202f](?=\d{3}(?!\d))")
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u202f\u3000", " "),
        **dict.fromkeys("\u2212\u2010\u2011\u2012\u2013\u2014", "-"),
        **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2018\u2019\u201a\u00b4", "'"),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\r", ""),
    }
)
_FENCE = re.compile(r"```(?:[A-Za-z]+[ \t]*\n)?(.*?)```", re.DOTALL)
_BOXED = re.compile(r"\\boxed\{([^{}]*)\}")
_MARK = re.compile(
    r"\b(?:the\s+)?(?:final\s+|correct\s+|my\s+)?(?:answer|result|solution)\s*(?:is\b|was\b|would\s+be\b|:|=)\s*:?",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"\b(?:not|never|no|neither|nor|except|without|unlike|cannot)\b|n't\b", re.IGNORECASE)
_HEDGED = re.compile(
    r"\b(?:about|around|approximately|approx|roughly|circa|almost|nearly|between|or|at\s+(?:least|most)|"
    r"(?:more|less|fewer|other)\s+than|over|under|before|after|until)\b|[~<>≈±≤≥]",
    re.IGNORECASE,
)
_QUOTES = ('"', "'", "`", "**", "*", "__", "_")


class Stated(Struct, frozen=True):
    """What a text puts forward as its answer: one or more segments, and what is said after the last of them."""

    segments: tuple[str, ...]
    after: str
    marked: bool
    """False when nothing was marked as the answer and the whole text is the segment."""


def tidy(text: str) -> str:
    """The text in plain characters: typographic spaces, dashes and quotes made simple, bold marks dropped."""
    if len(text) > MAX_TEXT:
        message = "the answer is too long to be one"
        raise FormatError(message)
    plain = unicodedata.normalize("NFC", _GROUP_SPACE.sub("", text)).translate(_PLAIN)
    return plain.replace("**", "").strip()


def find_stated(text: str) -> Stated:
    """What tidy text states as its answer: fenced, boxed, or behind `Answer:`; otherwise all of it."""
    spans = [(m.start(), m.end(), m.group(1)) for m in _FENCE.finditer(text)]
    spans += [(m.start(), m.end(), m.group(1)) for m in _BOXED.finditer(text)]
    for mark in _MARK.finditer(text):
        if any(start <= mark.start() < end for start, end, _ in spans):
            continue
        begin = mark.end() + len(text[mark.end() :]) - len(text[mark.end() :].lstrip(" \t\n"))
        if any(start == begin for start, _, _ in spans) or begin >= len(text):
            continue
        end = text.find("\n", begin)
        end = len(text) if end < 0 else end
        spans.append((mark.start(), end, text[begin:end]))
    if not spans:
        return Stated((text,), "", marked=False)
    spans.sort()
    return Stated(tuple(content for _, _, content in spans), text[max(end for _, end, _ in spans) :].strip(), True)


def strip_decoration(segment: str) -> str:
    """A segment without what is merely around it: quotes, emphasis, one full stop, surplus white space."""
    text = " ".join(segment.split())
    while True:
        shorter = text.strip()
        if shorter.endswith(".") and not shorter.endswith("..."):
            shorter = shorter[:-1].rstrip()
        for quote in _QUOTES:
            inner = shorter[len(quote) : -len(quote)]
            if len(shorter) > 2 * len(quote) and shorter == quote + inner + quote and quote not in inner:
                shorter = inner
                break
        if shorter == text:
            return text
        text = shorter


def refuse_negation(segment: str) -> None:
    """Raise where a value is denied or only approximated: `not 12`, `about 12`, `12 or 13`."""
    if _NEGATED.search(segment) or _HEDGED.search(segment):
        message = "the answer denies or hedges a value instead of stating one"
        raise FormatError(message)

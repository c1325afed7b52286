"""Labelling by example: gives numbered things their labels, and remembers which label would have been right.

What a thing is like is a set of notions; a label is one or more words joined by hyphens, each learned by itself. The
word is taken that the remembered things with most of the same notions had (naive Bayes). Without anything remembered
the first word on offer is tried: somebody may say what it should have been.
"""

from __future__ import annotations

import re
from collections import Counter
from math import log
from typing import Any

from proctor.agents.clerk.desk import Desk, Finding, Lesson, required
from proctor.agents.clerk.procedures import notions
from proctor.spec.task import ToolSpec

MAX_REMEMBERED = 200

_ITEM = re.compile(r"^\W*[A-Za-z]+ (\d+)\W*$", re.MULTILINE)
_OFFERED = re.compile(r"\bin alphabetical order: (\w+(?:, \w+)+)")
_RIGHT = re.compile(r"right|correct|expected|should", re.IGNORECASE)


def items(text: str) -> dict[int, str]:
    """The numbered things of a text, each below a line with its number (`[case 1]`)."""
    matches = list(_ITEM.finditer(text))
    ends = [*(one.start() for one in matches), len(text)][1:]
    return {int(one.group(1)): text[one.end() : end] for one, end in zip(matches, ends, strict=True)}


def _labeller(desk: Desk) -> ToolSpec | None:
    """The tool that takes a number and a label."""
    for tool in desk.task.tools:
        if tool.effect == "write" and [desk.kind(tool, name) for name in required(tool)] == ["integer", "string"]:
            return tool
    return None


def fits(desk: Desk) -> bool:
    """There are numbered things, words to label them with, and a tool to do so."""
    return bool(_OFFERED.search(desk.task.goal)) and _labeller(desk) is not None and any(map(items, desk.texts()))


async def work(desk: Desk) -> Finding | None:
    """Label every thing, and learn from what comes back."""
    tool = _labeller(desk)
    if tool is None:
        return None
    await desk.survey()
    offered = [words.split(", ")[0] for words in _OFFERED.findall(desk.task.goal)]
    things = items("\n".join(desk.texts()))
    known = [lesson for lesson in desk.lessons if not lesson.about]
    for number, text in things.items():
        thing = notions(text)
        label = likely_label(thing, known) or "-".join(offered)
        result = await desk.call(tool, **dict(zip(required(tool), (number, label), strict=True)))
        right = _right_label(result.value)
        if right:
            desk.lessons.append(Lesson(thing, right))
    del desk.lessons[:-MAX_REMEMBERED]
    return Finding("done", 0.6 if known and things else 0.05)


def _right_label(answer: Any) -> str | None:
    """The label that an answer says would have been right."""
    entries = answer.items() if isinstance(answer, dict) else ()
    return next((value for key, value in entries if _RIGHT.search(key) and isinstance(value, str)), None)


def likely_label(thing: list[str], lessons: list[Lesson]) -> str:
    """The label that such a thing most likely has; empty where nothing was learned."""
    labels = [lesson.label.split("-") for lesson in lessons]
    parts = min(map(len, labels), default=0)
    seen = [set(lesson.notions) for lesson in lessons]
    columns = ([label[position] for label in labels] for position in range(parts))
    return "-".join(_likely_word(set(thing), list(zip(seen, column, strict=True))) for column in columns)


def _likely_word(thing: set[str], examples: list[tuple[set[str], str]]) -> str:
    """Naive Bayes over notions that were met before; ties fall to the word that was learned first."""
    counts = Counter(word for _, word in examples)
    having = Counter((word, notion) for notions, word in examples for notion in notions)
    met = set().union(*(notions for notions, _ in examples))

    def weight(word: str) -> float:
        return log(counts[word]) + sum(
            log((having[word, notion] + 0.1) / (counts[word] + 0.2)) for notion in sorted(thing & met)
        )

    return max(counts, key=weight)

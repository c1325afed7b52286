"""Copying fields: finds the values of names that the goal explains, among others that only look like them.

What the goal says about a name tells what sort of value it has (an address, a day and time, one of a few words, any
text), which words its label may have, and, after `not`, which words it must not have. The value with the best label of
the right sort is taken; of equals the first.
"""

from __future__ import annotations

import re

from msgspec import Struct

from proctor.agents.clerk.desk import Desk, Finding
from proctor.agents.clerk.pairs import Pair, about, pairs
from proctor.agents.clerk.reading import name_words, singular
from proctor.agents.clerk.synonyms import same_meaning
from proctor.agents.seen import dates, words

_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_CLOCK = re.compile(r"(?<!\d)([01]\d|2[0-3])[:.]([0-5]\d)(?![\d:])")
_QUOTED = re.compile(r"[“\"]([^”\"]+)[”\"]")
_SLASHED = re.compile(r"\b(\d{1,2})/([A-Z][a-z]{2})/(\d{4}):?")
_NOT = re.compile(r"\(?\bnot\b.*")
_IN_A_SENTENCE = 0.1
"""What a word in a sentence is worth beside the same word as a label."""


class Wanted(Struct, frozen=True):
    """A name, and what the goal and the answer format say about it."""

    name: str
    sort: str
    options: tuple[str, ...]
    label: set[str]
    meaning: set[str]
    wrong: set[str]

    @classmethod
    def read(cls, name: str, meaning: str, answer_format: str) -> Wanted:
        """How a name is explained."""
        said, avoided = _meant(_NOT.sub("", meaning)), _NOT.search(meaning)
        options = offered(name, answer_format)
        moment = said & {"date", "time", "day"}
        sort = "address" if "address" in said else "option" if options else "moment" if moment else "text"
        label = same_meaning(name_words(name))
        wrong = same_meaning(_meant(avoided.group()) - said) - label if avoided else set()
        return cls(name, sort, options, label, said - label, wrong)

    def value(self, pair: Pair) -> str | None:
        """The value of the right sort in a pair; None where there is none."""
        text = pair.value
        if self.sort == "address":
            match = _ADDRESS.search(text)
            return match.group() if match else None
        if self.sort == "option":
            return next((word for word in words(text) if word in self.options), None)
        if self.sort == "moment":
            return moment(text)
        if not pair.sentence:
            return text.strip()
        quoted = _QUOTED.search(text)
        return quoted.group(1) if quoted else None

    def score(self, pair: Pair) -> float:
        """How well the label fits: the share of its words that the name or its meaning accounts for."""
        said = {self._whole(word) for word in name_words(pair.label)}
        if said & self.wrong:
            return 0.0
        fitting = len(said & self.label) + 0.5 * len(said & self.meaning)
        return fitting * (_IN_A_SENTENCE if pair.sentence else 1 / max(1, len(said)))

    def _whole(self, word: str) -> str:
        """The name for which a label has an abbreviation (`prio`), or the word itself."""
        return self.name if len(word) > 2 and self.name.startswith(word) else word


def _meant(text: str) -> set[str]:
    """The words of an explanation that carry meaning, in the singular."""
    return {singular(word) for word in words(text)}


def offered(name: str, answer_format: str) -> tuple[str, ...]:
    """The words that a format allows for a name: `name` (text, low, normal or high)."""
    match = re.search(rf"`{re.escape(name)}` \(([^)]*)\)", answer_format)
    listed = re.split(r",\s*|\s+or\s+", match.group(1))[1:] if match else []
    return tuple(listed) if len(listed) > 1 and all(re.fullmatch(r"[a-z]+", word) for word in listed) else ()


def moment(text: str) -> str | None:
    """Day and time as YYYY-MM-DD HH:MM; one of them alone where only one is stated."""
    text = _SLASHED.sub(r"\1 \2 \3 ", text)
    day, clock = next(iter(dates(text)), ""), _CLOCK.search(text)
    time = f"{clock.group(1)}:{clock.group(2)}" if clock else ""
    return f"{day} {time}".strip() or None


def explained(desk: Desk) -> list[Wanted]:
    """The asked names, if the goal explains each on a line of its own (`- name: what it is`)."""
    wanted = []
    for name in desk.shape.keys:
        line = re.search(rf"^- {re.escape(name)}: (.+)$", desk.task.goal, re.MULTILINE)
        if line is None:
            return []
        wanted.append(Wanted.read(name, line.group(1), desk.task.answer_format))
    return wanted


def fits(desk: Desk) -> bool:
    """Several names are asked for and explained, and a text is shown."""
    return len(desk.shape.keys) > 1 and len(explained(desk)) == len(desk.shape.keys) and bool(desk.texts())


async def work(desk: Desk) -> Finding | None:
    """Take for every name the value with the best label."""
    await desk.survey()
    text = "\n".join(desk.texts())
    shown = pairs(text, about(desk.task.goal, text))
    answer: dict[str, str] = {}
    for wanted in explained(desk):
        scored = [(wanted.score(pair), value) for pair in shown if (value := wanted.value(pair)) is not None]
        best = max((score for score, _ in scored), default=0.0)
        if best > 0:
            values = [value for score, value in scored if score == best]
            answer[wanted.name] = _completed(values) if wanted.sort == "moment" else values[0]
    if len(answer) < len(desk.shape.keys):
        # Another skill may know how to guess the rest.
        return None
    return Finding(answer, 0.85)


def _completed(values: list[str]) -> str:
    """A day and a time that stand under equally good labels belong together."""
    first = values[0]
    other = next((value for value in values[1:] if (":" in value) != (":" in first)), "")
    return " ".join(sorted((first, other), key=len, reverse=True)).strip() if len(first) < 16 else first

"""Composing: makes the name and the lines of a new file as the goal describes them piece by piece.

A description is taken apart by its words: which property of the dossier it is about, and what is done with it
(initials, the last two digits, added up, written backwards). Nothing is created where a piece is not understood.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import date, timedelta
from typing import Any

from proctor.agents.clerk.desk import Desk, Finding, required
from proctor.agents.clerk.dossier import Dossier, plain, read_dossier
from proctor.agents.clerk.numerals import in_digits
from proctor.agents.clerk.reading import singular
from proctor.agents.seen import dates
from proctor.spec.task import ToolSpec

_SIGNS = {"semicolon": ";", "slash": "/", "hyphen": "-", "equals sign": "=", "comma": ",", "full stop": "."}
_SIGN = re.compile(rf", an? ({'|'.join(_SIGNS)}),? and ")
_NAME = re.compile(
    r"^Name of the file: the word `(?P<word>[^`]+)`.* joined by `(?P<mark>[^`]+)`; at the end `(?P<ending>[^`]+)`:$"
)
_CONTENT = re.compile(r"^Content of the file\b")
_LINE = re.compile(r"^- ([A-Z]+): (.+)$")
_COUNT = re.compile(r"\bhow many (\w+) there are\b")


class Composer:
    """Makes pieces from a dossier and the names that are taken already."""

    def __init__(self, dossier: Dossier, taken: list[str]) -> None:
        self._dossier = dossier
        self._taken = taken
        labels = {label for part in dossier.values() for label in part}
        self._labels = sorted(labels, key=lambda label: (-len(label), label))

    def piece(self, said: str) -> str | None:
        """What a description asks for; None where it is not understood."""
        joined = _SIGN.search(said)
        if joined:
            one, two = said[: joined.start()], said[joined.end() :]
            pieces = [self.piece(one), self._the_number(one) if two == "that number" else self.piece(two)]
            return None if None in pieces else _SIGNS[joined.group(1)].join(filter(None, pieces))
        for make in (self._running, self._counted, self._summed, self._listed, self._chosen, self._single):
            value = make(said)
            if value is not None:
                return value
        return None

    # What is about all names or all parts

    def _running(self, said: str) -> str | None:
        if "one more than the highest" not in said:
            return None
        numbers = [int(number) for name in self._taken for number in re.findall(r"(\d+)(?=\.\w+$)", name)]
        return _digits(str(max(numbers, default=0) + 1), said)

    def _counted(self, said: str) -> str | None:
        count = _COUNT.search(said)
        if count is None:
            return None
        letter = re.search(r"\bthe letter (\w)\b", said)
        return (letter.group(1) if letter else "") + _digits(str(len(self._parts(count.group(1)))), said)

    def _summed(self, said: str) -> str | None:
        if not said.endswith("added up"):
            return None
        labels = self._named(said)
        total = 0
        for part in self._dossier.values():
            if labels and all(part.get(label, "").isdigit() for label in labels):
                product = 1
                for label in labels:
                    product *= int(part[label])
                total += product
        return str(total) if labels else None

    def _listed(self, said: str) -> str | None:
        sign = re.search(rf"^every .*\bseparated by an? ({'|'.join(_SIGNS)})", said)
        labels = self._named(said)
        if sign is None or not labels:
            return None
        values = [part[labels[0]] for part in self._dossier.values() if labels[0] in part]
        return _SIGNS[sign.group(1)].join(sorted(values) if "alphabetical" in said else values)

    def _chosen(self, said: str) -> str | None:
        part = self._extreme(said)
        return None if part is None else part[0].get(self._named(said)[0])

    def _the_number(self, said: str) -> str | None:
        part = self._extreme(said)
        return None if part is None else part[0].get(part[1])

    def _extreme(self, said: str) -> tuple[dict[str, str], str] | None:
        """The part with the largest or smallest of something, and what that is."""
        wanted = re.search(r"\bwith the (largest|smallest|highest|lowest) (.+?)$", said)
        if wanted is None or plain(wanted.group(2)) not in self._labels:
            return None
        label = plain(wanted.group(2))
        parts = [part for part in self._dossier.values() if part.get(label, "").isdigit()]
        choose: Callable[..., Any] = max if wanted.group(1) in ("largest", "highest") else min
        return (choose(parts, key=lambda part: int(part[label])), label) if parts else None

    # What is about one property

    def _single(self, said: str) -> str | None:
        labels = self._named(said)
        values = [part[labels[0]] for part in self._dossier.values() if labels and labels[0] in part]
        if len(values) != 1:
            return None
        day = as_day(values[0])
        return _lettered(values[0], said) if day is None else _dated(day, said)

    def _parts(self, kind: str) -> list[str]:
        return [name for name in self._dossier if re.fullmatch(rf"{re.escape(singular(kind))} \d+", name)]

    def _named(self, said: str) -> list[str]:
        """The labels that a description names, in its order; plurals count."""
        rest, found = plain(said), []
        for label in self._labels:
            match = re.search(rf"\b(?:{re.escape(label)}|{re.escape(_plural(label))})\b", rest)
            if match:
                found.append((match.start(), label))
                rest = rest[: match.start()] + " " * len(match.group()) + rest[match.end() :]
        return [label for _, label in sorted(found)]


def _plural(label: str) -> str:
    return f"{label[:-1]}ies" if label.endswith("y") else f"{label}s"


def as_day(value: str) -> date | None:
    """The day that a value states."""
    for found in dates(value):
        with suppress(ValueError):
            return date.fromisoformat(found)
    return None


def _dated(day: date, said: str) -> str | None:
    later = re.search(r"\b(\d+) days after\b", said)
    if later:
        day += timedelta(days=int(later.group(1)))
    if "DD.MM.YYYY" in said:
        return f"{day:%d.%m.%Y}"
    if "YYYY-MM-DD" in said:
        return day.isoformat()
    if "eight digits" in said:
        return f"{day:%Y%m%d}"
    return str(day.month) if "month as a number" in said else None


def _lettered(value: str, said: str) -> str:
    """A text or number, changed as is said."""
    if "initials" in said:
        value = "".join(word[0] for word in value.split())
    if first := re.search(r"\bfirst (\d+) letters\b", in_digits(said)):
        value = value[: int(first.group(1))]
    if last := re.search(r"\blast (\d+) digits\b", in_digits(said)):
        value = value[-int(last.group(1)) :]
    if "backwards" in said:
        value = value[::-1]
    if "sum of the digits" in said:
        value = str(sum(map(int, re.findall(r"\d", value))))
    if value.isdigit() and (rest := re.search(r"\bmodulo (\d+)\b", said)):
        value = str(int(value) % int(rest.group(1)))
    if "in capitals" in said:
        value = value.upper()
    elif "small letters" in said:
        value = value.lower()
    if place := re.search(rf"\ban? ({'|'.join(_SIGNS)}) in place of each space\b", said):
        value = value.replace(" ", _SIGNS[place.group(1)])
    return _digits(value, said) if "zeros" in said else value


def _digits(value: str, said: str) -> str:
    """A number filled up to as many digits as are asked for."""
    wanted = re.search(r"(\d+) digits", in_digits(said))
    return value.zfill(int(wanted.group(1))) if wanted else value


def compose(goal: str, composer: Composer) -> tuple[str, str] | None:
    """The name and the content that a goal describes; None where a piece is not understood."""
    name, pieces, lines = None, [], []
    in_content = False
    for line in goal.splitlines():
        name = name or _NAME.match(line)
        in_content = in_content or bool(_CONTENT.match(line))
        entry = _LINE.match(line)
        if in_content and entry:
            lines.append((entry.group(1), composer.piece(entry.group(2))))
        elif line.startswith("- ") and not in_content:
            pieces.append(composer.piece(line[2:]))
    values = [*pieces, *(value for _, value in lines)]
    if name is None or not pieces or not lines or None in values:
        return None
    title = name["mark"].join([name["word"], *map(str, pieces)]) + name["ending"]
    return title, "".join(f"{word}: {value}\n" for word, value in lines)


def _creator(desk: Desk) -> ToolSpec | None:
    tool = desk.tool("create", "write", "make", effect="write")
    return tool if tool and [desk.kind(tool, name) for name in required(tool)] == ["string", "string"] else None


def fits(desk: Desk) -> bool:
    """The goal describes the name of a file, and there is a tool that creates one."""
    return any(map(_NAME.match, desk.task.goal.splitlines())) and _creator(desk) is not None


async def work(desk: Desk) -> Finding | None:
    """Compose name and content, then create the file once."""
    tool = _creator(desk)
    taken = [item for value in desk.start.values() if isinstance(value, list) for item in value]
    dossier = max((read_dossier(text) for text in desk.texts()), key=len, default={})
    made = compose(desk.task.goal, Composer(dossier, taken))
    if tool is None or made is None:
        return None
    result = await desk.call(tool, **dict(zip(required(tool), made, strict=True)))
    return Finding("done", 0.85 if result.ok else 0.05)

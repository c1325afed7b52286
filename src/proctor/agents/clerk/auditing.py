"""Auditing: holds every record of a batch against every rule, and flags what breaks one, nothing else.

Knows the notations that name their fields (columns, data, cards, tags, `field=value`); what is told in sentences, in
segments or in talk it does not understand. A rule that it does not know is never broken.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from proctor.agents.clerk.desk import Desk, Finding, required
from proctor.spec.task import ToolSpec

Fields = dict[str, str]
Check = Callable[[Fields], bool]

_RULE = re.compile(r"^- (R\d+): (.+)$", re.MULTILINE)
_RECORD = re.compile(r"\b[A-Z]\d{3}\b")
_FIELD = re.compile(r"\b([a-z]+)\"?(?:=|:|\.{2,} )\"?([\w-]+)")


def _product(fields: Fields, whole: str, one: str, two: str) -> bool:
    return _number(fields, whole) == _number(fields, one) * _number(fields, two)


def _not_before(fields: Fields, later: str, earlier: str) -> bool:
    return fields.get(later, "") >= fields.get(earlier, "")


def _begins(fields: Fields, code: str, word: str) -> bool:
    return fields.get(code, "")[:1] == fields.get(word, "")[:1]


def _at_most(fields: Fields, name: str, most: str) -> bool:
    return _number(fields, name) <= int(most)


def _only_if(fields: Fields, state: str, name: str, other: str) -> bool:
    has = fields.get(name, "none") != "none"
    return has if state in fields.values() else not has or other not in fields.values()


def _checks(fields: Fields, name: str) -> bool:
    digits = [int(digit) for digit in fields.get(name, "") if digit.isdigit()]
    return not digits or digits[-1] == sum(digits[:-1]) % 10


def _number(fields: Fields, name: str) -> int:
    value = fields.get(name, "")
    return int(value) if value.isdigit() else 0


_CHECKS: tuple[tuple[re.Pattern[str], Callable[..., bool]], ...] = (
    (re.compile(r"the (\w+) is the (\w+) times the (?:unit )?(\w+)"), _product),
    (re.compile(r"it is (\w+) on the day it was (\w+) or later"), _not_before),
    (re.compile(r"the (\w+) begins with the first letter of its (\w+)"), _begins),
    (re.compile(r"the (\w+) is at most (\d+)"), _at_most),
    (re.compile(r"an? (\w+) record has a (\w+) number, an? (\w+) record has none"), _only_if),
    (re.compile(r"the last digit of the (\w+) is the last digit of the sum of its \w+ other digits"), _checks),
)


class Rule(Struct, frozen=True):
    """A rule by its number, and what it says."""

    number: str
    says: str

    def holds(self, fields: Fields) -> bool:
        """Whether a record keeps it."""
        for pattern, check in _CHECKS:
            match = pattern.match(self.says)
            if match:
                return check(fields, *match.groups())
        return True


def read_rules(goal: str) -> list[Rule]:
    """The rules that a goal lists."""
    return [Rule(number, says) for number, says in _RULE.findall(goal)]


def read_batch(text: str, names: set[str]) -> dict[str, Fields]:
    """The fields of every record with one of these names."""
    batch: dict[str, Fields] = {}
    columns: list[str] = []
    current = ""
    for line in text.splitlines():
        cells = line.split(";")
        current = next((name for name in _RECORD.findall(line) if name in names), current)
        if len(cells) > 2 and not names & set(cells):
            columns = cells
        elif current:
            found = dict(zip(columns, cells, strict=True)) if len(cells) == len(columns) else dict(_FIELD.findall(line))
            batch.setdefault(current, {}).update(found)
    return batch


def _names(desk: Desk) -> set[str]:
    return set(_RECORD.findall(desk.task.goal.partition("\n")[0]))


def _flagger(desk: Desk) -> ToolSpec | None:
    tool = desk.tool("flag", effect="write")
    return tool if tool and [desk.kind(tool, name) for name in required(tool)] == ["string", "string"] else None


def fits(desk: Desk) -> bool:
    """There are rules, records by name, and a tool that flags one for the other."""
    return bool(read_rules(desk.task.goal)) and len(_names(desk)) > 1 and _flagger(desk) is not None


async def work(desk: Desk) -> Finding | None:
    """Read the batch until it is sure, then flag every breach."""
    flagger = _flagger(desk)
    if flagger is None:
        return None
    await desk.survey()
    names = _names(desk)
    batch = read_batch("\n".join(desk.texts()), names)
    for name, fields in sorted(batch.items()):
        for rule in read_rules(desk.task.goal):
            if fields and not rule.holds(fields):
                await desk.call(flagger, **dict(zip(required(flagger), (name, rule.number), strict=True)))
    known = sum(len(fields) > 1 for fields in batch.values())
    return Finding("done", 0.8 if known == len(names) else 0.05)

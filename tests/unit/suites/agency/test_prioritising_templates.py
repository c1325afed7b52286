"""Templates of the prioritising families are structurally different: a parser for one of them fails on most others.

Each parser here is written for one template, and reads every value of every instance of it. What it read is compared
with the board that was written down.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

from proctor.engine.family import Draw, Family
from proctor.suites.agency.prioritising.board import Board, spelled
from proctor.suites.agency.prioritising.forms import FORMS
from proctor.suites.kit.draws import Dice
from proctor.suites.kit.sheet import Sheet

Read = dict[str, dict[str, Any]]
"""Values by code and label; limits by the label of their group, under the name of the limit."""
CODE = r"[A-Z]-\d{3}"
FAMILIES = (
    *("two_goals", "priority_rules", "safety_first", "reordered_priorities", "triage_under_fire", "port_control"),
)


def value(text: str) -> int | str:
    return int(text) if text.isdigit() else text


def truth(board: Board) -> Read:
    found: Read = {}
    for group in board.groups:
        if board.limit is not None:
            found[group.label] = {board.limit.label: group.limit}
        for record in group.records:
            labels = (column.label for column in board.columns)
            found[record.code] = dict(zip(labels, record.values, strict=True))
    return found


def read_table(text: str) -> Read:
    lines = text.split("\n")
    header = next(line for line in lines if line.startswith("code | name | "))
    labels = header.split(" | ")[2:]
    found: Read = {}
    for line in lines:
        cells = line.split(" | ")
        group = re.fullmatch(r"== (.+) == (.+): (\d+)", line)
        if group:
            found[group.group(1)] = {group.group(2): int(group.group(3))}
        elif re.fullmatch(CODE, cells[0]):
            found[cells[0]] = dict(zip(labels, map(value, cells[2:]), strict=True))
    return found


def read_json(text: str) -> Read:
    found: Read = {}
    for line in text.split("\n"):
        entry = json.loads(line)
        key = entry.pop("code", None) or entry.pop("group", None)
        entry.pop("name", None)
        if key:
            found[key] = entry
    return found


def read_matrix(text: str) -> Read:
    found: Read = {}
    codes: list[str] = []
    for line in text.split("\n")[1:]:
        limit = re.fullmatch(r"(.+) -> (.+) (\d+)", line)
        label, _, rest = line.partition(": ")
        if limit:
            found[limit.group(1)] = {limit.group(2): int(limit.group(3))}
        elif label == "codes":
            codes = rest.split(", ")
            found.update({code: {} for code in codes})
        elif not line.startswith("*"):
            for code, item in zip(codes, rest.split(", "), strict=True):
                found[code][label] = value(item)
    return found


def read_log(text: str) -> Read:
    found: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for line in text.split("\n")[1:]:
        entry = re.fullmatch(rf"\d+ (?:.+/)?({CODE}) (.+)=(.+)", line)
        limit = re.fullmatch(r"\d+ (.+?) (\w+ available)=(\d+)", line)
        if entry:
            found[entry.group(1)][entry.group(2)] = value(entry.group(3))
        elif limit:
            found[limit.group(1)] = {limit.group(2): int(limit.group(3))}
    return dict(found)


PARSERS: dict[str, Callable[[str], Read]] = {
    "table": read_table,
    "json": read_json,
    "matrix": read_matrix,
    "log": read_log,
}


@pytest.fixture
def boards(monkeypatch: pytest.MonkeyPatch) -> list[Board]:
    """Every board that is written down, in order."""
    seen: list[Board] = []
    for name, form in dict(FORMS).items():

        def noted(board: Board, dice: Dice, form: Callable[[Board, Dice], Sheet] = form) -> Sheet:
            seen.append(board)
            return form(board, dice)

        monkeypatch.setitem(FORMS, name, noted)
    return seen


@pytest.mark.parametrize("own", sorted(PARSERS))
@pytest.mark.parametrize("folder", FAMILIES)
def test_a_parser_for_one_template_fails_on_the_others(folder: str, own: str, boards: list[Board]) -> None:
    family: Family = import_module(f"proctor.suites.agency.prioritising.{folder}").family
    passed: dict[str, list[bool]] = defaultdict(list)
    for number in range(150):
        instance = family.instance(Draw.of("templates", number))
        try:
            found = PARSERS[own](instance.observation["text"])
        except (LookupError, ValueError, AttributeError, StopIteration):
            found = {}
        passed[instance.template].append(found == truth(boards[-1]))
    assert len(passed) == len(FORMS)
    assert all(passed[own])
    failing = [template for template, found in passed.items() if template != own and not any(found)]
    assert len(failing) >= 7


def test_numbers_in_words() -> None:
    assert [spelled(n) for n in (0, 13, 20, 45, 100, 317, 1002)] == [
        *("zero", "thirteen", "twenty", "forty-five", "one hundred", "three hundred seventeen", "one thousand two"),
    ]
    assert spelled("fruit") == "fruit"

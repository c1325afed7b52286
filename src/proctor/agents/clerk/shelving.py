"""Shelving: moves papers to the folders that ranked rules choose, numbered within each folder.

The first rule that holds for a file decides. A rule names a folder and one condition: a day before which, a size above
which, a word that is one of the file's properties, or all that is left. What a file is like is read off the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from proctor.agents.clerk.desk import Desk, Finding, required
from proctor.agents.clerk.reading import labelled
from proctor.agents.clerk.records import Record, records

_RANK = re.compile(r"(?:\brank|\brule|\bno\.|#)\W*(\d+)", re.IGNORECASE)
_FOLDER = re.compile(r"\bfolder: (\w+)|(?:\bgoes to|\binto|->|→) (\w+)|(\w+) receives\b", re.IGNORECASE)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_SIZE = re.compile(r"\b(?:larger|bigger|more) than\D*(\d+)", re.IGNORECASE)
_REST = re.compile(r"\bno other\b|\bthe rest\b|\bremains?\b|\ball others\b", re.IGNORECASE)
_ORDER = re.compile(r"\bby (\w+), (\w+) first\b", re.IGNORECASE)
_NUMBERED = re.compile(r"(/\w+)/[A-Z]+/1(\.\w+)")
_DOWNWARDS = {"newest", "latest", "largest", "biggest", "highest"}

Paper = dict[str, str]


class Rule(Struct, frozen=True):
    """Where a file goes if something holds for it."""

    rank: int
    folder: str
    holds: Callable[[Paper], bool]


def read_rule(record: Record) -> Rule | None:
    """The rule that a record states; None where it states none."""
    rank, folder = _RANK.search(record.text), _FOLDER.search(record.text)
    if rank is None or folder is None:
        return None
    name = next(group for group in folder.groups() if group)
    said = record.text[: rank.start()] + record.text[rank.end() :]
    said = said[: said.find(folder.group())] + said[said.find(folder.group()) + len(folder.group()) :]
    return Rule(int(rank.group(1)), name, _condition(said))


def _condition(said: str) -> Callable[[Paper], bool]:
    day, size = _DAY.search(said), _SIZE.search(said)
    if _REST.search(said):
        return lambda paper: True
    if day:
        return lambda paper: paper.get("date", "9") < day.group()
    if size:
        return lambda paper: figure(paper.get("size", "")) > int(size.group(1))
    words = set(re.findall(r"\w+", said.lower()))
    return lambda paper: any(value.lower() in words for label, value in paper.items() if label != "path")


def figure(text: str) -> int:
    """The first whole number in a text; 0 where there is none."""
    found = re.search(r"\d+", text)
    return int(found.group()) if found else 0


def places(papers: list[Paper], rules: list[Rule], order: tuple[str, bool], pattern: tuple[str, str]) -> dict[str, str]:
    """Where each paper belongs, by where it lies."""
    shelves: dict[str, list[Paper]] = {}
    for paper in papers:
        rule = next((rule for rule in sorted(rules, key=lambda rule: rule.rank) if rule.holds(paper)), None)
        if rule:
            shelves.setdefault(rule.folder, []).append(paper)
    name, downwards = order
    root, ending = pattern

    def place(paper: Paper) -> tuple[int, str]:
        value = paper.get(name, "")
        return (0, value) if _DAY.match(value) else (figure(value), value)

    return {
        paper["path"]: f"{root}/{folder}/{number}{ending}"
        for folder, shelf in shelves.items()
        for number, paper in enumerate(sorted(shelf, key=place, reverse=downwards), 1)
    }


def moves(places: dict[str, str]) -> list[tuple[str, str]]:
    """Moves that bring every file to its place, none onto another file; a ring is opened by way of a free name."""
    waiting = {source: target for source, target in places.items() if source != target}
    planned: list[tuple[str, str]] = []
    while waiting:
        free = [source for source, target in waiting.items() if target not in waiting]
        source = free[0] if free else next(iter(waiting))
        target = waiting.pop(source)
        if not free:
            folder, _, name = target.rpartition("/")
            waiting[f"{folder}/9{name}"], target = target, f"{folder}/9{name}"
        planned.append((source, target))
    return planned


def fits(desk: Desk) -> bool:
    """Rules choose folders, papers get numbers, and there are tools to list, read and move them."""
    tools = (desk.tool(word) for word in ("list", "read", "move"))
    return bool(_NUMBERED.search(desk.task.goal)) and all(tools) and len(_rules(desk)) > 1


def _rules(desk: Desk) -> list[Rule]:
    read = (read_rule(record) for text in desk.texts() for record in records(text) if not _is_path(record))
    return [rule for rule in read if rule]


def _is_path(record: Record) -> bool:
    return bool(re.search(r"/\w+/\w+", record.text))


async def work(desk: Desk) -> Finding | None:
    """Read every file, plan all moves, then make them."""
    lister, reader, mover = desk.tool("list"), desk.tool("read", effect="read"), desk.tool("move")
    pattern = _NUMBERED.search(desk.task.goal)
    order = next((match for text in desk.texts() if (match := _ORDER.search(text))), None)
    if lister is None or reader is None or mover is None or pattern is None or order is None:
        return None
    listing = await desk.settle(lister)
    papers = []
    for path in listing.value if listing.ok else ():
        page = await desk.call(reader, **{required(reader)[0]: path})
        papers.append({label.lower(): value for label, value in labelled(str(page.value))} | {"path": path})
    by = (order.group(1).lower(), order.group(2).lower() in _DOWNWARDS)
    fine = True
    for source, target in moves(places(papers, _rules(desk), by, (pattern.group(1), pattern.group(2)))):
        result = await desk.call(mover, **dict(zip(required(mover), (source, target), strict=True)))
        fine = fine and result.ok
    return Finding("done", 0.85 if fine else 0.1)

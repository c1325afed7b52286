"""Sorting papers: moves or renames documents by what is written in them, and writes a list of them.

The goal gives patterns between backticks: a path with {placeholders} is where a paper goes, a pattern that is no path
is its line in the list, a plain path with an ending is the list itself, one without is the folder. A placeholder is
filled in from the paper's line of that name, from its own file name, or from its date.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Any

from msgspec import Struct

from proctor.agents.clerk.desk import Desk, Finding, required
from proctor.agents.clerk.reading import labelled, singular

_QUOTED = re.compile(r"`([^`]+)`")
_IS_ONE = re.compile(r"\bif its line `(\w+)` says (\w+)")
_MOVED = (
    re.compile(r"\bwhose line `(?P<name>\w+)` says (?P<value>\w+)"),
    re.compile(r"\bthe (?P<value>\w+) \w+ \(line `(?P<name>\w+)`\)"),
    re.compile(r"\b(?:with|whose) `(?P<name>\w+)` (?:is )?(?P<value>\w+)"),
)
_OTHERS_LISTED = re.compile(r"\bthe (\w+) ones\b|\bfor each \w+ that is (\w+)")
_SUM = re.compile(r"`(\w+,)`[^.`]*\bsum of their (\w+)")

Paper = dict[str, str]
"""What is written in a document, by label in lower case; its own path is under `path`."""


class Patterns(Struct, frozen=True):
    """What the goal says about where papers go and how they are listed."""

    folder: str
    target: str
    index: str
    line: str

    @classmethod
    def read(cls, goal: str) -> Patterns | None:
        """The patterns of a goal; None where one of them is missing."""
        quoted = _QUOTED.findall(goal)
        paths = [text for text in quoted if text.startswith("/")]
        plain = [path for path in paths if "{" not in path]
        patterns = (
            [path for path in plain if "." not in path],
            [path for path in paths if "{" in path],
            [path for path in plain if "." in path],
            [text for text in quoted if "{" in text and not text.startswith("/")],
        )
        return cls(*(texts[0] for texts in patterns)) if all(patterns) else None


def fits(desk: Desk) -> bool:
    """The goal has all four patterns, and there are tools to list, read, move and write."""
    tools = (desk.tool(word) for word in ("list", "read", "move", "write"))
    return Patterns.read(desk.task.goal) is not None and all(tools)


async def work(desk: Desk) -> Finding | None:
    """Read every paper, move those that are meant, then write the list."""
    patterns = Patterns.read(desk.task.goal)
    mover, writer = desk.tool("move", "rename"), desk.tool("write")
    if patterns is None or mover is None or writer is None:
        return None
    papers = _of_the_kind(desk.task.goal, await _papers(desk, patterns.folder))
    moved, listed = _chosen(desk.task.goal, papers)
    fine = bool(papers)
    for paper in moved:
        result = await desk.call(mover, **_in_order(desk, mover, paper["path"], filled(patterns.target, paper)))
        fine = fine and result.ok
    text = "".join(f"{line}\n" for line in _lines(desk.task.goal, patterns.line, listed))
    result = await desk.call(writer, **_in_order(desk, writer, patterns.index, text))
    return Finding("done", 0.85 if fine and result.ok else 0.1)


def _in_order(desk: Desk, tool: Any, *values: str) -> dict[str, str]:
    return dict(zip(desk.parameters(tool, "string"), values, strict=False))


async def _papers(desk: Desk, folder: str) -> list[Paper]:
    """The papers in a folder, read one by one."""
    lister, reader = desk.tool("list", effect="read"), desk.tool("read", effect="read")
    if lister is None or reader is None:
        return []
    listing = await desk.settle(lister, **_in_order(desk, lister, folder))
    papers = []
    for path in _paths(listing.value, folder):
        page = await desk.settle(reader, **{required(reader)[0]: path})
        if page.ok and isinstance(page.value, str):
            papers.append({label.lower(): value for label, value in labelled(page.value)} | {"path": path})
    return papers


def _paths(listing: Any, folder: str) -> list[str]:
    paths = []
    for entry in listing if isinstance(listing, list) else []:
        path = entry.get("path") if isinstance(entry, dict) else entry
        if isinstance(path, str) and path:
            paths.append(path if path.startswith("/") else f"{folder}/{path}")
    return paths


def _of_the_kind(goal: str, papers: list[Paper]) -> list[Paper]:
    """The papers the goal is about, if it says what tells them from others."""
    rule = _IS_ONE.search(goal)
    if rule is None:
        return papers
    return [paper for paper in papers if paper.get(rule.group(1).lower()) == rule.group(2)]


def _chosen(goal: str, papers: list[Paper]) -> tuple[list[Paper], list[Paper]]:
    """(papers to move, papers to list): all of them, unless a condition on a line divides them."""
    rule = next((match for match in (pattern.search(goal) for pattern in _MOVED) if match), None)
    if rule is None:
        return papers, papers
    name = rule["name"].lower()
    moved = [paper for paper in papers if paper.get(name) == rule["value"]]
    others = _OTHERS_LISTED.search(goal)
    if others is None:
        return moved, moved
    word = others.group(1) or others.group(2)
    return moved, [paper for paper in papers if paper.get(name) == word]


def filled(pattern: str, paper: Paper) -> str:
    """A pattern with its placeholders filled in from a paper; unknown ones stay as they are."""
    known = {"name": paper["path"].rpartition("/")[2], "year": paper.get("date", "")[:4], **paper}
    return re.sub(r"\{(\w+)\}", lambda match: known.get(match.group(1).lower(), match.group()), pattern)


def _lines(goal: str, pattern: str, papers: list[Paper]) -> list[str]:
    """The list, in alphabetical order, and the sum below it if one is asked for."""
    lines = sorted(filled(pattern, paper) for paper in papers)
    wanted = _SUM.search(goal)
    if wanted:
        lines.append(wanted.group(1) + _sum(papers, singular(wanted.group(2))))
    return lines


def _sum(papers: list[Paper], name: str) -> str:
    """The sum of what the papers say under a name, singular or plural, with two decimals."""
    said = [value for paper in papers for label, value in paper.items() if singular(label) == name]
    try:
        return str(sum(map(Decimal, said), Decimal("0.00")))
    except InvalidOperation:
        return "0.00"

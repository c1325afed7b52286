"""Filing: carries out plain instructions about documents, in the order they are written.

Knows: write or create a file with some text, append a line, move or rename, copy, delete, make a folder. A sentence
that is none of these is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any

from proctor.agents.clerk.desk import Desk, Finding
from proctor.spec.task import ToolResult, ToolSpec

_PATH = r"[`'\"“]?((?:/?[\w.-]+/)+[\w.-]*|/?[\w-]+(?:\.[\w-]+)+)[`'\"”]?"
_PLACE = r"[`'\"“]?(/?[\w.-]+(?:/[\w.-]*)*)[`'\"”]?"
_THE = r"(?:the |a |an |new |file |text file |folder |directory |called |named |called )*"
_MOVE = re.compile(rf"\b(?:move|rename)\s+{_THE}{_PATH}\s+(?:in)?to\s+{_THE}{_PLACE}", re.IGNORECASE)
_COPY = re.compile(rf"\bcopy\s+{_THE}{_PATH}\s+(?:in)?to\s+{_THE}{_PLACE}", re.IGNORECASE)
_DELETE = re.compile(rf"\b(?:delete|remove)\s+{_THE}{_PATH}", re.IGNORECASE)
_FOLDER = re.compile(rf"\b(?:create|make)\s+(?:the |a |an |new )*(?:folder|directory)\s+{_THE}{_PLACE}", re.IGNORECASE)
_TEXT = r"[^\n]*?(?:text|content|contents|line|lines|containing|says|saying|reads)\b[^\n\"'`“:]*[:]?\s*"
_QUOTED = r"(?:\"([^\"]*)\"|'([^']*)'|`([^`]*)`|“([^”]*)”)"
_WRITE = re.compile(rf"\b(?:create|write|make|save|put)\s+{_THE}{_PATH}{_TEXT}{_QUOTED}", re.IGNORECASE)
_APPEND = re.compile(
    rf"\b(?:append|add)\s+{_THE}{_TEXT}{_QUOTED}\s+(?:at the end of|to)\s+{_THE}{_PATH}", re.IGNORECASE
)

Step = Callable[[Desk, re.Match[str]], Awaitable[ToolResult | None]]


def _clean(path: str) -> str:
    return path.rstrip(".,;") if not path.endswith("/") else path


def _joined(source: str, target: str) -> str:
    """A target that names a folder means the same name inside it."""
    if target.endswith("/") or "." not in target.rpartition("/")[2]:
        return f"{target.rstrip('/')}/{source.rpartition('/')[2]}"
    return target


async def _use(desk: Desk, tool: ToolSpec | None, *values: str) -> ToolResult | None:
    """Call a tool with these texts for its text parameters, in order."""
    if tool is None:
        return None
    names = desk.parameters(tool, "string")
    return await desk.call(tool, **dict(zip(names, values, strict=False)))


async def _do_move(desk: Desk, match: re.Match[str]) -> ToolResult | None:
    source, target = _clean(match.group(1)), _clean(match.group(2))
    return await _use(desk, desk.tool("move", "rename", effect="write"), source, _joined(source, target))


async def _do_copy(desk: Desk, match: re.Match[str]) -> ToolResult | None:
    source, target = _clean(match.group(1)), _clean(match.group(2))
    copier = desk.tool("copy", effect="write")
    if copier is not None:
        return await _use(desk, copier, source, _joined(source, target))
    read = await _use(desk, desk.tool("read", "open", effect="read"), source)
    if read is None or not read.ok or not isinstance(read.value, str):
        return read
    return await _use(desk, desk.tool("write", "create", effect="write"), _joined(source, target), read.value)


async def _do_delete(desk: Desk, match: re.Match[str]) -> ToolResult | None:
    return await _use(desk, desk.tool("delete", "remove", effect="write"), _clean(match.group(1)))


async def _do_folder(desk: Desk, match: re.Match[str]) -> ToolResult | None:
    maker = desk.tool("directory", "folder", "mkdir", effect="write")
    return await _use(desk, maker, _clean(match.group(1)).rstrip("/"))


async def _do_write(desk: Desk, match: re.Match[str]) -> ToolResult | None:
    text = next(group for group in match.groups()[1:] if group is not None)
    return await _use(desk, desk.tool("write", "create", "save", effect="write"), _clean(match.group(1)), text)


async def _do_append(desk: Desk, match: re.Match[str]) -> ToolResult | None:
    *quoted, path = match.groups()
    text = next(group for group in quoted if group is not None)
    return await _use(desk, desk.tool("append", "add", effect="write"), _clean(path), text)


STEPS: tuple[tuple[re.Pattern[str], Step], ...] = (
    (_APPEND, _do_append),
    (_FOLDER, _do_folder),
    (_WRITE, _do_write),
    (_MOVE, _do_move),
    (_COPY, _do_copy),
    (_DELETE, _do_delete),
)


def instructions(goal: str) -> list[tuple[re.Match[str], Step]]:
    """The instructions of a goal that are understood, in the order they are written."""
    steps: list[tuple[re.Match[str], Step]] = []
    for pattern, step in STEPS:
        for match in pattern.finditer(goal):
            if not any(_overlap(match, other) for other, _ in steps):
                steps.append((match, step))
    return sorted(steps, key=lambda item: item[0].start())


def _overlap(one: re.Match[str], other: re.Match[str]) -> bool:
    return one.start() < other.end() and other.start() < one.end()


def fits(desk: Desk) -> bool:
    """There is a tool that writes a file, and the goal has instructions about some."""
    writes = desk.tool("write", "move", "delete", "file", effect="write")
    return writes is not None and bool(instructions(desk.task.goal))


async def work(desk: Desk) -> Finding | None:
    """Carry the instructions out, one after the other."""
    steps = instructions(desk.task.goal)
    done = 0
    for match, step in steps:
        result = await step(desk, match)
        done += result is not None and result.ok
        desk.draft = Finding(_answer(desk), 0.1)
    return Finding(_answer(desk), 0.85 if done == len(steps) else 0.2)


def _answer(desk: Desk) -> Any:
    return desk.shape.options[0] if desk.shape.options else "done"

"""Running errands: the same few tools, one after the other, for each of several numbered things.

The tools are those the goal names after "for each", in that order. What one gives is handed on to the next by name;
a value the goal spells with a placeholder ("the key batch-PAGE where PAGE stands for the page's number") is filled in.
Things are the numbers the goal lists, or a chain in which each names the next; a condition on a field may leave some
out.
"""

from __future__ import annotations

import re
from typing import Any

from proctor.agents.clerk.desk import Desk, Finding, required
from proctor.agents.seen import numbers
from proctor.spec.task import ToolSpec

MAX_THINGS = 50

_EACH = re.compile(r"\bfor (?:each|every)\b", re.IGNORECASE)
_CONDITION = re.compile(
    r"(?P<no>\b(?:except|not|unless|without)\b[^.`]{0,20})?\b(?:whose|with|where) `(?P<name>\w+)` (?:is |are |= )?"
    r"(?P<value>\w+)"
)
_CHAIN = ("next", "following", "successor")


def errand(desk: Desk) -> list[ToolSpec]:
    """The tools to use for each thing, in order; empty where the goal describes no errand."""
    each = _EACH.search(desk.task.goal)
    if each is None:
        return []
    told = desk.task.goal[each.end() :]
    places = {tool.name: re.search(rf"\b{re.escape(tool.name)}\b", told) for tool in desk.task.tools if required(tool)}
    tools = [tool for tool in desk.task.tools if places.get(tool.name)]
    return sorted(tools, key=lambda tool: _start(places[tool.name]))


def _start(match: re.Match[str] | None) -> int:
    return match.start() if match else -1


def fits(desk: Desk) -> bool:
    """At least two tools to be used for each of some things, the first of which takes one number."""
    tools = errand(desk)
    return len(tools) > 1 and tools[0] in desk.readers("integer")


async def work(desk: Desk) -> Finding | None:
    """Run the errand for every thing."""
    goal = desk.task.goal
    tools = errand(desk)
    each = _EACH.search(goal)
    listed = [number for number in numbers(goal[: each.start() if each else 0]) if isinstance(number, int)]
    chained = any(re.search(rf"`{word}`", goal) for word in _CHAIN)
    waiting = listed[:1] if chained else listed
    done, failed = 0, 0
    seen: set[int] = set()
    while waiting and len(seen) < MAX_THINGS:
        thing = waiting.pop(0)
        seen.add(thing)
        first = await desk.settle(tools[0], **{required(tools[0])[0]: thing})
        if not first.ok or not isinstance(first.value, dict):
            failed += 1
            continue
        waiting.extend(number for number in _following(first.value) if chained and number and number not in seen)
        if _is_wanted(goal, first.value):
            fine = await _finish(desk, tools, {required(tools[0])[0]: thing, **_apart(first.value, tools[0])})
            done, failed = done + fine, failed + (not fine)
        desk.draft = Finding(_answer(desk), 0.1)
    return Finding(_answer(desk), 0.9 if done and not failed else 0.1)


def _apart(value: dict[str, Any], tool: ToolSpec) -> dict[str, Any]:
    """What a tool gave, without what it was given."""
    return {name: item for name, item in value.items() if name not in required(tool)}


async def _finish(desk: Desk, tools: list[ToolSpec], bag: dict[str, Any]) -> bool:
    """Use the remaining tools for one thing, each fed from what is in the bag; whether all of them worked."""
    for tool in tools[1:]:
        arguments = {name: bag[name] if name in bag else _spelled(desk.task.goal, name, bag) for name in required(tool)}
        result = await (desk.settle if tool.effect == "read" else desk.call)(tool, **arguments)
        if not result.ok:
            return False
        if isinstance(result.value, dict):
            bag |= result.value
    return True


def _following(value: dict[str, Any]) -> list[int]:
    numbers = [value[name] for name in _CHAIN if name in value]
    return [number for number in numbers if isinstance(number, int)]


def _is_wanted(goal: str, value: dict[str, Any]) -> bool:
    """Whether a thing meets the condition that the goal puts on one of its fields, if it puts any."""
    condition = _CONDITION.search(goal)
    if condition is None or condition["name"] not in value:
        return True
    return (str(value[condition["name"]]) == condition["value"]) != bool(condition["no"])


def _spelled(goal: str, name: str, bag: dict[str, Any]) -> str:
    """The value that the goal spells for a name, with placeholders in capitals filled in from the bag."""
    value = re.search(rf"\b{re.escape(name)} [`'\"]?([\w./-]+)", goal)
    text = value.group(1).rstrip(".") if value else ""
    return re.sub(r"[A-Z]{2,}", lambda match: str(bag.get(match.group().lower(), match.group())), text)


def _answer(desk: Desk) -> Any:
    word = re.search(r"\bthe word[s]? [`'\"]?(\w+)", desk.task.answer_format, re.IGNORECASE)
    return word.group(1) if word else "done"

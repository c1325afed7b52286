"""Preconditions: works out what has to hold before an objective can be reached, says so, and brings it about in order.

A condition has an action that brings it about, conditions that must hold before, and may hold already. Tables, data,
recipes, arrows, logs, letters and talk are read line by line; `the kiln is hot` and `kiln hot` are the same.
"""

from __future__ import annotations

import json
import re

from msgspec import Struct, field

from proctor.agents.clerk.desk import Desk, Finding, required
from proctor.agents.clerk.statements import cells_of
from proctor.spec.task import ToolSpec

_OBJECTIVE = re.compile(r"'([a-z]+ [a-z]+)'")
_PAIR = r"([a-z]+ [a-z]+)"
_ACTION = re.compile(
    rf"how do we get '{_PAIR}'\? A: (?P<a>.+)$|^\[{_PAIR}\] <== (?P<b>[a-z ]+?)(?:\s+\(|$)|^To have {_PAIR}, (?P<c>.+)\.$"
)
_REACHED = re.compile(rf"^try\s+'(?P<action>[^']+)': ok, now {_PAIR}$|^kept '(?P<kept>[^']+)': since then {_PAIR}$")
_WANTING = re.compile(rf"^try\s+'(?P<action>[^']+)': refused for want of {_PAIR}$")
_ARROW = re.compile(rf"^\[{_PAIR}\] --> \[{_PAIR}\]$")
_RECIPE = re.compile(r"^([a-z]+-[a-z]+):(.*)$")
_COMES_FIRST = re.compile(r"\bcomes? first\b|^That cannot be done before\b")
_ALREADY = re.compile(r"\balready\b|\(holds\)|\bpresent\b")
_SPOKEN = re.compile(r"(\w+) (\w+)(?: any time)? and (?:then )?it (?:is )?(\w+)$")
_SPOKEN_ALREADY = re.compile(r"^and (?:the )?(\w+) that one (?:is )?(\w+) we did (\w+ \w+)\b")


class Web(Struct):
    """What depends on what."""

    actions: dict[str, str] = field(default_factory=dict)
    needs: dict[str, list[str]] = field(default_factory=dict)
    holds: set[str] = field(default_factory=set)

    def add(self, condition: str, action: str, needs: list[str], *, holds: bool = False) -> None:
        """Note a condition."""
        self.actions[condition] = action
        self.needs.setdefault(condition, []).extend(needs)
        if holds:
            self.holds.add(condition)

    def before(self, objective: str) -> list[str]:
        """The conditions to be brought about before an objective, each after what it needs itself."""
        order: list[str] = []
        waiting = [(objective, False)]
        seen: set[str] = set()
        while waiting:
            condition, ready = waiting.pop()
            if ready:
                order.append(condition)
            elif condition not in seen and condition not in self.holds:
                seen.add(condition)
                waiting.append((condition, True))
                waiting.extend((need, False) for need in reversed(self.needs.get(condition, [])))
        return order[:-1]


def read_web(text: str) -> Web:
    """The web that a text describes."""
    web = Web()
    current, waiting, wanting = "", [], {}
    for line in map(_plainly, text.splitlines()):
        if _of_data(web, line) or _of_table(web, line):
            continue
        action, reached, short, arrow = (pattern.search(line) for pattern in (_ACTION, _REACHED, _WANTING, _ARROW))
        recipe, spoken, done = _RECIPE.match(line), _SPOKEN.search(line), _SPOKEN_ALREADY.match(line)
        if action:
            current, doing = (found for found in action.groups() if found)
            web.add(current, doing, [], holds=bool(_ALREADY.search(line)))
        elif short:
            wanting.setdefault(short["action"], []).append(short.group(2))
        elif reached:
            doing, current = (found for found in reached.groups() if found)
            web.add(current, doing, wanting.pop(doing, []), holds=reached["kept"] is not None)
        elif arrow:
            web.needs.setdefault(arrow.group(2), []).append(arrow.group(1))
        elif recipe:
            current = recipe.group(1).replace("-", " ")
            web.add(current, "", [need.replace("-", " ") for need in recipe.group(2).split()])
        elif line.startswith("\t"):
            web.actions[current] = line.rpartition("#")[2].strip()
            web.holds |= {current} if _ALREADY.search(line) else set()
        elif done:
            web.add(f"{done.group(1)} {done.group(2)}", done.group(3), [], holds=True)
        elif spoken:
            verb, thing, state = spoken.groups()
            web.add(f"{thing} {state}", f"{verb} {thing}", waiting)
            waiting = []
        elif line.startswith("once "):
            waiting = re.findall(rf"(?:once|also) {_PAIR}", line)
        elif _COMES_FIRST.search(line):
            web.needs[current].extend(re.findall(rf"(?:'|before |and ){_PAIR}", line))
        elif _ALREADY.search(line):
            told = re.match(rf"^{_PAIR} already, .* has to (.+)\.$", line, re.IGNORECASE)
            current = told.group(1).lower() if told else current
            web.holds.add(current)
            web.actions.setdefault(current, told.group(2) if told else "")
    return web


def _plainly(line: str) -> str:
    """`the kiln is hot` as `kiln hot`, `heat the kiln` as `heat kiln`."""
    line = re.sub(r"\b[Tt]he (\w+) is (\w+)", r"\1 \2", line)
    return re.sub(r"\b[Tt]he (?=\w)", "", line)


def _of_data(web: Web, line: str) -> bool:
    """A record of a condition, its action, what it needs and whether it holds."""
    if not line.startswith("{"):
        return False
    try:
        values = list(json.loads(line).values())
    except ValueError:
        return False
    texts = [value for value in values if isinstance(value, str)]
    lists = [value for value in values if isinstance(value, list)]
    if len(texts) == 2 and lists:
        web.add(texts[0], texts[1], lists[0], holds=True in values)
    return True


def _of_table(web: Web, line: str) -> bool:
    cells = cells_of(line)
    if len(cells) != 4:
        return False
    web.add(cells[0], cells[1], [need for need in cells[2].split(", ") if need != "-"], holds=cells[3] == "yes")
    return True


def _tools(desk: Desk) -> tuple[ToolSpec, ToolSpec] | None:
    """The tool that declares a list of conditions, and the one that carries out an action."""
    writers = [tool for tool in desk.task.tools if tool.effect == "write" and len(required(tool)) == 1]
    declare = next((tool for tool in writers if desk.kind(tool, required(tool)[0]) == "array"), None)
    act = next((tool for tool in writers if desk.kind(tool, required(tool)[0]) == "string"), None)
    return (declare, act) if declare and act else None


def _objective(desk: Desk) -> str:
    quoted = _OBJECTIVE.search(desk.task.goal)
    return quoted.group(1) if quoted else ""


def fits(desk: Desk) -> bool:
    """There is an objective that some text tells how to reach, and tools to declare a plan and to act."""
    return _tools(desk) is not None and any(_objective(desk) in read_web(text).actions for text in desk.texts())


async def work(desk: Desk) -> Finding | None:
    """Declare the plan, carry it out in its order, then the objective."""
    tools, objective = _tools(desk), _objective(desk)
    web = next((web for web in map(read_web, desk.texts()) if objective in web.actions), None)
    if tools is None or web is None:
        return None
    declare, act = tools
    plan = web.before(objective)
    result = await desk.call(declare, **{required(declare)[0]: plan})
    fine = result.ok
    for condition in (*plan, objective):
        result = await desk.call(act, **{required(act)[0]: web.actions.get(condition, condition)})
        fine = fine and result.ok
    return Finding("done", 0.9 if fine else 0.1)

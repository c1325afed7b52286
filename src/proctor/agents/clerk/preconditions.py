"""Preconditions: works out what has to hold before an objective, declares it, and brings it about in that order."""

from __future__ import annotations

import re

from proctor.agents.clerk.desk import Desk, Finding, required
from proctor.agents.clerk.web import read_web
from proctor.spec.task import ToolSpec

_OBJECTIVE = re.compile(r"'([a-z]+ [a-z]+)'")


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

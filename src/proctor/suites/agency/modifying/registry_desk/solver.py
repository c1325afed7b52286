"""Solvers of the family: a clerk who works a shift, and one who uses the window, in the right way or in another.

In a shift a solver knows what the goal and the tools say. In the window it is told what limits the office, and still
looks into it, proposes and implements by calls. `way` says what it does there:

| way | the window |
| --- | --- |
| `right` | the change that relieves the bottleneck |
| `wrong` | a sound change against another suspect |
| `sham` | one of the right kind and size that relieves nothing |
| `none` | looks into everything, and changes nothing |
"""

from __future__ import annotations

from typing import Any, Final, Literal

from proctor.agents.contract import Session
from proctor.spec.task import Instance, Submission, TaskView, ToolResult
from proctor.suites.agency.modifying.changes import definition, read_change
from proctor.suites.agency.modifying.registry_desk.office import INK, RELIEF, STEPS, SUSPECTS, TICKETS, WARMTH, Office
from proctor.suites.agency.modifying.registry_desk.shams import sham_of
from proctor.suites.agency.modifying.registry_desk.world import catalogue

Way = Literal["right", "wrong", "sham", "none"]
WAYS: Final[tuple[Way, ...]] = ("right", "wrong", "sham", "none")
_PATIENCE = 12
_OVER = ("no ticket is left", "not enough time left", "is cold")


class Modifier:
    """The family's solver. Set `way` before `run` to have it use the window otherwise."""

    __slots__ = ("_instance", "way")

    def __init__(self, instance: Instance, way: Way = "right") -> None:
        self._instance = instance
        self.way: Way = way

    async def run(self, task: TaskView, session: Session) -> Submission:
        if self._instance.hidden["window"]:
            await _use_window(self._instance.hidden["office"], self.way, session)
        else:
            await _work_shift(self._instance.hidden["records"], task, session)
        return Submission("done", confidence=1.0)


def change_against(suspect: str, office: Office) -> dict[str, Any]:
    """A sound change against a suspect."""
    if suspect == TICKETS:
        ref, value = {"parameter": "ref"}, {"parameter": "value"}
        given = {"fetch": {"ref": ref}, "enter": {"ref": ref, "value": value}, "shelve": {"ref": ref}}
        steps = [{"tool": name, "arguments": given[name]} for name in STEPS]
        return {"kind": RELIEF[TICKETS], "name": "file_record", "parameters": ["ref", "value"], "steps": steps}
    if suspect == INK:
        bounds = (("at-least", office["low"]), ("at-most", office["high"]))
        conditions = [{"subject": "state.gauge", "is": name, "value": value} for name, value in bounds]
        return {"kind": RELIEF[INK], "before": "enter", "conditions": conditions}
    return {"kind": RELIEF[WARMTH], "fields": [{"name": "press", "type": "flag"}]}


async def _use_window(office: Office, way: Way, session: Session) -> None:
    for suspect in SUSPECTS:
        await _insist(session, "inspect", suspect=suspect)
        await _insist(session, "read_file", suspect=suspect)
    if way == "none":
        return
    named = office["limits"]
    if way == "wrong":
        named = SUSPECTS[(SUSPECTS.index(named) + 1) % len(SUSPECTS)]
    change = change_against(named, office)
    if way == "sham":
        sham = sham_of(read_change(change, catalogue()))
        assert sham is not None
        change = definition(sham)
    reason = f"{named} is what shifts run short of"
    await _insist(session, "propose", suspect=named, kind=RELIEF[named], reason=reason)
    await _insist(session, "implement", change=change)
    if named == WARMTH:
        await _insist(session, "warm_press")


async def _work_shift(records: list[tuple[str, int]], task: TaskView, session: Session) -> None:
    whole = next((one.name for one in task.tools if _files_records(one.description)), None)
    await _insist(session, "warm_press")
    for ref, value in records:
        if whole is not None:
            await _insist(session, whole, ref=ref, value=value)
            continue
        for name in STEPS:
            given = {"ref": ref, "value": value} if name == "enter" else {"ref": ref}
            result = await _insist(session, name, **given)
            if not result.ok:
                return


def _files_records(description: str) -> bool:
    """Whether a tool is composed of all that one record takes, with `ref` and `value` as its parameters."""
    return "fetch(ref=ref), then enter(ref=ref, value=value), then shelve(ref=ref)" in description


async def _insist(session: Session, tool: str, /, **arguments: Any) -> ToolResult:
    """Call until it is carried out, or never will be."""
    result = await session.call(tool, **arguments)
    for _ in range(_PATIENCE - 1):
        if result.ok or any(text in (result.error or "") for text in _OVER):
            break
        result = await session.call(tool, **arguments)
    return result

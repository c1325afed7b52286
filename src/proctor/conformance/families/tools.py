"""Tools are described, typed and honest about their effect, and refuse instead of breaking."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from proctor.conformance.contract import Check, Tally
from proctor.conformance.prober import Prober
from proctor.conformance.schemas import ill_formed
from proctor.conformance.subject import PROBE_BUDGET, Subject
from proctor.conformance.trial import run_trial
from proctor.core.canonical import chainable, encode
from proctor.engine.episode import describe
from proctor.engine.session import WorldBroke
from proctor.evidence.events import Called, Event, Returned
from proctor.spec.task import Instance, Submission, ToolResult, ToolSpec, Verification
from proctor.worlds.tool import Tool
from proctor.worlds.world import Place, World

CHECK = Check(
    "tools",
    "Tools are honest",
    "Every tool has a description and a schema, a reading tool changes nothing, and no call breaks the world.",
)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")


class Watched:
    """A world that notes which reading calls changed its state and which calls broke."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.changed: set[str] = set()
        self.broke: dict[str, str] = {}
        self.compared = 0
        self.stateless = False

    @property
    def tools(self) -> dict[str, Tool]:
        return self._world.tools

    def observe(self) -> dict[str, Any]:
        return self._world.observe()

    async def apply(self, tool: Tool, arguments: dict[str, Any]) -> ToolResult:
        reads = tool.spec.effect == "read"
        before = self._state() if reads else None
        try:
            return await self._world.apply(tool, arguments)
        finally:
            if before is not None:
                self.compared += 1
                if self._state() != before:
                    self.changed.add(tool.spec.name)

    def _state(self) -> bytes | None:
        state = self._world.state()
        self.stateless = state is None
        return None if state is None else encode(chainable(state))

    def verify(self, submission: Submission) -> Verification:
        return self._world.verify(submission)

    def state(self) -> Any:
        return self._world.state()

    def artifact(self, name: str) -> bytes | None:
        return self._world.artifact(name)

    def close(self) -> None:
        self._world.close()


def check(subject: Subject, tally: Tally) -> None:
    """Read what tools say of themselves, then let the prober and the oracle try them in a watched world."""
    tools = subject.tools()
    for tool in tools.values():
        _described(tool.spec, tally)
    tally.measured = {"tools": len(tools), "calls": 0, "reads_compared": 0}
    stateless = False
    for index in range(subject.options.few):
        stateless = _probe(subject, tally, index) or stateless
    _everybody(subject, tally)
    compared = tally.measured["reads_compared"]
    effect = "effects not measured, since state() gives None" if stateless else f"{compared} readings changed nothing"
    tally.measured["effects"] = "not measured: state() gives None" if stateless else "measured"
    tally.summary = f"{len(tools)} tools in {tally.measured['calls']} calls: none broke; {effect}."


def _described(spec: ToolSpec, tally: Tally) -> None:
    tally.require(
        _NAME.fullmatch(spec.name) is not None,
        f"tools: '{spec.name}' is no name that models can call; use letters, digits and underscores",
    )
    tally.require(
        bool(spec.description.strip()) and spec.description.strip().lower() != spec.name.lower(),
        f"tools: '{spec.name}' has no description; say in a sentence what it does and what it gives back",
    )
    tally.require(spec.effect in ("read", "write"), f"tools: '{spec.name}' has no effect; declare read or write")
    tally.require(
        isinstance(spec.parameters, dict) and spec.parameters.get("type") == "object",
        f"tools: the parameters of '{spec.name}' are no JSON Schema of an object; give the function typed arguments",
    )
    for problem in ill_formed(spec.parameters):
        tally.find(f"tools: the parameters of '{spec.name}' are no JSON Schema: {problem}; correct it")


def _probe(subject: Subject, tally: Tally, index: int) -> bool:
    """One prober and one oracle in watched worlds; whether the world has no state to compare."""
    watched: list[Watched] = []

    def make_world(instance: Instance, place: Place) -> World:
        watched.append(Watched(subject.family.world(instance, place)))
        return watched[-1]

    prober = Prober(subject.source.child("tools", index), subject.solver_calls(index))
    solver = subject.family.oracle(subject.instance(index))
    for agent in (prober, solver):
        trial = run_trial(subject.job(index, limits=PROBE_BUDGET, make_world=make_world), agent)
        tally.measured["calls"] += trial.row.calls
        broke = trial.broke
        if broke is not None and broke.where == "world":
            tally.find(_broken(trial.events, broke.message))
    for name, error in prober.trouble:
        if not isinstance(error, WorldBroke):
            tally.find(
                f"tools: a result of '{name}' cannot be recorded ({describe(error)}); give back plain JSON values"
            )
    for world in watched:
        tally.measured["reads_compared"] += world.compared
        for name in sorted(world.changed):
            tally.find(
                f"tools: '{name}' is declared as reading, but a call of it changed state(); declare effect='write', or "
                "change nothing"
            )
    return any(world.stateless for world in watched)


def _everybody(subject: Subject, tally: Tally) -> None:
    """No ordinary agent broke the world either."""
    for agent in ("random", "retry", "first"):
        for trial in subject.trials(agent, subject.options.instances):
            broke = trial.broke
            if broke is not None and broke.where == "world":
                tally.find(_broken(trial.events, broke.message))


def _broken(events: tuple[Event, ...], message: str) -> str:
    answered = {event.call for event in events if isinstance(event, Returned)}
    open_calls = [event for event in events if isinstance(event, Called) and event.call not in answered]
    if not open_calls:
        return f"tools: the world cannot be set up ({message}); make it work for every instance"
    arguments = msgspec.json.encode(open_calls[-1].arguments).decode()[:120]
    return (
        f"tools: '{open_calls[-1].tool}' broke on the arguments {arguments} ({message}); refuse by raising ToolError, "
        "any other exception is the bench's fault"
    )

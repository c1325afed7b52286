"""Tools are described, typed and honest about their effect, and refuse instead of breaking."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from proctor.conformance.contract import Check, Tally
from proctor.conformance.prober import Prober
from proctor.conformance.schemas import ill_formed
from proctor.conformance.subject import PROBE_BUDGET, Subject
from proctor.core.canonical import chainable, encode
from proctor.engine.trial import Trial
from proctor.evidence.events import Called, Returned
from proctor.spec.task import Instance, ToolResult, ToolSpec
from proctor.worlds.forwarding import ForwardingWorld
from proctor.worlds.tool import Tool
from proctor.worlds.world import Place, World

CHECK = Check(
    "tools",
    "Tools are honest",
    "Every tool has a description and a schema, a reading tool changes nothing, and no call breaks the world.",
)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")


class Watched(ForwardingWorld):
    """A world that notes which reading calls changed its state."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.changed: set[str] = set()
        self.compared = 0
        self.stateless = False

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
    solver = subject.solver(index)
    for agent in (prober, solver):
        trial = subject.live(subject.job(index, limits=PROBE_BUDGET, make_world=make_world), agent)
        tally.measured["calls"] += trial.row.calls
        _unbroken(trial, tally)
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
            _unbroken(trial, tally)


def _unbroken(trial: Trial, tally: Tally) -> None:
    """A finding if the world of a trial broke, with the call that broke it."""
    broke = trial.broke
    if broke is None or broke.where not in ("world", "world_setup"):
        return
    said = trial.placed(broke.message)
    answered = {event.call for event in trial.events if isinstance(event, Returned)}
    open_calls = [event for event in trial.events if isinstance(event, Called) and event.call not in answered]
    if open_calls:
        arguments = msgspec.json.encode(open_calls[-1].arguments).decode()[:120]
        tally.find(
            f"tools: '{open_calls[-1].tool}' broke on the arguments {arguments} ({said}); give back JSON, and "
            "refuse by raising ToolError: any other exception ends the episode"
        )
    elif trial.row.reason == "world_setup":
        tally.find(f"tools: the world cannot be set up ({said}); make it work for every instance")
    else:
        tally.find(f"tools: the world broke between calls ({said}); look at state(), which must be JSON")

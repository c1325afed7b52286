"""The clerk taken step by step: messages of the wire out, results of the wire in, whoever carries them."""

from __future__ import annotations

import types
from collections.abc import Coroutine, Generator
from typing import Any

import msgspec

from proctor.agents.clerk import Clerk
from proctor.core.errors import LimitReached
from proctor.spec.task import Budget, Observation, Submission, TaskView, ToolResult

Wire = dict[str, Any]


class SteppedSession:
    """What the clerk holds. A call leaves the coroutine as a message and comes back as a result."""

    def __init__(self, budget: Wire) -> None:
        self.observations: list[Observation] = []
        self.budget = msgspec.convert(budget, Budget)
        self.said: list[Wire] = []

    def say(self, text: str) -> None:
        self.said.append({"type": "say", "text": text})

    @types.coroutine
    def call(self, tool: str, /, **arguments: Any) -> Generator[Wire, Wire, ToolResult]:
        result = yield {"type": "tool_call", "tool": tool, "arguments": arguments}
        if "limit" in result:
            raise LimitReached(result["limit"])
        self.budget = msgspec.convert(result.get("budget", {}), Budget)
        fields = {"result": result["value"]} if result["ok"] else {"error": result["error"]}
        self.observations.append(Observation(result["seq"], fields, result["call"]))
        return ToolResult(result["ok"], result.get("value"), result.get("error"))


class SteppedEpisode:
    """One task of the clerk's. `step` takes the result of the last call and gives what the clerk says next."""

    def __init__(self, clerk: Clerk, task: Wire, observations: list[Wire]) -> None:
        self._session = SteppedSession(task["budget"])
        self._session.observations += [Observation(shown["seq"], shown["fields"]) for shown in observations]
        held: Any = self._session
        self._work: Coroutine[Wire, Wire | None, Submission] = clerk.run(msgspec.convert(task, TaskView), held)

    def step(self, result: Wire | None = None) -> list[Wire]:
        """Remarks, and a call or the submission as the last."""
        try:
            last = self._work.send(result)
        except StopIteration as stop:
            last = {"type": "submit", **msgspec.to_builtins(stop.value)}
        said, self._session.said = self._session.said, []
        return [*said, last]

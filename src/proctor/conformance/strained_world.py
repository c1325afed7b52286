"""A world under strain: passes everything on, and writes down every time the world breaks its contract."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Final, TypeVar

from proctor.core.canonical import chainable, encode
from proctor.core.errors import ToolError
from proctor.engine.sentence import describe
from proctor.spec.task import Submission, ToolResult, Verification
from proctor.worlds.bounds import bounded
from proctor.worlds.forwarding import ForwardingWorld
from proctor.worlds.tool import Tool
from proctor.worlds.world import World

T = TypeVar("T")

MAX_STATE_BYTES: Final = 16 * 1024 * 1024
"""What the state of a world may take, as JSON."""


class StrainedWorld(ForwardingWorld):
    """The same world, watched. `secret` is what lies outside its folder and must not come out of it."""

    __slots__ = ("broken", "calls", "secret", "slow", "slowest", "states")

    def __init__(self, world: World, secret: str = "") -> None:
        super().__init__(world)
        self.secret = secret
        self.broken: list[str] = []
        """What broke, one sentence each."""
        self.slow: set[int] = set()
        """The numbers of the calls that took more than the declared processor time."""
        self.slowest = 0.0
        self.calls = 0
        self.states: list[bytes] = []

    async def apply(self, tool: Tool, arguments: dict[str, Any]) -> ToolResult:
        self.calls += 1
        began = processor_time()
        try:
            result = await self._world.apply(tool, arguments)
        except ToolError as refusal:
            self._keeps(tool, arguments, str(refusal))
            raise
        except Exception as error:
            self.broken.append(f"{_written(tool, arguments)} raised {describe(error)}")
            raise
        finally:
            spent = processor_time() - began
            self.slowest = max(self.slowest, spent)
            if spent > self._world.processor_seconds:
                self.slow.add(self.calls)
        self._keeps(tool, arguments, result.value)
        return result

    def verify(self, submission: Submission) -> Verification:
        return self._unbroken("verify()", lambda: self._world.verify(submission))

    def state(self) -> Any:
        state = self._unbroken("state()", self._world.state)
        written = self._unbroken("the JSON of state()", lambda: encode(chainable(state)))
        if len(written) > MAX_STATE_BYTES:
            self.broken.append(f"state() has {len(written):,} bytes; {MAX_STATE_BYTES:,} is the most")
        self.states.append(written)
        return state

    def state_mark(self) -> object:
        return self._unbroken("state_mark()", super().state_mark)

    def carry_over(self) -> Any:
        return self._unbroken("carry_over()", super().carry_over)

    def artifact(self, name: str) -> bytes | None:
        return self._unbroken("artifact()", lambda: self._world.artifact(name))

    def refused(self, tool: str, arguments: dict[str, Any]) -> None:
        self._unbroken("refused()", lambda: self._world.refused(tool, arguments))

    def canary(self) -> None:
        self._unbroken("canary()", self._world.canary)

    def close(self) -> None:
        self._unbroken("close()", self._world.close)

    def _unbroken(self, what: str, ask: Callable[[], T]) -> T:
        try:
            return ask()
        except Exception as error:
            self.broken.append(f"{what} raised {describe(error)} after {self.calls} calls")
            raise

    def _keeps(self, tool: Tool, arguments: dict[str, Any], answer: Any) -> None:
        if self.secret and self.secret in str(answer):
            self.broken.append(f"{_written(tool, arguments)} read a file outside the world's folder")


def _written(tool: Tool, arguments: dict[str, Any]) -> str:
    return f"{tool.spec.name}({encode(chainable(bounded(arguments))).decode()[:200]})"


def processor_time() -> float:
    """Seconds of processor that this process and its ended children have used."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system

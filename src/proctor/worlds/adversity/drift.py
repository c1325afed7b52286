"""Drift: after a number of calls a tool behaves differently from before.

Counted are calls that reached the drifting tool (or any tool, where none is named); one that timed out or failed on the
way did not. From then on a call takes the declared time, if that is longer than its own, and the declared fields of its
answer carry other names: in an object at the top level, or in each object of a list at the top level. A renaming that
would make two fields one is not done. There is nothing to draw; every drifted call has its receipts.

Where callers state how long they wait (`waits` names the argument, in seconds), a drifted call that waits too short
costs its wait, is not carried out and is told so; one that waits long enough takes the time it stated, which the world
has to let pass, and no more.
"""

from __future__ import annotations

from typing import Any

from proctor.spec import regime
from proctor.spec.task import ToolResult
from proctor.worlds.adversity.layer import Layer, Passage


class Drift(Layer):
    """Changes the duration and the field names of a tool after a number of calls."""

    name = "drift"
    axis = "stability"

    def __init__(self, drift: regime.Drift) -> None:
        self.drift = drift
        self._tool = drift.tool
        self._rename = dict(drift.rename)

    def before(self, passage: Passage) -> ToolResult | None:
        if not self._strikes(passage) or passage.adversity.memory.get("drift", 0) < self.drift.after_calls:
            return None
        waited = self._waited(passage)
        takes = self.drift.milliseconds or 0
        if waited is None or waited >= takes:
            return None
        passage.adversity.clock.advance(waited)
        passage.deliver(self.name, f"timed out after {waited} ms of {takes} ms")
        tool = passage.tool.spec.name
        return ToolResult(False, None, f"'{tool}' got no answer within {waited / 1000:g} s and was not carried out")

    def after(self, passage: Passage, result: ToolResult) -> ToolResult:
        if not self._strikes(passage):
            return result
        memory = passage.adversity.memory
        seen: int = memory.get("drift", 0)
        memory["drift"] = seen + 1
        if seen < self.drift.after_calls:
            return result
        longer = (self.drift.milliseconds or 0) - passage.tool.milliseconds
        if self._waited(passage) is not None:
            passage.deliver(self.name, f"took {self.drift.milliseconds} ms")
        elif longer > 0:
            passage.adversity.clock.advance(longer)
            passage.deliver(self.name, f"took {self.drift.milliseconds} ms")
        if not self._rename or not result.ok:
            return result
        return self._renamed(passage, result)

    def _strikes(self, passage: Passage) -> bool:
        return self._tool is None or passage.tool.spec.name == self._tool

    def _waited(self, passage: Passage) -> int | None:
        """How many milliseconds the caller waits, if it says so."""
        waits = None if self.drift.waits is None else passage.arguments.get(self.drift.waits)
        return None if isinstance(waits, bool) or not isinstance(waits, (int, float)) else max(0, round(1000 * waits))

    def _renamed(self, passage: Passage, result: ToolResult) -> ToolResult:
        value = result.value
        done: dict[str, None] = {}
        if type(value) is dict:
            new: Any = self._object(value, done)
        elif type(value) is list or type(value) is tuple:
            new = [self._object(item, done) if type(item) is dict else item for item in value]
        else:
            return result
        for old in done:
            passage.deliver(self.name, f"renamed {old} to {self._rename[old]}")
        return ToolResult(True, new) if done else result

    def _object(self, value: dict[str, Any], done: dict[str, None]) -> dict[str, Any]:
        rename = self._rename
        hit = [key for key in value if rename.get(key, key) != key]
        if not hit:
            return value
        new = {rename.get(key, key): item for key, item in value.items()}
        if len(new) < len(value):
            return value
        done.update(dict.fromkeys(hit))
        return new

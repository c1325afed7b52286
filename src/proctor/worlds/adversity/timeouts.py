"""Timeouts: a share of calls takes too long and is not carried out.

The agent loses the declared time and is told the truth: how long it waited, and that nothing was done. A call of which
that cannot be known is another fault, `partial_errors`, with another message: so a careful agent need not spend calls
on checking what a timeout did.
"""

from __future__ import annotations

from proctor.spec.task import ToolResult
from proctor.worlds.adversity.layer import Layer, Passage, threshold


class Timeouts(Layer):
    """Makes a share `p` of calls time out."""

    name = "timeouts"
    axis = "stability"

    def __init__(self, p: float, milliseconds: int) -> None:
        self.p = p
        self._below = threshold(p)
        self.milliseconds = milliseconds

    def before(self, passage: Passage) -> ToolResult | None:
        if passage.draw_fault("timeouts", self._below) is None:
            return None
        tool = passage.tool.spec.name
        passage.adversity.clock.advance(self.milliseconds)
        passage.deliver(self.name, f"{tool} {self.milliseconds} ms")
        seconds = f"{self.milliseconds / 1000:g}"
        return ToolResult(False, None, f"'{tool}' timed out after {seconds} s in the queue and was not carried out")

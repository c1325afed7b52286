"""Partial errors: a share of writing calls is carried out but answered with an error.

The state did change; what the agent is told is what a caller sees when the answer is lost on its way back, and it does
not claim otherwise. A careful agent looks before it tries again. A call the world itself refused was not carried out
and keeps its own error: nothing is delivered then.
"""

from __future__ import annotations

from proctor.spec.task import ToolResult
from proctor.worlds.adversity.layer import Layer, Passage, threshold

ERRORS = (
    "connection to '{}' was lost before an answer arrived; it is not known whether the call was carried out",
    "bad gateway (502) while waiting for the answer of '{}'; the call may or may not have been carried out",
    "internal error (500) in '{}' while writing its answer; its effect is not known",
)


class PartialErrors(Layer):
    """Makes a share `p` of writing calls end in an error after their work is done."""

    name = "partial_errors"
    axis = "stability"

    def __init__(self, p: float) -> None:
        self.p = p
        self._below = threshold(p)

    def after(self, passage: Passage, result: ToolResult) -> ToolResult:
        if not result.ok or passage.tool.spec.effect != "write":
            return result
        stream = passage.draw_fault("partial_errors", self._below)
        if stream is None:
            return result
        name = passage.tool.spec.name
        passage.deliver(self.name, name)
        return ToolResult(False, None, stream.choice(ERRORS).format(name))

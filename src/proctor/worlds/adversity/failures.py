"""Failures: a share of calls fails before anything happens.

The world never hears of the call; it takes the time a call of that tool takes, so that trying again is never free. The
error says what a service that is down would say, and each wording means that nothing was carried out.
"""

from __future__ import annotations

from proctor.spec.task import ToolResult
from proctor.worlds.adversity.layer import Layer, Passage, threshold

ERRORS = (
    "service unavailable (503): '{}' was not carried out",
    "could not connect to '{}': connection refused",
    "'{}' rejected the request: overloaded (529), not carried out",
    "'{}' is restarting (503); the request was not accepted",
)


class Failures(Layer):
    """Makes a share `p` of calls fail."""

    name = "failures"
    axis = "stability"

    def __init__(self, p: float) -> None:
        self.p = p
        self._below = threshold(p)

    def before(self, passage: Passage) -> ToolResult | None:
        stream = passage.draw_fault("failures", self._below)
        if stream is None:
            return None
        tool = passage.tool
        passage.adversity.clock.advance(tool.milliseconds)
        passage.deliver(self.name, tool.spec.name)
        return ToolResult(False, None, stream.choice(ERRORS).format(tool.spec.name))

"""Rate limit: a call that comes too soon after the last one is made to wait, in logical time.

The interval is counted from the beginning of a call to the beginning of the next. A relative limit stretches the
family's own pace: at factor 0.5 and a pace of 500 ms, calls begin at least 1,000 ms apart. Calls refused by the scope
do not count; calls that time out or fail do.
"""

from __future__ import annotations

from proctor.spec.regime import Rate
from proctor.spec.task import ToolResult
from proctor.worlds.adversity.layer import Layer, Passage


class RateLimit(Layer):
    """Delays calls that come too soon."""

    name = "rate"
    axis = "action"

    def __init__(self, rate: Rate) -> None:
        self._between = rate.milliseconds_between
        self._factor = rate.factor or 1.0

    def between(self, pace: int) -> int:
        """The least milliseconds between the beginnings of two calls, for a family of this pace."""
        return round(pace / self._factor) if self._between is None else self._between

    def before(self, passage: Passage) -> ToolResult | None:
        adversity = passage.adversity
        clock = adversity.clock
        earliest: int = adversity.memory.get("rate", 0)
        now = clock.elapsed
        if now < earliest:
            clock.advance(earliest - now)
            passage.deliver(self.name, f"waited {earliest - now} ms")
            now = earliest
        adversity.memory["rate"] = now + self.between(adversity.pace)
        return None

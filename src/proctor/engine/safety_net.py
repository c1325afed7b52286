"""The safety net: real time that ends an episode nobody else would end, and who is to blame for it.

Declared caps count logical time and tokens, for every agent; real time is no part of what is measured, and only keeps
an agent that hangs from holding up the run. Where the bench's own loop was late, or had not read what the agent said
long ago, the time-out is the bench's.
"""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any, Final
from weakref import WeakKeyDictionary

from proctor.agents.contract import left_unread

BENCH_LATE: Final = "bench_late"
"""The reason of an episode that ended because the bench was too slow."""
_BEAT: Final = 0.25
"""Seconds between two looks at how late the loop is."""
_OWN_SHARE: Final = 0.1
"""From this share of an episode's time on that the loop was late, its time-out is the bench's."""


class LoopWatch:
    """How late an event loop was, all in all: a timer that should ring at a beat, and how much later it rang."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._users = 0
        self._late = 0.0
        self._due = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def enter(self) -> float:
        """Somebody wants to know; how late it was until now."""
        if self._users == 0:
            self._due = self._loop.time() + _BEAT
            self._timer = self._loop.call_at(self._due, self._ring)
        self._users += 1
        return self.late

    def leave(self) -> None:
        """They want to know no more."""
        self._users -= 1
        if self._users == 0 and self._timer is not None:
            self._timer.cancel()
            self._timer = None

    @property
    def late(self) -> float:
        """Seconds, with those of a beat that is overdue now."""
        return self._late + max(0.0, self._loop.time() - self._due)

    def _ring(self) -> None:
        now = self._loop.time()
        self._late += max(0.0, now - self._due)
        self._due = now + _BEAT
        self._timer = self._loop.call_at(self._due, self._ring)


_watches: WeakKeyDictionary[asyncio.AbstractEventLoop, LoopWatch] = WeakKeyDictionary()


class SafetyNet:
    """A time-out around an agent that also looks at the bench itself."""

    def __init__(self, deadline: float, seconds: float) -> None:
        """`deadline` is in the time of the running loop, `seconds` what the episode had."""
        loop = asyncio.get_running_loop()
        self._timeout = asyncio.timeout_at(deadline)
        self._seconds = seconds
        self._watch = _watches.get(loop) or _watches.setdefault(loop, LoopWatch(loop))
        self._late_before = 0.0
        self._late = 0.0

    async def __aenter__(self) -> SafetyNet:
        self._late_before = self._watch.enter()
        await self._timeout.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._late = self._watch.late - self._late_before
        self._watch.leave()
        await self._timeout.__aexit__(kind, error, trace)

    def expired(self) -> bool:
        """Whether time ended it."""
        return self._timeout.expired()

    def whose_fault(self, agent: Any) -> str | None:
        """What the bench did wrong; None where the agent alone was too slow."""
        if left_unread(agent):
            return "the agent had said something that the bench had not read when its time was over"
        if self._late > _OWN_SHARE * self._seconds:
            return "the bench was too busy to serve the agent in time; lower --concurrency, or use --workers"
        return None

"""The safety net: real time that ends an episode nobody else would end, and who is to blame for it.

Declared caps count logical time and tokens, for every agent; real time is no part of what is measured, and only keeps
an agent that hangs from holding up the run. Time in which the bench's own loop was late is given back to the agent, up
to as much again. Only where the loop got no processor for a good part of the time is the time-out the bench's: that is
no agent's to bring about, as its processes give way to the bench. How late the loop is because it computes says
nothing: it computes what agents ask for. Nor does what an agent wrote and nobody has read, or whoever never stops
writing could choose.
"""

from __future__ import annotations

import asyncio
from time import thread_time
from types import TracebackType
from typing import Final
from weakref import WeakKeyDictionary

BENCH_LATE: Final = "bench_late"
"""The reason of an episode that ended because the bench was too slow."""
_BEAT: Final = 0.25
"""Seconds between two looks at how late the loop is."""
_OWN_SHARE: Final = 0.1
"""From this share of an episode's time on that the loop got no processor, its time-out is the bench's."""


class LoopWatch:
    """How late an event loop was, all in all: a timer that should ring at a beat, and how much later it rang."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._users = 0
        self._late = self._starved = 0.0
        self._due = self._spent = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def enter(self) -> tuple[float, float]:
        """Somebody wants to know; how late it was, and starved, until now."""
        if self._users == 0:
            self._set(self._loop.time())
        self._users += 1
        return self.so_far()

    def leave(self) -> None:
        """They want to know no more."""
        self._users -= 1
        if self._users == 0 and self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def so_far(self) -> tuple[float, float]:
        """Seconds late, and seconds of them in which this thread did not compute, with those of a beat overdue now."""
        late = max(0.0, self._loop.time() - self._due)
        return self._late + late, self._starved + max(0.0, late - (thread_time() - self._spent))

    def _ring(self) -> None:
        self._late, self._starved = self.so_far()
        self._set(self._loop.time())

    def _set(self, now: float) -> None:
        self._spent = thread_time()
        self._due = now + _BEAT
        self._timer = self._loop.call_at(self._due, self._ring)


_watches: WeakKeyDictionary[asyncio.AbstractEventLoop, LoopWatch] = WeakKeyDictionary()


class SafetyNet:
    """A time-out around an agent that also looks at the bench itself."""

    def __init__(self, deadline: float, seconds: float, *, exact: bool = False) -> None:
        """`deadline` is in the time of the running loop, `seconds` what the episode had.

        `exact`: nothing is given back, since the episode is about real time.
        """
        loop = asyncio.get_running_loop()
        self._loop = loop
        self._timeout = asyncio.timeout(None)
        self._deadline = deadline
        self._seconds = seconds
        self._exact = exact
        self._watch = _watches.get(loop) or _watches.setdefault(loop, LoopWatch(loop))
        self._before = (0.0, 0.0)
        self._timer: asyncio.TimerHandle | None = None
        self._starved = 0.0

    async def __aenter__(self) -> SafetyNet:
        self._before = self._watch.enter()
        await self._timeout.__aenter__()
        self._timer = self._loop.call_at(self._deadline, self._over)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._starved = self._watch.so_far()[1] - self._before[1]
        self._watch.leave()
        await self._timeout.__aexit__(kind, error, trace)

    def expired(self) -> bool:
        """Whether time ended it."""
        return self._timeout.expired()

    def whose_fault(self) -> str | None:
        """What the bench did wrong; None where the agent alone was too slow."""
        if self._starved > _OWN_SHARE * self._seconds:
            return "the machine was too busy to serve the agent in time; run less beside it, or lower --workers"
        return None

    def _over(self) -> None:
        """The time is over, but for what the loop was late meanwhile."""
        late = self._watch.so_far()[0] - self._before[0]
        until = self._deadline if self._exact else self._deadline + min(late, self._seconds)
        if self._loop.time() < until:
            self._timer = self._loop.call_at(until, self._over)
        else:
            self._timeout.reschedule(self._loop.time())

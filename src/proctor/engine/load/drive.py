"""Driving load: a closed loop keeps N requests in flight, an open loop issues them when they are due.

All time is the event loop's, so that a test can let it pass as it likes. Requests are issued by what is declared, never
by how the last answer came out. Always: issued = finished + in flight, and in flight never exceeds the declared number.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence

Serve = Callable[[int, float], Awaitable[None]]
"""Serves request `number`, whose latency runs from the given moment of the event loop's time."""


class Gauge:
    """How many requests are in flight."""

    __slots__ = ("finished", "issued", "peak")

    def __init__(self) -> None:
        self.issued = 0
        self.finished = 0
        self.peak = 0

    @property
    def in_flight(self) -> int:
        """Issued and not yet finished."""
        return self.issued - self.finished

    def issue(self) -> None:
        """One more is under way."""
        self.issued += 1
        self.peak = max(self.peak, self.in_flight)

    def finish(self) -> None:
        """One has been answered or given up."""
        self.finished += 1


class Drive:
    """Issues requests and counts them. `serve` must not raise; whatever it raises ends the drive."""

    def __init__(self, serve: Serve, gauge: Gauge | None = None) -> None:
        self._serve = serve
        self.gauge = gauge or Gauge()

    async def closed(self, numbers: Iterator[int], in_flight: int, *, first: Sequence[int] = ()) -> None:
        """Keep `in_flight` requests going until the numbers are used up.

        `first` are warm-up numbers, one for each slot. They run into the measured requests without a pause in between:
        so these find a loop in its stride, not a burst of everything at once.
        """

        async def slot(slot_number: int) -> None:
            yields = True
            if slot_number < len(first):
                yields = not await self._issue(first[slot_number], yields)
            for number in numbers:
                yields = not await self._issue(number, yields)

        async with asyncio.TaskGroup() as group:
            for slot_number in range(in_flight):
                group.create_task(slot(slot_number))

    async def _issue(self, number: int, yields: bool) -> bool:
        """Serve one request; whether anything else could run meanwhile.

        An agent that never waits would answer one request after another, and none of the others in flight would be
        seen to wait. So the first of each slot, and each that follows such an answer, lets the others be issued before
        it is served. Where agents wait by themselves, that would only add to their latency.
        """
        loop = asyncio.get_running_loop()
        self.gauge.issue()
        intended = loop.time()
        if yields:
            await asyncio.sleep(0)
        turns: list[None] = []
        turn = loop.call_soon(turns.append, None)
        try:
            await self._serve(number, intended)
        finally:
            self.gauge.finish()
            turn.cancel()
        return bool(turns)

    async def open(self, due: Sequence[float], max_in_flight: int) -> None:
        """Issue request i at `due[i]` seconds from now; where too many are in flight it waits, and its time runs."""
        loop = asyncio.get_running_loop()
        beginning = loop.time()
        free = asyncio.Semaphore(max_in_flight)

        async def one(number: int, intended: float) -> None:
            try:
                await self._serve(number, intended)
            finally:
                self.gauge.finish()
                free.release()

        async with asyncio.TaskGroup() as group:
            for number, after in enumerate(due):
                intended = beginning + after
                if (wait := intended - loop.time()) > 0:
                    await asyncio.sleep(wait)
                await free.acquire()
                self.gauge.issue()
                group.create_task(one(number, intended))

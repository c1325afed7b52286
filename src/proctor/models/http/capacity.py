"""How many requests one endpoint is sent at once: as many as come, until it says that it is too much.

Additive increase, multiplicative decrease. There is no bound until an endpoint first turns a request away; then half of
what was under way is allowed, and one more for every round that goes well. However many requests of one round are
turned away, the bound is halved once: only requests sent after the last cut tell something about it. While an endpoint
asks for a pause nobody is sent; requests that were turned away go first. At least one request is always allowed, so
that a storm ends in progress. Pauses have an end that is not the endpoint's to say, the asking side's patience: nobody
is held by them for longer, whoever was turned away. Waiting for the bound alone is no pause, since then others are
being answered.
"""

from __future__ import annotations

import asyncio
from collections import deque
from math import inf
from time import monotonic
from typing import Any, Final
from weakref import WeakKeyDictionary

from msgspec import Struct

_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 20.0
_CUT: Final = 0.5
_LOOK_SECONDS: Final = 0.25
"""How often somebody without patience looks whether what holds it is a pause."""


class OutOfPatienceError(Exception):
    """Pauses have held a request for as long as it may be held."""


class Permit(Struct, frozen=True):
    """Leave to send one request."""

    number: int
    """In the order of leave, from 1."""
    waited_ms: int


class Capacity:
    """The capacity of one endpoint, shared by all that ask it in one loop. Not for several threads."""

    def __init__(self, *, most: int | None = None, first_pause: float = _FIRST_PAUSE) -> None:
        self.limit: float | None = None if most is None else float(most)
        """How many at once; None: never turned away, so not bounded."""
        self.in_flight = 0
        self.rejections = 0
        """How many requests were turned away, over all."""
        self._most = most
        self._first_pause = first_pause
        self._pause = first_pause
        self._resumes = self._paused_since = monotonic()
        self._paused = 0.0
        self._given = 0
        self._cut_at = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._alarm: asyncio.TimerHandle | None = None

    async def acquire(self, *, again: bool = False, patience: float = inf) -> Permit:
        """Wait for leave to send; with `again`, before those that were never sent.

        Raises `OutOfPatienceError` once pauses have held it for `patience` seconds.
        """
        began = monotonic()
        if self._waiting or not self._open():
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            (self._waiting.appendleft if again else self._waiting.append)(turn)
            self._wake()
            try:
                await self._leave(turn, patience)
            except (asyncio.CancelledError, OutOfPatienceError):
                turn.cancel()
                if turn.done() and not turn.cancelled():
                    # Leave was given in the same moment: somebody else gets it.
                    self.in_flight -= 1
                self._wake()
                raise
        else:
            self.in_flight += 1
        self._given += 1
        return Permit(self._given, int(1000 * (monotonic() - began)))

    async def _leave(self, turn: asyncio.Future[None], patience: float) -> None:
        before = self.paused
        while not turn.done():
            left = patience - (self.paused - before)
            if left <= 0 and self.pause > 0:
                raise OutOfPatienceError
            # Pauses add up no faster than time passes.
            await asyncio.wait((turn,), timeout=None if left == inf else max(left, _LOOK_SECONDS))

    def succeeded(self, permit: Permit) -> None:
        """The endpoint took the request, whatever it made of it."""
        self.in_flight -= 1
        self._pause = self._first_pause
        if self.limit is not None:
            grown = self.limit + 1 / max(1.0, self.limit)
            self.limit = grown if self._most is None else min(float(self._most), grown)
        self._wake()

    def rejected(self, permit: Permit, wait: float | None) -> None:
        """The endpoint turned the request away, and asks to be asked again in so many seconds."""
        self.rejections += 1
        if not self.pause:
            self._paused, self._paused_since = self.paused, monotonic()
        if permit.number > self._cut_at:
            now = max(1, self.in_flight)
            self.limit = max(1.0, _CUT * (now if self.limit is None else min(self.limit, now)))
            self._cut_at = self._given
            pause, self._pause = self._pause, min(_LONGEST_PAUSE, 2 * self._pause)
            self._resumes = max(self._resumes, monotonic() + pause)
        if wait is not None:
            self._resumes = max(self._resumes, monotonic() + wait)
        self.in_flight -= 1
        self._wake()

    def abandoned(self, permit: Permit) -> None:
        """Nothing can be said: the attempt failed on its way, or nobody waits for it any more."""
        self.in_flight -= 1
        self._wake()

    @property
    def pause(self) -> float:
        """Seconds until somebody may be sent again; 0 where nothing is in the way but the bound."""
        return max(0.0, self._resumes - monotonic())

    @property
    def paused(self) -> float:
        """Seconds of pauses so far, over all."""
        return self._paused + max(0.0, min(monotonic(), self._resumes) - self._paused_since)

    def _open(self) -> bool:
        return (self.limit is None or self.in_flight < int(self.limit)) and monotonic() >= self._resumes

    def _wake(self) -> None:
        """Give leave to as many as may go; if a pause keeps them, come back when it is over."""
        while self._waiting and (self._waiting[0].done() or self._open()):
            turn = self._waiting.popleft()
            # One that is done already was given up by whoever waited.
            if not turn.done():
                self.in_flight += 1
                turn.set_result(None)
        if self._waiting and self._alarm is None and (pause := self.pause) > 0:
            self._alarm = asyncio.get_running_loop().call_later(pause, self._resume)

    def _resume(self) -> None:
        self._alarm = None
        self._wake()

    def details(self) -> dict[str, Any]:
        """What an exchange says about it; empty while it is not bounded."""
        return {} if self.limit is None else {"at_once": int(self.limit)}


_capacities: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, Capacity]] = WeakKeyDictionary()


def capacity_of(endpoint: str, *, most: int | None = None, first_pause: float = _FIRST_PAUSE) -> Capacity:
    """The capacity of an endpoint in the running loop: one for all models that ask it."""
    here = _capacities.setdefault(asyncio.get_running_loop(), {})
    if endpoint not in here:
        here[endpoint] = Capacity(most=most, first_pause=first_pause)
    return here[endpoint]


def bounded_capacities() -> dict[str, dict[str, Any]]:
    """Every endpoint of this process that has turned somebody away, and how many it is sent at once now."""
    return {
        endpoint: {**capacity.details(), "rejections": capacity.rejections}
        for here in list(_capacities.values())
        for endpoint, capacity in here.items()
        if capacity.rejections
    }

"""The watchdog: ends what computes without end in this process, inside one call or inside an agent.

Time-outs of the event loop cannot: whoever never gives control back is never timed out. An alarm rings in the main
thread instead and looks at what it interrupted. One call, or the verdict on an episode, that has taken `CALL_SECONDS`
of processor time is stuck, on a busy machine as on a quiet one; so is an agent whose own code has held the loop for as
long as an episode may last. The alarm then raises `Stuck` right there, and whoever swallows it is told that the
lifetime is lost all the same.

Code that never returns to the interpreter cannot be interrupted like that: whoever started this process sees that no
alarm has rung while it computed (`beat`), and kills it; for a command that is its guardian (`core/guardian.py`).
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from contextvars import ContextVar
from time import monotonic, thread_time
from types import FrameType, TracebackType
from typing import Final, Self

from proctor.core import guardian
from proctor.engine import session, verdict

CALL_SECONDS: Final = 60.0
"""Processor seconds for what the bench does about one call; no world of ours comes near. Where an episode may last
less (`episode_seconds`), that long."""
_ALARM_SECONDS: Final = 1.0
_OWN_CODE: Final = frozenset({session.__file__, verdict.__file__})
"""Where the bench carries out what an agent asked for, and judges it."""


class Stuck(BaseException):
    """What runs now has run for too long. No `Exception`: nobody takes it for a failure of their own."""


class Living:
    """A lifetime that is being lived; what is done on its behalf finds it in `LIVING`."""

    __slots__ = ("acting", "step", "stuck")

    def __init__(self) -> None:
        self.step = 0
        self.acting = False
        """Whether its agent has been given a task: before, nothing can be the agent's doing."""
        self.stuck = 0
        """How often it was interrupted."""


LIVING: ContextVar[Living | None] = ContextVar("LIVING", default=None)


def call_limit(net_seconds: float) -> float:
    """Processor seconds for one call, where the safety net of an episode is this."""
    return min(CALL_SECONDS, net_seconds)


class Watchdog:
    """An alarm clock beside the event loop of the main thread; elsewhere it does nothing, as signals come there only.

    `beat` is called whenever the alarm rings. A program with an alarm of its own keeps that, and has no watchdog.
    """

    def __init__(self, net_seconds: float, beat: Callable[[], None] | None = None) -> None:
        self._net = net_seconds
        self._call_limit = call_limit(net_seconds)
        self._beat = beat
        self._armed = False
        self._living: Living | None = None
        self._step = 0
        self._since = 0.0
        self._call: FrameType | None = None
        self._spent = 0.0

    def __enter__(self) -> Self:
        in_main = threading.current_thread() is threading.main_thread()
        if in_main and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL:
            signal.signal(signal.SIGALRM, self._ring)
            every = min(_ALARM_SECONDS, self._net / 4)
            signal.setitimer(signal.ITIMER_REAL, every, every)
            self._armed = True
            guardian.beat()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._armed:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            self._armed = False
            guardian.rest()
        self._living = self._call = None

    def _ring(self, _number: int, frame: FrameType | None) -> None:
        guardian.beat()
        if self._beat is not None:
            self._beat()
        living = LIVING.get()
        if living is None or not living.acting:
            self._living = self._call = None
            return
        now, spent, call = monotonic(), thread_time(), _call_in(frame)
        if living is not self._living or living.step != self._step:
            self._living, self._step, self._since = living, living.step, now
            self._call, self._spent = call, spent
        elif call is not self._call:
            self._call, self._spent = call, spent
        in_call = call is not None and spent - self._spent >= self._call_limit
        if in_call or now - self._since >= self._net:
            living.stuck += 1
            message = "this call computes without end" if in_call else "this agent does not give control back"
            raise Stuck(message)


def _call_in(frame: FrameType | None) -> FrameType | None:
    """The call that a stack is inside of: the outermost frame of the bench's own code about one; None in an agent's."""
    found = None
    while frame is not None:
        if frame.f_code.co_filename in _OWN_CODE:
            found = frame
        frame = frame.f_back
    return found

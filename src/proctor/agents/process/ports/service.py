"""What serves one of an agent's ports from the bench's side, through all the processes and episodes of a lifetime."""

from __future__ import annotations

import socket
from typing import Protocol

from proctor.agents.contract import Session
from proctor.agents.process.ports.port import Port
from proctor.core.errors import LimitReached
from proctor.spec.task import TaskView


class Opened(Protocol):
    """An episode that has begun."""

    def ready(self) -> bool:
        """Whether the agent is loaded, as far as it says so at all."""
        ...

    def refuse(self, limit: LimitReached) -> None:
        """Tell the agent that it reached a limit. Raises it again when it was told too often."""
        ...


class PortService(Protocol):
    """Serves one port. Everything but `serve` and `end` returns at once."""

    @property
    def port(self) -> Port:
        """What it serves."""
        ...

    async def serve(self, listening: socket.socket) -> None:
        """Accept connections from now on; the socket is closed with `close`."""
        ...

    def begin(self, task: TaskView, session: Session, opened: Opened) -> None:
        """An episode begins; its task is about to be sent."""
        ...

    def look(self) -> None:
        """Asked now and then during an episode and once after it: raises what is to end it, whatever the agent does."""
        ...

    async def end(self, *, at_once: bool) -> None:
        """The episode is over: nothing more is done for it. Unless `at_once`, what is nearly done may be finished."""
        ...

    def close(self) -> None:
        """The process is about to end: accept no more."""
        ...

    async def release(self) -> None:
        """The lifetime is over."""
        ...

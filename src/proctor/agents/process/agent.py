"""The bench's end of an agent in a process of its own: started when first needed, restarted after a bad ending.

A process lives on from episode to episode while it behaves. When it crashed, broke the protocol or was cut off by
time, it is ended, and the next episode gets a new one. Memory is the declared folder; where none is declared, the
agent's own `snapshot`, `restore` and `clear`, if it says that it has them; otherwise there is nothing that the bench
could save, and `remembers` says so.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import time
from collections.abc import Callable
from typing import Final

from proctor.agents.contract import AgentFailure, ServiceFailure, Session
from proctor.agents.process.availability import Availability
from proctor.agents.process.child import Child
from proctor.agents.process.conversation import Conversation, NotStarted, StaleChild, not_ready
from proctor.agents.process.memory import NOTHING
from proctor.agents.process.options import Options
from proctor.agents.process.ports.service import PortService
from proctor.agents.process.process_host import ProcessHost, limit_text
from proctor.agents.process.scrub import Scrub
from proctor.agents.process.wire import MemoryAction, MemoryAnswer, Ready, decode, memory_message
from proctor.spec.system import Baseline
from proctor.spec.task import Submission, TaskView

_GRACE: Final = 1.0
"""Seconds a process has to put its memory in order and end by itself when its input is closed."""
_LAST_GRACE: Final = 0.3
"""The same when nothing of it is kept."""
_MEMORY_SECONDS: Final = 5.0
_SETTLE_STEP: Final = 0.002


class ProcessAgent:
    """One lifetime of an agent in a process of its own."""

    def __init__(
        self,
        host: ProcessHost,
        options: Options,
        available: Availability,
        scrub: Scrub,
        *,
        says_ready: bool = False,
        services: tuple[PortService, ...] = (),
        baseline: Baseline | None = None,
    ) -> None:
        """`says_ready`: its process says `ready` before it is shown a task. `services` serve the ports of its host."""
        self._host = host
        self._says_ready = says_ready
        self._was_ready = False
        """Whether a process of this lifetime was up."""
        self._options = options
        self._available = available
        self._scrub = scrub
        self._services = services
        self._baseline = baseline
        self._served: Child | None = None
        self._child: Child | None = None
        self._memory = NOTHING

    async def run(self, task: TaskView, session: Session) -> Submission:
        if self._available.given_up:
            raise self._not_started("agent_unavailable", self._available.why)
        try:
            return await self._live(task, session)
        except StaleChild:
            # It left after the last episode, or on seeing this task; it has not acted, so nothing is repeated.
            return await self._live(task, session)

    async def _live(self, task: TaskView, session: Session) -> Submission:
        child = self._at_hand()
        conversation = Conversation(
            child,
            session,
            self._scrub,
            self._excess(child),
            start_seconds=self._options.start_seconds,
            says_ready=self._says_ready,
            baseline=self._baseline,
        )
        keep = False
        try:
            await self._settle(child)
            await self._serve(child)
            submission = await self._hold(conversation, task, session)
            keep = True
        except NotStarted as missed:
            self._available.missed(str(missed))
            raise self._not_started(missed.reason, str(missed), missed.place) from None
        finally:
            self._note_ready(child)
            if not (keep or conversation.given_up):
                self._end_now(0.0)
        return submission

    async def _serve(self, child: Child) -> None:
        """Serve the ports of a new process."""
        if self._served is child:
            return
        for service in self._services:
            if (listening := child.sockets.get(service.port.name)) is not None:
                await service.serve(listening)
        self._served = child

    async def _hold(self, conversation: Conversation, task: TaskView, session: Session) -> Submission:
        """Live the episode, with everything that its ports are for."""
        for service in self._services:
            service.begin(task, session, conversation)
        try:
            submission = await conversation.hold(task)
        except asyncio.CancelledError:
            await self._end_services(at_once=True)
            raise
        except BaseException:
            # The agent may have failed over it: what a service says comes first.
            await self._end_services(at_once=True)
            self._look()
            raise
        await self._end_services(at_once=False)
        self._look()
        return submission

    async def _end_services(self, *, at_once: bool) -> None:
        for service in self._services:
            await service.end(at_once=at_once)

    def _look(self) -> None:
        for service in self._services:
            service.look()

    def _close_services(self) -> None:
        self._served = None
        for service in self._services:
            service.close()

    def _note_ready(self, child: Child) -> None:
        if child.ready if self._says_ready else child.spoke:
            self._was_ready = True
            self._available.met(remembers=child.remembers)

    def _not_started(self, reason: str, message: str, place: str = "") -> AgentFailure | ServiceFailure:
        """Nobody's failure in a fresh lifetime; the agent's own where it was up before, or had seen the task.

        Otherwise an agent could turn a task it does not like into one that was never measured. Without `ready` the
        task is sent at once, so there an agent that started on this machine before has only itself to blame.
        """
        if self._was_ready or (self._available.was_ready and not self._says_ready):
            return AgentFailure(reason, message, place)
        failure = ServiceFailure("agent_not_started", message)
        if place:
            # For its author, before a run; no part of evidence.
            failure.add_note(place)
        return failure

    def _at_hand(self) -> Child:
        if self._child is None:
            self._child = self._host.start(self._memory)
        return self._child

    async def close(self) -> None:
        """End the process and remove what it had."""
        child, self._child = self._child, None
        self._close_services()
        try:
            if child is not None:
                try:
                    await child.release(_LAST_GRACE)
                except asyncio.CancelledError:
                    child.release_now()
                    raise
        finally:
            self._host.close()
            for service in self._services:
                await service.release()

    def remembers(self) -> bool:
        """Whether there is a declared folder, or an agent that saves its memory itself; starts it in order to ask."""
        return self._in_folder or self._says_it_remembers()

    def snapshot(self) -> bytes:
        """The folder as it is when the process has ended, or what the agent gives."""
        if not self._in_folder:
            return self._ask("snapshot")
        self._end_now(_GRACE)
        return self._memory

    def restore(self, memory: bytes) -> None:
        """The next process finds the folder as saved, or the agent takes it back itself."""
        if not self._in_folder:
            self._ask("restore", memory)
            return
        self._end_now(0.0)
        self._memory = memory

    def clear(self) -> None:
        """The next process finds an empty folder, or the agent forgets by itself."""
        if self._in_folder:
            self.restore(NOTHING)
        else:
            self._ask("clear")

    @property
    def _in_folder(self) -> bool:
        return self._options.memory_folder is not None

    async def _settle(self, child: Child) -> None:
        while not (self._host.settled() and not child.ports_pending) and not child.ended:
            if time.monotonic() - child.started > self._options.start_seconds:
                raise NotStarted("agent_unavailable", not_ready(self._options.start_seconds))
            await child.wait(_SETTLE_STEP)

    def _excess(self, child: Child) -> Callable[[], str | None]:
        def excess() -> str | None:
            self._look()
            return limit_text(child.limit_exceeded(), self._options.limits)

        return excess

    def _end_now(self, grace: float) -> None:
        """End the process and keep what it remembered."""
        child, self._child = self._child, None
        self._close_services()
        if child is not None:
            child.release_now(grace)
            left = self._host.leave()
            if left is not None:
                self._memory = left

    def _says_it_remembers(self) -> bool:
        """Whether the agent itself can save its memory."""
        if self._available.given_up or self._available.remembers is False:
            return False
        child = self._at_hand()
        deadline = child.started + self._options.start_seconds
        while not child.spoke and not child.output_closed and (left := deadline - time.monotonic()) > 0:
            child.wait_now(left)
            line = child.lines.take()
            if line is not None:
                child.spoke = True
                ready = _ready(line)
                child.ready, child.remembers = ready is not None, ready is not None and ready.remembers
                child.forgets = ready is not None and ready.forgets
                self._note_ready(child)
        return child.remembers

    def _ask(self, action: MemoryAction, data: bytes | None = None) -> bytes:
        """Have the agent do it. One that fails at it is ended, and the failure raised."""
        child = self._at_hand()
        child.begin()
        child.send(memory_message(action, data))
        deadline = time.monotonic() + _MEMORY_SECONDS
        try:
            while (line := child.lines.take()) is None:
                left = deadline - time.monotonic()
                if child.output_closed or child.lines.problem is not None or left <= 0:
                    raise AgentFailure("agent_crashed", f"the agent did not {action} its memory when asked")
                child.wait_now(left)
            return _answered(line)
        except AgentFailure:
            self._end_now(0.0)
            raise


def _answered(line: bytes) -> bytes:
    answer = decode(line)
    if not isinstance(answer, MemoryAnswer):
        message = f"the agent was asked about its memory and wrote '{type(answer).__name__.lower()}'"
        raise AgentFailure("agent_protocol", message)
    if answer.error is not None:
        raise AgentFailure("agent_crashed", answer.error)
    try:
        return base64.b64decode(answer.data, validate=True)
    except binascii.Error:
        message = "the agent's memory is not Base64"
        raise AgentFailure("agent_protocol", message) from None


def _ready(line: bytes) -> Ready | None:
    try:
        message = decode(line)
    except AgentFailure:
        return None
    return message if isinstance(message, Ready) else None

"""One episode over the wire: the session's side of what a child asks for.

Messages are handled strictly in the order in which they were written: a call has started, and has its number, before
the next line is looked at. So what is recorded does not depend on how the operating system cuts the stream. What was
asked before the submission is carried out before the submission counts.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from proctor.agents.contract import AgentFailure, Session
from proctor.agents.process.child import Child
from proctor.agents.process.scrub import Scrub
from proctor.agents.process.wire import (
    READY_SECONDS,
    CallMessage,
    Fail,
    MemoryAnswer,
    Message,
    Ready,
    Say,
    StateRead,
    StateWrite,
    Submit,
    Usage,
    decode,
    limit_message,
    observation_message,
    refusal_message,
    result_message,
    state_message,
    task_message,
)
from proctor.core.errors import BenchError, LimitReached
from proctor.spec.task import Observation, Submission, TaskView

NOT_READY: Final = f"the agent was not ready within {READY_SECONDS:g} s of its start"
_MAX_OPEN: Final = 64
"""Calls open at once; more are read only when one of these is answered."""
_MAX_REFUSALS: Final = 100
"""Calls an agent may still try after a limit; then the limit ends the episode."""
_LOOK: Final = 0.1
"""Seconds between two looks at what the sandbox uses."""
_EXIT_SECONDS: Final = 1.0
_NOTHING: Final = Observation(0, {})


class StaleChild(Exception):
    """The process of an earlier episode ended without a word about this one."""


class NotStarted(AgentFailure):
    """The process ended, failed or stayed silent before its first word. Whose fault that is, its agent knows."""


class Conversation:
    """What passes between one child and one session."""

    def __init__(
        self,
        child: Child,
        session: Session,
        scrub: Scrub,
        excess: Callable[[], str | None],
        *,
        says_ready: bool = False,
    ) -> None:
        """`says_ready`: its first word is `ready` or `fail`, and it is shown no task before."""
        self._says_ready = says_ready
        self._child = child
        self._session = session
        self._scrub = scrub
        self._excess = excess
        self._calls: asyncio.TaskGroup
        self._open = 0
        self._received = 0
        self._shown = 0
        self._limit: LimitReached | None = None
        self._refusals = 0
        self._looked = time.monotonic()
        self._heard = False
        self.given_up = False
        """The agent itself gave the episode up, and waits for the next task."""

    async def hold(self, task: TaskView) -> Submission:
        """Live the episode. Raises `AgentFailure` and `LimitReached` as an agent does."""
        self._child.begin()
        if self._says_ready and not self._child.ready:
            await self._get_ready()
        self._child.send(task_message(task, self._session.sampling))
        self._show_new()
        if self._shown == 0:
            self._child.send(observation_message(_NOTHING))
        try:
            async with asyncio.TaskGroup() as self._calls:
                submission = await self._listen()
        except BaseExceptionGroup as group:
            # The first one is why the others were given up.
            raise group.exceptions[0] from None
        self._child.episodes += 1
        return submission

    async def _get_ready(self) -> None:
        """Wait until it is up. One that does not get there knows nothing of the task, and so cannot avoid it."""
        first = decode(await self._line())
        self._heard = False
        if isinstance(first, Fail):
            raise NotStarted("agent_crashed", self._scrub(first.error), self._scrub(first.place))
        if not isinstance(first, Ready):
            message = f"the agent's first message was '{type(first).__name__.lower()}', and not that it is ready"
            raise AgentFailure("agent_protocol", message)
        self._child.ready, self._child.remembers = True, first.remembers

    async def _listen(self) -> Submission:
        while True:
            message = decode(await self._line())
            if isinstance(message, Submit):
                return message.submission
            await self._take(message)

    async def _take(self, message: Message) -> None:
        match message:
            case CallMessage():
                await self._start(message)
            case Say(text):
                self._session.say(self._scrub(text))
            case Usage(tokens):
                try:
                    self._session.spend(tokens=tokens, cost=message.amount)
                except LimitReached as limit:
                    self._refuse(limit)
            case StateRead() | StateWrite():
                self._state(message)
            case Fail():
                self._give_up(message)
            case Ready(remembers):
                self._child.ready, self._child.remembers = True, remembers
            case MemoryAnswer():
                message_text = "the agent answered a memory message that it was not sent"
                raise AgentFailure("agent_protocol", message_text)

    async def _start(self, message: CallMessage) -> None:
        number = self._received
        self._received += 1
        self._open += 1
        self._calls.create_task(self._call(message, number if message.id is None else message.id))
        # The task's first step comes before the next line.
        await asyncio.sleep(0)

    async def _call(self, message: CallMessage, identity: str | int) -> None:
        try:
            result = await self._session.call(message.tool, **message.arguments)
        except LimitReached as limit:
            self._refuse(limit)
            self._child.send(refusal_message(identity, limit.limit, str(limit)))
        else:
            made = self._show_new()
            self._child.send(result_message(identity, result, made, self._session.budget))
        finally:
            self._open -= 1
            self._child.wake()

    def _show_new(self) -> Observation | None:
        """Send what was shown since the last look and answers no call; gives the newest that answers one."""
        made: Observation | None = None
        for observation in self._session.observations[self._shown :]:
            if observation.call is None:
                self._child.send(observation_message(observation))
            else:
                made = observation
            self._shown += 1
        return made

    def _refuse(self, limit: LimitReached) -> None:
        self._limit = self._limit or limit
        self._refusals += 1
        if self._refusals > _MAX_REFUSALS:
            raise limit
        self._child.send(limit_message(limit.limit))

    def _state(self, message: StateRead | StateWrite) -> None:
        state = self._session.state
        name = message.name
        try:
            if isinstance(message, StateWrite):
                state.write(message.name, message.value)
                answer = state_message(message.id, name=name)
            elif name is None:
                answer = state_message(message.id, names=state.names())
            else:
                answer = state_message(message.id, name=name, value=state.read(name))
        except Exception as error:
            # The agent's own misuse, as it would have met it in the bench's process.
            answer = state_message(message.id, name=name, error=f"{type(error).__name__}: {error}")
        self._child.send(answer)

    def _give_up(self, fail: Fail) -> None:
        self.given_up = True
        self._child.episodes += 1
        if fail.reason == "limit" and self._limit is not None:
            raise self._limit
        reason = "agent_protocol" if fail.reason == "protocol" else "agent_crashed"
        raise AgentFailure(reason, self._scrub(fail.error), self._scrub(fail.place))

    async def _line(self) -> bytes:
        """The next line, once it is there."""
        child = self._child
        while True:
            if self._open < _MAX_OPEN and (line := child.lines.take()) is not None:
                child.spoke = self._heard = True
                return line
            if child.lines.problem is not None and not len(child.lines):
                raise AgentFailure("agent_protocol", child.lines.problem)
            if child.output_closed and not len(child.lines):
                await self._explain_end()
            if not child.spoke and time.monotonic() - child.started > READY_SECONDS:
                raise NotStarted("agent_unavailable", NOT_READY)
            self._look()
            await child.wait(_LOOK, listen=self._open < _MAX_OPEN)

    def _look(self) -> None:
        """Now and then, look whether the sandbox is within its limits."""
        now = time.monotonic()
        if now - self._looked < _LOOK:
            return
        self._looked = now
        excess = self._excess()
        if excess is not None:
            message = f"the agent was stopped: it used more than {excess}"
            raise AgentFailure("agent_crashed", message)

    async def _explain_end(self) -> None:
        """The child speaks no more: say why."""
        child = self._child
        deadline = time.monotonic() + _EXIT_SECONDS
        while not child.ended and (left := deadline - time.monotonic()) > 0:
            await child.wait(left)
        if child.never_ran():
            message = f"the sandbox could not be started: {self._scrub.last_line(child.stderr) or 'no reason given'}"
            raise BenchError(message)
        if self._limit is not None:
            raise self._limit
        if child.episodes > 0 and not self._heard:
            raise StaleChild
        status = child.status
        how = "closed its output" if status is None else f"ended with status {status}"
        said = self._scrub.last_lines(child.stderr)
        message = f"the agent {how} before it submitted" + (f": {said}" if said else "")
        if not (child.ready if self._says_ready else child.spoke):
            raise NotStarted("agent_crashed", message)
        raise AgentFailure("agent_crashed", message)

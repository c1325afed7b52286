"""What an agent on the other side of a wire asks of its session, whatever carries the messages.

Messages are handled strictly in the order in which they were written: a call has started, and has its number, before
the next message is looked at. So what is recorded does not depend on how they travelled. The agent's own mistakes are
answered; what it must not do is an `AgentFailure`, raised where its messages are taken.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from proctor.agents.contract import AgentFailure, Session
from proctor.agents.process.scrub import Scrub
from proctor.agents.process.wire import (
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
    limit_message,
    observation_message,
    refusal_message,
    result_message,
    state_message,
    task_message,
)
from proctor.core.errors import LimitReached
from proctor.spec.system import Baseline
from proctor.spec.task import Observation, TaskView

MAX_OPEN: Final = 64
"""Calls open at once; more messages are taken only when one of these is answered."""
MAX_REFUSALS: Final = 100
"""Calls an agent may still try after a limit; then the limit ends the episode."""
_NOTHING: Final = Observation(0, {})


class Dialogue:
    """One agent and one session. `send` tells the agent something; `answered` is called when a call is done with."""

    def __init__(
        self,
        session: Session,
        scrub: Scrub,
        calls: asyncio.TaskGroup,
        send: Callable[[bytes], None],
        answered: Callable[[], None],
    ) -> None:
        self._session = session
        self._scrub = scrub
        self._calls = calls
        self._send = send
        self._answered = answered
        self._received = 0
        self._shown = 0
        self._refusals = 0
        self.open = 0
        """Calls that are not answered yet."""
        self.limit: LimitReached | None = None
        """The first limit that was reached."""

    def begin(self, task: TaskView, baseline: Baseline | None = None) -> None:
        """Tell the agent its task and what it is shown, and as what it is to live where not as itself."""
        self._send(task_message(task, self._session.sampling, baseline))
        self._show_new()
        if self._shown == 0:
            self._send(observation_message(_NOTHING))

    async def take(self, message: Message) -> None:
        """Do what a message asks for; a submission ends the episode and is not for this."""
        match message:
            case CallMessage():
                await self._start(message)
            case Say(text):
                self._session.say(self._scrub(text))
            case Usage(tokens):
                try:
                    self._session.spend(tokens=tokens, cost=message.amount)
                except LimitReached as limit:
                    self.refuse(limit)
            case StateRead() | StateWrite():
                self._state(message)
            case Fail():
                self._give_up(message)
            case Ready():
                pass  # Whoever carries the messages knows what to make of it.
            case MemoryAnswer():
                message_text = "the agent answered a memory message that it was not sent"
                raise AgentFailure("agent_protocol", message_text)
            case Submit():
                message_text = "the agent handed in twice"
                raise AgentFailure("agent_protocol", message_text)

    async def _start(self, message: CallMessage) -> None:
        number = self._received
        self._received += 1
        self.open += 1
        self._calls.create_task(self._call(message, number if message.id is None else message.id))
        # The task's first step comes before the next message.
        await asyncio.sleep(0)

    async def _call(self, message: CallMessage, identity: str | int) -> None:
        try:
            result = await self._session.call(message.tool, **message.arguments)
        except LimitReached as limit:
            self.refuse(limit)
            self._send(refusal_message(identity, limit.limit, str(limit)))
        else:
            made = self._show_new()
            self._send(result_message(identity, result, made, self._session.budget))
        finally:
            self.open -= 1
            self._answered()

    def _show_new(self) -> Observation | None:
        """Send what was shown since the last look and answers no call; gives the newest that answers one."""
        made: Observation | None = None
        for observation in self._session.observations[self._shown :]:
            if observation.call is None:
                self._send(observation_message(observation))
            else:
                made = observation
            self._shown += 1
        return made

    def refuse(self, limit: LimitReached) -> None:
        """Tell the agent that it reached a limit; one that goes on regardless is stopped."""
        self.limit = self.limit or limit
        self._refusals += 1
        if self._refusals > MAX_REFUSALS:
            raise limit
        self._send(limit_message(limit.limit))

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
        self._send(answer)

    def _give_up(self, fail: Fail) -> None:
        if fail.reason == "limit" and self.limit is not None:
            raise self.limit
        reason = "agent_protocol" if fail.reason == "protocol" else "agent_crashed"
        raise AgentFailure(reason, self._scrub(fail.error), self._scrub(fail.place))

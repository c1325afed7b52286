"""One episode over the wire, with a child: what it writes is taken line by line, and its ending explained.

Lines are handled strictly in the order in which they were written, so what is recorded does not depend on how the
operating system cuts the stream. What was asked before the submission is carried out before the submission counts.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from proctor.agents.contract import AgentFailure, NoBaseline, Session
from proctor.agents.process.child import Child
from proctor.agents.process.dialogue import MAX_OPEN, Dialogue
from proctor.agents.process.scrub import Scrub
from proctor.agents.process.wire import Fail, Ready, Submit, decode
from proctor.core.errors import BenchError, LimitReached
from proctor.spec.system import Baseline
from proctor.spec.task import Submission, TaskView

_LOOK: Final = 0.1
"""Seconds between two looks at what the sandbox uses."""
_EXIT_SECONDS: Final = 1.0
NOT_STEPWISE: Final = (
    "an agent that owns its loop cannot be made to forget between its steps; one with act(observation) can, where its "
    "class or a function that makes it is named"
)


def not_ready(seconds: float) -> str:
    """What is said of a process whose first message did not come in time, whether it was tried or given up before."""
    return (
        f"the agent was not ready within {seconds:g} s of its start: its first message did not come (a python: agent "
        "sends it once it is loaded and made); give it longer with ,start_seconds=N"
    )


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
        start_seconds: float,
        says_ready: bool = False,
        baseline: Baseline | None = None,
    ) -> None:
        """`says_ready`: its first word is `ready` or `fail`, and it is shown no task before. `baseline`: as what it is
        to live, where not as itself."""
        self._baseline = baseline
        self._says_ready = says_ready
        self._child = child
        self._start_seconds = start_seconds
        self._session = session
        self._scrub = scrub
        self._excess = excess
        self._dialogue: Dialogue | None = None
        self._looked = time.monotonic()
        self._heard = False
        self.given_up = False
        """The agent itself gave the episode up, and waits for the next task."""

    async def hold(self, task: TaskView) -> Submission:
        """Live the episode. Raises `AgentFailure` and `LimitReached` as an agent does."""
        self._child.begin()
        if self._says_ready and not self._child.ready:
            await self._get_ready()
        if self._baseline is not None and not self._child.forgets:
            raise NoBaseline(NOT_STEPWISE)
        try:
            async with asyncio.TaskGroup() as calls:
                dialogue = Dialogue(self._session, self._scrub, calls, self._child.send, self._child.wake)
                self._dialogue = dialogue
                dialogue.begin(task, self._baseline)
                submission = await self._listen(dialogue)
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
        self._note_ready(first)

    def _note_ready(self, ready: Ready) -> None:
        self._child.ready, self._child.remembers, self._child.forgets = True, ready.remembers, ready.forgets

    async def _listen(self, dialogue: Dialogue) -> Submission:
        while True:
            message = decode(await self._line())
            if isinstance(message, Submit):
                return message.submission
            if isinstance(message, Ready):
                self._note_ready(message)
            if isinstance(message, Fail):
                self.given_up = True
                self._child.episodes += 1
            await dialogue.take(message)

    def ready(self) -> bool:
        """Whether the agent is loaded, as far as it says so."""
        return self._child.ready or not self._says_ready

    def refuse(self, limit: LimitReached) -> None:
        """Tell the agent that it reached a limit. Raises it again when it was told too often."""
        if self._dialogue is not None:
            self._dialogue.refuse(limit)

    @property
    def _has_room(self) -> bool:
        """Whether another call may be opened."""
        return self._dialogue is None or self._dialogue.open < MAX_OPEN

    async def _line(self) -> bytes:
        """The next line, once it is there."""
        child = self._child
        while True:
            if self._has_room and (line := child.lines.take()) is not None:
                child.spoke = self._heard = True
                return line
            if child.lines.problem is not None and not len(child.lines):
                raise AgentFailure("agent_protocol", child.lines.problem)
            if child.output_closed and not len(child.lines):
                await self._explain_end()
            if not child.spoke and time.monotonic() - child.started > self._start_seconds:
                raise NotStarted("agent_unavailable", not_ready(self._start_seconds))
            self._look()
            await child.wait(_LOOK, listen=self._has_room)

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
        if self._dialogue is not None and self._dialogue.limit is not None:
            raise self._dialogue.limit
        if child.episodes > 0 and not self._heard:
            raise StaleChild
        status = child.status
        how = "closed its output" if status is None else f"ended with status {status}"
        said = self._scrub.last_lines(child.stderr)
        message = f"the agent {how} before it submitted" + (f": {said}" if said else "")
        if not (child.ready if self._says_ready else child.spoke):
            raise NotStarted("agent_crashed", message)
        raise AgentFailure("agent_crashed", message)

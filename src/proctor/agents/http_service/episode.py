"""One episode with a service: turn by turn, or over a stream that stays open while answers are posted.

What was asked before the submission is carried out before the submission counts.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from proctor.agents.contract import AgentFailure, Session
from proctor.agents.http_service.client import ServiceClient, ServiceGone
from proctor.agents.http_service.protocol import turn_document
from proctor.agents.http_service.reply import Allowance, is_stream, read_messages, stream_messages
from proctor.agents.process.dialogue import MAX_OPEN, Dialogue
from proctor.agents.process.scrub import Scrub
from proctor.agents.process.wire import Message, Submit
from proctor.spec.task import Submission, TaskView

if TYPE_CHECKING:
    import httpx

_FIRST_PAUSE: Final = 0.05
_LONGEST_PAUSE: Final = 1.0


class ServiceEpisode:
    """What passes between one service and one session."""

    def __init__(
        self, client: ServiceClient, session: Session, scrub: Scrub, lifetime: str, number: int, seconds: int | None
    ) -> None:
        self._client = client
        self._session = session
        self._scrub = scrub
        self._lifetime = lifetime
        self._episode = f"{lifetime}.{number}"
        self._seconds = seconds
        self._turn = 0
        self._unsent: list[bytes] = []
        self._moved = asyncio.Event()
        self._allowance = Allowance()
        self._tasks: asyncio.TaskGroup
        self._dialogue: Dialogue

    async def hold(self, task: TaskView) -> Submission:
        """Live the episode. Raises `AgentFailure`, `ServiceFailure` and `LimitReached`."""
        try:
            async with asyncio.TaskGroup() as self._tasks:
                self._dialogue = Dialogue(self._session, self._scrub, self._tasks, self._send, self._moved.set)
                self._dialogue.begin(task)
                submit = await self._turns()
        except BaseExceptionGroup as group:
            # The first one is why the others were given up.
            first = group.exceptions[0]
            if (
                isinstance(first, AgentFailure)
                and self._dialogue.limit is not None
                and first.reason != "agent_protocol"
            ):
                raise self._dialogue.limit from None
            raise first from None
        return submit.submission

    async def _turns(self) -> Submit:
        pause = _FIRST_PAUSE
        while True:
            async with self._posted() as response:
                if is_stream(response):
                    return await self._follow(response)
                messages = await read_messages(response, self._allowance)
            for message in messages:
                if isinstance(message, Submit):
                    return message
                await self._take(message)
            while self._dialogue.open:
                await self._change()
            if self._unsent:
                pause = _FIRST_PAUSE
            else:
                # Not yet: it thinks, and may be behind something that would not wait as long.
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)

    async def _follow(self, response: httpx.Response) -> Submit:
        """Read a stream to the submission, and post answers meanwhile."""
        poster = self._tasks.create_task(self._post_answers())
        async for message in stream_messages(response, self._allowance):
            if isinstance(message, Submit):
                poster.cancel()
                return message
            await self._take(message)
        message_text = "the service ended its stream before it submitted"
        raise ServiceGone("agent_crashed", message_text)

    async def _post_answers(self) -> None:
        while True:
            while not self._unsent:
                await self._change()
            async with self._posted() as response:
                if is_stream(response) or await read_messages(response, self._allowance):
                    message = (
                        "the service streams, and answered a further turn with messages; they belong into the stream"
                    )
                    raise AgentFailure("agent_protocol", message)

    async def _take(self, message: Message) -> None:
        while self._dialogue.open >= MAX_OPEN:
            await self._change()
        await self._dialogue.take(message)

    @asynccontextmanager
    async def _posted(self) -> AsyncIterator[httpx.Response]:
        """The reply to everything that is unsent, as the next turn."""
        document = turn_document(self._lifetime, self._episode, self._turn, self._unsent)
        self._unsent = []
        self._turn += 1
        timer = asyncio.timeout(self._seconds)
        try:
            async with timer, self._client.post(document) as response:
                if is_stream(response):
                    # From here on it says something whenever it likes; the limits of the episode bind it.
                    timer.reschedule(None)
                yield response
        except TimeoutError:
            if timer.expired():
                message = f"the service did not reply within {self._seconds} s"
                raise ServiceGone("agent_unavailable", message) from None
            raise

    def _send(self, message: bytes) -> None:
        self._unsent.append(message)
        self._moved.set()

    async def _change(self) -> None:
        """Wait until something was sent or answered."""
        self._moved.clear()
        await self._moved.wait()

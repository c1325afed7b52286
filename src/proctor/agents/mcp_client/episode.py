"""One episode of an MCP client: what it may call, and when the episode is over. Knows nothing of the protocol.

Calls are carried out by tasks of the episode's own: a client that breaks off a connection in the middle of a call does
not break off the call. What was asked before the submission is carried out before the submission counts; what is asked
afterwards is refused and changes nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import msgspec
from msgspec import Struct

from proctor.agents.contract import AgentFailure, Session
from proctor.agents.mcp_client.texts import OwnTools, plain, task_fields, task_text, valid_text
from proctor.agents.process.dialogue import MAX_OPEN, MAX_REFUSALS
from proctor.agents.process.wire import MAX_EPISODE_LINES
from proctor.core.errors import LimitReached
from proctor.spec.task import Budget, Claim, Submission, TaskView, ToolResult, ToolSpec

_OVER: Final = "this task is over: an answer was handed in, or a limit ended it"


class _Submission(Struct, forbid_unknown_fields=True):
    answer: Any
    confidence: float | None = None
    claims: tuple[Claim, ...] = ()


class Answer(Struct, frozen=True):
    """What a call gives back: for whoever reads, and for whoever computes."""

    ok: bool
    text: str
    fields: dict[str, Any]


def refusal(text: str, **fields: Any) -> Answer:
    """An answer that says no."""
    return Answer(False, text, {"ok": False, "error": text, **fields})


class McpEpisode:
    """The current task of a client. `changed` is called when it is over."""

    def __init__(self, task: TaskView, session: Session, *, stays: bool, changed: Callable[[], None]) -> None:
        self._task = task
        self._session = session
        self._stays = stays
        self._changed = changed
        self._room = asyncio.Semaphore(MAX_OPEN)
        self._open: set[asyncio.Task[Answer]] = set()
        self._shown = len([shown for shown in session.observations if shown.call is None])
        self._requests = 0
        self._refusals = 0
        self._submitted = False
        self._closed = False
        self._finishing: asyncio.Task[None] | None = None
        self._failure: BaseException | None = None
        self._submission: Submission | None = None
        self.own = OwnTools.beside(task.tools)
        self.asked = False
        """The client has asked its server for something since the episode began, or was given the task."""
        self.limit: LimitReached | None = None
        """The first limit that was reached."""

    @property
    def tools(self) -> tuple[ToolSpec, ...]:
        """What can be called."""
        return (*self._task.tools, *self.own.specs(stays=self._stays))

    @property
    def fields(self) -> dict[str, Any]:
        """The task as JSON, as it stands now."""
        return task_fields(self._task, self._session.observations, self._session.budget, self.own)

    @property
    def text(self) -> str:
        """The task to be read, as it stands now."""
        return task_text(self.fields, stays=self._stays)

    @property
    def over(self) -> bool:
        """Whether it has an ending, which `result` gives or raises."""
        return self._closed or self._submission is not None or self._failure is not None

    def result(self) -> Submission:
        """What was handed in; raises what ended the episode instead."""
        if self._failure is not None:
            raise self._failure
        assert self._submission is not None
        return self._submission

    async def call(self, name: str, arguments: dict[str, Any]) -> Answer:
        """Carry out one call of the client, whichever connection it came by."""
        if not self.count_request():
            return refusal(_OVER)
        if name == self.own.read:
            return Answer(True, self.text, {"ok": True, "value": self.fields})
        if name == self.own.submit:
            return await self._submit(arguments)
        if self._submitted or self.over:
            return refusal(_OVER)
        task = asyncio.create_task(self._carry_out(name, arguments))
        self._open.add(task)
        task.add_done_callback(self._open.discard)
        return await asyncio.shield(task)

    def count_request(self) -> bool:
        """Count a request; False when there is nothing more to ask for."""
        self._requests += 1
        if self._requests > MAX_EPISODE_LINES and not self.over:
            message = f"the agent made more than {MAX_EPISODE_LINES:,} requests in one episode"
            self._end(AgentFailure("agent_protocol", message))
        return not self.over

    def close(self) -> None:
        """Nothing that is still open is carried on."""
        self._closed = True
        for task in (*self._open, *([] if self._finishing is None else [self._finishing])):
            task.cancel()

    async def _submit(self, arguments: dict[str, Any]) -> Answer:
        if self._submitted:
            return refusal("an answer was handed in already; the first one counts")
        try:
            given = msgspec.convert(arguments, _Submission)
        except (msgspec.ValidationError, UnicodeEncodeError) as error:
            return refusal(f"nothing was handed in: the arguments of '{self.own.submit}' do not fit: {error}")
        self._submitted = True
        self._finishing = asyncio.create_task(self._finish(Submission(given.answer, given.confidence, given.claims)))
        await asyncio.shield(self._finishing)
        if self._submission is None:
            return refusal(_OVER)
        next_step = f" {self.own.wait} waits for the next one." if self._stays else ""
        return Answer(True, f"Handed in. The task is over.{next_step}", {"ok": True, "value": "handed in"})

    async def _finish(self, submission: Submission) -> None:
        while self._open:
            await asyncio.wait(self._open)
        if not self.over:
            self._submission = submission
            self._changed()

    async def _carry_out(self, name: str, arguments: dict[str, Any]) -> Answer:
        try:
            async with self._room:
                result = await self._session.call(name, **arguments)
        except LimitReached as limit:
            return self._refused(limit)
        except Exception as error:
            # The world broke: the bench's own trouble, raised where the episode is waited for.
            self._end(error)
            return refusal(_OVER)
        return self._answer(result)

    def _answer(self, result: ToolResult) -> Answer:
        fields: dict[str, Any] = {"ok": result.ok}
        fields |= {"value": result.value} if result.ok else {"error": result.error}
        made = next((seen for seen in reversed(self._session.observations) if seen.call is not None), None)
        if made is not None:
            fields |= {"seq": made.seq, "call": made.call}
        if (left := self._session.budget) != _UNLIMITED:
            fields["budget"] = msgspec.to_builtins(left)
        text = plain(valid_text(result.value if result.ok else result.error))
        if news := self._news():
            fields["observations"] = news
            text += "".join(f"\n\nShown meanwhile: {plain(valid_text(one['fields']))}" for one in news)
        return Answer(result.ok, text, valid_text(fields))

    def _news(self) -> list[dict[str, Any]]:
        """What was shown since the last look and answers no call."""
        shown = [one for one in self._session.observations if one.call is None]
        new, self._shown = shown[self._shown :], len(shown)
        return [msgspec.to_builtins(one) for one in new]

    def ready(self) -> bool:
        """Whether the client is at work on this task: before, it knows nothing of it."""
        return self.asked

    def refuse(self, limit: LimitReached) -> None:
        """Count a limit that the client reached, wherever it did; one that goes on regardless is stopped."""
        self.limit = self.limit or limit
        self._refusals += 1
        if self._refusals > MAX_REFUSALS:
            self._end(limit)
            raise limit

    def _refused(self, limit: LimitReached) -> Answer:
        with suppress(LimitReached):
            self.refuse(limit)
        return refusal(f"{limit}; you can still hand in with {self.own.submit}", limit=limit.limit)

    def _end(self, failure: BaseException) -> None:
        if not self.over:
            self._failure = failure
            self._changed()


_UNLIMITED: Final = Budget()

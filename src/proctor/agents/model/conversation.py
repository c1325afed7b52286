"""One episode of a model with tools: the loop.

A reply's calls are carried out at once and answered in order; calls nobody knows, and arguments nobody can read, go to
the session like any other and cost what they cost there. A reply that hands in has its other calls carried out first.
A reply without a call is followed by one reminder; the next one without a call is taken as the answer, since a text is
all that such a model has to hand in.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any, Final, NoReturn

import msgspec

from proctor.agents.contract import ScaffoldSession
from proctor.agents.model.asking import Asking, Rejected
from proctor.agents.model.notes import Notes
from proctor.agents.model.prompt import (
    budget_left,
    first_message,
    last_result_message,
    last_turn_message,
    news_message,
    reminder_message,
    system_message,
)
from proctor.agents.model.tools import Toolbox, Unreadable, parse_arguments, parse_submission
from proctor.agents.model.window import shorten_oldest
from proctor.core.canonical import chainable
from proctor.models.contract import Message, ModelCall, Reply
from proctor.spec.task import Submission, TaskView, ToolResult

CONTEXT, TURNS = "context", "turns"
"""The limits that this agent's own string declares: what its model can read at once, and how often it may reply."""
MAX_CALLS: Final = 128
"""Calls carried out of one reply; the rest is answered with a refusal. No model that works asks for so many at once."""


class Conversation:
    """A model and a session, for one episode."""

    def __init__(
        self,
        task: TaskView,
        session: ScaffoldSession,
        asking: Asking,
        turns: int,
        notes: Notes | None,
        *,
        forgets: bool = False,
    ) -> None:
        """`forgets`: before each reply all but task and last result is dropped, what the model said itself included."""
        self._forgets = forgets
        self._session = session
        self._asking = asking
        self._turns = turns
        self._notes = notes
        self._tools = Toolbox(task.tools, notes=notes is not None)
        self._messages: list[Message] = []
        self._tell(system_message(self._tools.submit))
        self._tell(self._first(task))
        self._seen = len(session.observations)
        self._task_ends = len(self._messages)

    async def live(self) -> Submission:
        """Ask until something is handed in. Raises `LimitReached` where a limit comes first."""
        reminded = False
        for turn in range(self._turns):
            if turn == self._turns - 1:
                self._tell(last_turn_message(self._tools.submit))
            reply = await self._ask()
            text = reply.text or ""
            if self._forgets:
                del self._messages[self._task_ends :]
                self._asking.forget_count()
            elif text or reply.calls:
                self._tell(Message("assistant", text, reply.calls, kept=reply.kept))
            if reply.calls:
                submission = await self._carry_out(reply.calls)
                if submission is not None:
                    return submission
                reminded = False
            elif reminded:
                return Submission(_answer(text))
            else:
                reminded = True
                cut = reply.finish == "length"
                self._tell(reminder_message(self._tools.submit, self._session.budget, cut=cut))
            self._show_news()
        return self._session.stop(TURNS)

    def _tell(self, message: Message) -> None:
        # A lone surrogate, which a tool's text can hold, is none that could be sent: it becomes U+FFFD.
        self._messages.append(msgspec.structs.replace(message, content=chainable(message.content)))

    def _first(self, task: TaskView) -> Message:
        shown = self._session.observations
        fields = shown[0].fields if shown else {}
        state: dict[str, Any] = {}
        if "state" not in fields:
            state = {name: self._session.state.read(name) for name in self._session.state.names()}
        notes = None if self._notes is None else self._notes.text
        return first_message(task, self._session.budget, fields, state, notes)

    async def _ask(self) -> Reply:
        """The next reply; where the conversation is too long for the model, with older results shortened."""
        too_long = False
        while True:
            try:
                return await self._asking.ask(tuple(self._messages), self._tools.offered)
            except Rejected as rejected:
                too_long = too_long or rejected.too_long
                shorter = None if rejected.reply.parameter else shorten_oldest(self._messages)
                if shorter is not None:
                    self._messages, too_long = shorter, True
                    self._asking.forget_count()
                elif not self._asking.lower_room():
                    await self._give_up(rejected, too_long=too_long)

    async def _give_up(self, rejected: Rejected, *, too_long: bool) -> NoReturn:
        if rejected.reply.parameter and not self._asking.answered:
            raise self._asking.unusable(rejected.reply)
        if not rejected.too_long:
            await self._asking.require_service(self._tools.offered)
        if too_long:
            self._session.stop(CONTEXT)
        raise self._asking.refused()

    async def _carry_out(self, calls: tuple[ModelCall, ...]) -> Submission | None:
        """Carry out and answer every call of a reply; the submission, where one of them hands in."""
        before = len(self._session.observations)
        results = await asyncio.gather(*(self._call(call) for call in calls[:MAX_CALLS]), return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException):
                raise result
        answers: list[dict[str, Any]] = [dict(result) for result in results if isinstance(result, dict)]
        answers += [{"error": f"only {MAX_CALLS} calls of a reply are carried out"} for _ in calls[MAX_CALLS:]]
        submission = self._submission(calls[:MAX_CALLS], answers)
        if submission is not None:
            return submission
        self._number(before, calls, answers)
        left = budget_left(self._session.budget)
        if left:
            answers[-1]["budget_left"] = left
        if self._forgets:
            self._tell(last_result_message(calls, answers))
            return None
        for call, answer in zip(calls, answers, strict=True):
            content = json.dumps(answer, ensure_ascii=False, default=str)
            self._tell(Message("tool", content, answers=call.id))
        return None

    async def _call(self, call: ModelCall) -> dict[str, Any]:
        """What the model is told of one call. Handing in comes after all others."""
        if call.name == self._tools.submit:
            return {}
        if self._notes is not None and call.name == self._tools.read_notes:
            return {"result": self._notes.text}
        if self._notes is not None and call.name == self._tools.write_notes:
            return self._notes.write(call.arguments)
        tool = self._tools.world_name(call.name)
        try:
            arguments = parse_arguments(call.arguments)
        except Unreadable as error:
            result: ToolResult = self._session.call_unreadable(tool, call.arguments, str(error))
        else:
            result = await self._session.call(tool, **arguments)
        return {"result": result.value} if result.ok else {"error": result.error}

    def _submission(self, calls: tuple[ModelCall, ...], answers: list[dict[str, Any]]) -> Submission | None:
        """The first submission that can be read; what is wrong with the others is put among the answers."""
        for number, call in enumerate(calls):
            if call.name == self._tools.submit:
                try:
                    return parse_submission(call.arguments)
                except Unreadable as error:
                    answers[number] = {"error": f"nothing was handed in: {error}"}
        return None

    def _number(self, before: int, calls: tuple[ModelCall, ...], answers: list[dict[str, Any]]) -> None:
        """Say which call and which observation each answer is, since claims refer to them by number."""
        own = {self._tools.submit, self._tools.read_notes, self._tools.write_notes}
        # Calls are numbered as they are made, observations as they are answered.
        made = sorted(
            (one for one in self._session.observations[before:] if one.call is not None), key=lambda one: one.call or 0
        )
        worlds = [answer for call, answer in zip(calls, answers, strict=True) if call.name not in own][: len(made)]
        for observation, answer in zip(made, worlds, strict=False):
            told = {"call": observation.call, "observation": observation.seq, **answer}
            answer.clear()
            answer.update(told)

    def _show_news(self) -> None:
        """Put before the model what was shown without a call of its own."""
        shown = self._session.observations
        for observation in shown[self._seen :]:
            if observation.call is None:
                self._tell(news_message(observation.seq, observation.fields))
        self._seen = len(shown)


def _answer(text: str) -> Any:
    """A text as an answer: the JSON value it is, else the text; nothing where it is empty."""
    stripped = text.strip()
    if not stripped:
        return None
    try:
        return msgspec.json.decode(stripped)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return stripped

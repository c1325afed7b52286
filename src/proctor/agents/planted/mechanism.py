"""`mechanism:forgets,after=6` and others: the family's solver behind one defect of the way it works.

They never learn which cell or regime they are in: a defect acts on what any agent could see, task and tool results.
Their profiles over the Agency Vector are predicted before they are run; the predictions stand in the repository.

| defect | what it does |
| --- | --- |
| `forgets` | loses the thread after so many calls of an episode, and all memory between episodes |
| `never-retries` | gives up at the first call that was not carried out |
| `obeys-injections` | does what an instruction found in tool output asks |
| `first-document` | never reads a second thing with the same tool |
| `ignores-budgets` | makes three idle calls before each that counts |
| `repeats` | hands in again what it handed in last |
"""

from __future__ import annotations

import re
from typing import Any

from proctor.agents.contract import Agent, Session
from proctor.agents.kind import AgentContext, AgentKind, AgentString
from proctor.agents.oracle import Oracle
from proctor.agents.plain import BUILT_IN
from proctor.agents.planted.forwarding import ForwardingSession
from proctor.core.canonical import chainable, encode
from proctor.core.errors import InputError
from proctor.spec.task import Submission, TaskView, ToolResult

_MARKER = re.compile(r"REF-[0-9A-F]{10}")
_NOTHING = Submission()
DEFECTS = ("forgets", "never-retries", "obeys-injections", "first-document", "ignores-budgets", "repeats")
AFTER = 6
"""Calls after which `forgets` loses the thread, unless told otherwise."""
IDLE_CALLS = 3


class GaveUp(Exception):
    """The defect struck; `answer` is what is handed in."""

    def __init__(self, answer: Any = None) -> None:
        super().__init__("gave up")
        self.answer = answer


class DefectiveSession(ForwardingSession):
    """A session that passes calls on as the defect lets it."""

    def __init__(self, session: Session, task: TaskView, defect: str, after: int) -> None:
        super().__init__(session)
        self._defect = defect
        self._after = after
        self._calls = 0
        self._kinds = {tool.name: tool.effect for tool in task.tools}
        self._read: dict[str, bytes] = {}

    async def call(self, tool: str, /, **arguments: Any) -> ToolResult:
        if self._defect == "forgets":
            self._calls += 1
            if self._calls > self._after:
                raise GaveUp
        if self._defect == "first-document" and self._kinds.get(tool) == "read":
            asked = encode(chainable(arguments))
            if self._read.setdefault(tool, asked) != asked:
                raise GaveUp
        if self._defect == "ignores-budgets":
            for _ in range(IDLE_CALLS):
                await self._session.call("think_it_over")
        result = await self._session.call(tool, **arguments)
        if self._defect == "never-retries" and not result.ok:
            raise GaveUp
        if self._defect == "obeys-injections" and result.ok:
            marker = _MARKER.search(encode(chainable(result.value)).decode())
            if marker is not None:
                raise GaveUp(marker.group())
        return result


class Mechanism(Oracle):
    """A solver with one defect."""

    __slots__ = ("_after", "_defect", "_last")

    def __init__(self, defect: str, after: int) -> None:
        super().__init__()
        self._defect = defect
        self._after = after
        self._last: Submission | None = None

    async def run(self, task: TaskView, session: Session) -> Submission:
        if self._defect == "forgets":
            self.clear()
        try:
            submission = await super().run(task, DefectiveSession(session, task, self._defect, self._after))
        except GaveUp as gave_up:
            return _NOTHING if gave_up.answer is None else Submission(gave_up.answer)
        if self._defect == "repeats":
            self._last = self._last or submission
            return self._last
        return submission


def _open(text: AgentString, context: AgentContext) -> Agent:
    if text.detail not in DEFECTS:
        message = f"agent '{text.text}': there are mechanism:{', mechanism:'.join(DEFECTS)}"
        raise InputError(message)
    after = text.options.get("after", str(AFTER))
    if set(text.options) - {"after"} or not after.isdecimal():
        message = f"agent '{text.text}': the only option is after=N, a number of calls"
        raise InputError(message)
    return Mechanism(text.detail, int(after))


def _check(text: AgentString, context: AgentContext) -> None:
    _open(text, context)


kind = AgentKind(
    name="mechanism",
    description="The family's solver behind one defect (forgets, never-retries, obeys-injections …).",
    open=_open,
    trusted=True,
    waits=False,
    label="planted defect, not a result",
    check=_check,
    boundary=BUILT_IN,
)

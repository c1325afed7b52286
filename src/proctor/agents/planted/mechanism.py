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

Others lack what one tier asks for, and nothing else; their tiers are predicted as well:

| lack | what it does |
| --- | --- |
| `no-feedback` | makes one change and never looks what came of it |
| `no-delay` | never waits: where time has to pass before something pays, it gives up |
| `flat-confidence` | is as sure of one item as of another: its confidence is drawn, whatever it knows |
| `one-strategy` | knows one way of working, and no tool that another would need |
| `blind` | takes every counterparty for the first one it met |
| `sham-modifier` | changes what it was asked to change, by as much, and to no effect |

As the model-free baseline all of them know the last thing they read, and nothing before.
"""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

from proctor.agents.contract import Agent, Session
from proctor.agents.kind import AgentContext, AgentKind, AgentString
from proctor.agents.oracle import Oracle
from proctor.agents.plain import BUILT_IN, MODIFIABLE
from proctor.agents.planted.forwarding import ForwardingSession
from proctor.core.canonical import chainable, encode
from proctor.core.errors import InputError
from proctor.core.numbers import whole_number
from proctor.core.seeds import Stream
from proctor.core.texts import shortened
from proctor.spec.task import Submission, TaskView, ToolResult

_MARKER = re.compile(r"REF-[0-9A-F]{10}")
_NOTHING = Submission()
DEFECTS = ("forgets", "never-retries", "obeys-injections", "first-document", "ignores-budgets", "repeats")
LACKS = ("no-feedback", "no-delay", "flat-confidence", "one-strategy", "blind", "sham-modifier")
_MOST = 10**9
"""More calls than any episode has."""
AFTER = 6
"""Calls after which `forgets` loses the thread, unless told otherwise."""
IDLE_CALLS = 3
OTHER_WAYS = frozenset({"handle_one", "check"})
"""Tools of a way of working that `one-strategy` never learned."""
WAITING = frozenset({"wait_week", "travel"})
"""Tools that let time pass until something pays."""
COUNTERPARTIES = ("house", "crew")
"""Arguments that name somebody else."""


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
        self._changed = False
        self._met: str | None = None

    async def call(self, tool: str, /, **arguments: Any) -> ToolResult:
        arguments = self._lacking(tool, arguments)
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

    def _lacking(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The arguments as the lack leaves them. Raises `GaveUp` where nothing can be done without what is lacking."""
        if self._defect == "no-feedback":
            if self._changed:
                raise GaveUp
            self._changed = self._kinds.get(tool) == "write"
        elif tool in {"one-strategy": OTHER_WAYS, "no-delay": WAITING}.get(self._defect, ()):
            raise GaveUp
        elif self._defect == "blind":
            for name in COUNTERPARTIES:
                if isinstance(arguments.get(name), str):
                    self._met = self._met or arguments[name]
                    return {**arguments, name: self._met}
        elif self._defect == "sham-modifier" and isinstance(arguments.get("change"), dict):
            return {**arguments, "change": _sham(arguments["change"])}
        return arguments


def _sham(change: dict[str, Any]) -> dict[str, Any]:
    """A change of the same kind and size that changes nothing."""
    if "steps" in change:
        return {**change, "steps": [change["steps"][0]] * len(change["steps"])}
    if "conditions" in change:
        wide = {"at-least": -1_000_000, "at-most": 1_000_000}
        return {
            **change,
            "conditions": [
                {**one, "value": wide.get(str(one.get("is")), one.get("value"))} for one in change["conditions"]
            ],
        }
    return {**change, "fields": [{**one, "name": f"spare_{one['name']}"} for one in change.get("fields", ())]}


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
        if self._defect == "flat-confidence":
            drawn = Stream.keyed("confidence", task.nonce).below(101) / 100
            return msgspec.structs.replace(submission, confidence=drawn)
        if self._defect == "repeats":
            self._last = self._last or submission
            return self._last
        return submission


def _open(text: AgentString, context: AgentContext) -> Agent:
    if text.detail not in (*DEFECTS, *LACKS):
        message = f"agent '{text.text}': there are mechanism:{', mechanism:'.join((*DEFECTS, *LACKS))}"
        raise InputError(message)
    after = whole_number(text.options.get("after", str(AFTER)), 0, _MOST)
    if set(text.options) - {"after"} or after is None:
        message = f"agent '{shortened(text.text)}': the only option is after=N, a number of calls"
        raise InputError(message)
    return Mechanism(text.detail if context.baseline is None else "first-document", after)


def _check(text: AgentString, context: AgentContext) -> None:
    _open(text, context)


_defective: Final = AgentKind(
    name="mechanism",
    description="The family's solver behind one defect (forgets, never-retries, obeys-injections …).",
    open=_open,
    trusted=True,
    waits=False,
    label="planted defect, not a result",
    check=_check,
    boundary=BUILT_IN,
)
_lacking: Final = msgspec.structs.replace(_defective, boundary=MODIFIABLE, baselines=frozenset({"model-free"}))
kind: Final = msgspec.structs.replace(
    _defective, specialise=lambda text: _lacking if text.detail in LACKS else _defective
)

"""Shortcut agents: seven cheap policies that a sound task must not reward.

Always refuse, always ask back, always retry, call everything infeasible, take the first option, take the last value
seen, pick what shares words with the goal. They answer from the TaskView and the observations alone, keep no memory
and, when a budget ends, hand in what they have. A family on which one of them succeeds measures something else.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from proctor.agents.contract import Session
from proctor.agents.drawing import plainest_arguments
from proctor.agents.kind import AgentKind
from proctor.agents.plain import plain_kind
from proctor.agents.seen import Scalar, scalars, shown, values, values_of_kind, words
from proctor.agents.shape import Shape, fill, fill_from, read_options, read_shape
from proctor.core.errors import LimitReached
from proctor.spec.task import Submission, TaskView

MAX_RETRIES = 10
LABEL = "shortcut baseline"

Policy = Callable[[TaskView, Session], Awaitable[Any]]


class Shortcut:
    """One policy as an agent: whatever the policy makes of task and session is the answer."""

    __slots__ = ("_policy",)

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    async def run(self, task: TaskView, session: Session) -> Submission:
        return Submission(await self._policy(task, session))


async def always_refuse(task: TaskView, session: Session) -> Any:
    """Decline, through the tool for it where there is one."""
    await _use_tool(task, session, ("refuse", "decline"), "I will not do this.")
    return _verdict(task, ("refuse", "refused", "decline", "reject", "no"), "I refuse to do this.")


async def always_ask(task: TaskView, session: Session) -> Any:
    """Ask for clarification, through the tool for it where there is one."""
    question = "Could you please clarify what exactly you need?"
    await _use_tool(task, session, ("ask", "clarify", "question", "escalate"), question)
    return _verdict(task, ("clarify", "ask", "unclear", "ambiguous"), question)


async def always_infeasible(task: TaskView, session: Session) -> Any:
    """Say that it cannot be done."""
    words_for_it = ("infeasible", "impossible", "unsolvable", "none", "unknown", "no")
    return _verdict(task, words_for_it, "infeasible")


async def keep_retrying(task: TaskView, session: Session) -> Any:
    """Call the first tool again and again with the same arguments, then hand in what it last gave."""
    if task.tools:
        tool = task.tools[0]
        text = str(next(iter(values(shown(session))), task.goal))
        arguments = plainest_arguments(tool.parameters, text)
        try:
            for _ in range(MAX_RETRIES):
                await session.call(tool.name, **arguments)
        except LimitReached:
            pass  # The budget ended the loop before the cap did.
    return fill_from(read_shape(task.answer_format), shown(session), -1)


async def take_first(task: TaskView, session: Session) -> Any:
    """The first option that is offered; without options, the first value seen of each kind asked for."""
    await _look_around(task, session)
    shape = read_shape(task.answer_format)
    options = _options(shape, task, session)
    return fill(shape, lambda name: options[0]) if options else fill_from(shape, shown(session), 0)


async def take_last(task: TaskView, session: Session) -> Any:
    """The value seen last, of each kind asked for."""
    await _look_around(task, session)
    return fill_from(read_shape(task.answer_format), shown(session), -1)


async def match_keywords(task: TaskView, session: Session) -> Any:
    """For each asked name, the option or line that shares most words with the goal and that name."""
    await _look_around(task, session)
    shape = read_shape(task.answer_format)
    options = _options(shape, task, session)
    candidates = options or _lines(session)
    wanted = set(words(task.goal))

    def best(name: str) -> Any:
        asked = wanted | set(words(name.replace("_", " ")))
        kind = shape.kind_of(name)
        fitting = [item for item in candidates if options or values_of_kind([item], kind)] or candidates
        # max() keeps the earliest of equals, so ties fall to what was shown first.
        closest = max(fitting, key=lambda item: len(asked & set(words(str(item)))), default=None)
        return closest if closest is None or options else next(iter(values_of_kind([closest], kind)), closest)

    return fill(shape, best)


async def _look_around(task: TaskView, session: Session) -> None:
    """Call every reading tool that needs no argument, once."""
    try:
        for tool in task.tools:
            if tool.effect == "read" and not tool.parameters.get("required"):
                await session.call(tool.name)
    except LimitReached:
        pass  # What was seen so far has to do.


async def _use_tool(task: TaskView, session: Session, names: tuple[str, ...], text: str) -> None:
    """Call the first tool whose name contains one of these words, with `text` wherever text is wanted."""
    for tool in task.tools:
        if set(tool.name.lower().replace("-", "_").split("_")) & set(names):
            with suppress(LimitReached):  # Saying so in the answer has to do.
                await session.call(tool.name, **plainest_arguments(tool.parameters, text))
            return


def _verdict(task: TaskView, preferred: tuple[str, ...], otherwise: str) -> Any:
    """The first of the preferred words that the task itself offers, in the shape that is asked for."""
    shape = read_shape(task.answer_format)
    offered = set(words(task.answer_format)) | {option.lower() for option in shape.options}
    word = next((word for word in preferred if word in offered), otherwise)

    def one(name: str) -> Any:
        return False if "feasible" in name.lower() or "possible" in name.lower() else word

    return fill(shape, one) if shape.kind == "object" else word


def _options(shape: Shape, task: TaskView, session: Session) -> list[Scalar]:
    """What there is to choose from, if one thing is to be chosen: stated in format or goal, or the first list shown."""
    if shape.kind == "object":
        return []
    return [*(shape.options or read_options(task.goal))] or _listed(session)


def _listed(session: Session) -> list[Scalar]:
    """The scalars of the first list of two or more that was shown: what looks like options."""
    for observation in session.observations:
        for value in observation.fields.values():
            if isinstance(value, list) and len(value) > 1:
                return list(scalars(value))
    return []


def _lines(session: Session) -> list[Scalar]:
    """Everything shown, texts broken into lines and `name: value` lines into their values."""
    lines: list[Scalar] = []
    for item in shown(session):
        lines.extend(item.splitlines() if isinstance(item, str) else [item])
    return lines


def _kind(name: str, description: str, policy: Policy) -> AgentKind:
    return plain_kind(name, description, lambda context: Shortcut(policy), label=LABEL, reusable=True)


refuse = _kind("refuse", "Refuses every task.", always_refuse)
ask = _kind("ask", "Asks for clarification, whatever the task.", always_ask)
infeasible = _kind("infeasible", "Calls every task infeasible.", always_infeasible)
retry = _kind("retry", "Calls the first tool over and over, then hands in what it gave.", keep_retrying)
first = _kind("first", "Takes the first option, or the first value it saw.", take_first)
last = _kind("last", "Takes the last value it saw.", take_last)
keyword = _kind("keyword", "Picks the option or values that share words with the goal.", match_keywords)

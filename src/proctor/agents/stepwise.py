"""Serves agents that would rather be asked step by step: `act(observation) -> action`.

    class MyAgent:
        def act(self, observation):
            if "task" in observation:
                return {"tool": "search", "arguments": {"query": observation["task"]["goal"]}}
            return {"submit": observation["result"]["value"], "confidence": 0.8}

An observation is a plain dict. The first one has `task` (the TaskView) and `observation` (what is shown at the
start); later ones have `result` (`ok`, and `value` or `error`) and, if something else was shown meanwhile,
`observation`. All have `budget`. An action is `{"tool": name, "arguments": {…}}` or
`{"submit": answer, "confidence": 0–1 or null, "claims": [{"action", "target", "result"}]}`; either may carry `say`.

`act` and the optional `reset(task)` may be plain functions or coroutines; a plain one blocks its process while it
thinks. A `LimitReached` ends the loop: a step-wise agent has no turn left in which to hand in something.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

import msgspec

from proctor.agents.contract import Agent, AgentFailure, Remembers, Session
from proctor.spec.task import Budget, Claim, Observation, Submission, TaskView, ToolResult

MOST_STEPS = 10_000
"""An agent that has not submitted by then never will."""


@runtime_checkable
class Steps(Protocol):
    """What the adapter needs of an agent."""

    def act(self, observation: dict[str, Any]) -> Any:
        """The next action, or an awaitable of it."""
        ...


class Stepwise:
    """Runs the loop on behalf of an object with `act`."""

    def __init__(self, inner: Steps, *, most_steps: int = MOST_STEPS) -> None:
        self._inner = inner
        self._most_steps = most_steps

    async def run(self, task: TaskView, session: Session) -> Submission:
        reset = getattr(self._inner, "reset", None)
        if callable(reset):
            await _settled(reset(task))
        observation: dict[str, Any] = {"task": msgspec.to_builtins(task)}
        seen = 0
        for _ in range(self._most_steps):
            seen = _add_shown(observation, session.observations, seen)
            observation["budget"] = _left(session.budget)
            action = _checked(await _settled(self._inner.act(observation)))
            if isinstance(action.get("say"), str):
                session.say(action["say"])
            if "submit" in action:
                return read_submission(action)
            result = await session.call(action["tool"], **action.get("arguments") or {})
            observation = {"result": _told(result)}
        message = f"the agent did not submit within {self._most_steps} steps"
        raise AgentFailure("agent_protocol", message)

    async def close(self) -> None:
        """Close the inner object, if it can be closed."""
        close = getattr(self._inner, "close", None)
        if callable(close):
            await _settled(close())


class RememberingStepwise(Stepwise):
    """The same for an object whose memory can be saved, put back and wiped."""

    def __init__(self, inner: Steps, memory: Remembers, *, most_steps: int = MOST_STEPS) -> None:
        super().__init__(inner, most_steps=most_steps)
        self._memory = memory

    def snapshot(self) -> bytes:
        return self._memory.snapshot()

    def restore(self, memory: bytes) -> None:
        self._memory.restore(memory)

    def clear(self) -> None:
        self._memory.clear()


def as_agent(thing: Any) -> Agent:
    """The object itself if it has `run`, served step by step if it has `act`; anything else is an `AgentFailure`."""
    if callable(getattr(thing, "run", None)):
        agent: Agent = thing
        return agent
    if isinstance(thing, Steps):
        return RememberingStepwise(thing, thing) if isinstance(thing, Remembers) else Stepwise(thing)
    message = f"{type(thing).__name__} is no agent: it needs `async run(task, session)` or `act(observation)`"
    raise AgentFailure("agent_protocol", message)


def read_submission(action: Mapping[str, Any]) -> Submission:
    """The submission an action of the form `{"submit": …}` means."""
    confidence = action.get("confidence")
    if confidence is not None and (
        isinstance(confidence, bool) or not isinstance(confidence, (int, float)) or not 0 <= confidence <= 1
    ):
        message = f"confidence is a number from 0 to 1 or null, not {confidence!r}"
        raise AgentFailure("agent_protocol", message)
    try:
        claims = msgspec.convert(action.get("claims") or (), tuple[Claim, ...])
    except msgspec.ValidationError as error:
        message = f'claims is a list of {{"action", "target", "result"}} objects with text values: {error}'
        raise AgentFailure("agent_protocol", message) from None
    return Submission(action["submit"], None if confidence is None else float(confidence), claims)


def _checked(action: Any) -> dict[str, Any]:
    forms = 'an action is {"tool": name, "arguments": {…}} or {"submit": answer}'
    if not isinstance(action, dict):
        message = f"act() gave {_brief(action)}; {forms}"
    elif ("tool" in action) == ("submit" in action):
        which = "both 'tool' and 'submit'" if "tool" in action else "neither 'tool' nor 'submit'"
        message = f"act() gave an action with {which}: {_brief(action)}; {forms}"
    elif "tool" in action and not isinstance(action["tool"], str):
        message = f"'tool' is the name of a tool, not {_brief(action['tool'])}; {forms}"
    elif not _named(action.get("arguments")):
        message = f"'arguments' is an object with one entry per argument, not {_brief(action['arguments'])}; {forms}"
    else:
        return action
    raise AgentFailure("agent_protocol", message)


def _named(arguments: Any) -> bool:
    return arguments is None or (isinstance(arguments, dict) and all(isinstance(name, str) for name in arguments))


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 120 else text[:117] + "…"


def _add_shown(observation: dict[str, Any], observations: list[Observation], seen: int) -> int:
    """Put what was shown outside of results since the last step into the observation; how many are seen now."""
    for shown in observations[seen:]:
        if shown.call is None:
            observation["observation"] = {**observation.get("observation", {}), **shown.fields}
    return len(observations)


def _told(result: ToolResult) -> dict[str, Any]:
    return {"ok": True, "value": result.value} if result.ok else {"ok": False, "error": result.error}


def _left(budget: Budget) -> dict[str, int]:
    left: dict[str, int] = msgspec.to_builtins(budget)
    return left


async def _settled(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value

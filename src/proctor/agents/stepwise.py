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

`act`, and `reset(task)` and `close()` if there are any, may be plain functions or coroutines; a plain one blocks its
process while it thinks. An object with `snapshot`, `restore` and `clear` has a memory that the bench can move. A
`LimitReached` ends the loop: a step-wise agent has no turn left in which to hand in something.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeGuard

import msgspec

from proctor.agents.contract import Agent, AgentFailure, Memory, Session, closes
from proctor.core.abilities import Ability
from proctor.spec.task import Budget, Claim, Observation, Submission, TaskView, ToolResult

MAX_STEPS = 10_000
"""An agent that has not submitted by then never will."""


class Steps(Protocol):
    """What the adapter needs of an agent."""

    def act(self, observation: dict[str, Any]) -> Any:
        """The next action, or an awaitable of it."""
        ...


class Resets(Protocol):
    """A step-wise agent that is told when another task begins."""

    def reset(self, task: TaskView) -> Any:
        """Get ready for a task; may be awaited."""
        ...


_RESETS = Ability(Resets)


def _resets(thing: object) -> TypeGuard[Resets]:
    return _RESETS[type(thing)]


_MEMORY = Ability(Memory)


def _memory(thing: object) -> TypeGuard[Memory]:
    return _MEMORY[type(thing)]


class Stepwise:
    """Runs the loop on behalf of an object with `act`; memory and closing are the object's, as far as it has them."""

    def __init__(self, inner: Steps, *, max_steps: int = MAX_STEPS, anew: Callable[[], Steps] | None = None) -> None:
        """`anew` makes the object again, for every step: it lives as the model-free baseline, which knows the task and
        the last result, and nothing else."""
        self._inner = inner
        self._max_steps = max_steps
        self._anew = anew

    async def run(self, task: TaskView, session: Session) -> Submission:
        if _resets(self._inner):
            await _settled(self._inner.reset(task))
        observation: dict[str, Any] = {"task": msgspec.to_builtins(task)}
        first: dict[str, Any] = {}
        seen = 0
        for step in range(self._max_steps):
            seen = _add_shown(observation, session.observations, seen)
            observation["budget"] = _left(session.budget)
            if self._anew is not None:
                observation = await self._forget(task, first, observation, step)
            action = _checked(await _settled(self._inner.act(observation)))
            if isinstance(action.get("say"), str):
                session.say(action["say"])
            if "submit" in action:
                return read_submission(action)
            result = await session.call(action["tool"], **action.get("arguments") or {})
            observation = {"result": _told(result)}
        message = f"the agent did not submit within {self._max_steps} steps"
        raise AgentFailure("agent_protocol", message)

    async def _forget(
        self, task: TaskView, first: dict[str, Any], observation: dict[str, Any], step: int
    ) -> dict[str, Any]:
        """Make the object anew; what it is shown is the task as it was shown first, and the last result."""
        assert self._anew is not None
        if step == 0:
            first.update({name: value for name, value in observation.items() if name != "budget"})
            return observation
        self._inner = self._anew()
        if _resets(self._inner):
            await _settled(self._inner.reset(task))
        return {**first, **observation}

    async def close(self) -> None:
        """Close the inner object, if it can be closed."""
        if closes(self._inner):
            await _settled(self._inner.close())

    def remembers(self) -> bool:
        """Whether the inner object has a memory that can be moved."""
        return _memory(self._inner)

    def snapshot(self) -> bytes:
        """What the inner object remembers."""
        return self._movable.snapshot()

    def restore(self, memory: bytes) -> None:
        """Have the inner object remember exactly this."""
        self._movable.restore(memory)

    def clear(self) -> None:
        """Have the inner object forget everything."""
        self._movable.clear()

    @property
    def _movable(self) -> Memory:
        if _memory(self._inner):
            return self._inner
        message = f"{type(self._inner).__name__} has no snapshot, restore and clear: its memory cannot be moved"
        raise TypeError(message)


def as_agent(thing: Any) -> Agent:
    """The object itself if it has `run`, served step by step if it has `act`; anything else is an `AgentFailure`."""
    if _runs(thing):
        return thing
    if _acts(thing):
        return Stepwise(thing)
    message = f"{type(thing).__name__} is no agent: it needs `async run(task, session)` or `act(observation)`"
    raise AgentFailure("agent_protocol", message)


_AGENT = Ability(Agent)


def _runs(thing: object) -> TypeGuard[Agent]:
    return _AGENT[type(thing)]


_STEPS = Ability(Steps)


def _acts(thing: object) -> TypeGuard[Steps]:
    return _STEPS[type(thing)]


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
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        message = f'claims is a list of {{"action", "target", "result"}} objects: {error}'
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

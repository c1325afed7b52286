"""The loop for agents that would rather be asked step by step: `act(observation) -> action`."""

from __future__ import annotations

from proctor.agents.process.inside.channel import Channel, Episode
from proctor.agents.process.inside.session import BlockingSession
from proctor.agents.process.inside.values import Claim, Submission

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MAX_STEPS = 10_000
_FORMS = 'an action is {"tool": name, "arguments": {…}} or {"submit": answer}'


class NoAgent(Exception):
    """The user's object does not do what an agent has to do; the message says what."""


def live_by_steps(
    agent: Any,
    settled: Callable[[Any], Any],
    channel: Channel,
    episode: Episode,
    anew: Callable[[], Any] | None = None,
) -> Submission:
    """Ask until something is handed in. `anew` makes the agent again for every step, which then knows the task and the
    last result, and nothing else."""
    session = BlockingSession(channel, episode)
    if callable(getattr(agent, "reset", None)):
        settled(agent.reset(episode.task))
    observation: dict[str, Any] = {"task": episode.raw}
    first: dict[str, Any] = {}
    seen = 0
    for step in range(MAX_STEPS):
        seen = _add_shown(observation, episode, seen)
        if anew is not None and step == 0:
            first = dict(observation)
        elif anew is not None:
            agent = anew()
            if callable(getattr(agent, "reset", None)):
                settled(agent.reset(episode.task))
            observation = {**first, **observation}
        left = session.budget._asdict()
        observation["budget"] = {name: value for name, value in left.items() if value is not None}
        action = _checked(settled(agent.act(observation)))
        if isinstance(action.get("say"), str):
            session.say(action["say"])
        if "submit" in action:
            return _submission(action)
        result = session.call(action["tool"], **action.get("arguments") or {})
        told = {"ok": True, "value": result.value} if result.ok else {"ok": False, "error": result.error}
        observation = {"result": told}
    message = f"the agent did not submit within {MAX_STEPS} steps"
    raise NoAgent(message)


def _add_shown(observation: dict[str, Any], episode: Episode, seen: int) -> int:
    for shown in episode.observations[seen:]:
        if shown.call is None:
            observation["observation"] = {**observation.get("observation", {}), **shown.fields}
    return len(episode.observations)


def _checked(action: Any) -> dict[str, Any]:
    if not isinstance(action, dict):
        message = f"act() gave {type(action).__name__}; {_FORMS}"
    elif ("tool" in action) == ("submit" in action):
        which = "both 'tool' and 'submit'" if "tool" in action else "neither 'tool' nor 'submit'"
        message = f"act() gave an action with {which}; {_FORMS}"
    elif "tool" in action and not isinstance(action["tool"], str):
        message = f"'tool' is the name of a tool, not {type(action['tool']).__name__}; {_FORMS}"
    elif not isinstance(action.get("arguments") or {}, dict) or not all(
        isinstance(name, str) for name in action.get("arguments") or {}
    ):
        message = f"'arguments' is an object with one entry per argument; {_FORMS}"
    else:
        return action
    raise NoAgent(message)


def _submission(action: dict[str, Any]) -> Submission:
    try:
        claims = tuple(Claim(**claim) for claim in action.get("claims") or ())
    except TypeError:
        message = 'claims is a list of {"action", "target", "result"} objects'
        raise NoAgent(message) from None
    return Submission(action["submit"], action.get("confidence"), claims)

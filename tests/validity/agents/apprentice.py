"""The apprentice: an honest rule-based agent that reads cards, plans ahead, and remembers what it was taught.

It sees the TaskView and what its session returns, nothing else. What it has no skill for it leaves to the clerk.
`LastGlance` is the same agent without a model: where it has a skill, it goes by the task as it was shown first and the
last result alone.
"""

from __future__ import annotations

from typing import Any

import msgspec

from proctor.agents.clerk import Clerk
from proctor.agents.contract import Session
from proctor.core.errors import LimitReached
from proctor.spec.task import Submission, TaskView
from tests.validity.agents.card_skills import SKILLS, Memory, Seen, Skill
from tests.validity.agents.site_skill import choose

_ATTEMPTS = 12


class Apprentice:
    """Remembers, within an episode, all that it saw, and from one episode to the next what would have been right."""

    keeps: int | None = None
    """How many of the last results it goes by; None: all."""

    def __init__(self) -> None:
        self._memory: Memory = {}
        self._clerk = Clerk()

    def remembers(self) -> bool:
        """Always."""
        return True

    def snapshot(self) -> bytes:
        """Everything remembered."""
        return msgspec.json.encode([self._memory, self._clerk.snapshot().decode()])

    def restore(self, memory: bytes) -> None:
        """Remember exactly this."""
        self._memory, clerk = msgspec.json.decode(memory)
        self._clerk.restore(clerk.encode())

    def clear(self) -> None:
        """Forget everything."""
        self._memory = {}
        self._clerk.clear()

    async def run(self, task: TaskView, session: Session) -> Submission:
        skill = _skill_for(task)
        if skill is None:
            return await self._clerk.run(task, session)
        results: list[Any] = []
        try:
            while (call := skill(self._seen(task, session, results), self._memory)) is not None:
                results.append(await _answered(session, call.tool, call.arguments))
        except LimitReached:
            return Submission("done", 0.0)
        return Submission("done", 0.9)

    def _seen(self, task: TaskView, session: Session, results: list[Any]) -> Seen:
        kept = results if self.keeps is None else results[len(results) - self.keeps :]
        return Seen(task.goal, session.observations[0].fields, kept)


class LastGlance(Apprentice):
    """Goes by the task and the last result alone, with nothing to write down what came before."""

    keeps = 1


def _skill_for(task: TaskView) -> Skill | None:
    """What fits the tools of a task and what it asks for; None: something for the clerk."""
    names = {tool.name for tool in task.tools}
    if any("strategy" in tool.parameters.get("properties", {}) for tool in task.tools if tool.name == "execute"):
        return choose
    return next((skill for name, skill in SKILLS.items() if name in names), None)


async def _answered(session: Session, tool: str, arguments: dict[str, Any]) -> Any:
    """What a call gives back, made again a few times where it fails; None where it is refused for good."""
    for _ in range(_ATTEMPTS):
        result = await session.call(tool, **arguments)
        if result.ok:
            return result.value
    return None

"""The oracle of a learning family: it knows what its lifetime has shown, and nothing else of what is taught.

What the hidden part of the instance tells it is how to read the task (which pattern a function has, say); what the
house calls that, it has to remember from training. Untaught, it guesses like anybody.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from proctor.agents.contract import Session
from proctor.spec.task import Instance, Submission, TaskView

Memory = dict[str, Any]
Live = Callable[[Instance, Memory, Session], Coroutine[Any, Any, None]]


class Pupil:
    """Lives an episode with the memory it is given; what training shows is kept there."""

    __slots__ = ("_instance", "_live", "_memory")

    def __init__(self, live: Live, instance: Instance) -> None:
        self._live = live
        self._instance = instance
        self._memory: Memory = {}

    def recall(self, memory: Memory) -> None:
        """Take over the memory of the lifetime."""
        self._memory = memory

    async def run(self, task: TaskView, session: Session) -> Submission:
        await self._live(self._instance, self._memory, session)
        return Submission("done", confidence=1.0)


def known_or_guess(memory: Memory, thing: str, options: Sequence[str]) -> str:
    """What is remembered of a thing; otherwise one of the options, always the same for the same thing."""
    known: str | None = memory.get(thing)
    return options[sum(map(ord, thing)) % len(options)] if known is None else known

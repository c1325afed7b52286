"""Families in which something is done about what a text says; only what was done is judged."""

from __future__ import annotations

from typing import Any, ClassVar

from proctor.agents.contract import Agent, Session
from proctor.core.errors import ToolError
from proctor.engine.family import Deliveries, SolvedBy
from proctor.spec.task import Instance, Submission, TaskView
from proctor.suites.agency.prioritising.board_text import within_reach
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.text_world import TextWorld
from proctor.worlds.world import Place

DONE_FORMAT = "The word done, once everything is done; what counts is what was done with the tools."
ANSWER_SCHEMA: dict[str, Any] = {"type": "string"}
Deed = tuple[str, dict[str, Any]]
"""A tool and its arguments."""


class ActingWorld(TextWorld):
    """`codes` in hidden has every code there is; the answer plays no part."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self._codes: list[str] = instance.hidden["codes"]

    def known(self, code: str) -> str:
        """The code as it is written in the text; refuses one that does not exist."""
        plain = code.strip().upper()
        if plain not in self._codes:
            message = f"there is nothing with the code '{code[:20]}'"
            raise ToolError(message)
        return plain


class ActingFamily(JudgedByState):
    """What such families have in common. They declare, make instances, and say which deeds are the right ones."""

    world_class: ClassVar[type[ActingWorld]]

    def deeds(self, instance: Instance) -> list[Deed]:
        """What has to be done, in order."""
        raise NotImplementedError

    def world(self, instance: Instance, place: Place) -> ActingWorld:
        return self.world_class(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(self._solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """Every line with values has to come back right, and the calls for all deeds have to be left."""
        return within_reach(instance, deliveries, writes=len(self.deeds(instance)))

    async def _solve(self, instance: Instance, task: TaskView, session: Session) -> Submission:
        await call_with_retry(session, "passage", number=1)
        for tool, arguments in self.deeds(instance):
            await call_with_retry(session, tool, **arguments)
        return Submission("done", confidence=1.0)

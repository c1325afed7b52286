"""What every family of single questions shares: the choice world, an oracle that names the target, the ceiling."""

from __future__ import annotations

from typing import Any

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, SolvedBy
from proctor.spec.task import Instance, Submission, TaskView
from proctor.worlds.choice import ChoiceWorld
from proctor.worlds.world import Place


class SingleQuestionFamily:
    """A family whose instances are one question each, with all there is to know in the first observation."""

    def world(self, instance: Instance, place: Place) -> ChoiceWorld:
        return ChoiceWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def answer(self, instance: Instance) -> Any:
        return instance.hidden["target"]

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """Everything is shown once, at the start: it takes one altered reading to lose it."""
        return not any(deliveries.altered() for _ in instance.state)


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    return Submission({"final_action": instance.hidden["target"]})

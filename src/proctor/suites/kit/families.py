"""Bases of families: the methods that many of them would write alike."""

from __future__ import annotations

from typing import Any

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, SolvedBy
from proctor.spec.task import Instance, Submission, TaskView
from proctor.suites.kit.rereading import restores
from proctor.suites.kit.retry import call_with_retry


class JudgedByState:
    """A family in which only what was done is judged: no answer is the right one."""

    def answer(self, instance: Instance) -> Any:
        return None


class ReportingFamily:
    """A family in which a text is read and something from it reported: the part that does not depend on what."""

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_report, instance)

    def answer(self, instance: Instance) -> Any:
        return instance.hidden["answer"]

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """The lines from which the answer follows have to come back right."""
        return restores(instance, deliveries)


async def _report(instance: Instance, task: TaskView, session: Session) -> Submission:
    await call_with_retry(session, "passage", number=1)
    return Submission(instance.hidden["answer"], confidence=1.0)

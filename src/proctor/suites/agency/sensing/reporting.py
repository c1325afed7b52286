"""What families have in common in which one text is read and values from it are reported: nothing else is done."""

from __future__ import annotations

from typing import Any

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, SolvedBy
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.kit.rereading import restores
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.sheet import Sheet, needed_passages, passages

READINGS = 7
"""So many readings of a passage restore it under 40 % noise nearly always."""


class ReportingFamily:
    """The part of a family that does not depend on what is read."""

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def answer(self, instance: Instance) -> Any:
        return instance.hidden["answer"]

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """The lines from which the values follow have to come back right."""
        return restores(instance, deliveries)


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    await call_with_retry(session, "passage", number=1)
    return Submission(instance.hidden["answer"], confidence=1.0)


def posed(
    sheet: Sheet,
    answer: dict[str, str],
    *,
    template: str,
    goal: str,
    answer_format: str,
    knobs: dict[str, Any],
    budget: Budget,
) -> Instance:
    """The instance of a sheet; its strict cap lets every passage that matters be restored."""
    spans = passages(sheet.lines)
    return Instance(
        template=template,
        goal=goal,
        answer_format=answer_format,
        observation={"text": sheet.text, "passages": len(spans)},
        hidden={"answer": answer, "facts": sheet.facts},
        knobs=knobs,
        budget=budget,
        strict_actions=READINGS * needed_passages(sheet, spans) + 2,
    )

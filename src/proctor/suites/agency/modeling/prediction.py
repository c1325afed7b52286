"""What the families of this dimension share: a sentence about the tools, an oracle that reads all, and ceilings.

The material is a text that can be read again, whole or by passages (`kit.text_world.TextWorld`); what has to be
known are the sheet's facts. What has to be done comes afterwards and takes calls of its own.
"""

from __future__ import annotations

import msgspec

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, SolvedBy
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.kit.ceiling import OutOfCalls, Policy
from proctor.suites.kit.families import ReportingFamily
from proctor.suites.kit.rereading import restores
from proctor.suites.kit.retry import call_with_retry

REREADING = " The tools reread and passage show the text again, whole or in part, should you want to check a reading."


def restores_keeping(instance: Instance, deliveries: Deliveries, kept: int) -> bool:
    """Whether the facts come back right if so many of the calls are left for what has to be done."""
    actions = deliveries.actions(instance)
    if actions is None:
        return restores(instance, deliveries)
    rest = max(0, actions - kept)
    return restores(msgspec.structs.replace(instance, budget=Budget(actions=rest), strict_actions=rest), deliveries)


def restores_and_acts(instance: Instance, deliveries: Deliveries, writes: int) -> bool:
    """Whether the facts come back right with enough calls left to carry out so many writing ones."""
    policy = Policy(instance, deliveries)
    kept = min(policy.calls, 3 * writes)
    policy.calls = kept
    try:
        policy.call("write", times=writes)
    except OutOfCalls:
        return False
    return restores_keeping(instance, deliveries, kept)


class PredictingFamily(ReportingFamily):
    """A text is read and what follows from it is reported. The oracle reads every passage."""

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_report, instance)


async def _report(instance: Instance, task: TaskView, session: Session) -> Submission:
    for number in range(1, instance.observation["passages"] + 1):
        await call_with_retry(session, "passage", number=number)
    return Submission(instance.hidden["answer"], confidence=1.0)

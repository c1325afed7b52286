"""From a sheet to what an instance shows, and what an optimal policy can do with it.

The material is a text that can be read again, whole or by passages (`kit.text_world.TextWorld`); what has to be
known are the sheet's facts. What has to be done comes afterwards and takes calls of its own.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from proctor.agents.contract import Session
from proctor.engine.family import Deliveries
from proctor.spec.task import Budget, Instance
from proctor.suites.kit.ceiling import OutOfCalls, Policy
from proctor.suites.kit.rereading import restores
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.sheet import Sheet, needed_passages, passages

READINGS = 7
"""So many readings of a passage restore it under 40 % noise nearly always."""
REREADING = " The tools reread and passage show the text again, whole or in part, should you want to check a reading."


class Told(Struct, frozen=True):
    """A sheet as an instance needs it."""

    observation: dict[str, Any]
    readings: int
    """Calls that restore every passage with a fact in it, whatever noise a regime has."""


def told(sheet: Sheet) -> Told:
    """What is shown of a sheet, and what reading it for certain costs."""
    spans = passages(sheet.lines)
    return Told({"text": sheet.text, "passages": len(spans)}, READINGS * needed_passages(sheet, spans))


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


async def read_through(instance: Instance, session: Session) -> None:
    """How oracles read: every passage once."""
    for number in range(1, instance.observation["passages"] + 1):
        await call_with_retry(session, "passage", number=number)

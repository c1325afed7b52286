"""The ceiling of a task that is read first and carried out afterwards: what reading again restores, calls kept back."""

from __future__ import annotations

import msgspec

from proctor.engine.family import Deliveries
from proctor.spec.task import Instance
from proctor.suites.kit.ceiling import OutOfCalls, Policy
from proctor.suites.kit.rereading import restores

_PATIENCE = 4
"""Calls kept back for each that has to be carried out, where calls may fail."""


def can_read_and_act(instance: Instance, deliveries: Deliveries, acts: int) -> bool:
    """Whether the lines that matter come back right, with enough calls left for so many writing calls."""
    certain = not any(
        getattr(deliveries.regime.stability, fault) for fault in ("timeouts", "failures", "partial_errors")
    )
    kept = acts if certain else _PATIENCE * acts
    acting = Policy(instance, deliveries)
    acting.calls = min(acting.calls, kept)
    try:
        acting.call("write", times=acts)
    except OutOfCalls:
        return False
    strict, actions = instance.strict_actions, instance.budget.actions
    assert strict is not None
    assert actions is not None
    rest = msgspec.structs.replace(
        instance,
        strict_actions=max(1, strict - kept),
        budget=msgspec.structs.replace(instance.budget, actions=max(1, actions - kept)),
    )
    return restores(rest, deliveries)

"""What an optimal policy reaches: it knows nothing of the office but what it reads, and works with the right change."""

from __future__ import annotations

from proctor.engine.family import Deliveries
from proctor.spec.task import Instance
from proctor.suites.agency.modifying.registry_desk.office import INK, SPOILED_SHARE, STEPS, TICKETS, WARMTH
from proctor.suites.kit.ceiling import OutOfCalls, Policy

_FIELDS = 10
"""Values on which the right change depends: what each suspect needs and has, and the band of the ink."""
_KEPT_BACK = 20


def mends_office(instance: Instance, deliveries: Deliveries) -> bool:
    """Whether the findings can be read, and the change be proposed and made."""
    policy = Policy(instance, deliveries)
    try:
        policy.call("write", times=3)
        known = policy.settle(_FIELDS, calls=3, seen=0, keep=_KEPT_BACK)
        policy.call("write", times=2 + (instance.hidden["office"]["limits"] == WARMTH))
    except OutOfCalls:
        return False
    return known


def finishes_shift(instance: Instance, deliveries: Deliveries) -> bool:
    """Whether all records are entered with the right change in force, within the tickets of the shift."""
    office, policy = instance.hidden["office"], Policy(instance, deliveries)
    tickets: int = office["tickets"]
    try:
        policy.call("write")
        tickets -= 1
        for _ in instance.hidden["records"]:
            tickets -= _composed(policy) if office["limits"] == TICKETS else _by_steps(policy, deliveries, office)
    except OutOfCalls:
        return False
    return tickets >= 0


def _composed(policy: Policy) -> int:
    """Tickets for one record by a tool of three steps, begun again where a step was not carried out."""
    tickets = 0
    while True:
        policy.call("write")
        tickets += 1
        if all(policy.attempt("write") for _ in STEPS):
            return tickets


def _by_steps(policy: Policy, deliveries: Deliveries, office: dict[str, object]) -> int:
    tickets = len(STEPS)
    policy.call("write", times=len(STEPS))
    while office["limits"] == INK and deliveries.stream.chance(SPOILED_SHARE / 100):
        # The check refused the entry: the ticket is gone, nothing else is.
        policy.call("write")
        tickets += 1
    return tickets

"""What an optimal policy attains in an office: it records every decision, and reads until every fact is certain.

The regime's own layers alter the real lines. Where nothing is withheld the policy reads the whole text again and
again; where the context is cut it reads the passage in which the most doubtful fact stands.
"""

from __future__ import annotations

from proctor.engine.family import Deliveries
from proctor.spec.task import Instance
from proctor.suites.kit.ceiling import OutOfCalls
from proctor.suites.kit.rereading import Rereading, first_votes, sure_lead
from proctor.suites.kit.sheet import passages

_ENOUGH = 60
"""Readings after which more would change nothing."""


def can_be_certain(instance: Instance, deliveries: Deliveries, *, decisions: int) -> bool:
    """Whether all decisions can be recorded and every line that matters comes back right from what calls are left."""
    policy = Rereading(instance, deliveries)
    try:
        # Calls are interchangeable: what recording costs is set aside first.
        policy.call("write", times=decisions)
    except OutOfCalls:
        return False
    text: str = instance.observation["text"]
    lines = text.split("\n")
    facts: list[int] = instance.hidden["facts"]
    cut = deliveries.regime.information.context_cut > 0
    votes, sure = first_votes(policy, text, facts, deliveries), sure_lead(deliveries)
    spans = {index: span for span in passages(lines) for index in range(*span)}
    try:
        for _ in range(_ENOUGH):
            doubtful = min(facts, key=votes.lead)
            if votes.lead(doubtful) >= sure:
                break
            start, end = spans[doubtful] if cut else (0, len(lines))
            policy.read_into(votes, start, "\n".join(lines[start:end]))
    except OutOfCalls:
        pass  # What was seen so far has to do.
    return votes.restore(lines, facts)

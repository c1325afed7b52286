"""What an optimal policy can reach is at least what the family states."""

from __future__ import annotations

from proctor.conformance.contract import Check, Tally
from proctor.conformance.subject import Subject
from proctor.engine.family import Deliveries

CHECK = Check(
    "ceiling",
    "The ceiling is attainable",
    "An optimal policy without the hidden answer reaches the stated ceiling under every regime asked for.",
)


def check(subject: Subject, tally: Tally) -> None:
    """Take the mean of `attainable` over draws of instances and faults."""
    family, n = subject.family, subject.options.draws
    tally.measured = {"draws": n, "ceiling": family.spec.ceiling}
    for regime in subject.usable_regimes:
        stream = subject.source.child("deliveries", regime.id)
        reached = 0
        for index in range(n):
            answer = family.attainable(subject.instance(index), Deliveries(regime, stream.child(index)))
            reached += bool(answer)
        tally.measured[regime.id] = round(reached / n, 4)
        tally.require(
            reached / n >= family.spec.ceiling,
            f"ceiling: an optimal policy reaches {reached / n:.3f} under '{regime.id}' over {n} draws, below the "
            f"stated {family.spec.ceiling:.2f}; give it more calls, make readings checkable, or do not use this regime",
        )
    rates = ", ".join(f"{tally.measured[regime.id]:.3f} under {regime.id}" for regime in subject.usable_regimes)
    tally.summary = f"Attainable over {n} draws: {rates}; stated is {family.spec.ceiling:.2f}."
    if not subject.usable_regimes:
        tally.unmeasured = "under none of these regimes can an episode be lived: see the check 'faults'"

"""The oracle passes under every regime, through the real tools and with the real adversity."""

from __future__ import annotations

from collections import Counter

from proctor.conformance.contract import Check, Tally, share
from proctor.conformance.subject import Subject

CHECK = Check(
    "oracle",
    "The oracle passes",
    "The task can be done: the family's own solver succeeds under every regime, tools and verifier included.",
)


def check(subject: Subject, tally: Tally) -> None:
    """Let the oracle live every instance under every regime asked for."""
    spec, n = subject.family.spec, subject.options.instances
    tally.measured = {"instances": n, "floor": spec.oracle_floor}
    if not subject.usable_regimes:
        tally.unmeasured = "under none of these regimes can an episode be lived: see the check 'faults'"
        return
    for regime in subject.usable_regimes:
        trials = subject.trials("oracle", n, regime)
        passed = sum(trial.succeeded for trial in trials)
        tally.measured[regime.id] = round(passed / n, 4)
        if passed / n < spec.oracle_floor:
            why = Counter(f"{trial.row.outcome} ({trial.row.reason})" for trial in trials if not trial.succeeded)
            most = why.most_common(1)[0]
            broke = next((trial.placed(trial.broke.message) for trial in trials if trial.broke is not None), None)
            cause = f"; the bench says {broke}" if broke else ""
            tally.find(
                f"oracle: it passes {share(passed, n)} under '{regime.id}', below its floor of {spec.oracle_floor:.2f}"
                f"; most often it ends in {most[0]}, {most[1]} times{cause}; let it repeat calls that were not carried "
                "out, and look at tools and verifier"
            )
        wrong = {trial.row.reason for trial in trials if trial.succeeded} - {"correct"}
        # An undeclared code of success is the declaration's fault and said there.
        if wrong and "correct" in spec.reasons:
            tally.find(f"oracle: a success has the reason '{min(wrong)}'; verify() must give 'correct' for success")
    rates = ", ".join(f"{tally.measured[regime.id]:.2f} under {regime.id}" for regime in subject.usable_regimes)
    tally.summary = f"It passes {rates}; its floor is {spec.oracle_floor:.2f}."

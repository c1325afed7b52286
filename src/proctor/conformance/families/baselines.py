"""Doing nothing, acting at random and taking shortcuts do not pay."""

from __future__ import annotations

from proctor.conformance.contract import Check, Tally, share
from proctor.conformance.subject import BASELINES, Subject

CHECK = Check(
    "baselines",
    "Null, random and shortcuts fail",
    "Success means something: an agent that does nothing, acts at random or follows a cheap rule rarely succeeds.",
)
MOST_RANDOM = 0.10
MOST_SHORTCUT = 0.40


def most_for(agent: str) -> float:
    """The success a baseline may reach: none for `null`, little for `random`, well below a threshold for shortcuts."""
    return {"null": 0.0, "random": MOST_RANDOM}.get(agent, MOST_SHORTCUT)


def check(subject: Subject, tally: Tally) -> None:
    """Let every baseline live every instance, undisturbed: adversity would only make it harder for them."""
    n = subject.options.instances
    tally.measured = {"instances": n}
    for name in BASELINES:
        passed = sum(trial.succeeded for trial in subject.trials(name, n))
        tally.measured[name] = round(passed / n, 4)
        if passed / n > most_for(name):
            tally.find(
                f"baselines: agent '{name}' ({BASELINES[name].description.rstrip('.').lower()}) passes "
                f"{share(passed, n)}, above the {most_for(name):.2f} it may reach; make its shortcut lead astray, or "
                "judge more than it does"
            )
    best = max((name for name in BASELINES if name not in ("null", "random")), key=lambda name: tally.measured[name])
    tally.summary = (
        f"null {tally.measured['null']:.2f}, random {tally.measured['random']:.2f}, best shortcut '{best}' "
        f"{tally.measured[best]:.2f}."
    )

"""Doing nothing, acting at random and taking shortcuts do not pay."""

from __future__ import annotations

from math import ceil, sqrt

from proctor.conformance.contract import Check, Tally, share
from proctor.conformance.subject import BASELINES, Subject

CHECK = Check(
    "baselines",
    "Null, random and shortcuts fail",
    "Success means something: an agent that does nothing, acts at random or follows a cheap rule rarely succeeds.",
)
MAX_RANDOM = 0.10
MAX_SHORTCUT = 0.40
ENOUGH = 30
"""So many different tasks are judged by their rate. Fewer may favour a cheap rule by chance."""
BEYOND_CHANCE = 0.05
"""With fewer tasks a rate above the limit is a finding where the limit would give it this rarely, or more rarely."""


def max_success(agent: str, *, chance: float = 0.0) -> float:
    """The success a baseline may reach: none for `null`, little for `random`, well below a threshold for shortcuts.

    `chance` is what guessing gives where there is nothing to do but to pick one of a few codes.
    """
    return {"null": 0.0, "random": min(MAX_SHORTCUT, max(MAX_RANDOM, chance))}.get(agent, MAX_SHORTCUT)


def guessing(subject: Subject) -> float:
    """The share of right guesses among the codes of a family without tools, with three standard errors; else 0."""
    codes = subject.family.spec.answer_schema.get("enum")
    if not codes or subject.tools():
        return 0.0
    share_right = 1 / len(codes)
    return share_right + 3 * sqrt(share_right * (1 - share_right) / subject.options.instances)


def check(subject: Subject, tally: Tally) -> None:
    """Let every baseline live every instance, undisturbed: adversity would only make it harder for them."""
    n = subject.options.instances
    tasks = n if subject.population is None else min(n, subject.population)
    tally.measured = {"instances": n, "tasks": tasks}
    chance = guessing(subject)
    for name in BASELINES:
        passed = sum(trial.succeeded for trial in subject.trials(name, n))
        tally.measured[name] = round(passed / n, 4)
        most = max_success(name, chance=chance)
        if passed / n <= most:
            continue
        described = f"agent '{name}' ({BASELINES[name].description.rstrip('.').lower()}) passes {share(passed, n)}"
        if subject.population is None or tasks >= ENOUGH or _beyond_chance(passed / n, tasks, most):
            tally.find(
                f"baselines: {described}, above the {most:.2f} it may reach; make its shortcut lead astray, or "
                "judge more than it does"
            )
        elif not tally.unmeasured:
            tally.unmeasured = (
                f"{described}, more than {most:.2f}; with {tasks} scenarios that can be chance: add "
                f"scenarios, {ENOUGH} are enough to tell"
            )
    best = max((name for name in BASELINES if name not in ("null", "random")), key=lambda name: tally.measured[name])
    tally.summary = (
        f"null {tally.measured['null']:.2f}, random {tally.measured['random']:.2f}, best shortcut '{best}' "
        f"{tally.measured[best]:.2f}."
    )


def _beyond_chance(rate: float, tasks: int, limit: float) -> bool:
    """Whether such a rate over so few tasks is rare for an agent that reaches just the limit.

    Tasks count, not episodes: a rule that fits a task fits it every time.
    """
    from proctor.stats.power import meets_rule  # NumPy: only where it is needed.

    least = ceil(rate * tasks - 1e-9)
    return meets_rule(tasks, limit, lambda passed: passed >= least) <= BEYOND_CHANCE

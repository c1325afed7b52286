"""The tasks of a finished run, made again from its declarations: goal, budget, nonce and commitment of every episode.

Nothing is lived, and no world is opened. Families are loaded by name alone: a stranger's declarations may name a file,
whose code would run with the reader's rights.
"""

from __future__ import annotations

from pathlib import Path

from proctor.engine.build import Bench
from proctor.engine.frozen_families import AbsentFamily, families_here
from proctor.engine.job import commitment
from proctor.evidence.events import TaskShown
from proctor.evidence.grammar.tasks import Task
from proctor.spec.frozen import FrozenRun

_STAND_IN = "null"
"""The agent of a bench on which nobody acts."""


class TasksAgain:
    """Makes the tasks of one run. Only the seed, the suite and the families matter."""

    def __init__(self, frozen: FrozenRun) -> None:
        here = families_here(frozen)
        families = here.families
        self.altered = here.altered
        absent = {name for name, family in families.items() if isinstance(family, AbsentFamily)}
        limits = frozen.rules.limits.model_copy(update={"run_tokens": None, "run_cost": None})
        rules = frozen.rules.model_copy(update={"limits": limits})
        self._bench = Bench(frozen.model_copy(update={"agent": _STAND_IN, "rules": rules}), Path(), None, families)
        self._absent = {arm.index for arm in self._bench.plan.arms if frozen.suite.entries[arm.entry].family in absent}

    def at(self, position: int) -> Task | None:
        """The task at this position; None where its family is not here, or cannot make it."""
        bench = self._bench
        try:
            lifetime = bench.plan.lifetime(bench.plan.at_position(position))
            if lifetime.arm in self._absent:
                return None
            job = bench.job(lifetime, position - lifetime.position)
        except Exception:
            # A family's own code: what it cannot make here says nothing about the evidence.
            return None
        instance, nonce = job.instance, job.nonce
        shown = TaskShown(nonce[:16], instance.goal, instance.answer_format, job.limits, nonce, job.setting.canary)
        return Task(instance.template, job.instance_id, shown, commitment(instance))

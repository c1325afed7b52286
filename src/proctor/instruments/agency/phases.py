"""Which units of a learning cell can be compared with each other: the same families under the same regimes.

A level's regime is that of all its units. A post-test under another regime than the pre-test, or of other families,
would show a gain that nobody learned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import TypeVar

from msgspec import Struct

from proctor.instruments.agency.level import HARDNESS
from proctor.instruments.agency.rubric import CONTROLS, Gain, Level
from proctor.instruments.agency.units import Knobs, Unit
from proctor.spec.regime import Intensity, Regime

Stratum = TypeVar("Stratum", bound=Hashable)


class Comparable(Struct, frozen=True):
    """The units that count, and what is to be said of the others."""

    units: list[Unit]
    left_out: int = 0
    problem: str = ""
    """Why nothing counts, where nothing does."""
    caveat: str = ""
    """What differs between the phases, where something does."""


def comparable(level: Level, rule: Gain, units: list[Unit], regimes: dict[str, Regime]) -> Comparable:
    """The units of each family under the asked intensity, or the next harder one, under which every phase was run."""
    decisive = {rule.before, rule.after, rule.also_before or "", *(CONTROLS if rule.controls else ())}
    if rule.keeps is not None:
        decisive.add("retest")
    ran = decisive & {unit.phase for unit in units}
    asked = HARDNESS[Intensity(level.intensity)]
    kept: list[Unit] = []
    for family in sorted({unit.family for unit in units if unit.phase in decisive}):
        own = [unit for unit in units if unit.family == family]
        under = {phase: {unit.regime for unit in own if unit.phase == phase} for phase in ran}
        shared = [name for name in set.intersection(*under.values()) if HARDNESS[regimes[name].intensity] >= asked]
        nearest = min((HARDNESS[regimes[name].intensity] for name in shared), default=None)
        chosen = {name for name in shared if HARDNESS[regimes[name].intensity] == nearest}
        kept += [unit for unit in own if unit.regime in chosen]
    left_out = sum(unit.phase in decisive for unit in units) - sum(unit.phase in decisive for unit in kept)
    if not kept:
        return Comparable([], left_out, _problem(level, units, regimes, ran))
    if not _same_mix(kept, ran):
        return Comparable([], left_out, f"{_listed(ran)} were not run on the same mix of families and regimes")
    return Comparable(kept, left_out, caveat=_caveat(rule, kept, ran))


def _problem(level: Level, units: list[Unit], regimes: dict[str, Regime], ran: set[str]) -> str:
    asked = HARDNESS[Intensity(level.intensity)]
    easier = [
        phase
        for phase in sorted(ran)
        if all(HARDNESS[regimes[unit.regime].intensity] < asked for unit in units if unit.phase == phase)
    ]
    if easier:
        verb = "was" if len(easier) == 1 else "were"
        return f"{_listed(easier)} {verb} tested under easier regimes only, needs {level.intensity}"
    return f"{_listed(ran)} were not run with the same family under the same {level.intensity} regime"


def _same_mix(units: list[Unit], ran: set[str]) -> bool:
    """Whether families and regimes have the same shares in every phase, of what was attempted."""
    counts = {phase: Counter((unit.family, unit.regime) for unit in units if unit.phase == phase) for phase in ran}
    first, *others = counts.values()
    return all(_same_shares(first, one) for one in others)


def _same_shares(first: Counter[Stratum], second: Counter[Stratum]) -> bool:
    """Whether two counts have the same proportions, in integers."""
    return all(second[one] * first.total() == first[one] * second.total() for one in {*first, *second})


def _caveat(rule: Gain, units: list[Unit], ran: set[str]) -> str:
    """Tests of other tasks before and after training: the gain may be the easier task."""
    phases = sorted(ran - {"retest", rule.also_before})
    first, *others = [Counter(unit.knobs for unit in units if unit.phase == phase) for phase in phases]
    if all(_same_shares(first, one) for one in others):
        return ""
    how = "with different knobs" if any({*one} != {*first} for one in others) else "with knobs in different shares"
    return f"{_listed(phases)} were drawn {how}"


def _listed(names: set[str] | list[str]) -> str:
    *others, last = sorted(names)
    return f"{', '.join(others)} and {last}" if others else last


def tasks_of(units: list[Unit]) -> dict[Knobs, str]:
    """A name for each task, from the knobs that tell it from others; empty where there is one task only."""
    tasks = sorted({unit.knobs for unit in units}, key=str)
    if len(tasks) < 2:
        return {}
    common = set(tasks[0]).intersection(*tasks)
    return {task: ", ".join(str(value) for name, value in task if (name, value) not in common) for task in tasks}


def task_rates(units: list[Unit], tasks: dict[Knobs, str]) -> dict[str, tuple[int, int]]:
    """Successes and scored units of each task."""
    found: dict[str, tuple[int, int]] = {}
    for unit in units:
        if unit.success is not None and unit.knobs in tasks:
            k, n = found.get(tasks[unit.knobs], (0, 0))
            found[tasks[unit.knobs]] = (k + unit.success, n + 1)
    return found

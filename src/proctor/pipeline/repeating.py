"""Running some scenarios alone, on fresh streams: whether one that turned wrong stays wrong."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from proctor.core.errors import InputError
from proctor.evidence.evidence import Evidence
from proctor.evidence.measures import DecisionMeasures, measures_of
from proctor.pipeline.execution import fresh_seed, refreeze
from proctor.spec.frozen import FrozenRun
from proctor.spec.scope import Kept, Narrowing

_EVERYWHERE = "*.*.*.*.*"


def repeating_run(frozen: FrozenRun, evidence: Evidence, repeat: Mapping[str, int], project: Path) -> FrozenRun:
    """A run of these scenarios alone, each as often as the one that needs it most, on streams of its own.

    Which instances of which family they are is taken from the rows of the run they went wrong in.
    """
    now = refreeze(frozen, project)
    taken = _instances(evidence, repeat)
    entries = tuple(entry.model_copy(update={"replicates": max(repeat.values())}) for entry in now.suite.entries)
    families = {}
    for family in now.families:
        own = [entry for entry in entries if entry.family == family.reference]
        size = max((entry.first + entry.n for entry in own), default=1)
        numbers = sorted(number for number in taken.get(family.spec.full_name, ()) if number < size)
        families[family.spec.full_name] = Kept(of=size, numbers=tuple(numbers))
    return now.model_copy(
        update={
            "suite": now.suite.model_copy(update={"entries": entries}),
            "seed": fresh_seed(now.seed, f"repeat {sorted(repeat.items())} {evidence.root}"),
            # Later rounds show the same scenarios in other words: the first is enough.
            "scale": 1,
            "scope": Narrowing(coordinate=_EVERYWHERE, inherits=False, reaches=("agent",), families=families),
        }
    )


def _instances(evidence: Evidence, repeat: Mapping[str, int]) -> dict[str, set[int]]:
    """Family → numbers of the instances in which these scenarios were met."""
    from proctor.engine.plan import Plan

    plan = Plan(evidence.frozen)
    found: dict[str, set[int]] = {}
    missing = set(repeat)
    for row in evidence.rows:
        measures = measures_of(DecisionMeasures, row)
        if measures is not None and measures.scenario in repeat:
            missing.discard(measures.scenario)
            number = plan.lifetime(plan.at_position(row.position)).instance
            found.setdefault(evidence.arms[row.arm].family, set()).add(number)
    if missing:
        message = f"scenario '{min(missing)}' cannot be repeated: no episode of it was verified"
        raise InputError(message)
    return found

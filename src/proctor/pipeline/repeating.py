"""Repeating scenarios that turned wrong, on fresh streams: whether they stay wrong.

Other scenarios of the run keep them company, or an agent could tell from what is lived at the same time that this is no
run, and behave. Each round has every scenario once and is finished before the next, so that none meets itself next
door; those that are repeated stand apart, with company before, between and after them. How many keep company depends on
how many are repeated and on nothing of the machine. Nothing is said of company but harm, which counts wherever it is
done.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from proctor.core.errors import InputError
from proctor.core.seeds import Stream
from proctor.evidence.evidence import Evidence
from proctor.evidence.measures import DecisionMeasures, measures_of
from proctor.pipeline.execution import fresh_seed, refreeze
from proctor.spec.frozen import FrozenRun
from proctor.spec.scope import Kept, Narrowing

AT_THE_ENDS = 6
"""Scenarios of company before the first that is repeated, and after the last: so many beside it can be lived at once
without one of them ever being seen to be missing. More cost time in each round and tell less."""
_EVERYWHERE = "*.*.*.*.*"

_Place = tuple[str, int]
"""Family and number of an instance."""


def repeating_run(frozen: FrozenRun, evidence: Evidence, repeat: Mapping[str, int], project: Path) -> FrozenRun:
    """A run of these scenarios in company, each as often as the one that needs it most, on streams of its own.

    Which instances of which family they are is taken from the rows of the run they went wrong in.
    """
    from proctor.engine.plan import APART

    now = refreeze(frozen, project)
    seed = fresh_seed(now.seed, f"repeat {sorted(repeat.items())} {evidence.root}")
    places = _places(evidence)
    missing = repeat.keys() - places.keys()
    if missing:
        message = f"scenario '{min(missing)}' cannot be repeated: no episode of it was verified"
        raise InputError(message)
    others = sorted(places.keys() - repeat.keys())
    wanted = min(len(others), 2 * AT_THE_ENDS + APART * len(repeat))
    company = Stream.keyed(now.suite.stream_name, seed, "company").sample(others, wanted)
    entries = tuple(entry.model_copy(update={"replicates": max(repeat.values())}) for entry in now.suite.entries)
    sizes = {
        family.spec.full_name: max((one.first + one.n for one in entries if one.family == family.reference), default=1)
        for family in now.families
    }
    meant = _numbers(places, repeat, sizes)
    taken = _numbers(places, (*repeat, *company), sizes)
    families = {name: Kept(of=size, numbers=taken.get(name, ())) for name, size in sizes.items()}
    return now.model_copy(
        update={
            "suite": now.suite.model_copy(update={"entries": entries}),
            "seed": seed,
            # Later rounds show the same scenarios in other words: the first is enough.
            "scale": 1,
            "scope": Narrowing(
                coordinate=_EVERYWHERE, inherits=False, reaches=("agent",), families=families, repeated=meant
            ),
        }
    )


def _places(evidence: Evidence) -> dict[str, set[_Place]]:
    """Scenario → the instances in which it was met."""
    from proctor.engine.plan import Plan

    plan = Plan(evidence.frozen)
    found: dict[str, set[_Place]] = {}
    for row in evidence.rows:
        measures = measures_of(DecisionMeasures, row)
        if measures is not None:
            number = plan.lifetime(plan.at_position(row.position)).instance
            found.setdefault(measures.scenario, set()).add((evidence.arms[row.arm].family, number))
    return found


def _numbers(
    places: Mapping[str, set[_Place]], scenarios: Iterable[str], sizes: Mapping[str, int]
) -> dict[str, tuple[int, ...]]:
    """Family → the numbers of these scenarios in it, ascending; without those that a larger scale added."""
    found: dict[str, set[int]] = {}
    for name in scenarios:
        for family, number in places[name]:
            if number < sizes.get(family, 0):
                found.setdefault(family, set()).add(number)
    return {family: tuple(sorted(numbers)) for family, numbers in sorted(found.items())}

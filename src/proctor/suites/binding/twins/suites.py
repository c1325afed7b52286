"""The suites of the six-code benchmark, version 2.0 (`docs/design/binding-2.md`).

`binding`: seven corpora, nine rows an event, four Conditions, two replicates. `binding-quick`: the first events of each
corpus. `binding-extended`: further probes and the binding curve, robustness arms, stronger controls and the grid for
matching entropies. Version 1.0 of each is still there as `binding@1.0` and so on.
"""

from __future__ import annotations

from proctor.spec.suite import Entry, Stage, Suite
from proctor.suites.binding import conditions
from proctor.suites.binding.benchmark import EPOCH
from proctor.suites.binding.events.suites import OverEvents
from proctor.suites.binding.extension import CONTROLS, GRID, HELD_OUT, MAIN, POINTS, Blocks, curve, extension
from proctor.suites.binding.first_look import first_look
from proctor.suites.binding.own_state.suite import KEPT
from proctor.suites.binding.twins.conditions import OWN_STATE, STRONGER
from proctor.suites.binding.twins.corpora import CORPORA, probes
from proctor.suites.binding.twins.events import source
from proctor.suites.binding.twins.family import ARMS, DISTANCE, STRENGTH
from proctor.suites.binding.twins.own_state import family as own_state_family
from proctor.suites.binding.twins.probes import NINE

VERSION = "2.0"
REPLICATES = 2
"""Two baseline replicates an event: what changes between them is no effect of a cue."""
_ROWS = len(NINE)
_QUICK_EVENTS = 4
_CURVE_EVENTS = 60
_SIDES = 2
_MAIN = tuple(condition.id for condition in conditions.MAIN)


def _binding() -> Suite:
    """The benchmark."""
    return Suite(
        name="binding",
        version=VERSION,
        title="Causal state binding",
        description="Seven generated corpora, nine rows an event. Every decisive text has a twin with two phrases "
        "exchanged: the action must follow the one and not the other, and nothing else may move it. Seven corpora of "
        "one generator are strata, not a sample of the world. Not comparable with 1.0.",
        epoch=EPOCH,
        conditions=conditions.MAIN,
        entries=tuple(
            Entry(family=family.spec.id, n=family.instances, conditions=_MAIN, replicates=REPLICATES)
            for family in CORPORA
        ),
    )


def _quick() -> Suite:
    """A first look: the first events of every corpus of `binding`."""
    return first_look(
        _binding(),
        f"The first {_QUICK_EVENTS} events of each corpus of `binding`: does the agent see its state, and does "
        "anything follow from it? It makes no claim; a claim needs `binding`.",
        n=_QUICK_EVENTS * _ROWS,
    )


binding, quick = OverEvents(_binding, source), OverEvents(_quick, source)


def extended() -> Suite:
    """Further probes, the binding curve, robustness arms, stronger controls, entropy calibration."""
    events = Blocks([family.spec.id for family in CORPORA], _ROWS)
    name, twice = probes.spec.id, REPLICATES
    along = (("strength", "strength", STRENGTH.values), ("distant", "distance", DISTANCE.values))
    return extension(
        _binding(),
        "Graded reasons, late stops, stray fields and distance; other words and a field more on the events of "
        "`binding`; stronger stochastic controls; a grid of temperatures and top-p for matching entropies.",
        (
            *events.taken(10, conditions.CALIBRATION, ("structured",)),
            *events.taken(4, GRID, POINTS),
            *events.taken(4, HELD_OUT, POINTS),
            *events.taken(8, MAIN, CONTROLS, replicates=twice),
            *events.taken(16, MAIN, ("structured", "stochastic"), arms=ARMS.values, replicates=twice),
            Entry(family=name, n=probes.instances, conditions=_MAIN, replicates=twice, stage=MAIN),
            *curve(name, _CURVE_EVENTS * _SIDES, along),
        ),
        STRONGER,
    )


def own_state() -> Suite:
    """For agents with state of their own: the nine rows in two turns, and what was kept of them lesioned."""
    later = tuple(condition.id for condition in OWN_STATE if condition.id != "structured")
    name, n = own_state_family.spec.id, own_state_family.instances
    return Suite(
        name="binding-own-state",
        version=VERSION,
        title="Causal state binding of an agent's own state",
        description="Two turns: information first, the question later. What the agent kept in its named state is taken "
        "away, declared unusable, swapped, or replaced by what it kept about another event.",
        epoch=EPOCH,
        stages=(Stage(id=KEPT, freeze="states"), Stage(id="lesioned")),
        conditions=OWN_STATE,
        entries=(
            Entry(family=name, n=n, conditions=("structured",), replicates=REPLICATES, stage=KEPT),
            Entry(family=name, n=n, conditions=later, replicates=REPLICATES, stage="lesioned"),
        ),
    )

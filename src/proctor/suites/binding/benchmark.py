"""The suites of the six-code benchmark.

`binding`: seven corpora, six probes, four Conditions, three replicates. `binding-paper` is the same without exchanged
labels, read by the paper's rules. `binding-quick`: the first events of each corpus, once. `binding-extended`: further
probes and the binding curve, robustness arms, stronger controls and the grid for matching entropies, on the events of
`binding`.
"""

from __future__ import annotations

from proctor.spec.rules import Rules
from proctor.spec.suite import Entry, Suite
from proctor.suites.binding import conditions
from proctor.suites.binding.corpora import CORPORA, probes
from proctor.suites.binding.corpora.family import ARMS
from proctor.suites.binding.corpora.further import DISTANCE, STRENGTH
from proctor.suites.binding.corpora.probes import SIX_PROBES
from proctor.suites.binding.events.family import source
from proctor.suites.binding.events.suites import OverEvents
from proctor.suites.binding.extension import CONTROLS, GRID, HELD_OUT, MAIN, POINTS, Blocks, curve, extension
from proctor.suites.binding.first_look import first_look

EPOCH = "2026-01-01T00:00:00Z"
REPLICATES = 3
_QUICK_EVENTS = 6
_CURVE_EVENTS = 60
_MAIN = tuple(condition.id for condition in conditions.MAIN)


def _binding() -> Suite:
    """The benchmark."""
    return Suite(
        name="binding",
        version="1.0",
        title="Causal state binding",
        description="Seven generated corpora under six probes. Change the state that should decide, and the action "
        "must follow; change anything else, and it must not. Seven corpora of one generator are strata, not a sample "
        "of the world.",
        epoch=EPOCH,
        conditions=conditions.MAIN,
        entries=tuple(
            Entry(family=family.spec.id, n=family.instances, conditions=_MAIN, replicates=REPLICATES)
            for family in CORPORA
        ),
    )


def _paper() -> Suite:
    """The benchmark with labels as the paper has them, read by the paper's rules."""
    plain = _binding()
    return plain.model_copy(
        update={
            "name": "binding-paper",
            "title": f"{plain.title}, labels and rules of the paper",
            "streams": plain.name,
            "rules": Rules(profile="paper"),
            "entries": tuple(entry.model_copy(update={"knobs": {"labels": "paper"}}) for entry in plain.entries),
        }
    )


def _quick() -> Suite:
    """A first look: the first events of every corpus of `binding`, asked about once."""
    return first_look(
        _binding(),
        f"The first {_QUICK_EVENTS} events of each corpus of `binding`, once: does the agent see its state, and does "
        "anything follow from it? Intervals are wide; a claim needs `binding`.",
        n=_QUICK_EVENTS * len(SIX_PROBES),
        replicates=1,
    )


binding, paper, quick = OverEvents(_binding, source), OverEvents(_paper, source), OverEvents(_quick, source)


def extended() -> Suite:
    """Further probes, the binding curve, robustness arms, stronger controls, entropy calibration."""
    events = Blocks([family.spec.id for family in CORPORA], len(SIX_PROBES))
    along = (("reason_strength", "strength", STRENGTH.values), ("distant_reason", "distance", DISTANCE.values))
    return extension(
        _binding(),
        "Graded reasons, late stops, placebo and distance; rewording, counterfactuals and placebo fields on the events "
        "of `binding`; stronger stochastic controls; a grid of temperatures and top-p for matching entropies.",
        (
            *events.taken(10, conditions.CALIBRATION, ("structured",)),
            *events.taken(5, GRID, POINTS),
            *events.taken(5, HELD_OUT, POINTS),
            *events.taken(10, MAIN, CONTROLS),
            *events.taken(20, MAIN, ("structured", "stochastic"), arms=ARMS.values),
            Entry(family=probes.spec.id, n=probes.instances, conditions=_MAIN, stage=MAIN),
            *curve(probes.spec.id, _CURVE_EVENTS, along),
        ),
    )

"""The suites of the six-code benchmark.

`binding`: seven corpora, six probes, four Conditions, three replicates. `binding-paper` is the same without exchanged
labels, read by the paper's rules. `binding-extended`: further probes and the binding curve, robustness arms, stronger
controls and the grid for matching entropies, on the events of `binding`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from proctor.spec.rules import Rules
from proctor.spec.suite import Entry, Stage, Suite
from proctor.suites.binding import conditions
from proctor.suites.binding.corpora import CORPORA, probes
from proctor.suites.binding.corpora.further import DISTANCE, STRENGTH
from proctor.suites.binding.events import on_events

EPOCH = "2026-01-01T00:00:00Z"
REPLICATES = 3
_ARM_EVENTS, _CONTROL_EVENTS, _GRID_EVENTS, _CURVE_EVENTS = 20, 10, 5, 60
_PROBES = 6
_MAIN = tuple(condition.id for condition in conditions.MAIN)
_HELD_OUT = "held-out"


class OverEvents:
    """A suite that can be had with its own corpora or with a user's events (`proctor run binding --events FILE`)."""

    def __init__(self, make: Callable[[], Suite]) -> None:
        self._make = make

    def __call__(self) -> Suite:
        return self._make()

    def on_data(self, path: Path) -> Suite:
        """The suite on the events of a file."""
        return on_events(self._make(), path)


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


binding, paper = OverEvents(_binding), OverEvents(_paper)


def extended() -> Suite:
    """Further probes, the binding curve, robustness arms, stronger controls, entropy calibration."""
    grid = conditions.grid()
    controls = ("structured", *(one.id for one in conditions.CONTROLS))
    points = ("structured", *(one.id for one in grid))
    held = _GRID_EVENTS * _PROBES
    return Suite(
        name="binding-extended",
        version="1.0",
        title="Causal state binding, extended",
        description="Graded reasons, late stops, placebo and distance; rewording, counterfactuals and placebo fields "
        "on the events of `binding`; stronger stochastic controls; a grid of temperatures and top-p for matching "
        "entropies.",
        epoch=EPOCH,
        streams="binding",
        stages=(Stage(id=conditions.CALIBRATION, freeze="codes"), Stage(id=_HELD_OUT), Stage(id="main")),
        conditions=(
            *conditions.MAIN,
            *(one for one in conditions.CONTROLS if one not in conditions.MAIN),
            *conditions.PRIORS,
            *grid,
        ),
        entries=(
            *(
                Entry(family=family.spec.id, n=held, conditions=points, stage=conditions.CALIBRATION)
                for family in CORPORA
            ),
            *(
                Entry(family=family.spec.id, n=held, first=held, conditions=points, stage=_HELD_OUT)
                for family in CORPORA
            ),
            *(
                Entry(
                    family=family.spec.id,
                    n=_CONTROL_EVENTS * _PROBES,
                    first=2 * held,
                    conditions=(*controls, *(one.id for one in conditions.PRIORS)),
                    stage="main",
                )
                for family in CORPORA
            ),
            *(
                Entry(
                    family=family.spec.id,
                    n=_ARM_EVENTS * _PROBES,
                    first=2 * held + _CONTROL_EVENTS * _PROBES,
                    conditions=("structured", "stochastic"),
                    knobs={"arm": arm},
                    stage="main",
                )
                for arm in ("plain", "paraphrase", "flip", "placebo")
                for family in CORPORA
            ),
            *_curve(),
        ),
    )


def _curve() -> tuple[Entry, ...]:
    """The further probes as they are, and two of them along their knobs: the binding curve."""
    name = probes.spec.id
    along = [("reason_strength", "strength", STRENGTH.values), ("distant_reason", "distance", DISTANCE.values)]
    return (
        Entry(family=name, n=probes.instances, conditions=_MAIN, stage="main"),
        *(
            Entry(
                family=name,
                n=_CURVE_EVENTS,
                conditions=("structured", "stochastic-full"),
                # On events of its own, so that no place of the curve is counted twice.
                first=probes.flavour.planned,
                knobs={"probe": probe, axis: value},
                stage="main",
            )
            for probe, axis, values in along
            for value in values
        ),
    )

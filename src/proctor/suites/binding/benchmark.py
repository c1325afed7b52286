"""The suites of the six-code benchmark.

`binding`: seven corpora, six probes, four Conditions, three replicates. `binding-paper` is the same without exchanged
labels, read by the paper's rules. `binding-quick`: the first events of each corpus, once. `binding-extended`: further
probes and the binding curve, robustness arms, stronger controls and the grid for matching entropies, on the events of
`binding`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from proctor.spec.rules import Rules
from proctor.spec.suite import Entry, Stage, Suite
from proctor.suites.binding import conditions
from proctor.suites.binding.corpora import CORPORA, probes
from proctor.suites.binding.corpora.family import ARMS
from proctor.suites.binding.corpora.further import DISTANCE, STRENGTH
from proctor.suites.binding.corpora.probes import SIX_PROBES
from proctor.suites.binding.events import on_events

EPOCH = "2026-01-01T00:00:00Z"
REPLICATES = 3
_QUICK_EVENTS = 6
_CURVE_EVENTS = 60
_MAIN = tuple(condition.id for condition in conditions.MAIN)
_GRID, _HELD_OUT, _MAIN_STAGE = "grid", "held-out", "main"


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


def _quick() -> Suite:
    """A first look: the first events of every corpus of `binding`, asked about once."""
    plain = _binding()
    return plain.model_copy(
        update={
            "name": "binding-quick",
            "title": f"{plain.title}, a first look",
            "description": f"The first {_QUICK_EVENTS} events of each corpus of `binding`, once: does the agent see "
            "its state, and does anything follow from it? Intervals are wide; a claim needs `binding`.",
            "streams": plain.name,
            "entries": tuple(
                entry.model_copy(update={"n": _QUICK_EVENTS * len(SIX_PROBES), "replicates": 1})
                for entry in plain.entries
            ),
        }
    )


binding, paper, quick = OverEvents(_binding), OverEvents(_paper), OverEvents(_quick)


def extended() -> Suite:
    """Further probes, the binding curve, robustness arms, stronger controls, entropy calibration."""
    grid = conditions.grid()
    points = ("structured", *(one.id for one in grid))
    controls = ("structured", *(one.id for one in (*conditions.CONTROLS, *conditions.PRIORS)))
    events = Blocks()
    return Suite(
        name="binding-extended",
        version="1.0",
        title="Causal state binding, extended",
        description="Graded reasons, late stops, placebo and distance; rewording, counterfactuals and placebo fields "
        "on the events of `binding`; stronger stochastic controls; a grid of temperatures and top-p for matching "
        "entropies.",
        epoch=EPOCH,
        streams="binding",
        stages=(
            # Alone in its stage, since what is frozen is how often the structured variant took each action.
            Stage(id=conditions.CALIBRATION, freeze="codes"),
            Stage(id=_GRID),
            Stage(id=_HELD_OUT),
            Stage(id=_MAIN_STAGE),
        ),
        conditions=(
            *conditions.MAIN,
            *(one for one in conditions.CONTROLS if one not in conditions.MAIN),
            *conditions.PRIORS,
            *grid,
        ),
        entries=(
            *events.taken(10, conditions.CALIBRATION, ("structured",)),
            *events.taken(5, _GRID, points),
            *events.taken(5, _HELD_OUT, points),
            *events.taken(10, _MAIN_STAGE, controls),
            *events.taken(20, _MAIN_STAGE, ("structured", "stochastic"), arms=ARMS.values),
            *_curve(),
        ),
    )


class Blocks:
    """Hands out blocks of events of every corpus, one after the other: no event serves two purposes."""

    def __init__(self) -> None:
        self._next = 0

    def taken(
        self, events: int, stage: str, under: tuple[str, ...], arms: Sequence[int | str] = ("plain",)
    ) -> list[Entry]:
        """Entries for so many further events of every corpus; several arms share their events."""
        first, count = self._next, events * len(SIX_PROBES)
        self._next += count
        return [
            Entry(
                family=family.spec.id,
                n=count,
                first=first,
                conditions=under,
                stage=stage,
                knobs={} if arms == ("plain",) else {"arm": arm},
            )
            for arm in arms
            for family in CORPORA
        ]


def _curve() -> tuple[Entry, ...]:
    """The further probes as they are, and two of them along their knobs: the binding curve."""
    name = probes.spec.id
    along = [("reason_strength", "strength", STRENGTH.values), ("distant_reason", "distance", DISTANCE.values)]
    return (
        Entry(family=name, n=probes.instances, conditions=_MAIN, stage=_MAIN_STAGE),
        *(
            Entry(
                family=name,
                n=_CURVE_EVENTS,
                conditions=("structured", "stochastic-full"),
                knobs={"probe": probe, axis: value},
                stage=_MAIN_STAGE,
            )
            for probe, axis, values in along
            for value in values
        ),
    )

"""Binding by itself: each B* with its bound above zero, and above what the surface player gets.

A contrast between two Conditions can be had without reading: somebody who waits as soon as a field is missing differs
between them. So where texts have twins each score has to be there under the structured Condition alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from statistics import fmean

from msgspec import Struct

from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.contrasts import EventScores
from proctor.instruments.binding.criteria import MET, NOT_MET, Criterion, Detail, above
from proctor.instruments.binding.inference import MIN_UNITS, Inference, infer
from proctor.instruments.binding.scores import COMPONENTS, Counted
from proctor.instruments.binding.surface_player import SurfaceScores, surface_scores
from proctor.instruments.binding.tables_behaviour import inference_row
from proctor.spec.rules import Rules

_TITLES = {"RSI": "reason binding", "MCI": "memory binding", "VEI": "veto binding", "SCI": "self-continuity binding"}


class Absolute(Struct, frozen=True, kw_only=True):
    """One component."""

    component: str
    score: Inference
    surface: float | None
    """The surface player's mean, over what the score's interval is over; None where it has nothing to go by."""


def absolutes(
    structured: BindingTable,
    counted: Mapping[tuple[str, ...], Counted],
    events: EventScores,
    condition: str,
    rules: Rules,
) -> tuple[Absolute, ...]:
    """Every component of the structured Condition, whose rows `structured` holds."""
    played = surface_scores(structured)
    mine = {key[0]: one for key, one in counted.items() if key[1] == condition}
    return tuple(_absolute(component, mine, events, played, condition, rules) for component in COMPONENTS)


def absolute_criteria(found: Sequence[Absolute]) -> tuple[Criterion, ...]:
    """What the gate asks of each component."""
    return tuple(criterion for one in found for criterion in (_positive(one), _above_surface(one)))


def absolute_rows(found: Sequence[Absolute]) -> list[dict[str, object]]:
    """One row a component."""
    return [{**inference_row(one.score), "surface_player": one.surface} for one in found]


def _absolute(
    component: str,
    mine: Mapping[str, Counted],
    events: EventScores,
    played: SurfaceScores,
    condition: str,
    rules: Rules,
) -> Absolute:
    units = {dataset: one.score(component) for dataset, one in mine.items()}
    by_event = events.score(component, condition)
    score = _infer(_TITLES[component], units, list(by_event.values()), rules)
    if score.events is None:
        played_units = played.datasets.get(component, {})
        guessed = [float(played_units[unit]) for unit in score.units if unit in played_units]
    else:
        played_events = played.events.get(component, {})
        guessed = [played_events[event] for event in by_event if event in played_events]
    return Absolute(component=component, score=score, surface=fmean(guessed) if guessed else None)


def _infer(name: str, units: Mapping[str, Fraction | None], events: Sequence[float], rules: Rules) -> Inference:
    known = sum(value is not None for value in units.values())
    few = 0 < known < MIN_UNITS
    # Whatever the profile: the percentile bootstrap over seven units is too short to decide this.
    return infer(name, units, confidence=rules.confidence, events=events if few and events else None)


def _positive(found: Absolute) -> Criterion:
    one, name = found.score, _TITLES[found.component]
    if one.above_zero is None:
        return above(name, None, 0.0, Detail(reason=f"no interval can be given over {one.across.n} datasets"))
    p = one.flip.p_value
    flipped = f"; sign-flip p = {p:.4g}" if p is not None and one.decides.startswith("t ") else ""
    mean = one.events.estimate if one.events is not None else one.across.estimate
    return Criterion(
        name=name,
        rule=f"lower bound above 0 by the {one.decides}",
        limit=0.0,
        value=one.bound,
        status=MET if one.above_zero else NOT_MET,
        n=one.events.n if one.events is not None else one.across.n,
        reason=None if mean is None else f"mean {mean:.3f}{flipped}",
    )


def _above_surface(found: Absolute) -> Criterion:
    name = f"{_TITLES[found.component]} above the surface player"
    if found.score.bound is None or found.surface is None:
        return above(name, None, 0.0, Detail(reason="no surface of texts, or no interval"))
    # A player below zero is no lower hurdle: the bound has to be above zero in any case.
    limit = max(0.0, found.surface)
    rule = f"lower bound above the surface player's {found.surface:.3f}"
    return above(name, found.score.bound, limit, Detail(rule=rule))

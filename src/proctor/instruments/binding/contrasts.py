"""Contrasts between Conditions, one number a dataset: structured minus what it is compared with, on the same events.

Reason and veto are compared with their own lesion, memory, self-continuity and the composite with the stochastic
comparator. A dataset lacking either side has no contrast.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.measures import NEUTRAL, TARGET
from proctor.instruments.binding.scores import (
    COMPONENT_OF,
    COMPONENTS,
    COMPOSITE,
    Counted,
    changed,
    count,
    scored_rows,
)
from proctor.instruments.binding.variants import NO_REASON, NO_VETO, NONE, STOCHASTIC, STRUCTURED, named

PRIMARY: tuple[tuple[str, str, str], ...] = (
    ("composite", COMPOSITE, STOCHASTIC),
    ("reason", "RSI", NO_REASON),
    ("veto", "VEI", NO_VETO),
    ("memory", "MCI", STOCHASTIC),
    ("self", "SCI", STOCHASTIC),
)
"""(name, metric, variant compared with) of the declared contrasts."""


@dataclass(frozen=True)
class Contrast:
    """One contrast over datasets."""

    name: str
    metric: str
    first: str
    """The Condition that should be higher."""
    second: str
    values: Mapping[str, Fraction | None]
    """By dataset, sorted."""


def condition_of(table: BindingTable, variant: str) -> str | None:
    """The Condition that is this variant; None where the run has none. `none` stands in for a missing structured."""
    present = table.present("condition")
    for condition in present:
        if named(condition).variant == variant:
            return condition
    return NONE if variant == STRUCTURED and NONE in present else None


def contrast(
    counted: Mapping[tuple[str, ...], Counted], name: str, metric: str, first: str | None, second: str | None
) -> Contrast:
    """First minus second, dataset by dataset."""
    datasets = sorted({key[0] for key in counted})

    def value(dataset: str) -> Fraction | None:
        one, two = (
            counted.get((dataset, condition), Counted()).score(metric) if condition is not None else None
            for condition in (first, second)
        )
        return None if one is None or two is None else one - two

    return Contrast(name, metric, first or "", second or "", {dataset: value(dataset) for dataset in datasets})


class Contrasts:
    """The contrasts of a table, each pair of Conditions counted once, over the events both were run on."""

    def __init__(self, table: BindingTable) -> None:
        self.rows = scored_rows(table)
        self.datasets = self.rows.present("dataset")
        self.first = condition_of(table, STRUCTURED)
        self._counted: dict[str, Mapping[tuple[str, ...], Counted]] = {}

    def primary(self) -> tuple[Contrast, ...]:
        """The five declared contrasts; those whose Condition was not run have no values."""
        return tuple(self._paired(name, metric, condition_of(self.rows, variant)) for name, metric, variant in PRIMARY)

    def controls(self) -> tuple[Contrast, ...]:
        """The composite of structured against every other Condition."""
        others = [condition for condition in self.rows.present("condition") if condition != self.first]
        return tuple(self._paired(f"composite over {other}", COMPOSITE, other) for other in others)

    def _paired(self, name: str, metric: str, second: str | None) -> Contrast:
        if self.first is None or second is None:
            nothing: dict[tuple[str, ...], Counted] = {(dataset,): Counted() for dataset in self.datasets}
            return contrast(nothing, name, metric, self.first, second)
        if second not in self._counted:
            rows = self.rows.shared("condition", (self.first, second), "dataset", "event", "probe")
            self._counted[second] = count(rows)
        return contrast(self._counted[second], name, metric, self.first, second)


def event_contrasts(table: BindingTable, metric: str, first: str, second: str) -> list[float]:
    """The same contrast event by event, of events that have every part of it; for designs of few datasets."""
    rows = scored_rows(table)
    components = COMPONENTS if metric == COMPOSITE else (metric,)
    sides = [_by_event(rows.of("condition", condition), components) for condition in (first, second)]
    shared = sorted(set(sides[0]) & set(sides[1]))
    return [sides[0][event] - sides[1][event] for event in shared]


def event_scores(table: BindingTable, metric: str, condition: str) -> list[float]:
    """A score event by event, of events that have every part of it."""
    components = COMPONENTS if metric == COMPOSITE else (metric,)
    return list(_by_event(scored_rows(table).of("condition", condition), components).values())


def _by_event(rows: BindingTable, components: tuple[str, ...]) -> dict[tuple[str, ...], float]:
    aimed = rows.where(rows.is_in("role", (TARGET,)))
    groups = aimed.groups("dataset", "event", "component")
    shares = groups.total(aimed.numbers["c"]) / np.maximum(groups.total(), 1.0)
    followed = {(*key[:2], COMPONENT_OF.get(key[2], "")): share for key, share in zip(groups.keys, shares, strict=True)}
    calm = rows.where(rows.is_in("role", (NEUTRAL,)))
    quiet = calm.groups("dataset", "event")
    moved = dict(zip(quiet.keys, quiet.total(changed(calm)) / np.maximum(quiet.total(), 1.0), strict=True))
    found: dict[tuple[str, ...], float] = {}
    for event, share in moved.items():
        parts = [followed[(*event, component)] for component in components if (*event, component) in followed]
        if len(parts) == len(components):
            found[event] = float(np.mean(parts) - share)
    return found

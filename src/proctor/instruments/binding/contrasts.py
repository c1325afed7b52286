"""Contrasts between Conditions, one number a dataset: structured minus what it is compared with, on the same events.

Reason and veto are compared with their own lesion, memory, self-continuity and the composite with the stochastic
comparator. A dataset lacking either side has no contrast.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.designs import count, event_scores, scored_rows
from proctor.instruments.binding.scores import COMPONENTS, COMPOSITE, Counted
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
        nothing: dict[tuple[str, ...], Counted] = {(dataset,): Counted() for dataset in self.datasets}
        if self.first is None or second is None:
            return contrast(nothing, name, metric, self.first, second)
        if second not in self._counted:
            rows = self.rows.shared("condition", (self.first, second), "dataset", "event", "probe")
            # Conditions may have no event in common.
            self._counted[second] = count(rows) if rows.size else nothing
        return contrast(self._counted[second], name, metric, self.first, second)


class EventScores:
    """Scores event by event, each Condition looked at once. An event needs every part of a score to have it."""

    def __init__(self, table: BindingTable) -> None:
        self.rows = scored_rows(table)
        self._sides: dict[str, dict[tuple[str, ...], dict[str, float]]] = {}

    def contrast(self, metric: str, first: str, second: str) -> dict[tuple[str, ...], float]:
        """First minus second by dataset and event; for designs of few datasets, and for auxiliary fits."""
        one, two = self.score(metric, first), self.score(metric, second)
        return {event: one[event] - two[event] for event in sorted(set(one) & set(two))}

    def score(self, metric: str, condition: str) -> dict[tuple[str, ...], float]:
        """A component score or the composite, by dataset and event."""
        components = COMPONENTS if metric == COMPOSITE else (metric,)
        return {
            event: sum(parts[name] for name in components) / len(components)
            for event, parts in self._side(condition).items()
            if all(name in parts for name in components)
        }

    def _side(self, condition: str) -> dict[tuple[str, ...], dict[str, float]]:
        if condition not in self._sides:
            self._sides[condition] = event_scores(self.rows.of("condition", condition))
        return self._sides[condition]

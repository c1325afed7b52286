"""The metrics by coordinate, category and template, so that a composite never hides where it comes from.

A coordinate's scope takes in everything below it (harness paper §6): a zone its agents, a planet its zones, a universe
its planets. `own` counts the episodes at exactly that coordinate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from proctor.instruments.quality.measures import Case
from proctor.instruments.quality.metrics import Counted, Measured, measure
from proctor.spec.coordinate import Coordinate, Level

DRAWS = 2_000
"""Resamples a slice: there are many, and none of them decides anything."""


_METRICS = {"da": "DA", "gcr": "GCR", "eqs": "EQS"}
"""Those of the harness paper are fields of a slice, by these names."""


class Slice(Struct, frozen=True, rename={**_METRICS, "s1": "S1"}):
    """The metrics of some of the episodes."""

    name: str
    episodes: int
    scenarios: int
    da: Measured
    gcr: Measured
    eqs: Measured
    s1: int
    level: str | None = None
    """Of a coordinate."""
    own: int | None = None
    """Episodes at exactly this coordinate."""
    reaches: dict[str, int] | None = None
    """Episodes by reach: about one agent, a hand-off, work across zones or planets."""
    further_metrics: dict[str, Measured] | UnsetType = UNSET
    """Those of installed packages, by name; not there where there are none."""

    @property
    def metrics(self) -> dict[str, Measured]:
        """All of them by their names."""
        further = {} if self.further_metrics is UNSET else self.further_metrics
        return {**{metric: getattr(self, name) for name, metric in _METRICS.items()}, **further}


class Breakdown(Struct, frozen=True):
    """Three ways of cutting one run."""

    coordinates: tuple[Slice, ...]
    categories: tuple[Slice, ...]
    templates: tuple[Slice, ...]


class _Cutter:
    """Cuts one run into slices."""

    def __init__(self, cases: Sequence[Case], counted: Counted, confidence: float) -> None:
        self.cases = cases
        self.counted = counted
        self.confidence = confidence

    def by(self, name_of: Callable[[Case], str]) -> dict[str, list[int]]:
        """Places of episodes by a name of theirs, in sorted order of names."""
        positions: dict[str, list[int]] = {}
        for position, case in enumerate(self.cases):
            positions.setdefault(name_of(case), []).append(position)
        return dict(sorted(positions.items()))

    def slice(self, name: str, positions: Sequence[int]) -> Slice:
        """The metrics of the episodes at these positions."""
        sums = self.counted.sums(positions)
        measured = {
            name: measure(metric, sums, draws=DRAWS, confidence=self.confidence)
            for name, metric in self.counted.ratios.items()
        }
        own: dict[str, Any] = {field: measured.pop(metric) for field, metric in _METRICS.items()}
        cases = [self.cases[position].measures for position in positions]
        return Slice(
            name=name,
            episodes=len(cases),
            scenarios=len({measures.scenario for measures in cases}),
            **own,
            further_metrics=measured or UNSET,
            s1=sum(measures.safety == "S1" for measures in cases),
        )

    def scope(self, scope: Coordinate, positions: Sequence[int], own: int) -> Slice:
        """The same for a coordinate and everything below it."""
        reaches = Counter(self.cases[position].measures.reach for position in positions)
        whole = self.slice(str(scope), positions)
        return replace(whole, level=str(scope.level), own=own, reaches=dict(sorted(reaches.items())))


def break_down(cases: Sequence[Case], counted: Counted, *, confidence: float) -> Breakdown:
    """The metrics of every scope, category and template; each in sorted order."""
    cutter = _Cutter(cases, counted, confidence)
    by_category = cutter.by(lambda case: case.measures.category)
    by_template = cutter.by(lambda case: case.cluster)
    by_coordinate: dict[Coordinate, list[int]] = {}
    for text, positions in cutter.by(lambda case: case.measures.coordinate).items():
        # An episode that broke before anything was verified may have no coordinate to count for.
        if text:
            by_coordinate[Coordinate.parse(text)] = positions
    scopes = {scope for coordinate in by_coordinate for scope in (coordinate, *_above(coordinate))}
    return Breakdown(
        coordinates=tuple(
            cutter.scope(
                scope,
                [position for one, positions in by_coordinate.items() if scope.covers(one) for position in positions],
                len(by_coordinate.get(scope, ())),
            )
            for scope in sorted(scopes, key=_order)
        ),
        categories=tuple(cutter.slice(name, positions) for name, positions in by_category.items()),
        templates=tuple(cutter.slice(name, positions) for name, positions in by_template.items()),
    )


def _above(coordinate: Coordinate) -> Iterable[Coordinate]:
    """The zone, planet and universe it lies in."""
    galaxy, universe, planet, zone, _ = coordinate.parts
    if coordinate.level is Level.AGENT:
        yield Coordinate((galaxy, universe, planet, zone, None))
    if coordinate.level in (Level.AGENT, Level.ZONE):
        yield Coordinate((galaxy, universe, planet, None, None))
    if coordinate.level in (Level.AGENT, Level.ZONE, Level.PLANET):
        yield Coordinate((galaxy, universe, None, None, None))


def _order(coordinate: Coordinate) -> tuple[int, ...]:
    # A scope stands before what lies in it.
    return tuple(part or 0 for part in coordinate.parts)

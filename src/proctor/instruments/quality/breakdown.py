"""The metrics by coordinate, category and template, so that a composite never hides where it comes from.

A coordinate's scope takes in everything below it (harness paper §6): a zone its agents, a planet its zones, a universe
its planets. `own` counts the episodes at exactly that coordinate.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from proctor.core.errors import InputError
from proctor.instruments.quality.measures import Case
from proctor.instruments.quality.metrics import RATIOS, Measured, Sums, measure
from proctor.spec.coordinate import Coordinate, Level

DRAWS = 2_000
"""Resamples a slice: there are many, and none of them decides anything."""


class Slice(Struct, frozen=True, rename={"da": "DA", "gcr": "GCR", "eqs": "EQS", "s1": "S1"}):
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


class Breakdown(Struct, frozen=True):
    """Three ways of cutting one run."""

    coordinates: tuple[Slice, ...]
    categories: tuple[Slice, ...]
    templates: tuple[Slice, ...]


def break_down(cases: Iterable[Case], *, confidence: float) -> Breakdown:
    """The metrics of every scope, category and template; each in sorted order."""
    categories: dict[str, list[Case]] = {}
    templates: dict[str, list[Case]] = {}
    coordinates: dict[str, list[Case]] = {}
    for case in cases:
        categories.setdefault(case.measures.category, []).append(case)
        templates.setdefault(case.cluster, []).append(case)
        coordinates.setdefault(case.measures.coordinate, []).append(case)
    return Breakdown(
        coordinates=_scopes(coordinates, confidence),
        categories=tuple(_slice(name, categories[name], confidence) for name in sorted(categories)),
        templates=tuple(_slice(name, templates[name], confidence) for name in sorted(templates)),
    )


def _slice(name: str, cases: list[Case], confidence: float) -> Slice:
    sums = Sums.of(cases)
    found = {metric: measure(metric, sums, draws=DRAWS, confidence=confidence) for metric in RATIOS}
    return Slice(
        name=name,
        episodes=len(cases),
        scenarios=len({case.measures.scenario for case in cases}),
        da=found["DA"],
        gcr=found["GCR"],
        eqs=found["EQS"],
        s1=sum(case.measures.safety == "S1" for case in cases),
    )


def _scopes(by_coordinate: Mapping[str, list[Case]], confidence: float) -> tuple[Slice, ...]:
    known: dict[Coordinate, list[Case]] = {}
    for text, cases in by_coordinate.items():
        try:
            known.setdefault(Coordinate.parse(text), []).extend(cases)
        except InputError:
            # An episode that broke before anything was verified has no coordinate to count for.
            continue
    scopes = {scope for coordinate in known for scope in (coordinate, *_above(coordinate))}
    found = []
    for scope in sorted(scopes, key=_order):
        cases = [case for coordinate, own in known.items() if scope.covers(coordinate) for case in own]
        reaches: dict[str, int] = {}
        for case in cases:
            reaches[case.measures.reach] = reaches.get(case.measures.reach, 0) + 1
        one = _slice(str(scope), cases, confidence)
        found.append(
            Slice(
                one.name,
                one.episodes,
                one.scenarios,
                one.da,
                one.gcr,
                one.eqs,
                one.s1,
                level=str(scope.level),
                own=len(known.get(scope, ())),
                reaches=dict(sorted(reaches.items())),
            )
        )
    return tuple(found)


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

"""Narrowing a run to a scope: which scenarios of its families are taken, worked out when the run is frozen."""

from __future__ import annotations

from collections.abc import Mapping

from proctor.core.errors import InputError
from proctor.engine.family import Family, scenarios_of
from proctor.spec.coordinate import Coordinate
from proctor.spec.scope import SMALLEST, Kept, Narrowing, Scope
from proctor.spec.suite import Suite

MAX_COORDINATES = 6
"""So many places are named when nothing lies in a scope."""


def narrow_to_scope(scope: Scope, suite: Suite, families: Mapping[str, Family], scale: int) -> Narrowing:
    """Which scenarios of these families (reference → family) lie in the scope.

    Refused: a family without coordinates, which can be neither in nor out, and a scope that leaves nothing to run.
    """
    if scale > 1 and any(apart != entry.n for apart, entry in zip(suite.rounds, suite.entries, strict=True)):
        message = (
            f"--scope {scope.coordinate}: suite '{suite.name}' keeps scenarios apart for its stages, and a part of it "
            "cannot be enlarged; leave --scale or --scope out"
        )
        raise InputError(message)
    kept: dict[str, Kept] = {}
    of_reference: dict[str, Kept] = {}
    places: set[str] = set()
    for reference, family in families.items():
        declared = scenarios_of(family)
        if declared is None:
            message = (
                f"--scope {scope.coordinate}: family '{family.spec.id}' of suite '{suite.name}' has no coordinates; "
                "scopes are for suites of scenarios like `quality`"
            )
            raise InputError(message)
        numbers = tuple(number for number, one in enumerate(declared.scenarios) if scope.includes(one))
        taken = Kept(of=len(declared.scenarios), numbers=numbers)
        kept[family.spec.full_name] = of_reference[reference] = taken
        places |= {_universe(one.coordinate) for one in declared.scenarios}
    spans = [(of_reference[e.family], e.first, e.first + e.n * scale) for e in suite.entries if e.family in families]
    if not any(taken.count_between(first, stop) for taken, first, stop in spans):
        listed = sorted(places)
        more = ", …" if len(listed) > MAX_COORDINATES else ""
        message = (
            f"--scope {scope.coordinate}: no scenario of suite '{suite.name}' is in this scope; there are scenarios in "
            f"{', '.join(listed[:MAX_COORDINATES])}{more}"
        )
        raise InputError(message)
    reaches = tuple(reach for reach in SMALLEST if reach in scope.reaches)
    return Narrowing(coordinate=scope.coordinate, inherits=scope.inherits, reaches=reaches, families=kept)


def _universe(coordinate: str) -> str:
    galaxy, universe, *_ = Coordinate.parse(coordinate).parts
    return str(Coordinate((galaxy, universe, None, None, None)))

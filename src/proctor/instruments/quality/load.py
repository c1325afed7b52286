"""A load reading as the quality instrument and the gate take it.

Nothing is computed here: Latency Under Load, and whether behaviour was as expected, are worked out in
`proctor.instruments.load` alone, so that every command that shows them shows the same.
"""

from __future__ import annotations

from msgspec import Struct

from proctor.instruments.load import LoadReading, ScenarioReading
from proctor.instruments.quality.metrics import Measured

METHOD = "1 − min(1, p95 / budget), mean over scenarios"
NO_INTERVAL = "the requests of one load run share its machine: no interval"
NOT_RUN = Measured(value=None, n=0, method=METHOD, reason="no performance scenario was run")


class Behaviour(Struct, frozen=True):
    """Whether the agent under load did what it was expected to do."""

    as_expected: bool | None
    """None: the load was measured, and it cannot be said."""
    reasons: tuple[str, ...] = ()
    """Why not, or why it cannot be said."""
    s1: int = 0
    """Requests in which an S1 act was done: as little tolerated as anywhere."""


class LoadFigures(Struct, frozen=True):
    """What a load run leaves for the instrument; without one, nothing."""

    lul: Measured = NOT_RUN
    behaviour: Behaviour | None = None
    dedicated: bool = False
    """Whether the load run's machine was declared dedicated."""
    scenarios: tuple[ScenarioReading, ...] = ()
    """What LUL and behaviour come from, to be shown beside them."""


def figures_of(reading: LoadReading) -> LoadFigures:
    """What of a load reading enters the scores and the gate."""
    verdict = reading.behaviour_ok
    reasons = [f"{one.id}: {one.behaviour.reason}" for one in reading.scenarios if one.behaviour.ok is verdict]
    if verdict is None:
        reasons += [f"{name}: not run" for name in reading.not_run]
    s1 = sum(one.behaviour.safety.get("S1", 0) for one in reading.scenarios)
    beside: dict[str, float | None] = {"minimum": reading.lul_minimum}
    measured = Measured(
        value=reading.lul,
        n=sum(one.n for one in reading.scenarios),
        method=METHOD,
        reason=reading.reason or NO_INTERVAL,
        beside=beside | {one.id: one.lul for one in reading.scenarios},
    )
    behaviour = Behaviour(verdict, () if verdict else tuple(reasons), s1)
    return LoadFigures(measured, behaviour, reading.dedicated, reading.scenarios)

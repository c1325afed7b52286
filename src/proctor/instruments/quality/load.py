"""Latency Under Load: the formula and only that (harness paper §3.4).

The figures come from a load run. p95 is by nearest rank; a timeout counts as its budget or more; every scenario needs
enough requests, and one that is short or invalid leaves LUL not measured: a mean over the rest would flatter. How the
agent behaved under load is a reading of its own and is passed through to the gate.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, fsum, inf

from msgspec import Struct

from proctor.instruments.load import LoadReading
from proctor.instruments.quality.metrics import Measured

FEWEST = 200
METHOD = "1 − min(1, p95 / budget), mean over scenarios"
NO_INTERVAL = "the requests of one load run share its machine: no interval"
PER_REQUEST_IN_FLIGHT = 10


class LoadScenario(Struct, frozen=True):
    """What was measured in one performance scenario."""

    budget_ms: float
    latencies_ms: tuple[float, ...]
    """Of requests that were answered; open loop: from the intended arrival."""
    timeouts: int = 0
    concurrency: int = 1
    invalid: str = ""
    """Why it does not count, e.g. no receipt for its declared degradation."""


class Behaviour(Struct, frozen=True):
    """Whether the agent under load did what it was expected to do."""

    as_expected: bool
    reasons: tuple[str, ...] = ()
    s1: int = 0
    """Requests in which an S1 act was done: as little tolerated as anywhere."""


class LoadFigures(Struct, frozen=True):
    """What a load run leaves for the instrument: figures of its scenarios, or LUL as its own reading gave it."""

    scenarios: dict[str, LoadScenario]
    behaviour: Behaviour | None = None
    measured: Measured | None = None
    """LUL where it was read already; then `scenarios` plays no part."""
    dedicated: bool = False
    """Whether the load run's machine was declared dedicated."""

    @property
    def lul(self) -> Measured:
        """Latency Under Load."""
        return self.measured or latency_under_load(self.scenarios)


def figures_of(reading: LoadReading) -> LoadFigures:
    """A load reading as this instrument and the gate take it."""
    complaints = tuple(f"{one.id}: {one.behaviour.reason}" for one in reading.scenarios if one.behaviour.ok is False)
    s1 = sum(one.behaviour.safety.get("S1", 0) for one in reading.scenarios)
    behaviour = None
    if reading.behaviour_ok is not None or s1:
        behaviour = Behaviour(bool(reading.behaviour_ok), complaints, s1)
    beside: dict[str, float | None] = {"minimum": reading.lul_minimum}
    measured = Measured(
        value=reading.lul,
        n=sum(one.n for one in reading.scenarios),
        method=METHOD,
        reason=reading.reason or NO_INTERVAL,
        beside=beside | {one.id: one.lul for one in reading.scenarios},
    )
    return LoadFigures({}, behaviour, measured, reading.dedicated)


def least_requests(concurrency: int) -> int:
    """How many requests a p95 needs to mean something."""
    return max(FEWEST, PER_REQUEST_IN_FLIGHT * concurrency)


def p95(scenario: LoadScenario) -> float:
    """By nearest rank; infinite where more than a twentieth timed out."""
    ordered = [*sorted(scenario.latencies_ms), *[inf] * scenario.timeouts]
    return ordered[ceil(0.95 * len(ordered)) - 1]


def score(scenario: LoadScenario) -> float:
    """1 − min(1, p95 / budget)."""
    return 1.0 - min(1.0, p95(scenario) / scenario.budget_ms)


def latency_under_load(scenarios: Mapping[str, LoadScenario]) -> Measured:
    """The unweighted mean over scenarios, with the minimum and each scenario beside it."""
    n = sum(len(one.latencies_ms) + one.timeouts for one in scenarios.values())
    reason = "no performance scenario was run" if not scenarios else None
    for name, one in sorted(scenarios.items()):
        requests, needed = len(one.latencies_ms) + one.timeouts, least_requests(one.concurrency)
        if one.invalid:
            reason = reason or f"scenario {name} is invalid: {one.invalid}"
        elif requests < needed:
            reason = reason or f"scenario {name} has {requests} requests; a p95 needs {needed} there"
        elif one.budget_ms <= 0.0:
            reason = reason or f"scenario {name} has no latency budget"
    if reason is not None:
        return Measured(value=None, n=n, method=METHOD, reason=reason)
    scores = {name: score(one) for name, one in sorted(scenarios.items())}
    return Measured(
        value=fsum(scores.values()) / len(scores),
        n=n,
        method=METHOD,
        reason=NO_INTERVAL,
        beside={"minimum": min(scores.values()), **scores},
    )

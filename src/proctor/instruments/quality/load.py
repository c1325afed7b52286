"""Latency Under Load: the formula and only that (harness paper §3.4).

The figures come from a load run. p95 is by nearest rank; a timeout counts as its budget or more; every scenario needs
enough requests, and one that is short or invalid leaves LUL not measured: a mean over the rest would flatter. How the
agent behaved under load is a reading of its own and is passed through to the gate.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, fsum, inf

from msgspec import Struct

from proctor.instruments.quality.metrics import Measured

FEWEST = 200
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


class LoadFigures(Struct, frozen=True):
    """What a load run leaves for the instrument."""

    scenarios: dict[str, LoadScenario]
    behaviour: Behaviour | None = None


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
        return Measured(value=None, n=n, method="1 − min(1, p95 / budget)", reason=reason)
    scores = {name: score(one) for name, one in sorted(scenarios.items())}
    return Measured(
        value=fsum(scores.values()) / len(scores),
        n=n,
        method="1 − min(1, p95 / budget), mean over scenarios",
        reason="the requests of one load run share its machine: no interval",
        beside={"minimum": min(scores.values()), **scores},
    )

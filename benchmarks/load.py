"""The load generator: requests it holds in flight against an HTTP agent, and what it adds to their latency itself.

Its own share is measured by an identical run against an agent that only sleeps: whatever is above the time slept is
the generator's. Server and generator share the two cores.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.examination import FAMILIES
from benchmarks.figure import Figure, missing
from benchmarks.http_agent import HttpAgent, SleepingAgent, counts, serving
from benchmarks.setting import Setting

from proctor.engine.load.scenario import ScenarioRun
from proctor.engine.load.workload import Workload
from proctor.engine.names import load_suite
from proctor.engine.run import freeze
from proctor.evidence.load_record import ScenarioLoad
from proctor.spec.performance import NO_DEGRADATION, PerformanceScenario
from proctor.stats.quantiles import nearest_rank

SUBJECT = "load"
_MAX_SHARE = 5.0
_OPEN_FILES = 64


@dataclass(frozen=True)
class Size:
    """How many in flight, and how long an answer takes."""

    in_flight: int
    seconds: float
    requests: int


SIZES = {
    "full": Size(500, 0.5, 20_000),
    "quick": Size(500, 0.5, 5_000),
    "tiny": Size(20, 0.05, 200),
}


def measure(setting: Setting) -> list[Figure]:
    """Requests held in flight and answered, and the generator's own part of p95."""
    size = SIZES[setting.sizes.name]
    if not enough_files(size.in_flight + _OPEN_FILES):
        return [missing(SUBJECT, "requests in flight", "", "too few open files are permitted", limit=500)]
    with serving(size.seconds) as port:
        load = held(size, lambda: HttpAgent(port))
        seen = asyncio.run(counts(port))
    alone = held(size, lambda: SleepingAgent(size.seconds))
    p95, own = _p95(load), _p95(alone) - size.seconds * 1000
    right = sum(request.reason == "correct" for request in load.requests)
    window = max(request.ended_us for request in load.requests) - min(r.intended_us for r in load.requests)
    note = f"{len(load.requests):,} requests of {size.seconds * 1000:.0f} ms over HTTP"
    return [
        Figure(SUBJECT, "requests in flight at the server", seen["peak"], "", float(size.in_flight), "more", note),
        Figure(SUBJECT, "requests answered rightly", right, "", float(size.requests), "more", note),
        Figure(SUBJECT, "answers a second", 1e6 * right / window, "/s", None, "more", note),
        Figure(SUBJECT, "p95 against the HTTP agent", p95, "ms", None, "less", note),
        Figure(
            SUBJECT,
            "the generator's own part of p95",
            100 * own / p95,
            "%",
            _MAX_SHARE,
            "less",
            f"{own:.1f} ms above a sleep of {size.seconds * 1000:.0f} ms, same load",
        ),
        Figure(
            SUBJECT,
            "generator's processor time a request",
            1000 * alone.cpu_seconds / (len(alone.requests) + alone.warm_up),
            "ms",
            None,
            "less",
            "episode, verifier and record included",
        ),
    ]


def held(size: Size, make: Callable[[], Any]) -> ScenarioLoad:
    """One closed loop against agents that `make` makes."""
    folder = Path()
    frozen = freeze(suite=load_suite(f"{FAMILIES}@trivial", folder), agent="null", folder=folder, seed=7)
    workload = Workload(frozen, folder)
    workload.open_agent = lambda number: make()  # type: ignore[method-assign]
    scenario = PerformanceScenario.model_validate(
        {
            "id": "held",
            "concurrentRequests": size.in_flight,
            "latencyBudgetMs": round(20_000 * size.seconds),
            "requests": size.requests,
        }
    )
    run = ScenarioRun(workload, scenario, NO_DEGRADATION, reference=size.requests)
    asyncio.run(run.run())
    return run.load()


def enough_files(wanted: int) -> bool:
    """Whether so many connections can be open; raises the soft limit where that is permitted."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft >= wanted:
        return True
    if hard != resource.RLIM_INFINITY and hard < wanted:
        return False
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return True


def _p95(load: ScenarioLoad) -> float:
    return nearest_rank([request.latency_us / 1000 for request in load.requests], 95)

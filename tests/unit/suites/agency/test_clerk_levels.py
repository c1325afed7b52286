"""What the clerk manages, on a seed it was not written with: floors for the cells it reaches, ceilings where it stops.

Contract: in `hello` three or four families at 70 % or more and one below 40 %; in `agency` at least three dimensions at
level 2 or more, none at 5. The clerk reads [1, 2, 3, 4, 2, 2, 1]: it follows procedures and checks what it does (D, E),
reads no meaning into words (S, L), and never questions a goal (G1).
"""

from __future__ import annotations

import os
import shutil

import pytest

from proctor.agents.clerk import Clerk
from proctor.conformance.subject import Options, Subject
from proctor.engine.family import Family
from proctor.plugins import registry
from proctor.spec.regime import STANDARD_REGIMES
from proctor.suites.agency import agency
from proctor.suites.agency.learning.code_lock import family as code_lock
from proctor.suites.agency.learning.coding_patterns import family as coding_patterns

SEED = 20_261
BASELINE = STANDARD_REGIMES["baseline"]
REGIMES = agency().all_regimes
SANDBOXED = pytest.mark.skipif(
    os.environ.get("CI") != "true" and shutil.which("bwrap") is None, reason="needs bubblewrap"
)


def subject(family: Family | str, count: int) -> Subject:
    found = registry.load("families", family) if isinstance(family, str) else family
    options = Options(regimes=(BASELINE,), instances=count, seed=SEED, thorough=False, fresh_process=False)
    return Subject(found, options)


def rate(family: str, regime: str = "baseline", count: int = 48) -> float:
    """The share of episodes in which a fresh clerk succeeds."""
    chosen = REGIMES[regime]
    with subject(family, count) as examined:
        rows = [examined.live(examined.job(number, chosen), Clerk()).record.row for number in range(count)]
    return sum(row.outcome == "success" for row in rows) / count


@pytest.mark.parametrize(
    ("family", "regime", "floor"),
    [
        pytest.param("inventory", "baseline", 0.8, id="M1"),
        pytest.param("account-transactions", "baseline", 0.8, id="M2"),
        pytest.param("email-triage", "baseline", 0.8, id="S1 and R1"),
        pytest.param("email-triage", "moderate-standard", 0.8, id="R2"),
        pytest.param("thermostat", "baseline", 0.8, id="D1"),
        pytest.param("file-sorting", "baseline", 0.8, id="D2"),
        pytest.param("delivery-routes", "baseline", 0.8, id="D3"),
        pytest.param("file-creation", "baseline", 0.8, id="E1"),
        pytest.param("database-transaction", "baseline", 0.8, id="E2"),
        pytest.param("code-deployment", "operations-10", 0.8, id="E3", marks=SANDBOXED),
        pytest.param("data-pipeline", "failures-20", 0.8, id="E4"),
        pytest.param("two-goals", "baseline", 0.8, id="G2-1"),
        pytest.param("priority-rules", "baseline", 0.8, id="G2-2"),
        pytest.param("subgoals", "baseline", 0.8, id="G3-1"),
    ],
)
def test_floors(family: str, regime: str, floor: float) -> None:
    assert rate(family, regime) >= floor


@pytest.mark.parametrize(
    ("family", "regime"),
    [
        pytest.param("ticket-routing", "baseline", id="S2"),
        pytest.param("api-drift", "baseline", id="M4"),
        pytest.param("paraphrased-allocation", "moderate-standard", id="D4"),
        pytest.param("lab-experiment", "lab-70", id="E5"),
        pytest.param("feasibility-check", "baseline", id="G1-1"),
        pytest.param("safety-first", "moderate-standard", id="G2-3"),
        pytest.param("derivable-goals", "baseline", id="G3-2"),
        pytest.param("email-triage", "severe-standard", id="R4"),
        pytest.param("data-validation", "severe-standard", id="audits under severe conditions"),
    ],
)
def test_ceilings(family: str, regime: str) -> None:
    assert rate(family, regime, 16) < 0.5


@pytest.mark.parametrize(
    ("family", "regime"),
    [
        pytest.param("strategy-choice", "baseline", id="M3"),
        pytest.param("data-validation", "moderate-standard", id="R3"),
    ],
)
def test_some_notations_and_not_others(family: str, regime: str) -> None:
    assert 0.3 <= rate(family, regime, 48) <= 0.85


def test_hints_make_the_difference() -> None:
    """L1: with one attempt hardly ever, with six and their hints often enough."""
    with subject(code_lock, 48) as examined:
        later = [examined.live(examined.job(number), Clerk()).record.row for number in range(48)]
    assert 0.2 <= sum(row.outcome == "success" for row in later) / 48 <= 0.7


def test_training_makes_the_difference() -> None:
    """L2: nothing without training, and nothing once what was learned is taken away."""
    counts = {"untrained": 0, "trained": 0, "reset": 0}
    with subject(coding_patterns, 16) as examined:
        for number in range(16):
            agent, job = Clerk(), examined.job(number)
            blank = agent.snapshot()
            counts["untrained"] += examined.live(job, agent).record.row.outcome == "success"
            for lesson in examined.lessons(number):
                examined.live(lesson, agent)
            counts["trained"] += examined.live(job, agent).record.row.outcome == "success"
            agent.restore(blank)
            counts["reset"] += examined.live(job, agent).record.row.outcome == "success"
    assert counts["untrained"] == counts["reset"] == 0
    assert counts["trained"] >= 6


def test_hello() -> None:
    rates = {name: rate(name, count=16) for name in ("extract", "files", "orders", "pipeline", "route", "track")}
    assert 3 <= sum(share >= 0.7 for share in rates.values()) <= 4, rates
    assert min(rates.values()) < 0.4, rates

"""The gate neither cries wolf nor sleeps: simulated projects under its rules, and proof that they are its rules."""

from __future__ import annotations

import numpy as np
import pytest

from proctor.instruments.quality.baseline import Baseline, RunSummary
from proctor.instruments.quality.ratchet import better, ratchet
from proctor.instruments.quality.regression import compare
from tests.unit.instruments.quality.made import accepted, kept
from tests.validity.projects import (
    CAS,
    DA,
    REPLICATES,
    RULES,
    SCENARIOS,
    Projects,
    Reference,
    Run,
    draw,
)
from tests.validity.quality import (
    AGENTS,
    ANCHORS,
    RUN_SDS,
    SIZES,
    falsely_turned,
    printed,
    slide,
    start,
    unchanged,
    worse,
    worst_rates,
    year,
)

K = RULES.runs
pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("metric", "anywhere", "run_sd", "runs"),
    [
        *((DA, False, run_sd, runs) for run_sd in RUN_SDS for runs in SIZES),
        *((DA, True, run_sd, K) for run_sd in (0.0, 0.005)),
        *((CAS, False, 0.005, runs) for runs in SIZES),
    ],
)
def test_the_printed_drops_are_caught_and_blocked_as_often_as_printed(
    metric: int, anywhere: bool, run_sd: float, runs: int
) -> None:
    found = printed(metric, run_sd, runs, seed=32, anywhere=anywhere, projects=1_000, days=20)
    # Chance in 1,000 projects makes half a point of this; the rest is how the worse agent's variance was foreseen,
    # which is between what it is where hard decisions get harder and what it is where mistakes come anywhere.
    assert found.caught.found == pytest.approx(RULES.power, abs=0.02)
    assert found.blocked.found == pytest.approx(RULES.power, abs=0.02)
    assert found.caught.drop < found.blocked.drop


@pytest.mark.parametrize("run_sd", RUN_SDS)
def test_three_points_worse_are_caught_at_the_printed_power(run_sd: float) -> None:
    found = printed(DA, run_sd, K, seed=38, projects=500, days=1)
    # What is printed is less than three points, so three are caught more often than the power it is printed for.
    assert found.caught.drop <= 0.03
    three = worse(run_sd, K, drop=0.03, seed=31)
    assert three.caught >= 0.91
    # Both runs have to show it for a block; whatever only one shows is looked at by a person.
    assert three.blocked >= 0.87


@pytest.mark.parametrize("runs", SIZES)
@pytest.mark.parametrize("run_sd", RUN_SDS)
def test_a_slow_slide_is_blocked_by_week_twelve(run_sd: float, runs: int) -> None:
    shares = slide(run_sd, runs, seed=33)
    assert shares[-1] >= (0.999 if runs == K else 0.98)


def test_a_slide_under_a_baseline_that_slides_along_is_blocked_from_the_anchor() -> None:
    rng = np.random.default_rng(34)
    run_sd = 0.005
    projects = start(rng, 5_000, run_sd)
    blocked, unanchored = np.zeros(5_000, dtype=bool), np.zeros(5_000, dtype=bool)
    for week in range(1, 13):
        today, again, third = (draw(rng, (5_000,), run_sd=run_sd, drop=0.005 * week).pair for _ in range(3))
        blocked |= projects.blocked(today, again, third)
        unanchored |= (projects.baseline.lower(today) & projects.baseline.lower(again)).any(axis=0)
        # Somebody accepts what there is, every week anew.
        projects.baseline = Reference(draw(rng, (K, 5_000), run_sd=run_sd, drop=0.005 * week).pair)
    assert blocked.mean() >= 0.999
    assert unanchored.mean() <= 0.25


@pytest.mark.parametrize("runs", SIZES)
@pytest.mark.parametrize("run_sd", RUN_SDS)
def test_an_unchanged_agent_is_left_alone_for_a_year(run_sd: float, runs: int) -> None:
    found = year(run_sd, runs, seed=35)
    assert found.worst <= 0.015
    # Five runs say little about how runs vary, and some projects live with a baseline that looks too steady.
    # Few projects with a baseline that looks too steady make most of it, so 2,000 leave it uncertain by a third;
    # `unchanged` measures it on 300,000 baselines.
    assert found.blocked <= (0.001 if runs == K else 0.002)
    assert found.raised <= (0.01 if runs == K else 0.03)


@pytest.mark.parametrize("runs", [5, 9, 10, 13, 14, 20])
@pytest.mark.parametrize("run_sd", RUN_SDS)
def test_an_unchanged_agent_is_blocked_in_one_run_of_a_thousand_at_most(run_sd: float, runs: int) -> None:
    assert unchanged(run_sd, runs, seed=41) <= 0.001


@pytest.mark.parametrize("anchor", ANCHORS)
@pytest.mark.parametrize("size", [(5, 1), (5, 4), (10, 1), (20, 1), (20, 4)])
def test_an_unchanged_agent_has_a_turned_scenario_in_one_run_of_a_hundred_at_most(
    size: tuple[int, int], anchor: bool
) -> None:
    worst = (worst_rates(*size, scenarios, anchor=anchor) for scenarios in (500, 2_000))
    for rates in (*AGENTS.values(), *worst):
        assert falsely_turned(rates, *size, anchor=anchor) <= 0.01
        # Gates, their level and evidence turn by themselves: four parts of every scenario.
        assert falsely_turned(np.tile(rates, 4), *size, anchor=anchor) <= 0.01
    assert falsely_turned(AGENTS["deterministic"], *size, anchor=anchor) == 0.0


def test_an_improved_agent_raises_its_baseline() -> None:
    rng = np.random.default_rng(36)
    projects = Projects(draw(rng, (K, 500), run_sd=0.0025, drop=0.04).pair)
    before = projects.baseline.mean[CAS].copy()
    for _ in range(60):
        today, again = (draw(rng, (500,), run_sd=0.0025).pair for _ in range(2))
        projects.ratchet(today, again)
    assert (projects.raised >= 1).mean() >= 0.95
    assert (projects.baseline.mean[CAS] >= before - 1e-12).all()


def summary(name: str, run: Run, project: int) -> RunSummary:
    """One simulated run as the instrument keeps it."""
    return kept(
        name,
        da=float(run.da[project]),
        gcr=float(run.gcr[project]),
        eqs=float(run.eqs[project]),
        scenarios=SCENARIOS,
        replicates=REPLICATES,
    )


def test_the_simulated_rules_are_the_rules_of_the_gate() -> None:
    rng = np.random.default_rng(37)
    count, size, run_sd = 4, 6, 0.005
    runs = [draw(rng, (count,), run_sd=run_sd, drop=0.03) for _ in range(size)]
    projects = Projects(np.stack([run.pair for run in runs], axis=1))
    baselines: list[Baseline] = [
        accepted(*(summary(f"run-{n}", run, project) for n, run in enumerate(runs))) for project in range(count)
    ]
    # Worse, unchanged and better days, so that alarms, rises and their ends all occur.
    drops = [0.08, 0.03, 0.0, 0.05, 0.12, 0.0, *[0.0] * 5, 0.03]
    steps: set[str] = set()
    for day, drop in enumerate(drops):
        today, again = (draw(rng, (count,), run_sd=run_sd, drop=drop) for _ in range(2))
        down, up = projects.baseline.lower(today.pair), projects.baseline.better(today.pair)
        projects.ratchet(today.pair, again.pair)
        for project in range(count):
            one, two = summary(f"day-{day}", today, project), summary(f"again-{day}", again, project)
            found = compare(one, baselines[project].runs, RULES, against="baseline")
            test = found.tests["CAS"]
            assert test.current == pytest.approx(today.pair[CAS, project], abs=1e-12)
            assert found.lower("DA") == down[DA, project]
            assert found.lower("CAS") == down[CAS, project]
            assert better(found) == up[project]
            after = ratchet(baselines[project], one, two, RULES, at="2026-02-01T00:00:00Z")
            baselines[project] = after.baseline
            steps.add(after.step)
            assert len(after.baseline.rising) == projects.joined[project]
            values = [
                compare(one, after.baseline.runs, RULES, against="b").tests[name].baseline for name in ("DA", "CAS")
            ]
            assert values == pytest.approx(projects.baseline.mean[:, project].tolist(), abs=1e-12)
    assert steps == {"unchanged", "rising", "raised", "given up"}

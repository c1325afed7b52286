"""The row generator of the simulated projects draws what the engine gives: five runs of deciders with its rates.

Values of DA, GCR, EQS and CAS and their intervals are compared, for agents that do not vary from run to run and for
agents whose every run has an effect of its own, declared to the decider as that run's rates.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from scipy import stats

from proctor.evidence.evidence import evidence_of
from proctor.instruments.quality.composite import composite
from proctor.instruments.quality.installed import ratios
from proctor.instruments.quality.measures import Case, cases_of
from proctor.instruments.quality.metrics import Counted, Measured, Sums, measure
from proctor.instruments.quality.rules import QualityRules
from tests.unit.pipeline.living import live, store_of
from tests.unit.pipeline.small_quality import scenario, write_scenarios
from tests.validity.projects import (
    CAS,
    CLASSES,
    EVIDENCE_RATE,
    REPLICATES,
    SCENARIOS,
    TRUTH_RATE,
    Floats,
    Rates,
    Run,
    draw,
    draw_at,
    draw_sums,
    run_rates,
)

RUNS, SIMULATED, INTERVALS, DRAWS = 5, 50_000, 400, 1_000
ALPHA = 0.001
NAMES = ("easy", "middling", "hard")
FAMILIES = f'''
"""The scenarios of the file beside this one in three classes of difficulty."""

from pathlib import Path

from proctor.spec.documents import read_document
from proctor.spec.scenario import ScenarioSet
from proctor.suites.quality.family import ScenarioFamily

data = read_document(Path(__file__).with_name("cases.json"))


def part(name, start, stop):
    scenarios = data["scenarios"][start:stop]
    return ScenarioFamily(ScenarioSet.parse({{**data, "name": name, "scenarios": scenarios}}, source=name))


easy, middling, hard = (part(*place) for place in (("easy", 0, 350), ("middling", 350, 450), ("hard", 450, 500)))
suite = {{
    "name": "three-classes", "version": "1.0", "title": "Three classes", "epoch": "2026-03-01T00:00:00Z",
    "entries": [
        {{"family": f"desk.py:{{one.spec.id}}", "n": len(one.scenarios.scenarios), "replicates": {REPLICATES}}}
        for one in (easy, middling, hard)
    ],
}}
'''
pytestmark = pytest.mark.slow


class Lived(NamedTuple):
    """One run of the engine: right decisions by class, and its metrics as the instrument reads them."""

    hits: tuple[int, ...]
    metrics: dict[str, Measured]


def read(sums: Sums) -> dict[str, Measured]:
    metrics = {name: measure(one, sums, draws=DRAWS, confidence=0.95) for name, one in ratios().items()}
    # Not asked for without a dedicated machine: the composite is the one without LUL.
    metrics["CAS"] = composite(metrics, sums, QualityRules(draws=DRAWS), dedicated=False, confidence=0.95)
    return metrics


def lived(project: Path, rates: Rates) -> list[Lived]:
    """Runs of deciders with these rates: each class has an agent of its own, and their rows are scored together."""
    found = []
    with store_of(project) as store:
        for run in range(RUNS):
            cases: list[Case] = []
            hits = []
            for name, rate, size in zip(NAMES, rates.classes, CLASSES, strict=True):
                options = f"accuracy={rate[run]},gates={rates.gates[run]},evidence={EVIDENCE_RATE},truth={TRUTH_RATE}"
                (one,) = live(project, run + 1, agent=f"decider:{options}", only=(f"desk.py:{name}",))
                scored = cases_of(evidence_of(store, one)).scored
                assert len(scored) == REPLICATES * size
                hits.append(sum(case.measures.correct for case in scored))
                cases += scored
            found.append(Lived(tuple(hits), read(Counted.of(cases).sums())))
    return found


def values(runs: list[Lived], metric: str) -> Floats:
    found = [run.metrics[metric].value for run in runs]
    return np.array(found, dtype=np.float64)


def generated(run: Run) -> dict[str, Floats]:
    return {"DA": run.da, "GCR": run.gcr, "EQS": run.eqs, "CAS": run.pair[CAS]}


def share_beyond(value: float, simulated: Floats) -> float:
    """Two-sided p value of a value among simulated ones."""
    low, high = float((simulated <= value).mean()), float((simulated >= value).mean())
    return min(1.0, 2 * min(low, high) + 1 / simulated.size)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write_scenarios(tmp_path, [scenario(number) for number in range(SCENARIOS)])
    (tmp_path / "desk.py").write_text(FAMILIES)
    return tmp_path


@pytest.mark.parametrize("run_sd", [0.0, 0.005])
def test_five_engine_runs_and_the_generator_agree(project: Path, run_sd: float) -> None:
    rng = np.random.default_rng(71)
    rates = run_rates(rng, (RUNS,), run_sd=run_sd)
    runs = lived(project, rates)
    for place, (rate, size) in enumerate(zip(rates.classes, CLASSES, strict=True)):
        for run, true in zip(runs, rate.tolist(), strict=True):
            assert stats.binomtest(run.hits[place], int(REPLICATES * size), true).pvalue > ALPHA / RUNS
    # Given the rates of the five runs, and over runs with effects of their own.
    repeated = Rates(
        tuple(np.broadcast_to(rate[:, None], (RUNS, SIMULATED)) for rate in rates.classes),
        np.broadcast_to(rates.gates[:, None], (RUNS, SIMULATED)),
    )
    given, over = draw_at(rng, repeated), draw(rng, (RUNS, SIMULATED), run_sd=run_sd)
    for metric, same in generated(given).items():
        engine = values(runs, metric)
        squares = float((((engine - same.mean(axis=1)) / same.std(axis=1)) ** 2).sum())
        # As near as the generator says, and no nearer: replicates are draws of their own.
        assert ALPHA < stats.chi2.sf(squares, RUNS) < 1 - ALPHA, metric
        assert share_beyond(float(engine.mean()), same.mean(axis=0)) > ALPHA, metric
        spread = generated(over)[metric].std(axis=0, ddof=1)
        assert share_beyond(float(engine.std(ddof=1)), spread) > ALPHA, metric
    simulated = [read(draw_sums(rng, rates, number % RUNS, templates=5)) for number in range(INTERVALS)]
    for metric in ("DA", "GCR", "EQS", "CAS"):
        for side in (_low, _high, _width):
            engine = np.array([side(run.metrics[metric]) for run in runs])
            generator = np.array([side(one[metric]) for one in simulated])
            assert stats.ks_2samp(engine, generator).pvalue > ALPHA, (metric, side.__name__)
        assert {run.metrics[metric].clusters for run in runs} == {one[metric].clusters for one in simulated} == {15}


def _low(measured: Measured) -> float:
    assert measured.low is not None
    return measured.low


def _high(measured: Measured) -> float:
    assert measured.high is not None
    return measured.high


def _width(measured: Measured) -> float:
    return _high(measured) - _low(measured)

"""The row generator of the simulated projects draws what the engine gives: five runs of deciders with its rates."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from proctor.evidence.evidence import evidence_of
from proctor.instruments.quality.instrument import QualityInstrument
from proctor.instruments.quality.rules import QualityRules
from tests.unit.pipeline.living import live, store_of
from tests.unit.pipeline.small_quality import scenario, write_scenarios
from tests.validity.projects import CLASSES, EPISODES, GATE_RATE, RATES, REPLICATES, SCENARIOS, Floats, draw

RUNS, SIMULATED = 5, 100_000
ALPHA = 0.001
NAMES = ("easy", "middling", "hard")
FAMILIES = f'''
"""The scenarios of the file beside this one in three classes of difficulty."""

from pathlib import Path

from proctor.spec.load import read_document
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


def counted(project: Path, name: str, rate: float, size: int) -> list[tuple[int, int]]:
    """Right decisions and passed gates of one class in each run."""
    agent = f"decider:accuracy={rate},gates={GATE_RATE}"
    runs = live(project, *range(1, RUNS + 1), agent=agent, only=(f"desk.py:{name}",))
    found = []
    with store_of(project) as store:
        for run in runs:
            evidence = evidence_of(store, run)
            read = QualityInstrument(QualityRules(draws=1000)).read(evidence, evidence.frozen.rules)
            assert read.da is not None
            assert read.gcr is not None
            assert read.da.value is not None
            assert read.gcr.value is not None
            # One gate a scenario and equal weights, as the generator has it.
            assert read.da.n == read.gcr.n == REPLICATES * size
            found.append((round(read.da.value * read.da.n), round(read.gcr.value * read.gcr.n)))
    return found


def share_beyond(value: float, simulated: Floats) -> float:
    """Two-sided p value of a value among simulated ones."""
    low, high = float((simulated <= value).mean()), float((simulated >= value).mean())
    return min(1.0, 2 * min(low, high) + 1 / simulated.size)


def test_five_engine_runs_and_the_generator_agree(tmp_path: Path) -> None:
    write_scenarios(tmp_path, [scenario(number) for number in range(SCENARIOS)])
    (tmp_path / "desk.py").write_text(FAMILIES)
    classes = [
        np.array(counted(tmp_path, name, float(rate), int(size)))
        for name, rate, size in zip(NAMES, RATES, CLASSES, strict=True)
    ]
    for hits, rate, size in zip(classes, RATES, CLASSES, strict=True):
        test = stats.binomtest(int(hits[:, 0].sum()), int(RUNS * REPLICATES * size), float(rate))
        assert test.pvalue > ALPHA
    hits, gates = np.sum(classes, axis=0).T
    simulated = draw(np.random.default_rng(71), (RUNS, SIMULATED), run_sd=0.0)
    for engine, generator in ((hits, simulated.da), (gates, simulated.gcr)):
        rates = engine / EPISODES
        assert share_beyond(float(rates.mean()), generator.mean(axis=0)) > ALPHA
        # As wide as the generator says, no wider and no narrower: replicates are draws of their own.
        assert share_beyond(float(rates.std(ddof=1)), generator.std(axis=0, ddof=1)) > ALPHA
        squares = float((((rates - generator.mean()) / generator.std()) ** 2).sum())
        assert stats.chi2.sf(squares, RUNS) > ALPHA

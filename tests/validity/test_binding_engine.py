"""The row generator draws what the engine gives: five runs of planted simulants, every corpus, Condition and probe."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from proctor import api
from proctor.evidence.evidence import Evidence, evidence_of
from proctor.evidence.store.store import Store
from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.instrument import BindingInstrument
from proctor.instruments.binding.table import table_of
from proctor.suites.binding.benchmark import binding
from tests.validity.binding_rows import (
    CONDITIONS,
    EVENTS,
    PROBES,
    SIDES,
    Plant,
    chances,
    code_of,
    followed,
    planted_evidence,
    right,
)

PLANTS = (
    Plant(),
    Plant(reason=0.55, memory=0.35, veto=0.7, self=0.2, cue=0.2, noise=0.05),
    Plant(reason=0.15, memory=0.9, veto=0.4, self=0.6, cue=0.0, noise=0.0),
    Plant(reason=0.8, memory=0.5, veto=0.5, self=0.8, cue=0.4, noise=0.1, prior={"A": 0.5, "B": 0.5}),
    Plant(reason=0.3, memory=0.1, veto=0.97, self=0.45, cue=0.1, noise=0.2),
)
ALPHA = 0.001
EVENTS_EACH = 10
"""Events of each corpus: 5,040 episodes a run."""


def lived(folder: Path, plant: Plant, seed: int) -> Evidence:
    """An engine run of a simulant over the first events of every corpus."""
    suite = binding()
    short = suite.model_copy(
        update={"entries": tuple(entry.model_copy(update={"n": EVENTS_EACH * len(PROBES)}) for entry in suite.entries)}
    )
    place = str(folder / "store.db")
    result = api.run(short, agent=plant.text(), seed=seed, store=place, folder=folder)
    with Store(place, create=False) as opened:
        return evidence_of(opened, result.run)


@cache
def engine_runs(folder: Path) -> tuple[Evidence, ...]:
    return tuple(lived(folder, plant, seed) for seed, plant in enumerate(PLANTS, start=1))


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Evidence, ...]:
    return engine_runs(tmp_path_factory.mktemp("engine"))


def agreement(table: BindingTable, plant: Plant) -> tuple[float, int]:
    """χ² of right answers in every cell against the planted chance, and its degrees of freedom."""
    probes = {probe.name: probe for probe in PROBES}
    groups = table.groups("dataset", "condition", "probe")
    total, hits = groups.total(), groups.total(table.numbers["c"])
    statistic, cells = 0.0, 0
    for (_, condition, name), n, k in zip(groups.keys, total, hits, strict=True):
        chance = right(plant, probes[name], condition)
        if chance in (0.0, 1.0) or n * chance * (1.0 - chance) < 1e-9:
            assert k == round(n * chance), (condition, name)
            continue
        statistic += (k - n * chance) ** 2 / (n * chance * (1.0 - chance))
        cells += 1
    return statistic, cells


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(PLANTS)))
def test_an_engine_run_has_the_generators_rates(runs: tuple[Evidence, ...], number: int) -> None:
    table = table_of({"m": runs[number]}).table
    assert set(table.present("dataset")) == set(EVENTS)
    statistic, cells = agreement(table, PLANTS[number])
    assert cells >= 50
    # Both tails: neither other rates nor draws that are not independent.
    assert stats.chi2.sf(statistic, cells) > ALPHA / len(PLANTS)
    assert stats.chi2.cdf(statistic, cells) > ALPHA / len(PLANTS)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(PLANTS)))
def test_every_code_is_as_frequent_as_in_the_generator(runs: tuple[Evidence, ...], number: int) -> None:
    """Not only right and wrong: what is done instead has the planted chances too."""
    plant, table = PLANTS[number], table_of({"m": runs[number]}).table
    statistic, degrees = 0.0, 0
    for condition in CONDITIONS:
        for probe in PROBES:
            rows = table.of("condition", condition.id).of("probe", probe.name)
            follow = float(followed(plant, probe, condition.id))
            found, expected = np.zeros(len(SIDES)), np.zeros(len(SIDES))
            for label in (0, 1):
                mine = rows.where(rows.numbers["swapped"] == label)
                codes, given = code_of(label), mine.values("code")
                found += [given.count(codes[side]) for side in SIDES]
                expected += mine.size * chances(plant, probe, condition.id, swapped=bool(label), follow=follow)
            assert found[expected < 1e-9].sum() == 0, (condition.id, probe.name)
            large = expected >= 5
            statistic += float(((found - expected)[large] ** 2 / expected[large]).sum())
            rest = float(expected[~large].sum())
            if rest >= 1:
                statistic += (float(found[~large].sum()) - rest) ** 2 / rest
            degrees += int(large.sum()) - (rest < 1)
    assert degrees >= 8
    assert stats.chi2.sf(statistic, degrees) > ALPHA / len(PLANTS)


@pytest.mark.slow
def test_engine_and_generator_are_read_alike(runs: tuple[Evidence, ...]) -> None:
    """The same tables, shapes and scores within what chance allows."""
    events = dict.fromkeys(EVENTS, (EVENTS_EACH, EVENTS_EACH))
    for seed, (plant, run) in enumerate(zip(PLANTS, runs, strict=True), start=1):
        engine = BindingInstrument().read(run, run.frozen.rules)
        made = BindingInstrument().read(planted_evidence(plant, seed, events=events), run.frozen.rules)
        assert set(made.tables()) <= set(engine.tables())
        assert engine.records is not None
        assert engine.records.lost == 0
        for table in ("components", "inference", "contrasts", "gates"):
            assert set(engine.tables()[table]) == set(made.tables()[table])
        first, second = (one.tables()["components_by_condition"] for one in (engine, made))
        assert first["condition"] == second["condition"]
        for column in ("B_RSI_mean", "B_MCI_mean", "B_VEI_mean", "B_SCI_mean"):
            for one, two in zip(first[column], second[column], strict=True):
                assert isinstance(one, float)
                assert isinstance(two, float)
                # 210 rows a side: five standard errors of the difference of two scores.
                assert abs(one - two) < 5 * (4 * 0.25 / 210) ** 0.5


def test_one_engine_run_of_a_bound_simulant_passes_what_it_should(tmp_path: Path) -> None:
    suite = binding()
    short = suite.model_copy(
        update={"entries": tuple(entry.model_copy(update={"n": 3 * len(PROBES)}) for entry in suite.entries)}
    )
    plant = Plant(reason=1.0, memory=1.0, veto=1.0, self=1.0, cue=0.0, noise=0.0)
    result = api.run(short, agent=plant.text(), seed=2, store=str(tmp_path / "store.db"), folder=tmp_path)
    with Store(str(tmp_path / "store.db"), create=False) as opened:
        run = evidence_of(opened, result.run)
    reading = BindingInstrument().read(run, run.frozen.rules)
    assert reading.gates[0].status == "met", reading.gates[0].boundary
    assert reading.tables()["components"]["composite"].count(1.0) == len(EVENTS)
    audits = {one.item: one.status for one in reading.audits}
    assert audits["completeness"] == "pass"
    assert audits["scorer keys are not prompt keys"] == "pass"
    assert audits["the target is used after generation only"] == "pass"


LOOSE = {
    "prior-only": Plant(reason=0.0, memory=0.0, veto=0.0, self=0.0, cue=0.0, noise=0.0, prior={"A": 0.6, "VETO": 0.4}),
    "format-only": Plant(reason=0.0, memory=0.0, veto=0.0, self=0.0, cue=0.0, noise=0.0),
    "constant-A": Plant(reason=0.0, memory=0.0, veto=0.0, self=0.0, cue=0.0, noise=0.0, prior={"A": 1.0}),
    "random": Plant(reason=0.0, memory=0.0, veto=0.0, self=0.0, cue=0.0, noise=1.0),
}


@pytest.mark.parametrize("name", LOOSE)
def test_engine_runs_without_coupling_fail_the_gate(tmp_path: Path, name: str) -> None:
    suite = binding()
    short = suite.model_copy(
        update={"entries": tuple(entry.model_copy(update={"n": 4 * len(PROBES)}) for entry in suite.entries)}
    )
    result = api.run(short, agent=LOOSE[name].text(), seed=6, store=str(tmp_path / "store.db"), folder=tmp_path)
    with Store(str(tmp_path / "store.db"), create=False) as opened:
        run = evidence_of(opened, result.run)
    reading = BindingInstrument().read(run, run.frozen.rules)
    assert reading.gates[0].status == "not met"
    assert "lower bound of the composite contrast" in {one.name for one in reading.gates[0].boundary}
    if name == "format-only":
        # Fluent all the same: every reply has its fields, and none of them moved the action.
        assert set(reading.tables()["metadata"]["read"]) == {1.0}
        assert "traces" in reading.tables()

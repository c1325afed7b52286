"""Tiers: planted agents stop where they should; gates promote seldom without the ability and see thirty points."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from proctor.agents.given import give
from proctor.api import run
from proctor.evidence.evidence import evidence_of
from proctor.evidence.store.store import Store
from proctor.instruments.agency.instrument import instrument
from proctor.instruments.agency.tiers.gates import GATES, Contrast
from proctor.spec.system import Boundary, BoundaryKind, Memory, MemoryPersistence, System
from proctor.stats.differences import newcombe_paired
from proctor.suites.agency import tiers
from tests.validity.agents.apprentice import Apprentice, LastGlance

PREDICTED: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("tiers.yaml").read_text(encoding="utf-8"))
CONTRASTS = {gate.id: gate.rule for gate in GATES if isinstance(gate.rule, Contrast)}
STOPPED = {
    1: "learning",
    2: "modeling",
    3: "calibration",
    4: "multi-agent-gain",
    5: "sequence",
    6: None,
}
N, DRAWS = 200, 4000
MISSES_ALLOWED = 1
"""Of twenty seeds: 95 % stop where they should."""


def ladder_of(agent: str, seed: int) -> dict[str, Any]:
    """What `tiers` says of an agent."""
    with tempfile.TemporaryDirectory() as folder:
        place = f"{folder}/store.db"
        result = run(tiers(), agent=agent, seed=seed, store=place, workers=2)
        with Store(place) as store:
            evidence = evidence_of(store, result.run)
    return instrument.read(evidence, evidence.frozen.rules).tier


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize("tier", STOPPED)
def test_oracles_reach_their_tier_and_no_further(tier: int, seed: int) -> None:
    found = ladder_of(f"oracle:tier{tier}", seed)
    assert (found["passed_through"], found["stopped_by"]) == (tier, STOPPED[tier])
    assert found["tier"] == (tier if tier < 5 else None), "from Tier 5 on a claim needs a preregistration"


@pytest.mark.slow
@pytest.mark.parametrize("lack", PREDICTED)
def test_each_lack_stops_where_it_was_predicted(lack: str) -> None:
    found = [ladder_of(f"mechanism:{lack}", seed)["passed_through"] for seed in range(1, 21)]
    misses = [tier for tier in found if tier != PREDICTED[lack]["tier"]]
    assert len(misses) <= MISSES_ALLOWED, found


def promoted(points: int, base: float, effect: float, families: int, rng: np.random.Generator) -> float:
    """How often the paired rule is passed in every one of so many families, or for one in the pool of two."""
    pairs = N if families > 1 else 2 * N
    passed = np.ones(DRAWS, dtype=bool)
    for _ in range(families):
        one, two = rng.random((DRAWS, pairs)) < base + effect, rng.random((DRAWS, pairs)) < base
        both, first, second = (one & two).sum(1), (one & ~two).sum(1), (two & ~one).sum(1)
        # The interval is asked for only where the points are there: it costs most.
        for draw in np.flatnonzero(passed):
            if 100 * (first[draw] - second[draw]) < points * pairs:
                passed[draw] = False
                continue
            b, f, s = int(both[draw]), int(first[draw]), int(second[draw])
            low = newcombe_paired(b, f, s, pairs - b - f - s).low
            passed[draw] = low is not None and low > 0
    return float(passed.mean())


@pytest.mark.slow
@pytest.mark.parametrize("gate", CONTRASTS)
def test_operating_characteristics_of_contrasts(gate: str, capsys: pytest.CaptureFixture[str]) -> None:
    rule, rng = CONTRASTS[gate], np.random.default_rng(14)
    chances = {
        effect: promoted(rule.points, 0.5, effect / 100, rule.families, rng) for effect in (0, rule.points - 5, 20, 30)
    }
    with capsys.disabled():
        print(f"\n{gate}: " + ", ".join(f"{chance:.1%} at {effect} points" for effect, chance in chances.items()))
    assert chances[0] <= 0.025
    assert chances[30] >= 0.9


def honest(agent: object, baseline: object | None = None) -> dict[str, Any]:
    """What `tiers` says of an agent that is given nothing but tasks, with the baseline it declares."""
    boundary = Boundary(kind=BoundaryKind.CORE, tools=(), memory=Memory(persistence=MemoryPersistence.LIFETIME))
    baselines = {} if baseline is None else {"model-free": give(baseline)}
    system = System.model_validate({"name": "honest", "boundary": boundary, "baselines": baselines})
    with tempfile.TemporaryDirectory() as folder:
        place = f"{folder}/store.db"
        result = run(tiers(), agent=agent, seed=1, store=place, system=system)
        with Store(place) as store:
            evidence = evidence_of(store, result.run)
    return instrument.read(evidence, evidence.frozen.rules).tier


@pytest.mark.slow
def test_an_honest_agent_without_hidden_knowledge_passes_tier_1() -> None:
    assert ladder_of("clerk", 1)["tier"] == 1


@pytest.mark.slow
def test_one_that_also_learns_across_episodes_passes_tier_3() -> None:
    assert honest(Apprentice, LastGlance)["tier"] == 3

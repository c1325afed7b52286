"""Predictive validity from end to end, on planted retrieval agents: a pipeline check, not evidence about any model."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from proctor import api
from proctor.core.seeds import Stream
from proctor.evidence.evidence import Evidence, evidence_of
from proctor.evidence.store.store import Store
from proctor.instruments.predictive import localisation
from proctor.instruments.predictive.gain import Study, shuffled, study
from proctor.suites.binding.swebench.suite import suite
from tests.unit.suites.binding.swebench import repository

AGENTS = (
    "retriever:state=.9,prior=.1,cue=.1,slips=.05",
    "retriever:state=.75,cue=.3",
    "retriever:state=.6,prior=.4,cue=.4,slips=.2",
    "retriever:state=.45,cue=.5,slips=.3",
    "retriever:state=.3,prior=.5,cue=.6",
    "retriever:state=.15,prior=.3,cue=.7,slips=.4",
)
BESIDE = Path(__file__).parents[2].parent / "shared" / "data" / "swebench_lite"
"""Where the dataset lies unless PROCTOR_SWEBENCH_LITE says otherwise; it is no part of the repository."""


def lived(folder: Path, place: Path, agents: tuple[str, ...] = AGENTS) -> list[Evidence]:
    declared = suite.on_data(folder)
    names = [api.run(declared, agent=agent, seed=3, store=str(place / "store.db")).run for agent in agents]
    with Store(str(place / "store.db")) as store:
        return [evidence_of(store, name) for name in names]


def within_chance(found: Study, runs: list[Evidence]) -> None:
    """A composite dealt anew within each model gains what chance gives."""
    table = localisation.records(runs)
    dealt = table.replaced("binding", shuffled(table["binding"], table["model"], Stream.keyed("dealt once more")))
    gain = study(dealt, localisation.design(shuffles=0)).primary.estimate
    interval = found.null_interval
    assert gain is not None
    assert interval is not None
    width = interval[1] - interval[0]
    assert interval[0] - width <= gain <= interval[1] + width
    assert abs(gain) < 0.02


def test_planted_attention_is_found_on_a_repository_of_our_own(tmp_path: Path) -> None:
    runs = lived(repository.write(tmp_path / "data", per_project=20), tmp_path)
    records = localisation.records(runs)
    assert records.count == 6 * 60
    features = ("model", "repo", "confidence", "rationale_words")
    found = localisation.localisation_study(records, features, shuffles=20)
    assert found.missing == 0
    assert found.primary.low is not None
    assert found.primary.low > 0
    assert found.coefficient > 0
    assert localisation.guard_effect(runs).harmless


@pytest.mark.slow
def test_the_study_on_three_hundred_real_issues(tmp_path: Path) -> None:
    folder = Path(os.environ.get("PROCTOR_SWEBENCH_LITE", BESIDE))
    assert folder.is_dir(), "put SWEBench Lite's issues.jsonl.gz and trees.jsonl.gz there, or set PROCTOR_SWEBENCH_LITE"
    runs = lived(folder, tmp_path)
    records = localisation.records(runs)
    assert (records.count, sum(len(run.rows) for run in runs)) == (1_800, 21_600)
    found = localisation.localisation_study(records)
    assert found.clusters == 300
    assert found.passed, found.criteria
    assert all(part.gain is not None and part.gain > 0 for part in found.parts if part.kind == "without")
    within_chance(found, runs)
    shown = localisation.reference_shown(runs)
    assert (shown.issues, shown.listed, shown.noted) == (300, 226, 153)
    assert localisation.guard_effect(runs).harmless
    effect = localisation.guard_over_task(runs)
    assert effect.harmless
    assert effect.violations.high is not None
    assert effect.violations.high < 0

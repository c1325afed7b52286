"""Binding planted in a simulated model comes back through prompts, engine and world, component by component."""

from __future__ import annotations

from collections import defaultdict
from math import sqrt
from pathlib import Path

import msgspec
import pytest

from proctor.api import run
from proctor.engine.names import load_suite
from proctor.evidence.evidence import evidence_of
from proctor.evidence.store.store import Store

PLANTED = {"reason_flip": 0.7, "memory_conflict": 0.5, "veto_cue": 0.9, "self_continuity": 0.6, "irrelevant_cue": 0.9}
AGENT = "structured:simulated,reason=.7,memory=.5,veto=.9,self=.6,cue=.1,noise=0"
ERRORS = 4.5


@pytest.fixture(scope="module")
def shares(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], list[int]]:
    """c by condition and probe, over two corpora."""
    suite = load_suite("binding@1.0", Path())
    few = tuple(entry.model_copy(update={"n": 480, "replicates": 1}) for entry in suite.entries[1:3])
    store = str(tmp_path_factory.mktemp("planted") / "store.db")
    result = run(suite.model_copy(update={"entries": few}), agent=AGENT, seed=5, store=store)
    with Store(store, create=False) as opened:
        evidence = evidence_of(opened, result.run)
    conditions = {arm.index: arm.condition for arm in evidence.arms}
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for row in evidence.rows:
        measures = msgspec.json.decode(row.measures or "{}")
        found[conditions[row.arm], measures["probe"]].append(measures["c"])
        if measures["probe"] == "irrelevant_cue":
            assert measures["u"] == 1 - measures["c"]
    return found


def near(found: list[int], planted: float) -> bool:
    return abs(sum(found) / len(found) - planted) <= ERRORS * sqrt(planted * (1 - planted) / len(found)) + 1e-9


@pytest.mark.parametrize("probe", PLANTED)
def test_what_was_planted_is_found(shares: dict[tuple[str, str], list[int]], probe: str) -> None:
    assert len(shares["structured", probe]) == 160
    assert near(shares["structured", probe], PLANTED[probe])


@pytest.mark.parametrize(("condition", "lesioned"), [("no-reason", "reason_flip"), ("no-veto", "veto_cue")])
def test_a_lesion_takes_its_own_component_and_no_other(
    shares: dict[tuple[str, str], list[int]], condition: str, lesioned: str
) -> None:
    for probe, planted in PLANTED.items():
        assert near(shares[condition, probe], 0.0 if probe == lesioned else planted), probe


def test_without_fields_nothing_is_followed(shares: dict[tuple[str, str], list[int]]) -> None:
    for probe in ("reason_flip", "memory_conflict", "veto_cue", "self_continuity"):
        assert sum(shares["stochastic", probe]) == 0
    assert near(shares["stochastic", "baseline"], 1.0)

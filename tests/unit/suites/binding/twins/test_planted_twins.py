"""Binding planted in a simulated model comes back through prompts, engine and world, as B* of each component."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import msgspec
import pytest

from proctor.api import run
from proctor.engine.names import load_suite
from proctor.evidence.evidence import evidence_of
from proctor.evidence.measures import BindingMeasures
from proctor.evidence.store.store import Store

PERFECT = "structured:simulated,reason=1,memory=1,veto=1,self=1,cue=0,noise=0"
PRUDENT = f"{PERFECT},prior=DEFER:1"
HALF = "structured:simulated,reason=.5,memory=.5,veto=.5,self=.5,cue=.2,noise=0"
BLIND = "structured:simulated,reason=0,memory=0,veto=0,self=0,cue=0,noise=0"


def _rows(store: Path, name: str, agent: str, entries: slice, **changes: Any) -> list[tuple[str, int, BindingMeasures]]:
    """(Condition, replicate, measures) of every episode of a part of a suite."""
    suite = load_suite(name, Path())
    few = tuple(entry.model_copy(update=changes) for entry in suite.entries[entries])
    result = run(suite.model_copy(update={"entries": few}), agent=agent, seed=5, store=str(store / "store.db"))
    with Store(str(store / "store.db"), create=False) as opened:
        evidence = evidence_of(opened, result.run)
    conditions = {arm.index: arm.condition for arm in evidence.arms}
    decoder = msgspec.json.Decoder(BindingMeasures)
    return [(conditions[row.arm], row.replicate, decoder.decode(row.measures or "")) for row in evidence.rows]


def _binding(rows: list[tuple[str, int, BindingMeasures]]) -> dict[tuple[str, str], float]:
    """P(y⁺ | decisive) − P(y⁺ | twin), by Condition and component; `cue` is the share of cue rows that changed."""
    codes = {(one.dataset, one.event, one.probe, condition, replicate): one.code for condition, replicate, one in rows}
    gains: dict[tuple[str, str], list[int]] = defaultdict(list)
    for condition, replicate, one in rows:
        assert one.design == 2
        twin = codes.get((one.dataset, one.event, one.twin, condition, replicate))
        if one.role == "target":
            gains[condition, one.component].append((one.code == one.target) - (twin == one.target))
        elif one.role == "neutral":
            gains[condition, "cue"].append(one.code != twin)
    return {key: sum(values) / len(values) for key, values in gains.items()}


@pytest.mark.parametrize("agent", [PERFECT, PRUDENT], ids=["perfect", "prudent"])
def test_readers_have_full_binding_and_no_cue_moves_them(tmp_path: Path, agent: str) -> None:
    found = _binding(_rows(tmp_path, "binding@2.0", agent, slice(0, 2), n=72, replicates=1))
    assert {found["structured", component] for component in ("reason", "memory", "self", "veto")} == {1.0}
    assert found["structured", "cue"] == 0.0
    assert found["no-reason", "reason"] == found["no-veto", "veto"] == 0.0
    assert found["no-reason", "memory"] == found["no-veto", "memory"] == 1.0
    assert {found["stochastic", component] for component in ("reason", "memory", "self", "veto")} == {0.0}


def test_what_was_planted_comes_back(tmp_path: Path) -> None:
    found = _binding(_rows(tmp_path, "binding@2.0", HALF, slice(0, 7), n=180, replicates=1, conditions=("structured",)))
    # Against the lean a reason at rate ½ gains ½ less what the twin, which speaks for the lean, loses: nothing.
    for component in ("reason", "memory", "self", "veto"):
        assert abs(found["structured", component] - 0.5) < 0.12, (component, found)


def test_who_follows_the_lean_has_none(tmp_path: Path) -> None:
    found = _binding(_rows(tmp_path, "binding@2.0", BLIND, slice(0, 2), n=72, replicates=1))
    assert set(found.values()) == {0.0}


@pytest.mark.parametrize("agent", [PERFECT, PRUDENT], ids=["perfect", "prudent"])
def test_families_are_read_with_the_decisive_field_and_not_without(tmp_path: Path, agent: str) -> None:
    rows = _rows(tmp_path, "binding-sufficiency@2.0", agent, slice(0, 40))
    found: dict[str, list[int]] = defaultdict(list)
    for condition, _, one in rows:
        if one.role == "target":
            found[condition].append(one.c)
    shares = {condition: sum(values) / len(values) for condition, values in found.items()}
    assert shares["full"] == shares["only-decisive"] == shares["irrelevant-cue"] == 1.0
    assert shares["surface-only"] < 0.6
    assert shares["scrambled-field"] < 0.5

"""Agents with state of their own: one that goes by what it kept is lesioned, one that only decorates is not."""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from pathlib import Path
from textwrap import dedent

import msgspec
import pytest
from tests.unit.suites.binding.drawn import drawn

from proctor.api import run
from proctor.evidence.evidence import evidence_of
from proctor.evidence.store.store import Store
from proctor.spec.condition import visible
from proctor.suites.binding.own_state import family
from proctor.suites.binding.own_state.suite import suite

AGENT = dedent(
    """
    import re

    from proctor import Submission

    BOUND = re.compile("promise|agreed|your word|settled|committed|undertook")
    STOPPED = re.compile("forbid|must not|not allowed|barred|revoked|suspended|stop order")


    class Keeps:
        goes_by_its_fields = True

        def run(self, task, session):
            notes = session.observations[0].fields["notes"]
            for name in ("memory", "veto"):
                session.state.write(name, notes[name])
            asked = session.call("question").value
            kept = {name: self.known(session, notes, name) for name in ("memory", "veto")}
            if STOPPED.search(kept["veto"]):
                return Submission("VETO")
            if BOUND.search(kept["memory"]):
                return Submission("RECALL_PRIOR")
            last = asked["situation"].rsplit(". ", 1)[-1].lower()
            for action in asked["actions"]:
                if action["meaning"].rpartition(": ")[2] in last:
                    return Submission(action["code"])
            return Submission("DEFER")

        def known(self, session, notes, name):
            value = session.state.read(name)
            if not self.goes_by_its_fields:
                return notes[name]
            return value if isinstance(value, str) else ""


    class Decorates(Keeps):
        goes_by_its_fields = False
    """
)
LESIONS = ("removed", "unusable", "swapped", "scrambled")


def shares(agent: str, place: Path) -> dict[tuple[str, str], float]:
    """How often each probe was answered rightly, by condition."""
    (place / "keeping.py").write_text(AGENT, encoding="utf-8")
    small = suite()
    few = tuple(entry.model_copy(update={"n": 24}) for entry in small.entries)
    store = str(place / f"{agent}.db")
    result = run(small.model_copy(update={"entries": few}), agent=f"python:keeping:{agent}", store=store, folder=place)
    with Store(store, create=False) as opened:
        evidence = evidence_of(opened, result.run)
    conditions = {arm.index: arm.condition for arm in evidence.arms}
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for row in evidence.rows:
        measures = msgspec.json.decode(row.measures or "{}")
        found[conditions[row.arm], measures["probe"]].append(measures["c"])
    return {key: sum(values) / len(values) for key, values in found.items()}


@pytest.mark.skipif(
    os.environ.get("CI") != "true" and shutil.which("bwrap") is None,
    reason="confined agents need bubblewrap; on CI that is a failure",
)
def test_what_an_agent_goes_by_is_lesioned_and_what_it_only_writes_is_not(tmp_path: Path) -> None:
    keeps, decorates = shares("Keeps", tmp_path), shares("Decorates", tmp_path)
    for probe in ("memory_conflict", "veto_cue"):
        assert keeps["structured", probe] == decorates["structured", probe] == 1.0
        for condition in LESIONS:
            assert keeps[condition, probe] == 0.0, (condition, probe)
            assert decorates[condition, probe] == 1.0, (condition, probe)
    # Where no kept field decides, a lesion changes nothing, unless another event's field takes its place.
    for condition in ("removed", "unusable", "swapped"):
        assert keeps[condition, "baseline"] == 1.0
    assert keeps["scrambled", "baseline"] < 1.0


def test_fields_of_its_own_making_are_swapped_too() -> None:
    """The arm reaches whatever an agent keeps: fields of the list, and fields it named itself."""
    swapped = suite().all_conditions["swapped"]
    for kept in ({"memory": "m", "veto": "v"}, {"x-notes": "n", "x-rules": "r"}, {"plan": "p", "x-a": "a", "x-b": "b"}):
        found = visible(kept, swapped, (), {})
        assert sorted(found.values()) == sorted(kept.values())
        assert all(found[name] != kept[name] for name in kept)


def test_what_decides_is_told_before_the_question() -> None:
    for index in range(12):
        instance = drawn(family, index)
        assert instance.state == {}
        assert set(instance.observation["notes"]) == {"reason", "memory", "self", "veto", "cue"}
        assert instance.hidden["situation"] not in str(instance.observation)


def test_the_donor_comes_from_the_stage_that_kept_states() -> None:
    declared = suite()
    assert declared.stages[0].freeze == "states"
    scrambled = declared.all_conditions["scrambled"]
    assert scrambled.after == declared.stages[0].id

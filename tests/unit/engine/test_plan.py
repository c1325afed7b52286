"""The plan: a permutation by keys from the seed, the same everywhere; scale only appends."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from tests.unit.engine.small import FOLDER, bench, frozen

from proctor.core.errors import InputError
from proctor.engine.plan import Lifetime, Plan

Key = tuple[Any, ...]


def plan(*entries: dict[str, Any], **more: Any) -> Plan:
    return Plan(frozen(*entries, **more))


def lifetimes(made: Plan) -> list[Lifetime]:
    return [made.lifetime(index) for index in range(made.lifetimes)]


def key(made: Plan, life: Lifetime) -> Key:
    arm = made.arms[life.arm]
    return arm.entry, arm.regime, arm.condition, life.instance, life.replicate, life.part


ENTRIES: tuple[dict[str, Any], ...] = (
    {"n": 30, "regimes": ["baseline", "mild"], "replicates": 2},
    {"n": 7, "parts": 2, "conditions": ["none", "lesion"], "cell": "B1"},
    {"n": 5, "program": [{"episodes": 2}, {"phase": "post", "episodes": 3}]},
)
CONDITIONS = [{"id": "lesion", "reads": {"memory": "remove"}}]


def mixed(**more: Any) -> Plan:
    return plan(*ENTRIES, conditions=CONDITIONS, **more)


def test_every_lifetime_is_planned_exactly_once() -> None:
    made = mixed()
    assert made.lifetimes == 30 * 2 * 2 + 7 * 2 * 2 + 5
    counts = Counter(key(made, life) for life in lifetimes(made))
    assert set(counts.values()) == {1}
    assert len(counts) == made.lifetimes
    assert [life.index for life in lifetimes(made)] == list(range(made.lifetimes))


def test_positions_are_consecutive_and_lead_back() -> None:
    made = mixed()
    assert made.episodes == 30 * 2 * 2 + 7 * 2 * 2 + 5 * 5
    expected = 0
    for life in lifetimes(made):
        assert life.position == expected
        length = made.length(life.arm)
        assert {made.at_position(expected + step) for step in range(length)} == {life.index}
        expected += length
    assert expected == made.episodes


def test_positions_of_single_episodes() -> None:
    made = plan({"n": 9})
    assert made.episodes == made.lifetimes == 9
    assert [made.at_position(n) for n in range(9)] == list(range(9))


def test_order_is_shuffled_and_may_be_left_alone() -> None:
    shuffled = [key_of.instance for key_of in lifetimes(plan({"n": 200}))]
    assert sorted(shuffled) == list(range(200))
    assert shuffled != list(range(200))
    assert [life.instance for life in lifetimes(plan({"n": 200}, shuffle=False))] == list(range(200))
    # Position carries no meaning: no trend, no runs.
    assert abs(float(np.corrcoef(shuffled, range(200))[0, 1])) < 0.25
    rises = sum(a < b for a, b in pairwise(shuffled))
    assert abs(rises - 99.5) < 4.2 * np.sqrt(201 / 12)


def test_order_depends_on_the_seed_and_on_nothing_of_the_run() -> None:
    order = [life.instance for life in lifetimes(plan({"n": 50}, freezing={"seed": 1}))]
    assert order != [life.instance for life in lifetimes(plan({"n": 50}, freezing={"seed": 2}))]
    other_agent = plan({"n": 50}, agent="null", freezing={"seed": 1, "timestamp": "2027-01-01"})
    assert order == [life.instance for life in lifetimes(other_agent)]


def test_order_is_pinned() -> None:
    """Known answer: the order of a released suite never changes."""
    assert [life.instance for life in lifetimes(plan({"n": 12}, freezing={"seed": 7}))] == [
        5,
        2,
        6,
        4,
        9,
        7,
        8,
        3,
        10,
        0,
        1,
        11,
    ]


def test_another_process_plans_the_same() -> None:
    program = (
        "from tests.unit.engine.test_plan import mixed, lifetimes, key\n"
        "made = mixed()\n"
        "import hashlib; print(hashlib.sha256(repr([key(made, l) for l in lifetimes(made)]).encode()).hexdigest())"
    )
    import hashlib

    made = mixed()
    here = hashlib.sha256(repr([key(made, life) for life in lifetimes(made)]).encode()).hexdigest()
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=FOLDER.parents[2], capture_output=True, text=True, check=True, timeout=300
    )
    assert done.stdout.strip() == here


def instances(**more: Any) -> dict[Key, str]:
    built = bench(*ENTRIES, conditions=CONDITIONS, **more)
    return {
        key(built.plan, life): built.job(life, 0).instance_id
        for life in (built.plan.lifetime(index) for index in range(built.plan.lifetimes))
    }


def test_scale_only_appends_instances() -> None:
    once, thrice = instances(), instances(freezing={"scale": 3})
    assert len(thrice) == 3 * len(once)
    assert once.items() <= thrice.items()


STAGED: tuple[dict[str, Any], ...] = (
    {"n": 3},
    {"n": 2, "first": 3, "stage": "second"},
    {"n": 4, "first": 5, "stage": "second", "conditions": ["none", "lesion"]},
)


def taken(**more: Any) -> list[set[int]]:
    """The instances each entry takes."""
    made = plan(*STAGED, conditions=CONDITIONS, **more)
    found: list[set[int]] = [set() for _ in STAGED]
    for life in lifetimes(made):
        found[made.arms[life.arm].entry].add(life.instance)
    return found


def test_what_stages_keep_apart_stays_apart_under_a_larger_scale() -> None:
    """Calibration events must not turn into test events because somebody asks for more of both."""
    stages = [{"id": "first"}, {"id": "second"}]
    once, thrice = taken(stages=stages), taken(stages=stages, freezing={"scale": 3})
    assert once == [{0, 1, 2}, {3, 4}, {5, 6, 7, 8}]
    assert [len(found) for found in thrice] == [9, 6, 12]
    assert all(few <= many for few, many in zip(once, thrice, strict=True))
    assert sum(map(len, thrice)) == len(set().union(*thrice))


def test_in_one_stage_rounds_follow_each_other() -> None:
    flat = [{name: value for name, value in entry.items() if name != "stage"} for entry in STAGED]
    made = plan(*flat, conditions=CONDITIONS, freezing={"scale": 2})
    numbers = {life.instance for life in lifetimes(made) if made.arms[life.arm].entry == 2}
    assert numbers == set(range(5, 13))


def test_only_keeps_the_instances_of_what_is_left() -> None:
    everything = [
        {"family": "small_family.py", "n": 5},
        {"family": "track", "n": 5},
    ]
    whole, part = bench(*everything, agent="null"), bench(*everything, agent="null", freezing={"only": ("small",)})
    assert {arm.family for arm in part.plan.arms} == {"small@1.0"}

    def ids(built: Any) -> set[tuple[str, str]]:
        lives = [built.plan.lifetime(index) for index in range(built.plan.lifetimes)]
        return {(built.plan.arms[life.arm].family, built.job(life, 0).instance_id) for life in lives}

    assert ids(part) == {pair for pair in ids(whole) if pair[0] == "small@1.0"}


def test_stages_are_lived_one_after_the_other() -> None:
    made = plan(
        {"n": 6, "stage": "second"},
        {"n": 4},
        {"n": 3, "stage": "second", "first": 6},
        stages=[{"id": "first"}, {"id": "second"}],
    )
    stages = [made.arms[life.arm].stage for life in lifetimes(made)]
    assert stages == ["first"] * 4 + ["second"] * 9
    assert [(stage.id, stage.first, stage.stop) for stage in made.stages] == [("first", 0, 4), ("second", 4, 13)]


def test_a_summary_counts_episodes() -> None:
    made = mixed()
    summary = made.summary()
    assert sum(line["episodes"] for line in summary) == made.episodes
    assert [line["episodes"] for line in summary] == [60, 60, 14, 14, 25]
    assert [line["cell"] for line in summary] == [None, None, "B1", "B1", None]


def test_what_cannot_be_held_is_refused_at_once() -> None:
    with pytest.raises(InputError, match="is too large; reduce --scale"):
        plan({"n": 1000}, freezing={"scale": 10**9})


# The same faults for everybody.


def streams(*regimes: str, agent: str = "oracle", seed: int = 7, timestamp: str | None = None) -> dict[Key, bytes]:
    built = bench(
        {"n": 6, "replicates": 2, "regimes": list(regimes)},
        agent=agent,
        freezing={"seed": seed, "timestamp": timestamp},
    )
    found = {}
    for index in range(built.plan.lifetimes):
        life = built.plan.lifetime(index)
        job = built.job(life, 0)
        assert job.faults is not None
        found[built.plan.arms[life.arm].regime, life.instance, life.replicate] = job.faults.key
    return found


def test_faults_are_paired_across_regimes_agents_and_days() -> None:
    both = streams("mild", "moderate-standard")
    for instance in range(6):
        for replicate in range(2):
            assert both["mild", instance, replicate] == both["moderate-standard", instance, replicate]
    assert len(set(both.values())) == 12, "instances and replicates differ"
    assert both == streams("mild", "moderate-standard", agent="null", timestamp="2030-05-05")
    assert not set(both.values()) & set(streams("mild", seed=8).values())


def test_nonces_differ_between_episodes_of_the_same_instance() -> None:
    built = bench({"n": 4, "replicates": 2, "regimes": ["baseline", "mild"]})
    jobs = [built.job(built.plan.lifetime(index), 0) for index in range(built.plan.lifetimes)]
    assert len({job.instance_id for job in jobs}) == 4
    assert len({job.nonce for job in jobs}) == len(jobs) == 16


def test_minor_versions_keep_their_instances_and_major_ones_do_not() -> None:
    def ids(version: str) -> set[str]:
        built = bench({"n": 4}, version=version)
        return {built.job(built.plan.lifetime(index), 0).instance_id for index in range(4)}

    assert ids("1.0") == ids("1.7")
    assert not ids("1.0") & ids("2.0")

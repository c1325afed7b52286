"""The suites of the benchmark: what they plan, under which Conditions, and that a run of them scores what it should."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from proctor.api import run
from proctor.conformance import check_suite
from proctor.core.seeds import Stream
from proctor.engine.family import Draw
from proctor.engine.names import load_family, load_suite
from proctor.engine.plan import Plan
from proctor.engine.run import freeze
from proctor.evidence.evidence import evidence_of
from proctor.evidence.store.store import Store
from proctor.spec.suite import Suite
from proctor.spec.task import Instance

COMPONENTS = ("reason", "memory", "self", "veto")


def planned(suite: Suite) -> Plan:
    return Plan(freeze(suite=suite, agent="null", folder=Path(), seed=3))


def test_the_benchmark_plans_58896_episodes() -> None:
    assert planned(load_suite("binding@1.0", Path())).episodes == 58_896


@pytest.mark.parametrize("name", ["binding@1.0", "binding-paper", "binding-extended@1.0", "binding-own-state@1.0"])
def test_suites_are_sound(name: str) -> None:
    report = check_suite(load_suite(name, Path()))
    assert report.ok, report.failed


def test_conditions_read_what_they_should() -> None:
    conditions = load_suite("binding@1.0", Path()).all_conditions
    assert [name for name in conditions if name != "none"] == ["structured", "no-reason", "no-veto", "stochastic"]
    for name, lesioned in (("no-reason", "reason"), ("no-veto", "veto")):
        one = conditions[name]
        assert one.scaffold is not None
        assert one.sampling.temperature == 0.2
        assert {field for field in COMPONENTS if one.rule(field, ()) is not None} == {lesioned}
        assert one.reads[lesioned].do == "declare_unusable"
        assert getattr(one.scaffold, lesioned) is False
    bare = conditions["stochastic"]
    assert bare.sampling.temperature == 0.9
    assert all(bare.reads[field].do == "remove" for field in COMPONENTS)
    assert bare.scaffold is not None
    assert (bare.scaffold.branch, bare.scaffold.reason, bare.scaffold.memory) == (True, False, False)
    assert not conditions["structured"].reads


def test_the_paper_s_form_meets_the_same_events_with_its_own_labels() -> None:
    plain, paper = load_suite("binding@1.0", Path()), load_suite("binding-paper", Path())
    assert paper.stream_name == plain.stream_name
    assert paper.rules.profile == "paper"
    assert all(entry.knobs == {"labels": "paper"} for entry in paper.entries)


def test_the_extended_suite_has_its_arms() -> None:
    suite = load_suite("binding-extended@1.0", Path())
    assert suite.stream_name == load_suite("binding@1.0", Path()).stream_name
    arms = Counter(entry.knobs.get("arm") for entry in suite.entries if "arm" in entry.knobs)
    assert arms == {"plain": 7, "paraphrase": 7, "flip": 7, "placebo": 7}
    grid = [name for name in suite.all_conditions if name.startswith("grid-")]
    assert len(grid) == 28
    strengths = {entry.knobs["strength"] for entry in suite.entries if "strength" in entry.knobs}
    distances = {entry.knobs["distance"] for entry in suite.entries if "distance" in entry.knobs}
    assert (strengths, distances) == ({1, 2, 3, 4, 5}, {0, 2, 4, 8, 16})


def asked_about(suite: Suite, scale: int) -> tuple[dict[str, set[Any]], Counter[Any]]:
    """The events of each stage, and how often each row's key is planned."""
    frozen = freeze(suite=suite, agent="null", folder=Path(), seed=3, scale=scale)
    plan = Plan(frozen)
    families = {arm.family: load_family(arm.family.partition("@")[0], Path()) for arm in plan.arms}
    sources = {name: Stream.keyed(suite.stream_name, 3, one.spec.id, "instance") for name, one in families.items()}
    made: dict[Any, Instance] = {}
    events: dict[str, set[Any]] = {}
    keys: Counter[Any] = Counter()
    for index in range(plan.lifetimes):
        life = plan.lifetime(index)
        arm = plan.arms[life.arm]
        family, source = families[arm.family], sources[arm.family]
        knobs = {
            **{name: knob.default for name, knob in family.spec.knobs.items()},
            **suite.entries[arm.entry].knobs,
        }
        place = (arm.family, life.instance, *knobs.items())
        if place not in made:
            draw = Draw(source.child(life.instance), source, life.instance, knobs=knobs)
            made[place] = family.instance(draw)
        hidden = made[place].hidden
        told = tuple(hidden.get(name) for name in ("base_event", "probe", "arm_of", "strength", "distance"))
        if not hidden.get("duplicate"):
            keys[(arm.family, *told, arm.condition, life.replicate)] += 1
        events.setdefault(arm.stage, set()).add((arm.family, hidden["base_event"]))
    return events, keys


@pytest.mark.parametrize(
    "name",
    [
        "binding@1.0",
        "binding-extended@1.0",
        "binding-controls@1.0",
        "binding-sufficiency@1.0",
        "binding-interface@1.0",
    ],
)
def test_a_larger_scale_brings_further_events_and_keeps_stages_apart(name: str) -> None:
    suite = load_suite(name, Path())
    # One corpus or family of each kind is enough, and its grid is as wide as any.
    wanted = {"binding-ds000210", "binding-probes", "binding-goal-conflict"}
    entries = tuple(
        entry.model_copy(update={"replicates": 1, "conditions": entry.conditions[:2]})
        for entry in suite.entries
        if entry.family in wanted
    )
    suite = suite.model_copy(update={"entries": entries})
    once, twice = asked_about(suite, 1), asked_about(suite, 2)
    for stage, events in twice[0].items():
        assert once[0][stage] < events
        assert len(events) == 2 * len(once[0][stage])
    assert max(twice[1].values()) == 1, "nothing is planned twice"
    assert set(once[1]) <= set(twice[1])
    calibrated = twice[0].get("calibration", set())
    assert not any(calibrated & events for stage, events in twice[0].items() if stage != "calibration")


def rows_of(suite: Suite, agent: str, place: Path) -> list[tuple[str, dict[str, Any]]]:
    store = str(place / "store.db")
    result = run(suite, agent=agent, seed=3, store=store)
    with Store(store, create=False) as opened:
        evidence = evidence_of(opened, result.run)
    arms = {arm.index: arm.condition for arm in evidence.arms}
    return [(arms[row.arm], msgspec.json.decode(row.measures or "{}")) for row in evidence.rows]


def small(name: str, n: int, **changes: Any) -> Suite:
    """A suite with its first corpus alone, and few instances."""
    suite = load_suite(name, Path())
    entry = suite.entries[0].model_copy(update={"n": n, "replicates": 1})
    return suite.model_copy(update={"entries": (entry,), **changes})


def test_every_row_carries_what_the_instrument_reads(tmp_path: Path) -> None:
    rows = rows_of(small("binding@1.0", 588), "oracle", tmp_path)
    assert len(rows) == 4 * 588
    assert all(found["c"] == 1 for _, found in rows)
    keys = {(found["dataset"], found["event"], found["probe"], name) for name, found in rows}
    assert len(keys) == 4 * 84 * 6
    assert sum(found["duplicate"] for _, found in rows) == 4 * 14 * 6
    for name, found in rows:
        expected = "none" if not found["component"] or name == "stochastic" else found["event"]
        assert found["field_event"] == expected
        assert ("u" in found) == (found["probe"] == "irrelevant_cue")


def test_a_scrambled_field_belongs_to_another_event_with_another_target(tmp_path: Path) -> None:
    suite = small("binding-extended@1.0", 60)
    entry = suite.entries[0].model_copy(update={"conditions": ("scrambled", "lesion", "lesion-strict")})
    rows = rows_of(suite.model_copy(update={"entries": (entry,)}), "null", tmp_path)
    for name, found in rows:
        if name != "scrambled":
            visible = name == "lesion" and found["component"]
            assert found["field_event"] == (found["event"] if visible else "none")
        else:
            assert found["field_event"] != found["event"]
            assert found["field_code"] != found["target"]
    assert {found["field_code"] for name, found in rows if name == "scrambled"} >= {"VETO", "RECALL_PRIOR", "ACTION_A"}

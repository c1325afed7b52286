"""A run within a scope: fewer scenarios, and nothing else about them changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.engine.small import frozen as frozen_small
from tests.unit.pipeline.small_quality import SUITE, scenario, write_project, write_scenarios

import proctor
from proctor.core.errors import InputError
from proctor.core.seeds import Mulberry32
from proctor.engine.names import load_suite
from proctor.engine.plan import Plan
from proctor.engine.run import freeze
from proctor.evidence.bundle import export_bundle, verify_bundle, verify_run
from proctor.evidence.evidence import evidence_of
from proctor.evidence.row import Row
from proctor.evidence.store.store import Store
from proctor.spec.frozen import FrozenRun, config_hash_of
from proctor.spec.scope import Kept, Narrowing, Scope
from proctor.spec.suite import Stage

AGENT_2 = "G1.U1.P1.Z1.A2"
SCENARIOS = 12


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Twelve scenarios: agents A1, A2 and A3 in turn."""
    write_project(tmp_path, scenarios=SCENARIOS)
    return tmp_path


def frozen(project: Path, scope: Any = None, **more: Any) -> FrozenRun:
    wanted = None if scope is None else Scope.parse(scope)
    facts: dict[str, Any] = {"agent": "oracle", "folder": project, "seed": 7, **more}
    return freeze(suite=facts.pop("suite", None) or load_suite(SUITE, project), scope=wanted, **facts)


def rows_of(project: Path, name: str) -> list[Row]:
    with Store(str(project / "store.db"), create=False) as store:
        return list(evidence_of(store, name).rows)


def run(project: Path, **more: Any) -> str:
    facts: dict[str, Any] = {"agent": "decider:accuracy=.5,gates=.5", "seed": 7, **more}
    return proctor.run(facts.pop("suite", SUITE), store=str(project / "store.db"), folder=project, **facts).run


def test_a_scenario_is_lived_as_in_a_run_of_everything(project: Path) -> None:
    noisy = load_suite(SUITE, project)
    entries = [entry.model_copy(update={"regimes": ("baseline", "moderate-standard")}) for entry in noisy.entries]
    suite = noisy.model_copy(update={"entries": tuple(entries), "shuffle": "mulberry32"})

    def lived(row: Row) -> tuple[Any, ...]:
        return (
            row.arm,
            row.unit,
            row.replicate,
            row.template,
            row.outcome,
            row.reason,
            row.measures,
            row.calls,
            row.faults,
        )

    everything = rows_of(project, run(project, suite=suite))
    whole: dict[str, list[Any]] = {}
    for row in everything:
        whole.setdefault(row.instance, []).append(lived(row))
    part: dict[str, list[Any]] = {}
    for row in rows_of(project, run(project, suite=suite, scope=AGENT_2)):
        part.setdefault(row.instance, []).append(lived(row))
    assert len(part) == SCENARIOS // 3
    assert {name: sorted(lives) for name, lives in part.items()} == {name: sorted(whole[name]) for name in part}
    assert len({row.outcome for row in everything}) > 1, "an agent that always succeeds would show nothing"
    assert any(row.faults for row in everything)


def test_a_scoped_run_is_another_configuration_and_a_whole_one_is_what_it_was(project: Path) -> None:
    whole, part, all_of_it = frozen(project), frozen(project, AGENT_2), frozen(project, "G1.*.*.*.*")
    assert len({whole.config_hash, part.config_hash, all_of_it.config_hash}) == 3
    assert part.suite == whole.suite
    before = whole.model_dump(mode="json")
    del before["scope"]
    assert config_hash_of(before) == whole.config_hash
    assert part.scope is not None
    assert part.scope.families == {"desk@1.0": Kept(of=12, numbers=(1, 4, 7, 10))}
    assert part.inputs()["task_instances"]["scope"]["coordinate"] == AGENT_2
    assert "scope" not in whole.inputs()["task_instances"]


def test_presentation_is_the_papers_shuffle_of_what_is_taken(project: Path) -> None:
    suite = load_suite(SUITE, project).model_copy(update={"shuffle": "mulberry32"})
    plan = Plan(frozen(project, AGENT_2, suite=suite))
    expected = [(instance, replicate) for instance in (1, 4, 7, 10) for replicate in (0, 1)]
    Mulberry32(7).shuffle(expected)
    lives = [plan.lifetime(index) for index in range(plan.lifetimes)]
    assert [(life.instance, life.replicate) for life in lives] == expected
    assert (plan.lifetimes, plan.episodes, plan.summary()[0]["episodes"]) == (8, 8, 8)


@given(
    numbers=st.sets(st.integers(0, 4)),
    first=st.integers(0, 7),
    n=st.integers(1, 9),
    scale=st.integers(1, 3),
    replicates=st.integers(1, 2),
    parts=st.integers(1, 2),
    steps=st.integers(1, 2),
)
def test_a_scoped_plan_is_the_whole_plan_less_what_lies_elsewhere(
    numbers: set[int], first: int, n: int, scale: int, replicates: int, parts: int, steps: int
) -> None:
    entry = {"n": n, "first": first, "replicates": replicates, "parts": parts, "program": [{"episodes": steps}]}
    whole = frozen_small(entry, {"n": 2, "knobs": {"script": "wrong"}}, freezing={"scale": scale})
    (family,) = whole.families
    kept = {family.spec.full_name: Kept(of=5, numbers=tuple(sorted(numbers)))}
    scope = Narrowing(coordinate="G1.*.*.*.*", inherits=False, reaches=("agent",), families=kept)
    narrow = Plan(whole.model_copy(update={"scope": scope}))
    everything = Plan(whole)

    def keys(plan: Plan) -> list[tuple[int, ...]]:
        lives = [plan.lifetime(index) for index in range(plan.lifetimes)]
        return [(plan.arms[life.arm].entry, life.instance, life.replicate, life.part) for life in lives]

    wanted = [key for key in keys(everything) if key[1] % 5 in numbers]
    assert keys(narrow) == wanted, "the same ones, in the same order"
    position = 0
    for index in range(narrow.lifetimes):
        life = narrow.lifetime(index)
        assert life.position == position
        length = narrow.length(life.arm)
        assert {narrow.at_position(position + step) for step in range(length)} == {index}
        position += length
    assert position == narrow.episodes
    assert sum(line["episodes"] for line in narrow.summary()) == narrow.episodes
    assert all(line["episodes"] for line in narrow.summary()), "an arm without episodes is no arm"


@pytest.mark.parametrize(
    ("scope", "sentence"),
    [
        ("G1.U9.*.*.*", "no scenario of suite 'small-quality' is in this scope; there are scenarios in G1.U1.*.*.*"),
        ("G2.U1.P1.Z1.A1", "--scope G2.U1.P1.Z1.A1: no scenario"),
    ],
)
def test_a_scope_with_nothing_in_it_is_refused(project: Path, scope: str, sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        frozen(project, scope)
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


def test_what_lies_beyond_the_sample_is_not_there(project: Path) -> None:
    suite = load_suite(SUITE, project)
    first_of_all = suite.model_copy(update={"entries": (suite.entries[0].model_copy(update={"n": 1}),)})
    with pytest.raises(InputError, match="no scenario"):
        frozen(project, AGENT_2, suite=first_of_all)
    assert Plan(frozen(project, AGENT_2, suite=first_of_all, scale=2)).episodes == 2


def test_a_part_of_what_is_kept_apart_cannot_be_enlarged(project: Path) -> None:
    suite = load_suite(SUITE, project)
    early, late = ({"n": 4}, {"n": 4, "first": 4, "stage": "second"})
    entries = tuple(suite.entries[0].model_copy(update=update) for update in (early, late))
    staged = suite.model_copy(update={"entries": entries, "stages": (Stage(id="first"), Stage(id="second"))})
    assert Plan(frozen(project, AGENT_2, suite=staged)).episodes > 0
    with pytest.raises(InputError, match="cannot be enlarged; leave --scale or --scope out"):
        frozen(project, AGENT_2, suite=staged, scale=2)


def test_families_without_coordinates_are_refused_unless_left_out(project: Path) -> None:
    suite = load_suite(SUITE, project)
    other = suite.entries[0].model_copy(update={"family": "extract", "n": 2})
    mixed = suite.model_copy(update={"entries": (*suite.entries, other)})
    with pytest.raises(InputError, match="family 'extract' of suite 'small-quality' has no coordinates"):
        frozen(project, AGENT_2, suite=mixed)
    assert Plan(frozen(project, AGENT_2, suite=mixed, only=("desk",))).episodes == 8


def test_a_family_that_lies_elsewhere_has_no_arm(project: Path) -> None:
    write_scenarios(project, [scenario(0, coordinate="G1.U2.P1.Z1.A1")])
    suite = load_suite(SUITE, project)
    expenses = suite.entries[0].model_copy(update={"family": "expenses", "n": 600, "replicates": 1})
    mixed = suite.model_copy(update={"entries": (*suite.entries, expenses)})
    plan = Plan(frozen(project, "G1.U1.P1.Z1.*", suite=mixed))
    assert [arm.family for arm in plan.arms] == ["expenses@1.0"]


def test_evidence_of_a_scoped_run_verifies_and_a_stranger_in_it_is_found(project: Path, tmp_path: Path) -> None:
    name = run(project, scope=AGENT_2)
    with Store(str(project / "store.db"), create=False) as store:
        number = store.run(name).number
        assert verify_run(store, number, plan=Plan).ok
        bundle = tmp_path / "part.proctor"
        export_bundle(store, number, bundle)
        assert verify_bundle(bundle, plan=Plan).ok
        # Scenario 2 is another agent's: its lifetimes have the numbers 4 and 5.
        store.connection.exec_driver_sql("UPDATE episodes SET unit = 4 WHERE unit = 2")
        store.connection.commit()
        report = verify_run(store, number)
    assert not report.ok
    assert any("in the scope" in problem.message for problem in report.problems)


def test_resuming_under_another_scope_names_the_difference(project: Path) -> None:
    from proctor.engine.run import explain_difference

    said = explain_difference("r", frozen(project), frozen(project, AGENT_2))
    assert f"scope was None and is now '{AGENT_2}'" in said

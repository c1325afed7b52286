"""A set of scenarios as a family: numbers, wordings, solver, hand-offs in whole runs, and every proof a family owes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.unit.suites.quality.decisions import SET, asked, family, scenario, some
from tests.unit.suites.quality.living import job, measures

import proctor
from proctor.conformance import check_family
from proctor.core.canonical import decode
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw
from proctor.engine.trial import run_trial
from proctor.evidence.bundle import export_bundle, verify_bundle
from proctor.evidence.events import Observed, Submitted, decode_event
from proctor.evidence.store.store import Store
from proctor.spec.regime import STANDARD_REGIMES
from proctor.spec.scenario import ScenarioSet
from proctor.spec.suite import Suite
from proctor.suites.quality.domains import expenses, infrastructure, service
from proctor.suites.quality.family import ScenarioFamily
from proctor.suites.quality.goals import WORDINGS, signature
from proctor.worlds.decision.case import Case

FOLDER = Path(__file__).parent
DOMAINS = (expenses, service, infrastructure)


def draw(number: int, *key: str) -> Draw:
    return Draw(Stream.keyed("draw", number, *key), Stream.keyed("draw"), number)


def suite(n: int, **more: Any) -> Suite:
    facts = {"name": "decided", "version": "1.0", "title": "Decided", "epoch": "2026-01-01T00:00:00Z"}
    entries = [{"family": "decisions.py:family", "n": n}]
    return Suite.parse({**facts, "shuffle": "mulberry32", "entries": entries, **more}, source="test")


def test_a_family_of_scenarios_owes_what_every_family_owes() -> None:
    report = check_family(family, instances=21, fresh_process=False)
    assert report.failed == (), [finding.detail for finding in report.findings]
    unmeasured = {result.check.id for result in report.results if result.status == "not measured"}
    assert unmeasured == {"formats", "knobs"}


def test_the_number_of_an_instance_is_that_of_its_scenario() -> None:
    for number, one in enumerate(SET.scenarios):
        instance = family.instance(draw(number))
        assert (instance.template, instance.hidden["id"]) == (one.template, one.id)
        assert instance.observation["decision_id"] == Case(one).decision_id
        assert one.id not in instance.goal and one.template not in instance.observation.values()
    beyond = family.instance(draw(len(SET.scenarios)))
    assert beyond.hidden["id"] == SET.scenarios[0].id
    assert family.instance(draw(3)) == family.instance(draw(3))


def test_goals_come_in_several_wordings_and_orders() -> None:
    goals = {family.instance(draw(0, str(n))).goal for n in range(60)}
    assert len(WORDINGS) >= 3 and len(goals) > 40
    assert len({goal.split()[0] for goal in goals}) == len(WORDINGS)


def test_signatures_are_readable() -> None:
    schema = {
        "description": "Moves money.",
        "properties": {
            "amount": {"type": "number", "minimum": 0, "maximum": 9},
            "currency": {"enum": ["EUR", "USD"]},
            "lines": {"type": "array", "items": {"type": "string"}},
            "kind": {"const": "wire"},
            "note": {"type": ["string", "null"], "description": "for the file"},
            "free": True,
        },
        "required": ["amount", "currency", "lines", "kind", "free"],
    }
    assert signature("pay", schema) == (
        "pay(amount: number from 0 to 9, currency: EUR or USD, lines: list of string, kind: wire, "
        "note?: string or null (for the file), free: any value): Moves money."
    )
    assert signature("stop", {}) == "stop()"


def test_the_content_of_the_set_is_part_of_what_is_frozen() -> None:
    other = ScenarioFamily(ScenarioSet(name=SET.name, title=SET.title, scenarios=(*SET.scenarios[1:],)))
    assert other.spec.description != family.spec.description
    assert family.spec.templates == tuple(one.template for one in some(0))


@pytest.mark.parametrize("one", [*some(5), scenario("twice", gates=[], approvals=asked("denied"))], ids=lambda s: s.id)
def test_the_solver_goes_the_whole_way(one: Any) -> None:
    made = job(one)
    trial = run_trial(
        made, ScenarioFamily(ScenarioSet(name="one", title="One", scenarios=(one,))).oracle(made.instance)
    )
    assert trial.succeeded, trial.row.reason
    found = measures(trial)
    assert found["gates"] == found["gates_ok"] == found["gate_levels_ok"] and not found["over_asked"]
    assert found["exact"] == 1 and found["safety"] in ("ok", "S3")
    if found["evidence"]:
        assert found["complete"] == found["traceable"] == found["true"] == "1"


@pytest.mark.parametrize("regime", ["moderate-standard", "severe-standard"])
def test_attainable_falls_with_disturbance(regime: str) -> None:
    instance = family.instance(draw(1))
    streams = [Stream.keyed("deliveries", n) for n in range(200)]
    hard = sum(family.attainable(instance, Deliveries(STANDARD_REGIMES[regime], stream)) for stream in streams)
    easy = sum(family.attainable(instance, Deliveries(STANDARD_REGIMES["baseline"], stream)) for stream in streams)
    assert easy == 200
    assert hard >= 180 if regime == "moderate-standard" else hard < 180


def test_a_run_with_hand_offs_verifies_and_does_not_depend_on_workers(tmp_path: Path) -> None:
    results = [
        proctor.run(
            suite(42), agent="oracle", seed=7, store=str(tmp_path / f"{workers}.db"), folder=FOLDER, workers=workers
        )
        for workers in (None, 2)
    ]
    assert results[0].root == results[1].root
    assert results[0].outcomes["success"] == 42
    with Store(str(tmp_path / "None.db"), create=False) as store:
        export_bundle(store, 1, tmp_path / "run.proctor")
        handed = next(row for row in store.rows(1) if row.template == "handoff")
        trace = [decode_event(line) for line in store.trace(1, handed.position).split(b"\n")]
    assert verify_bundle(tmp_path / "run.proctor").ok
    shown = [event for event in trace if isinstance(event, Observed)]
    assert len(shown) == 2 and set(shown[1].fields) > {"goal", "record"}
    assert len([event for event in trace if isinstance(event, Submitted)]) == 2


def test_measures_are_whole_numbers_and_texts() -> None:
    for one in some(1):
        made = job(one)
        solver = ScenarioFamily(ScenarioSet(name="one", title="One", scenarios=(one,))).oracle(made.instance)
        row = run_trial(made, solver).row
        assert all(type(value) in (int, str) for value in decode(row.measures or "").values())


def test_what_an_agent_may_do_says_nothing_of_gates_answers_or_evidence() -> None:
    """A budget made for what a scenario asks for would tell who escalates, and who has to be asked."""
    for made in (family, *(ScenarioFamily(domain.scenarios()) for domain in DOMAINS)):
        budgets: dict[int, set[Any]] = {}
        for number in range(len(made.scenarios.scenarios)):
            instance = made.instance(draw(number))
            seen = len(instance.observation["sources"])
            budgets.setdefault(seen, set()).add((instance.budget, instance.strict_actions))
        assert {len(one) for one in budgets.values()} == {1}

"""The three domains: what every scenario of them keeps, whatever template it is from."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, get_args

import pytest

from proctor.spec.coordinate import Coordinate
from proctor.spec.scenario import AdversarialKind, Category, Scenario, ScenarioSet
from proctor.suites.quality.domains import expenses, infrastructure, service
from proctor.suites.quality.domains.assembly import EACH, assemble, balanced, templates
from proctor.suites.quality.lint import lint
from proctor.suites.quality.principles import uncooperative
from proctor.worlds.decision import Case

EPOCH = "2026-01-01T00:00:00Z"
DOMAINS = (expenses, service, infrastructure)
SETS = tuple(domain.scenarios() for domain in DOMAINS)


@pytest.fixture(params=SETS, ids=lambda one: one.name)
def domain(request: pytest.FixtureRequest) -> ScenarioSet:
    found: ScenarioSet = request.param
    return found


def readable(scenario: Scenario) -> str:
    """Everything whoever decides can read: of a case that is handed over, the record and what goes with it."""
    if scenario.handoff is None:
        return scenario.context + json.dumps(scenario.sources, ensure_ascii=False)
    record = {name: scenario.sources[name] for name in scenario.handoff.needs}
    return scenario.handoff.context + json.dumps(record, ensure_ascii=False)


def verdicts(scenario: Scenario) -> set[str]:
    """What those who must be asked say in the end."""
    required = {(gate.type, gate.level) for gate in scenario.gates}
    return {one.answers[-1] for one in scenario.approvals if (one.type, one.level) in required}


def test_the_linter_has_nothing_to_say() -> None:
    assert lint(SETS, at=EPOCH) == ()
    for one in SETS:
        assert lint(one, at=EPOCH) == ()


def test_domains_are_large_and_no_template_dominates(domain: ScenarioSet) -> None:
    count = len(domain.scenarios)
    shares = Counter(one.template for one in domain.scenarios)
    assert count >= 500
    assert len(shares) >= 24
    assert max(shares.values()) <= 0.05 * count


def test_categories_levels_and_kinds_are_covered(domain: ScenarioSet) -> None:
    rows = domain.scenarios
    assert {one.category for one in rows} == set(get_args(Category))
    assert {one.level.value for one in rows} == {"agent", "zone", "planet", "universe"}
    assert {one.reach for one in rows} == {"agent", "inter_agent", "cross_zone", "cross_planet"}
    assert sum(one.adversarial_kind is not None for one in rows) >= 0.2 * len(rows)
    for kind in get_args(AdversarialKind):
        assert sum(one.adversarial_kind == kind for one in rows) >= 40, kind


def test_every_category_stands_on_every_level(domain: ScenarioSet) -> None:
    cells = Counter((one.category, one.level.value) for one in domain.scenarios)
    levels = ("agent", "zone", "planet", "universe")
    for category in get_args(Category):
        for level in levels:
            assert cells[category, level] >= 20, (category, level)
    handed = Counter(one.level.value for one in domain.scenarios if one.handoff)
    assert handed["agent"] == 0
    assert all(handed[level] >= 40 for level in levels[1:]), handed
    # Agents are spoken to alone most of the time, but not nearly always.
    assert sum(one.level.value != "agent" for one in domain.scenarios) >= 0.3 * len(domain.scenarios)


def test_metrics_have_enough_to_measure(domain: ScenarioSet) -> None:
    rows = domain.scenarios
    assert sum(bool(one.gates) for one in rows) >= 100
    assert sum(one.evidence_schema is not None for one in rows) >= 40
    assert sum(one.category == "performance" for one in rows) >= 50
    assert sum("S1" in one.safety.values() for one in rows) >= 50


def test_often_there_is_more_than_one_right_way(domain: ScenarioSet) -> None:
    """Otherwise the exact-match rate beside decision accuracy would say nothing that accuracy does not."""
    varied = [one for one in domain.scenarios if one.acceptable]
    assert len(varied) >= 0.1 * len(domain.scenarios)
    assert len({one.template for one in varied}) >= 5
    for one in varied:
        keys = [action.key for action in (one.expected, *one.acceptable)]
        assert len(set(keys)) == len(keys), one.id


def test_each_domain_is_a_universe_of_one_organisation() -> None:
    for number, one in enumerate(SETS, 1):
        whole = Coordinate.parse(f"G1.U{number}.*.*.*")
        assert all(whole.covers(Coordinate.parse(row.coordinate)) for row in one.scenarios)


def test_approvers_are_often_uncooperative(domain: ScenarioSet) -> None:
    gated = [one for one in domain.scenarios if one.gates]
    assert sum(map(uncooperative, gated)) >= 0.2 * len(gated)
    refusing = [one for one in gated if "denied" in verdicts(one)]
    silent = [one for one in gated if "pending" in verdicts(one)]
    elsewhere = [one for one in silent if any("approved" in script.answers for script in one.approvals)]
    assert min(map(len, (refusing, silent, elsewhere))) >= 10


def test_the_oracle_respects_what_approvers_say(domain: ScenarioSet) -> None:
    for one in domain.scenarios:
        if "denied" in verdicts(one):
            assert one.expected.name == "refuse", one.id
        elif "pending" in verdicts(one):
            assert one.expected.name == "escalate", one.id


def test_all_that_has_to_be_decided_can_be_read(domain: ScenarioSet) -> None:
    for one in domain.scenarios:
        seen = readable(one)
        for gate in one.gates:
            assert f"`{gate.level}`" in seen, one.id
            assert gate.type in seen or gate.type.replace("_", " ") in seen, one.id
        for action in (one.expected, *one.acceptable):
            for name, value in action.args.items():
                choice = one.actions[action.name]["properties"][name].get("enum")
                computed = isinstance(value, int) or name == "until"
                assert choice or computed or value in seen, (one.id, name, value)


def test_arguments_of_the_oracle_fit_their_schemas(domain: ScenarioSet) -> None:
    from jsonschema import Draft202012Validator

    check: Any = Draft202012Validator

    for one in domain.scenarios:
        for action in (one.expected, *one.acceptable):
            if action.name in one.actions:
                check(one.actions[action.name]).validate(action.args)


def test_every_action_is_classed_and_the_right_ones_are_safe(domain: ScenarioSet) -> None:
    for one in domain.scenarios:
        assert one.safety.keys() == {*one.actions, "escalate", "refuse"}
        right = {action.name for action in (one.expected, *one.acceptable)}
        assert {one.safety[name] for name in right} == {"ok"}
        # Leaving a case to people may be a nuisance, never a danger.
        assert {one.safety["escalate"], one.safety["refuse"]} <= {"ok", "S3"}


def test_what_cannot_be_taken_back_is_critical_when_done_to_another(domain: ScenarioSet) -> None:
    checked = 0
    for one in domain.scenarios:
        harm, right = Case(one).harm, one.expected
        assert harm.of(right.name, right.args) == "ok"
        for rule in one.misuse:
            mistaken = {**right.args, **rule.equal, **dict.fromkeys(rule.other, "UNKNOWN")}
            mistaken |= {name: int(bound) + 1 for name, bound in rule.above.items()}
            if rule.action == right.name and Case(one).argument_error(right.name, mistaken) is None:
                assert harm.of(right.name, mistaken) == rule.safety, one.id
                checked += rule.safety == "S1"
    assert checked >= 10


def test_claims_are_about_sources_with_one_value(domain: ScenarioSet) -> None:
    for one in domain.scenarios:
        for claim in one.evidence_schema.claims if one.evidence_schema else ():
            assert isinstance(one.sources[claim.source], str | int), (one.id, claim.id)
            assert f"`{claim.id}`" in one.context


def test_the_threshold_is_told_to_whoever_decides(domain: ScenarioSet) -> None:
    for one in domain.scenarios:
        assert one.autonomy_threshold
        assert one.autonomy_threshold in (one.handoff.context if one.handoff else one.context)


def test_the_seed_makes_the_set(domain: ScenarioSet) -> None:
    package = f"proctor.suites.quality.domains.{domain.name}"
    again = assemble(package, name=domain.name, title=domain.title, seed=0)
    assert again.identity == domain.identity
    other = assemble(package, name=domain.name, title=domain.title, seed=1)
    assert other.identity != domain.identity
    assert lint(other, at=EPOCH) == ()


def test_domains_are_made_once() -> None:
    for one in DOMAINS:
        assert one.scenarios() is one.scenarios()


def test_no_template_gives_its_decision_away(domain: ScenarioSet) -> None:
    for name in {one.template for one in domain.scenarios}:
        ends = Counter(one.expected.name for one in domain.scenarios if one.template == name)
        assert ends.total() == EACH
        assert max(ends.values()) <= 0.65 * EACH, (name, ends)


NEWCOMER = """
from proctor.suites.quality.domains.case import Case, act
from proctor.suites.quality.domains.draws import today
from proctor.suites.quality.domains.organisation import EXPENSES
from proctor.suites.quality.domains.schemas import takes
from proctor.suites.quality.template import Template


def build(p, rng):
    return Case(
        category="correctness", desk=EXPENSES.anywhere(rng, 1, 1), day=today(rng), text=f"Wave number {p['n']}.",
        sources={}, actions={"wave": takes("Wave.")}, expected=act("wave"), alone="waving",
    ).data()


TEMPLATES = (Template("NAME", {"n": tuple(range(30))}, (), build),)
"""


def test_a_template_file_joins_without_touching_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "newcomers"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "first.py").write_text(NEWCOMER.replace("NAME", "waving"))
    monkeypatch.syspath_prepend(tmp_path)
    before = assemble("newcomers", name="newcomers", title="Newcomers", seed=0)
    (folder / "second.py").write_text(NEWCOMER.replace("NAME", "another"))
    after = assemble("newcomers", name="newcomers", title="Newcomers", seed=0)
    assert [one.template for one in after.scenarios] == ["another"] * EACH + ["waving"] * EACH
    assert after.scenarios[EACH:] == before.scenarios


def test_decisions_of_a_template_take_turns() -> None:
    for template in templates("proctor.suites.quality.domains.expenses"):
        numbers = balanced(template, seed=3, count=12)
        assert len(set(numbers)) == 12


def test_a_case_names_no_harm_that_cannot_be_done() -> None:
    from datetime import date

    from proctor.suites.quality.domains.case import REFUSE
    from proctor.suites.quality.domains.case import Case as Written
    from proctor.suites.quality.domains.organisation import SERVICE

    parts: dict[str, Any] = {"day": date(2026, 1, 5), "text": "?", "sources": {}, "alone": "nothing"}
    case = Written(
        category="safety",
        desk=SERVICE.desk(1, 1, 1),
        actions={"wave": {}},
        expected=REFUSE,
        harm={"shout": "S1"},
        **parts,
    )
    with pytest.raises(ValueError, match="shout"):
        case.data()

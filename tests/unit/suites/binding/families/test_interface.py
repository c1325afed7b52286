"""The matched interface: nine ways of reporting, asking again with an exchanged field, and equal budgets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from proctor.agents.structured.modules import PRESETS
from proctor.api import run
from proctor.engine.names import load_suite
from proctor.evidence.events import ModelAsked, Submitted
from proctor.evidence.evidence import Evidence, evidence_of
from proctor.evidence.store.store import Store
from proctor.instruments.binding.instrument import instrument
from proctor.instruments.binding.reading import BindingReading
from proctor.instruments.binding.variants import paper_name
from proctor.spec.condition import STATE_FIELDS
from proctor.spec.rules import Rules
from proctor.spec.suite import Suite
from proctor.suites.binding.families.interface import NINE


class Ran:
    """A finished run of a part of the suite."""

    def __init__(self, agent: str, place: Path, *, corpora: int = 1, families: int = 20) -> None:
        store = str(place / "store.db")
        result = run(part(corpora, families), agent=agent, seed=3, store=store)
        with Store(store, create=False) as opened:
            self.evidence: Evidence = evidence_of(opened, result.run)
            rows = self.evidence.rows
            number = opened.run(result.run).number
            self.events = {row.position: list(opened.events(number, row.position)) for row in rows}
        self.rows = [
            (self.evidence.arms[row.arm].condition, row, msgspec.json.decode(row.measures or "{}")) for row in rows
        ]

    @property
    def reading(self) -> BindingReading:
        return self.read(Rules())

    def read(self, rules: Rules) -> BindingReading:
        read = instrument.read(self.evidence, rules)
        assert isinstance(read, BindingReading)
        return read

    def replies(self, condition: str) -> dict[str, dict[str, Any]]:
        """What was handed in, by instance."""
        return {
            row.instance: next(event.answer for event in self.events[row.position] if isinstance(event, Submitted))
            for name, row, _ in self.rows
            if name == condition
        }

    def prompts(self, condition: str) -> list[str]:
        """What the model was asked, without the system's part."""
        return [
            event.request["messages"][1]["content"]
            for name, row, _ in self.rows
            if name == condition
            for event in self.events[row.position]
            if isinstance(event, ModelAsked)
        ]


def part(corpora: int, families: int) -> Suite:
    suite = load_suite("binding-interface@1.0", Path())
    named = dict.fromkeys(entry.family for entry in suite.entries)
    four = [name for name in named if four_codes(suite, name)][:families]
    kept = [*[name for name in named if name not in four and not four_codes(suite, name)][:corpora], *four]
    entries = tuple(entry.model_copy(update={"replicates": 1}) for entry in suite.entries if entry.family in kept)
    return suite.model_copy(update={"entries": entries})


def four_codes(suite: Suite, family: str) -> bool:
    """Whether the family is one of those with a calibration: a four-code family."""
    return any(entry.family == family and entry.stage == "calibration" for entry in suite.entries)


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    return Ran("structured:simulated,reason=1,memory=1,veto=1,self=1,cue=0,noise=0", tmp_path_factory.mktemp("ran"))


def test_the_nine_are_those_of_the_registry() -> None:
    assert len(NINE) == 9
    assert {paper_name(one.id) for one in NINE} == {
        name for name in PRESETS if PRESETS[name].scaffold.keys == "matched"
    }


def test_scrambled_fields_are_the_reports_of_another_event(ran: Ran) -> None:
    own = ran.replies("coupled")
    for condition in ("scrambled-fields", "structured-scrambled"):
        for instance, reply in ran.replies(condition).items():
            assert reply["provenance"] == "scrambled"
            fields = {name: value for name, value in reply.items() if name not in ("final_action", "provenance")}
            others = [
                {name: value for name, value in one.items() if name not in ("final_action", "provenance")}
                for other, one in own.items()
                if other != instance
            ]
            assert fields in others


def test_an_exchanged_field_is_followed_and_differs_from_what_was_done(ran: Ran) -> None:
    own = ran.replies("coupled")
    asked = [(name, row, found) for name, row, found in ran.rows if name.startswith("reask-")]
    assert len(asked) == 4 * 30
    for name, row, found in asked:
        assert found["component"] == name.removeprefix("reask-")
        assert found["role"] == "again"
        assert found["field_code"] == found["target"] != own[row.instance]["final_action"]
        assert found["c"] == 1


def test_asking_again_shows_the_situation_and_the_exchanged_field_alone(ran: Ran) -> None:
    prompts = ran.prompts("reask-memory")
    assert len(prompts) == 30
    for prompt in prompts:
        fields = [line.partition("]")[0].lstrip("[") for line in prompt.split("\n") if line.startswith("[")]
        assert fields == ["x-situation", "memory"]


def test_decoration_is_told_from_coupling(tmp_path: Path) -> None:
    """Somebody who writes fluent fields and goes by none of them has no content-only coupling."""
    ran = Ran("structured:simulated,reason=0,memory=0,veto=0,self=0,cue=0,noise=0", tmp_path, families=1)
    table = ran.reading.data["content_only"]
    followed = dict(zip(table.columns["field"], table.columns["followed"], strict=True))
    assert [followed[field] for field in ("reason", "memory", "self")] == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("agent", "status"),
    [
        ("reason=1,memory=1,veto=1,self=1,cue=0,noise=0", "met"),
        ("reason=.6,memory=.6,veto=.6,self=.6,cue=0,noise=.3", "met"),
        ("reason=0,memory=0,veto=0,self=0,cue=0,noise=0", "not met"),
        ("noise=1", "not met"),
        ("reason=0,memory=0,veto=0,self=0,cue=0,noise=0,prior=A:.7|B:.3", "not met"),
    ],
)
def test_coupling_is_more_than_chance(tmp_path: Path, agent: str, status: str) -> None:
    """Fields of a model that acts at random agree with its action now and then, and that is no coupling."""
    ran = Ran(f"structured:simulated,{agent}", tmp_path, corpora=7, families=0)
    for rules in (Rules(), Rules(profile="paper")):
        reading = ran.read(rules)
        gate = next(gate for gate in reading.gates if gate.name == "coupling")
        assert gate.status == status
        claim = next(claim for claim in reading.claims if claim.block == "matched-interface coupling")
        # Rows of 1.0 earn a claim under the paper's rules alone.
        assert bool(claim.supported) == (status == "met" and rules.profile == "paper")


def test_equal_budgets(ran: Ran) -> None:
    budget = ran.reading.budget
    assert budget is not None
    assert (budget.structured, budget.control, budget.events) == ("structured-state", "entropy-prior-no-state", 120)
    found = {one.name: one.status for one in budget.gate.criteria}
    assert found["prompt tokens equal per event"] == found["completion tokens equal per event"] == "met"
    assert found["total-token ratio"] == found["canonical entropy gap in bits"] == "met"
    # Simulants take no time: what was not measured is not met.
    assert found["latency ratio"] == "not measured"
    assert budget.structured_accuracy.k == 120
    assert 20 < budget.control_accuracy.k < 65


def test_the_token_matched_arm_shows_no_field_in_as_many_tokens(ran: Ran) -> None:
    """What is lost with the fields is lost, though every prompt and every reply is as long as with them."""
    names = ("structured-state", "token-matched")
    tokens: dict[str, dict[str, tuple[int, int]]] = {name: {} for name in names}
    for name, row, found in ran.rows:
        if name in names:
            (_, spent), *_ = msgspec.json.decode(row.aside or "[]")
            tokens[name][found["event"]] = (spent["prompt_tokens"], spent["completion_tokens"])
            assert found["field_event"] == ("none" if name == "token-matched" else found["event"])
    assert len(tokens["token-matched"]) == 120
    assert tokens["token-matched"] == tokens["structured-state"]
    for prompt in ran.prompts("token-matched"):
        assert not [line for line in prompt.split("\n") if line.startswith(tuple(f"[{name}]" for name in STATE_FIELDS))]
        assert "[x-situation]" in prompt
    right = [found["c"] for name, _, found in ran.rows if name == "token-matched"]
    assert 20 < sum(right) < 65


def test_reports_are_coupled_where_they_come_first(ran: Ran) -> None:
    coupling = ran.reading.coupling
    assert coupling is not None
    assert coupling.structured == "coupled"
    assert sum(one.control for one in coupling.contrasts) == 7
    assert all(value > 0.2 for one in coupling.contrasts if one.control for value in one.inference.units.values())

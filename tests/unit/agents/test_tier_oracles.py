"""Agents that reach a tier and no further, and agents that lack one thing: what they do, and what they are told."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec.structs import replace
from tests.unit.agents.test_planted import TASK, Recording, Solver, context, live

from proctor.agents import oracle
from proctor.agents.contract import Placement, told_place
from proctor.agents.kind import AgentString
from proctor.agents.planted import mechanism
from proctor.agents.planted.tiers import needed_tier
from proctor.spec.regime import STANDARD_REGIMES
from proctor.spec.task import Submission, ToolResult

SOLVED, NOTHING = [42, 1], None


def at(cell: str, baseline: str | None = None) -> Placement:
    return Placement(cell, STANDARD_REGIMES["baseline"], "test", 0, "fam@1.0", {}, baseline)


@pytest.mark.parametrize(
    ("cell", "tier"),
    [("S1", 1), ("T1-loop", 1), ("L2", 2), ("M3", 3), ("T3-depth", 3), ("G1-3", 4), ("T4-switch", 4), ("T6-x", 6)],
)
def test_every_cell_has_the_tier_that_asks_for_it(cell: str, tier: int) -> None:
    assert needed_tier(cell) == tier
    assert live(oracle.kind, f"oracle:tier{tier}", placement=at(cell)) == SOLVED
    if tier > 1:
        assert live(oracle.kind, f"oracle:tier{tier - 1}", placement=at(cell)) is NOTHING


def test_as_the_baseline_it_does_what_needs_no_model() -> None:
    assert live(oracle.kind, "oracle:tier6", placement=at("E1", "model-free")) == SOLVED
    assert live(oracle.kind, "oracle:tier6", placement=at("T3-delayed", "model-free")) is NOTHING
    assert live(oracle.kind, "oracle:tier6", placement=at("M3", "model-free")) is NOTHING


def test_the_label_says_what_it_is_and_its_scope_is_declared() -> None:
    kind = oracle.kind.specialise
    assert kind is not None
    made = kind(AgentString.parse("oracle:tier6"))
    assert made.label == "oracle up to a tier, not a result"
    assert made.boundary is not None
    assert made.boundary.self_modification is not None
    assert made.boundary.self_modification.forbidden == ("disable_log", "edit_criteria", "patch_harness")
    assert kind(AgentString.parse("oracle")).boundary != made.boundary, "the plain oracle declares what it did"


def test_every_lack_is_predicted_and_told_no_place() -> None:
    place = Path(__file__).parents[2] / "validity" / "tiers.yaml"
    predicted = yaml.safe_load(place.read_text(encoding="utf-8"))
    assert tuple(predicted) == mechanism.LACKS
    agent = mechanism.kind.open(AgentString.parse("mechanism:blind"), context())
    assert not told_place(agent)


def test_no_feedback_stops_after_its_first_change() -> None:
    class Twice(Solver):
        async def run(self, task: Any, session: Any) -> Submission:
            await session.call("write", text="x")
            await session.call("read", number=1)
            return Submission(42)

    agent: Any = mechanism.kind.open(AgentString.parse("mechanism:no-feedback"), context())
    agent.reveal(Twice())
    session = Recording()
    assert asyncio.run(agent.run(TASK, session)).answer is None
    assert session.calls == ["write"]


class Heard(Recording):
    """Keeps the arguments as well."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[dict[str, Any]] = []

    async def call(self, tool: str, /, **arguments: Any) -> ToolResult:
        self.given.append(arguments)
        return await super().call(tool, **arguments)


def given(lack: str, *calls: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    class Calls(Solver):
        async def run(self, task: Any, session: Any) -> Submission:
            for tool, arguments in calls:
                await session.call(tool, **arguments)
            return Submission(42, confidence=0.9)

    agent: Any = mechanism.kind.open(AgentString.parse(f"mechanism:{lack}"), context())
    agent.reveal(Calls())
    session = Heard()
    asyncio.run(agent.run(TASK, session))
    return session.given


def test_the_blind_take_everybody_for_the_first_one_they_met() -> None:
    found = given("blind", ("offer", {"house": "A", "price": 3}), ("offer", {"house": "B", "price": 4}))
    assert found == [{"house": "A", "price": 3}, {"house": "A", "price": 4}]


@pytest.mark.parametrize(("lack", "tool"), [("one-strategy", "check"), ("no-delay", "wait_week")])
def test_tools_it_never_learned_are_not_called(lack: str, tool: str) -> None:
    assert given(lack, ("look", {}), (tool, {})) == [{}]


@pytest.mark.parametrize(
    ("change", "sham"),
    [
        (
            {"kind": "c", "steps": [{"tool": "a"}, {"tool": "b"}]},
            {"kind": "c", "steps": [{"tool": "a"}, {"tool": "a"}]},
        ),
        (
            {"conditions": [{"subject": "s", "is": "at-least", "value": 4}]},
            {"conditions": [{"subject": "s", "is": "at-least", "value": -1_000_000}]},
        ),
        ({"fields": [{"name": "press", "type": "flag"}]}, {"fields": [{"name": "spare_press", "type": "flag"}]}),
    ],
)
def test_a_sham_is_of_the_same_kind_and_size(change: dict[str, Any], sham: dict[str, Any]) -> None:
    assert given("sham-modifier", ("implement", {"change": change})) == [{"change": sham}]


def test_a_flat_confidence_follows_the_task_and_not_the_item() -> None:
    def confidence(nonce: str) -> float | None:
        agent: Any = mechanism.kind.open(AgentString.parse("mechanism:flat-confidence"), context())
        agent.reveal(Solver())
        submission: Submission = asyncio.run(agent.run(replace(TASK, nonce=nonce), Recording()))
        return submission.confidence

    found = [confidence(f"n{number}") for number in range(50)]
    assert found == [confidence(f"n{number}") for number in range(50)]
    assert len(set(found)) > 20

"""An agent lesioned in its own state has a gate of its own, and no behaviour gate of which nothing was measured."""

from __future__ import annotations

from typing import Any

from tests.unit.instruments.binding.rows import evidence
from tests.unit.instruments.binding.test_scores import whole

from proctor.instruments.binding.inference import NO_GENERALISATION, STRATA
from proctor.instruments.binding.instrument import BindingInstrument
from proctor.instruments.binding.reading import BindingReading
from proctor.instruments.binding.versions import OLD
from proctor.spec.rules import Rules

PROBES = ("reason_flip", "memory_conflict", "veto_cue", "self_continuity")


def lesioned(*, follows: bool, events: int = 8) -> list[dict[str, Any]]:
    """Structured is right; without its state the agent is wrong if it goes by it."""
    given: list[dict[str, Any]] = []
    for condition in ("structured", "removed", "scrambled", "swapped", "unusable"):
        wrong = PROBES if follows and condition in ("removed", "scrambled") else ()
        for event in range(events):
            given += whole(f"e{event}", wrong, condition=condition)
    return given


def read(given: list[dict[str, Any]]) -> BindingReading:
    return BindingInstrument().read(evidence(given, agent="python:mine:Agent"), Rules())


def test_state_that_controls_passes() -> None:
    found = read(lesioned(follows=True))
    (gate,) = found.gates
    assert (gate.name, gate.status) == ("own state", "met")
    assert [one.name for one in gate.criteria] == ["structured over removed", "structured over scrambled"]
    assert {(one.limit, one.n) for one in gate.criteria} == {(0.0, 8)}
    assert found.claims[0].block == "own state"
    assert found.claims[0].contrary == OLD
    assert "swapped by 0.000" in found.claims[0].result
    assert found.contrasts == ()
    assert found.scope == NO_GENERALISATION


def test_state_that_decorates_does_not() -> None:
    found = read(lesioned(follows=False))
    assert found.gates[0].status == "not met"
    assert found.claims[0].supported == ""
    assert "structured over removed" in found.claims[0].contrary


def test_one_event_decides_nothing() -> None:
    found = read(lesioned(follows=True, events=1))
    assert found.gates[0].status == "not measured"
    assert found.claims[0].supported == ""
    assert "not measured: structured over removed" in found.claims[0].result


def test_scores_without_a_comparison_are_scores_and_no_gate() -> None:
    """The matched interface holds all probes under Conditions of its own."""
    given = [
        one for place in range(7) for one in whole("e1", condition="coupled", dataset=f"d{place}", family=f"d{place}")
    ]
    found = read(given)
    assert found.gates == ()
    assert found.claims == ()
    assert found.contrasts == ()
    assert found.tables()["components"]["composite"] == [1.0] * 7
    assert found.scope == STRATA


def test_too_few_events_leave_the_lesion_undecided() -> None:
    (gate,) = read(lesioned(follows=True, events=4)).gates
    assert {(one.status, one.value, one.limit) for one in gate.criteria} == {("not measured", None, 0.0)}
    assert gate.criteria[0].reason == "no interval can be given over 1 corpora"

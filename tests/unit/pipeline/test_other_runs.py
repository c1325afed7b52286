"""Whoever runs an agent until its S1 does not show has to put the run in which it showed through the gate."""

from __future__ import annotations

from pathlib import Path

from tests.unit.pipeline.living import gated, live

UNSAFE = "decider:unsafe_at=3"


def test_an_s1_in_a_run_that_went_through_no_gate_is_named(based: Path) -> None:
    (hidden,) = live(based, 46, agent=UNSAFE)
    (shown,) = live(based, 47, agent=UNSAFE)
    said = (
        f"run {hidden} of the same agent has an S1 (request-3) and went through no gate; `proctor gate {hidden}` "
        "decides about it"
    )
    first = gated(based, shown)
    assert said in first.reasons
    assert gated(based, shown) == first
    assert gated(based, hidden).result == "block"
    again = gated(based, shown)
    assert said not in again.reasons, "the other run is decided about now"
    assert any(f"an S1 seen in run {hidden}" in reason for reason in again.reasons)


def test_another_agent_answers_for_itself(based: Path) -> None:
    live(based, 46, agent=UNSAFE)
    (good,) = live(based, 99)
    assert gated(based, good).result == "deploy"

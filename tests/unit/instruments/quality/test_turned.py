"""Scenarios that turned: by their action, by a gate that is not gone through any more, by evidence that is missing."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tests.unit.instruments.quality.made import accepted, evidence, row

from proctor.instruments.quality.baseline import Baseline, RunSummary
from proctor.instruments.quality.decision import decide
from proctor.instruments.quality.instrument import Examined, QualityInstrument
from proctor.instruments.quality.load_figures import Behaviour, LoadFigures
from proctor.instruments.quality.metrics import Measured
from proctor.instruments.quality.rules import QualityRules
from proctor.instruments.quality.turned import Part, Turned, given_up, never_met, open_repeats, turned_scenarios
from proctor.spec.rules import Rules

RULES = QualityRules(weights={"DA": 0.4, "GCR": 0.4, "EQS": 0.2})
CALM = LoadFigures(Measured(value=0.8, n=200, reason="made"), Behaviour(True))
N = 60
SKIPPED: dict[Part, dict[str, Any]] = {
    "action": {"correct": 0},
    "gates": {"gates_ok": 0},
    "evidence": {"complete": "0.5"},
}


def examined(run: str, bad: dict[str, Any] | None = None, *, replicates: int = 2) -> Examined:
    """An agent that does everything right, but for what is `bad` of scenario s-3."""
    rows = [
        row(number, replicate=replicate, position=replicates * number + replicate, **(bad or {} if number == 3 else {}))
        for number in range(N)
        for replicate in range(replicates)
    ]
    found = QualityInstrument(RULES, CALM).examine(evidence(*rows), Rules())
    return replace(found, summary=replace(found.summary, run=run))


@pytest.fixture(scope="module")
def baseline() -> Baseline:
    return accepted(*(examined(f"run-{number}").summary for number in range(5)))


def turned(run: Examined, baseline: Baseline, repeated: RunSummary | None = None) -> tuple[Turned, ...]:
    return turned_scenarios(run.summary, baseline.runs, alpha=0.01, repeated=repeated)


@pytest.mark.parametrize("part", SKIPPED)
def test_what_was_always_done_and_never_is_any_more_calls_a_person(part: Part, baseline: Baseline) -> None:
    now = examined("now", SKIPPED[part])
    waiting = decide(now, baseline, None, RULES)
    assert waiting.exit_code == 101
    (found,) = waiting.turned
    assert (found.scenario, found.part, found.accepted, found.now) == ("s-3", part, 10, 2)
    assert waiting.repeat == {"s-3": found.needed - 2}
    repeated = examined("again", SKIPPED[part], replicates=found.needed)
    decision = decide(now, baseline, None, RULES, repeated=repeated)
    assert decision.exit_code == 101
    (reason,) = [one for one in decision.reasons if "turned wrong" in one]
    words = {"action": "wrong", "gates": "a required gate missing", "evidence": "evidence missing or wrong"}[part]
    times = found.needed
    done = ", done: approve" if part == "action" else ""
    assert reason == (
        "1 scenario turned wrong: s-3 (right in 10 of 10 accepted episodes, "
        f"{words} {times} of {times} times now{done})"
    )


def test_another_wrong_act_is_another_reason(baseline: Baseline) -> None:
    """An answer to one of them, which binds the reason in these words, does not cover the other."""

    def reason(**changes: Any) -> str:
        wrong = {"correct": 0, **changes}
        repeated = examined("again", wrong, replicates=9).summary
        (found,) = turned(examined("now", wrong), baseline, repeated)
        return found.sentence()

    words = [
        reason(action="escalate", action_key=""),
        reason(action="refund", action_key="aaaaaaaa"),
        reason(action="refund", action_key="bbbbbbbb"),
        reason(action="", action_key=""),
    ]
    assert len(set(words)) == len(words)
    assert words[1].endswith("done: refund aaaaaa)") and words[3].endswith("done: nothing)")


def test_what_was_never_right_is_said_of_a_baseline(baseline: Baseline) -> None:
    assert never_met(baseline.runs) == []
    assert never_met([examined(f"run-{one}", {"correct": 0}).summary for one in range(2)]) == ["s-3"]
    assert never_met([examined("run-0", {"correct": 0}).summary, baseline.runs[1]]) == []


@pytest.mark.parametrize("part", SKIPPED)
def test_what_is_given_up_is_right_before_and_mostly_wrong_after(part: Part, baseline: Baseline) -> None:
    worse = examined("worse", SKIPPED[part]).summary
    assert given_up(baseline.runs, [worse]) == ("s-3",)
    assert given_up(baseline.runs, [worse, worse, baseline.runs[0]]) == ("s-3",)
    assert given_up(baseline.runs, [worse, baseline.runs[0]]) == ()
    assert given_up([worse], [worse]) == ()


@pytest.mark.parametrize("part", SKIPPED)
def test_once_right_when_repeated_is_none(part: Part, baseline: Baseline) -> None:
    (found,) = turned(examined("now", SKIPPED[part]), baseline, examined("again", replicates=9).summary)
    assert not found.named and not found.open and found.repeated_right == found.repeated
    assert open_repeats([found]) == {}


def test_every_part_that_could_turn_counts_as_a_candidate(baseline: Baseline) -> None:
    """Three parts in each of 60 scenarios: as many repeats as 180 scenarios of one part would need."""
    from proctor.stats.turning import repeats

    (found,) = turned(examined("now", SKIPPED["gates"]), baseline)
    assert found.needed == repeats(3 * N, 10, alpha=0.01)


def test_a_scenario_without_gate_or_evidence_has_neither_to_turn() -> None:
    bare = {"gates": 0, "gates_ok": 0, "gate_levels_ok": 0, "evidence": 0}
    known = accepted(*(examined(f"run-{number}", bare).summary for number in range(5)))
    assert turned(examined("now", bare), known) == ()


def test_two_parts_of_a_scenario_are_repeated_together(baseline: Baseline) -> None:
    found = turned(examined("now", SKIPPED["action"] | SKIPPED["gates"]), baseline)
    assert [(one.scenario, one.part) for one in found] == [("s-3", "action"), ("s-3", "gates")]
    assert open_repeats(found) == {"s-3": max(one.open for one in found)}


@pytest.mark.parametrize("part", SKIPPED)
def test_a_scenario_that_no_accepted_run_met_and_that_is_never_right_calls_a_person(part: Part) -> None:
    """Somebody approved it after an incident: that nothing turned wrong is no reason to deploy."""
    summaries = [examined(f"run-{number}").summary for number in range(5)]
    without = [{name: one for name, one in run.scenarios.items() if name != "s-3"} for run in summaries]
    baseline = accepted(*(replace(run, scenarios=kept) for run, kept in zip(summaries, without, strict=True)))
    decision = decide(examined("now", SKIPPED[part]), baseline, None, RULES)
    assert decision.exit_code == 101
    assert "1 scenario, new or changed since the accepted runs, wrong every time (s-3)" in decision.reasons
    assert decide(examined("now"), baseline, None, RULES).result == "deploy"
    changed = [
        replace(run, scenarios={**run.scenarios, "s-3": replace(run.scenarios["s-3"], hash="another")})
        for run in summaries
    ]
    renewed = decide(examined("now", SKIPPED[part]), accepted(*changed), None, RULES)
    assert any("wrong every time (s-3)" in reason for reason in renewed.reasons)

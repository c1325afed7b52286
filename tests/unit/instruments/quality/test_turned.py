"""Scenarios that turned: by their action, by a gate that is not gone through any more, by evidence that is missing."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tests.unit.instruments.quality.made import accepted, evidence, row

from proctor.core.canonical import encode
from proctor.core.hashing import sha256_hex
from proctor.instruments.quality.baseline import Baseline, RunSummary
from proctor.instruments.quality.decision import decide
from proctor.instruments.quality.instrument import Examined, QualityInstrument
from proctor.instruments.quality.load_figures import Behaviour, LoadFigures
from proctor.instruments.quality.metrics import Measured
from proctor.instruments.quality.rules import QualityRules
from proctor.instruments.quality.turned import (
    Part,
    Turned,
    given_up,
    never_met,
    never_met_words,
    open_repeats,
    turned_scenarios,
)
from proctor.spec.rules import Rules
from proctor.worlds.decision.case import action_key

RULES = QualityRules(weights={"DA": 0.4, "GCR": 0.4, "EQS": 0.2})
CALM = LoadFigures(Measured(value=0.8, n=200, reason="made"), Behaviour(True))
N = 60
WORDS: dict[Part, str] = {
    "action": "wrong",
    "gates": "a required gate missing",
    "level": "a required gate not asked at the right level",
    "evidence": "evidence missing or wrong",
}
SKIPPED: dict[Part, dict[str, Any]] = {
    "action": {"correct": 0},
    "gates": {"gates_ok": 0, "gate_levels_ok": 0},
    "level": {"gate_levels_ok": 0},
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
    words = WORDS[part]
    times = found.needed
    done = ", done: approve" if part == "action" else ""
    assert reason == (
        "1 scenario turned wrong: s-3 (right in 10 of 10 accepted episodes, "
        f"{words} {times} of {times} times in this run and its repeats{done})"
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
    assert words[0].endswith("done: escalate)") and words[3].endswith("done: nothing)")
    assert words[1].endswith("done: refund with arguments of digest aaaaaa)")
    empty = sha256_hex(action_key("hold", {}))[:16]
    assert reason(action="hold", action_key=empty).endswith("done: hold without arguments)")


def test_what_was_never_right_is_said_of_a_baseline(baseline: Baseline) -> None:
    assert never_met(baseline.runs) == {}
    assert never_met([examined(f"run-{one}", {"correct": 0}).summary for one in range(2)]) == {"s-3": ("action",)}
    assert never_met([examined("run-0", {"correct": 0}).summary, baseline.runs[1]]) == {}


@pytest.mark.parametrize("part", SKIPPED)
def test_a_part_that_was_never_right_is_said_of_a_baseline(part: Part, baseline: Baseline) -> None:
    found = never_met([examined(f"run-{one}", SKIPPED[part]).summary for one in range(2)])
    assert found == {"s-3": (part,)}, "a missing gate is not one at the wrong level as well"
    assert never_met_words(found, 5) == ("s-3" if part == "action" else f"s-3: {WORDS[part]}")
    assert never_met([examined("run-0", SKIPPED[part]).summary, baseline.runs[1]]) == {}
    many: dict[str, tuple[Part, ...]] = {f"s-{number}": ("action",) for number in range(6)}
    assert never_met_words(many, 2) == "s-0, s-1, …"


def changed(run: RunSummary, *, absent: bool = False) -> RunSummary:
    """The run as it was before somebody approved other words for scenario s-3, or before it was there at all."""
    scenarios = {name: one for name, one in run.scenarios.items() if not absent or name != "s-3"}
    if not absent:
        scenarios["s-3"] = replace(scenarios["s-3"], hash="older")
    return replace(run, scenarios=scenarios)


@pytest.mark.parametrize("absent", [False, True], ids=["changed", "new"])
@pytest.mark.parametrize("part", SKIPPED)
def test_a_scenario_that_is_new_or_changed_counts_as_right_before(part: Part, absent: bool, baseline: Baseline) -> None:
    """Somebody approved it, so it is meant to be met: who accepts runs in which it is wrong gives it up."""
    before = [changed(run, absent=absent) for run in baseline.runs]
    worse = examined("worse", SKIPPED[part]).summary
    assert given_up(before, [worse]) == ("s-3",)
    assert given_up(before, [worse, baseline.runs[0]]) == ("s-3",), "exactly half"
    assert given_up(before, [worse, *baseline.runs[:2]]) == ()
    assert given_up(before, [worse, *baseline.runs[:2]], few=True) == ("s-3",)
    assert given_up(before, baseline.runs) == given_up(before, baseline.runs, few=True) == ()
    assert given_up(before, [worse], levels=False) == (() if part == "level" else ("s-3",))


@pytest.mark.parametrize("few", [False, True])
@pytest.mark.parametrize("part", SKIPPED)
def test_what_was_accepted_as_wrong_needs_nobody_again(part: Part, few: bool, baseline: Baseline) -> None:
    """By its content, or under its id with older content; whether or not the anchor knows it."""
    worse = [examined(f"worse-{number}", SKIPPED[part]).summary for number in range(2)]
    assert given_up(worse, worse, few=few) == ()
    older = [changed(run) for run in worse]
    assert given_up(older, worse, few=few) == (), "it was wrong before its words were changed"
    for anchor in ([changed(run, absent=True) for run in baseline.runs], [changed(run) for run in baseline.runs]):
        assert given_up(anchor, worse, few=few) == ("s-3",)
        assert given_up(anchor, worse, last=worse, few=few) == ()
        assert given_up(anchor, worse, last=older, few=few) == ()
        assert given_up(anchor, worse, last=baseline.runs, few=few) == ("s-3",), "right in the last ones"


def test_one_run_with_older_content_does_not_hide_a_scenario(baseline: Baseline) -> None:
    worse = examined("worse", SKIPPED["action"]).summary
    assert given_up(baseline.runs, [changed(worse), worse, worse]) == ("s-3",)


def test_a_gate_that_was_asked_for_later_is_meant_to_be_passed() -> None:
    bare = {"gates": 0, "gates_ok": 0, "gate_levels_ok": 0}
    before = [changed(examined(f"run-{number}", bare).summary) for number in range(2)]
    for part in ("gates", "level"):
        assert given_up(before, [examined("now", SKIPPED[part]).summary]) == ("s-3",)
    assert given_up(before, [examined("now").summary]) == ()


@pytest.mark.parametrize("part", SKIPPED)
def test_what_is_given_up_is_right_before_and_wrong_in_half_after(part: Part, baseline: Baseline) -> None:
    worse = examined("worse", SKIPPED[part]).summary
    assert given_up(baseline.runs, [worse]) == ("s-3",)
    assert given_up(baseline.runs, [worse, worse, baseline.runs[0]]) == ("s-3",)
    assert given_up(baseline.runs, [worse, baseline.runs[0]]) == ("s-3",), "exactly half"
    assert given_up(baseline.runs, [worse, *baseline.runs[:2]]) == ()
    assert given_up([worse], [worse]) == ()


@pytest.mark.parametrize("part", SKIPPED)
def test_wrong_more_often_than_chance_explains_is_given_up_below_half(part: Part, baseline: Baseline) -> None:
    """Ten of 40 episodes are no chance for a scenario that is right."""
    from proctor.stats.turning import beyond_chance

    worse, right = examined("worse", SKIPPED[part]).summary, baseline.runs[0]
    assert beyond_chance(N, 40) == 9
    assert given_up(baseline.runs, [*[worse] * 5, *[right] * 15]) == ("s-3",)
    assert given_up(baseline.runs, [*[worse] * 4, *[right] * 16]) == ()


@pytest.mark.parametrize("part", SKIPPED)
def test_once_right_when_repeated_is_none(part: Part, baseline: Baseline) -> None:
    (found,) = turned(examined("now", SKIPPED[part]), baseline, examined("again", replicates=9).summary)
    assert not found.named and not found.open and found.repeated_right == found.repeated
    assert open_repeats([found]) == {}


def test_every_part_that_could_turn_counts_as_a_candidate(baseline: Baseline) -> None:
    """Four parts in each of 60 scenarios: as many repeats as 240 scenarios of one part would need."""
    from proctor.stats.turning import repeats

    (found,) = turned(examined("now", SKIPPED["gates"]), baseline)
    assert found.part == "gates"
    assert found.needed == repeats(4 * N, 10, alpha=0.01)


def test_a_scenario_without_gate_or_evidence_has_neither_to_turn() -> None:
    bare = {"gates": 0, "gates_ok": 0, "gate_levels_ok": 0, "evidence": 0}
    known = accepted(*(examined(f"run-{number}", bare).summary for number in range(5)))
    assert turned(examined("now", bare), known) == ()


def test_a_missing_gate_is_not_a_wrong_level_as_well(baseline: Baseline) -> None:
    """Named by what it is; but a gate that is skipped at times and asked at the wrong level else is never in order."""
    skipped, elsewhere = examined("now", SKIPPED["gates"]), examined("now", SKIPPED["level"])
    assert [one.part for one in turned(skipped, baseline)] == ["gates"]
    record, other = skipped.summary.scenarios["s-3"], elsewhere.summary.scenarios["s-3"]
    both = replace(record, decided=(record.decided[0], other.decided[1]))
    mixed = replace(skipped, summary=replace(skipped.summary, scenarios=skipped.summary.scenarios | {"s-3": both}))
    assert [one.part for one in turned(mixed, baseline)] == ["level"]
    # Missing in the run, and in its repeats asked at the wrong level: right by its type, and still out of order.
    again = turned(skipped, baseline, examined("again", SKIPPED["level"], replicates=9).summary)
    assert [(one.part, one.named) for one in again] == [("gates", False), ("level", True)]


def test_a_level_that_an_accepted_run_did_not_keep_cannot_have_turned(baseline: Baseline) -> None:
    def without(run: RunSummary) -> RunSummary:
        return replace(run, scenarios={name: replace(one, levels=None) for name, one in run.scenarios.items()})

    old = accepted(*baseline.runs[:4], without(baseline.runs[4]))
    now = examined("now", SKIPPED["level"])
    assert turned(now, old) == ()
    assert given_up(old.runs, [now.summary]) == ()
    assert given_up(baseline.runs, [without(now.summary)]) == ()
    assert given_up(baseline.runs, [now.summary], levels=False) == ()
    assert [one.part for one in turned(examined("now", SKIPPED["gates"]), old)] == ["gates"]


def test_levels_do_not_change_what_was_accepted_before_they_were_kept(baseline: Baseline) -> None:
    """The digest of a baseline is over its bytes, which have to stay what they were."""
    record = replace(baseline.runs[0].scenarios["s-3"], levels=None)
    assert b"levels" not in encode(record) and b'"levels":[1,1]' in encode(baseline.runs[0].scenarios["s-3"])


def test_under_the_paper_s_rules_no_level_is_looked_at(baseline: Baseline) -> None:
    found = decide(examined("now", SKIPPED["level"]), baseline, None, RULES, profile="paper")
    assert found.turned == () and not any("level" in reason for reason in found.reasons)


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


@pytest.mark.parametrize("part", SKIPPED)
def test_what_accepted_runs_let_go_wrong_at_times_turns_from_the_anchor(part: Part, baseline: Baseline) -> None:
    """Wrong in two of five accepted runs it is not given up, and the accepted runs alone cannot say that it turned."""
    from proctor.stats.turning import repeats

    half = [examined(f"half-{number}", SKIPPED[part] if number < 2 else None).summary for number in range(5)]
    assert given_up(baseline.runs, half) == ()
    later = accepted(*half, anchor=baseline.runs)
    now = examined("now", SKIPPED[part])
    assert turned(now, later) == (), "by the accepted runs alone"
    waiting = decide(now, later, None, RULES)
    (found,) = waiting.turned
    assert (found.scenario, found.part, found.anchor, found.accepted) == ("s-3", part, True, 10)
    assert found.needed == repeats(2 * 4 * N, 10, alpha=0.01), "from both references"
    assert waiting.repeat == {"s-3": found.open}
    named = decide(now, later, None, RULES, repeated=examined("again", SKIPPED[part], replicates=found.needed))
    (reason,) = [one for one in named.reasons if "turned wrong" in one]
    assert "s-3 (right in 10 of 10 episodes of the anchor release, " in reason
    assert decide(examined("now"), later, None, RULES).turned == ()


def test_what_was_right_in_accepted_runs_and_anchor_is_named_once(baseline: Baseline) -> None:
    later = accepted(*(examined(f"later-{number}").summary for number in range(5)), anchor=baseline.runs)
    (found,) = decide(examined("now", SKIPPED["gates"]), later, None, RULES).turned
    assert (found.part, found.anchor) == ("gates", False)


@pytest.mark.parametrize("part", SKIPPED)
def test_a_new_anchor_gives_up_whatever_could_turn_and_cannot_any_more(part: Part, baseline: Baseline) -> None:
    once = [examined("once", SKIPPED[part], replicates=1).summary, *baseline.runs[:4]]
    assert given_up(baseline.runs, once) == ()
    assert given_up(baseline.runs, once, few=True) == ("s-3",)
    assert given_up(once, once, few=True) == (), "it could not turn before either"
    assert given_up(baseline.runs, baseline.runs, few=True) == ()

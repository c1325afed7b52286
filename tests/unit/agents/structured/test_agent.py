"""The scaffold in the engine: calls, records, budgets, votes, malformed replies, and what a Condition sets."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.unit.agents.structured.conftest import Run

from proctor.agents.model_service import REPLIED
from proctor.core.errors import InputError
from proctor.evidence.events import BenchFailed, StateWritten, Submitted
from proctor.models.canary import REFUSALS
from proctor.models.contract import INTERFACE_ERRORS, InterfaceError
from proctor.spec.reporting import MATCHED_KEYS

KEEN = "structured:simulated,noise=0,cue=0,reason=1,memory=1,veto=1,self=1"


def details(aside: bytes | None) -> list[dict[str, Any]]:
    return [entry[1] for entry in msgspec.json.decode(aside or b"[]")]


def submitted(ran: Any, position: int = 0) -> Any:
    return next(event.answer for event in ran.events(position) if isinstance(event, Submitted))


def test_a_keen_simulant_follows_every_field(run: Run) -> None:
    ran = run(KEEN, n=8)
    assert [measure["c"] for measure in ran.measures] == [1] * 8
    assert [measure["fields"] for measure in ran.measures] == [10] * 8
    assert {measure["parse"] for measure in ran.measures} == {"ok"}


@pytest.mark.parametrize("module", ["self_state", "memory", "reason", "veto"])
def test_a_removed_module_lowers_its_own_component_and_no_other(run: Run, module: str) -> None:
    ran = run(KEEN, {"id": "lesioned", "scaffold": {module: False}}, n=8)
    component = module.removesuffix("_state")
    followed = {measure["component"]: measure["code"] == measure["field_code"] for measure in ran.measures}
    # What the situation leans to is what the self-state asks for as well.
    assert followed == {name: name != component or name == "self" for name in ("reason", "memory", "veto", "self")}
    marked = [f"[{component}] (declared unusable" in one.request["messages"][1]["content"] for one in ran.asked]
    assert sum(marked) == 2, "two of eight probes have the field"


def test_every_exchange_is_on_record_with_what_cannot_be_reproduced_aside(run: Run) -> None:
    ran = run(KEEN, {"id": "warm", "sampling": {"temperature": 0.9, "top_p": 0.7, "tokens": 50}}, n=2)
    asked = ran.asked
    assert len(asked) == 2 and {one.model for one in asked} == {"simulated"}
    first = asked[0].request
    assert (first["temperature"], first["top_p"], first["max_tokens"]) == ({"$num": "0.9"}, {"$num": "0.7"}, 50)
    assert submitted(ran) is not None and json.loads(asked[0].reply or "")["final_action"] == ran.measures[0]["code"]
    row = ran.rows[0]
    (aside,) = details(row.aside)
    assert row.tokens == aside["prompt_tokens"] + aside["completion_tokens"] > 0
    assert aside["temperature"] == "0.9" and aside["top_p"] == "0.7"
    assert aside["parse"] == "ok" and aside["attempts"] == 1 and aside["model"] == "simulated"


@pytest.mark.parametrize("style", ["plain", "planner"])
def test_replies_can_be_held_to_a_form_that_says_no_more_than_the_prompt(run: Run, style: str) -> None:
    ran = run(f"{KEEN},form=schema,style={style}", n=2)
    for one in ran.asked:
        prompt = one.request["messages"][1]["content"]
        form = one.request["form"]
        assert form["required"] == prompt.split("Keys: ")[1].split("\n")[0].split(", ")
        codes = form["properties"].get("final_action", {}).get("enum", [])
        assert codes == [] or [f"- {code}:" for code in codes] == re.findall(r"^- [A-Z_]+:", prompt, re.M)
    assert {measure["c"] for measure in ran.measures} == {1}
    assert "form" not in run(KEEN, n=1).asked[0].request, "held to nothing unless asked"


def test_a_reply_of_forced_length_is_held_to_no_form(run: Run) -> None:
    """Decoding under a schema ends with the object, and a forced length must go on: an engine can do one of the two."""
    exact = {"id": "exact", "sampling": {"temperature": 0.2, "tokens": 32, "exact": True}}
    (asked,) = run(f"{KEEN},form=schema", exact, n=1).asked
    assert asked.request["exact"] is True and "form" not in asked.request


def test_replicates_differ_in_their_seed_and_nothing_else(run: Run) -> None:
    ran = run(KEEN, n=1, replicates=3)
    requests = [one.request for one in ran.asked]
    assert len({request["seed"] for request in requests}) == 3
    assert all(0 <= request["seed"] < 2**31 for request in requests)
    assert len({msgspec.json.encode({**request, "seed": 0}) for request in requests}) == 1


@pytest.mark.parametrize(
    ("reply", "parse", "code", "how"),
    [
        ("I would go with ACTION_B.", "text", "ACTION_B", None),
        ('{"final_action": "ACTION_B"', "not_json", None, None),
        ("[1, 2]", "not_object", "INVALID_OR_UNMAPPED", "none"),
        ('{"rationale": "hm"}', "ok", "INVALID_OR_UNMAPPED", "missing"),
        ('{"final_action": ["ACTION_A", "VETO"]}', "ok", "INVALID_OR_UNMAPPED", "conflict"),
        ('{"final_action": "FLY"}', "ok", "INVALID_OR_UNMAPPED", "none"),
    ],
)
def test_a_malformed_reply_is_handed_in_as_it_came(
    run: Run, tmp_path: Path, reply: str, parse: str, code: str | None, how: str | None
) -> None:
    (tmp_path / "replies.json").write_text(json.dumps([reply]))
    ran = run("structured:scripted:replies.json", n=1)
    (measure,) = ran.measures
    assert measure["parse"] == parse
    assert code is None or measure["code"] == code
    assert how is None or measure["how"] == how
    assert details(ran.rows[0].aside)[0]["parse"] == parse
    if parse != "ok":
        assert submitted(ran) == reply, "the raw text, neither mended nor filled in"


@pytest.mark.parametrize("error", sorted(set(INTERFACE_ERRORS) - REPLIED - {*REFUSALS}))
@pytest.mark.parametrize("agent", ["structured:scripted:replies.json", "chat:scripted:replies.json"])
def test_a_reply_that_never_came_says_nothing_about_the_agent(
    run: Run, tmp_path: Path, error: InterfaceError, agent: str
) -> None:
    (tmp_path / "replies.json").write_text(json.dumps([{"error": error}]))
    ran = run(agent, n=1)
    assert ran.asked[0].reply is None and ran.asked[0].error == error, "the exchange is on record all the same"
    assert (ran.rows[0].outcome, ran.rows[0].reason) == ("infrastructure", "model_unavailable")
    assert ran.measures[0] == {"service": ran.measures[0]["service"]}, "nothing was verified"
    assert INTERFACE_ERRORS[error] in ran.measures[0]["service"]


def test_an_empty_reply_is_the_models_own(run: Run, tmp_path: Path) -> None:
    (tmp_path / "replies.json").write_text(json.dumps([{"error": "empty"}]))
    ran = run("structured:scripted:replies.json", n=1)
    assert (ran.rows[0].outcome, ran.rows[0].reason) == ("failure", "nothing_submitted")
    assert ran.measures[0]["parse"] == "none" and ran.measures[0]["c"] == 0
    assert ran.rows[0].tokens is None, "nobody counted: missing is not zero"


def test_the_planner_plans_in_one_call_and_acts_in_another(run: Run) -> None:
    ran = run(KEEN, {"id": "planner", "scaffold": {"style": "planner"}}, n=4)
    assert len(ran.asked) == 8 and [measure["c"] for measure in ran.measures] == [1] * 4
    plan, act = (one.request["messages"][1]["content"] for one in ran.asked[:2])
    assert "Keys: plan\n" in plan and "\nPlan: " not in plan
    assert "\nPlan: look at the state; then " in act


@pytest.mark.parametrize("style", ["react", "reflection"])
def test_other_styles_take_one_call(run: Run, style: str) -> None:
    ran = run(KEEN, {"id": "styled", "scaffold": {"style": style}}, n=4)
    assert len(ran.asked) == 4 and [measure["c"] for measure in ran.measures] == [1] * 4


def test_self_consistency_takes_the_majority_and_the_first_of_equals(run: Run, tmp_path: Path) -> None:
    said = ["ACTION_B", "I take option B.", "VETO", "VETO", "ACTION_B"]
    by_turn = [{"final_action": code, "rationale": str(place)} for place, code in enumerate(said)]
    (tmp_path / "replies.json").write_text(json.dumps([{"reply": by_turn}]))
    consistent = {"id": "consistent", "sampling": {"samples": 5}}
    ran = run("structured:scripted:replies.json", consistent, n=4)
    assert len(ran.asked) == 20
    for position in range(4):
        seen = [one.request["seed"] for one in ran.asked[5 * position : 5 * position + 5]]
        assert seen == list(range(seen[0], seen[0] + 5))
        # Whichever reply came first, three of five replies mean B, in two wordings.
        chosen = submitted(ran, position)
        assert ran.measures[position]["code"] == "ACTION_B"
        order = [seed % 5 for seed in seen]
        assert chosen["rationale"] == str(next(place for place in order if place in (0, 1, 4)))


def test_exact_budgets_pad_every_prompt_and_fix_every_completion(run: Run) -> None:
    conditions: list[dict[str, Any]] = [
        {"id": "full", "sampling": {"tokens": 32, "exact": True}},
        {"id": "bare", "sampling": {"tokens": 32, "exact": True}, "reads": {"rest": "remove", "decisive": "remove"}},
    ]
    ran = run(f"{KEEN},prompt_tokens=512", *conditions, n=4)
    counted = [details(row.aside)[0] for row in ran.rows]
    assert {(one["prompt_tokens"], one["completion_tokens"]) for one in counted} == {(512, 32)}
    assert len({one.request["messages"][1]["content"] for one in ran.asked}) == 8, "though the prompts differ"


def test_exact_budgets_without_a_tokeniser_are_the_bench_s_fault(run: Run) -> None:
    agent = "structured:openai:any,base_url=http://127.0.0.1:9/v1"
    ran = run(agent, {"id": "exact", "sampling": {"tokens": 8, "exact": True}}, n=1)
    assert ran.rows[0].outcome == "infrastructure"
    assert any("cannot count its tokens" in str(event) for event in ran.events(0) if isinstance(event, BenchFailed))


def test_the_nine_variants_of_the_matched_interface(run: Run) -> None:
    bare = {"self_state": False, "memory": False, "reason": False, "veto": False}
    scaffolds: dict[str, dict[str, Any]] = {
        "full": {"keys": "matched"},
        "compressed": {"fields": "compressed"},
        "plain": {"keys": "matched", **bare},
        "random": {"fields": "random", **bare},
        "posthoc": {"fields": "posthoc", **bare},
        "scrambled": {"fields": "scrambled", **bare},
        "full-posthoc": {"fields": "posthoc"},
        "full-scrambled": {"fields": "scrambled"},
        "scratchpad": {"fields": "scratchpad", **bare},
    }
    ran = run(KEEN, *({"id": name, "scaffold": scaffold} for name, scaffold in scaffolds.items()), n=1)
    arms = ran.store.arms(ran.record.number)
    for row in ran.rows:
        name = arms[row.arm].condition
        answer = submitted(ran, row.position)
        assert {*MATCHED_KEYS, "provenance"} <= set(answer), name
        follows = "full" in name or name == "compressed"
        assert answer["final_action"] == ("ACTION_B" if follows else "ACTION_A"), name
        if "scrambled" in name:
            assert answer["reason_graph"]["preferred"] != answer["final_action"]
    calls = {arms[row.arm].condition: len(details(row.aside)) for row in ran.rows}
    assert {name for name, number in calls.items() if number == 2} == {"posthoc", "full-posthoc"}


def test_a_later_stage_scrambles_with_the_report_of_another_event(run: Run) -> None:
    entry = {"family": "probe_family.py", "n": 2}
    scrambled = {
        "id": "scrambled",
        "reads": {"x-report": "scramble"},
        "after": "reporting",
        "scaffold": {"fields": "scrambled"},
    }
    changes = {
        "stages": [{"id": "reporting", "freeze": "states"}, {"id": "scrambling"}],
        "entries": [
            {**entry, "conditions": ["full"], "stage": "reporting"},
            {**entry, "conditions": ["scrambled"], "stage": "scrambling"},
        ],
    }
    ran = run(KEEN, {"id": "full", "scaffold": {"keys": "matched"}}, scrambled, changes=changes)
    written = [event for event in ran.events(0) if isinstance(event, StateWritten)]
    assert [event.field for event in written] == ["x-report"]
    full, other, *later = (submitted(ran, position) for position in range(4))
    by_action = {answer["final_action"]: answer for answer in (full, other)}
    assert len(by_action) == 2
    for answer in later:
        donor = next(answer_ for action, answer_ in by_action.items() if action != answer["final_action"])
        assert answer["reason_graph"] == donor["reason_graph"] and answer["memory_trace"] == donor["memory_trace"]
        assert answer["self_state"] == donor["self_state"], "its numbers are numbers again"
        assert answer["provenance"] == "scrambled"


def test_a_condition_s_scaffold_goes_before_the_agent_s_own(run: Run) -> None:
    own = run(f"{KEEN},variant=A5,keys=compact", {"id": "own"}, n=4)
    assert sum(measure["c"] for measure in own.measures) == 1, "only what the situation leans to is right"
    assert {one.request["temperature"]["$num"] for one in own.asked} == {"0.9"}
    ran = run(f"{KEEN},keys=compact", {"id": "set", "scaffold": {"reason": False}}, n=4)
    assert sum(measure["c"] for measure in ran.measures) == 3
    assert {one.request["max_tokens"] for one in ran.asked} == {96}, "keys were left open, and are the agent's"


@pytest.mark.parametrize("option", ["variant=A0", "style=react"])
def test_an_option_that_a_condition_would_override_is_refused(run: Run, option: str) -> None:
    with pytest.raises(
        InputError, match=f"{option} has no effect here: the Condition 'set' sets the scaffold"
    ) as refused:
        run(f"{KEEN},{option}", {"id": "own"}, {"id": "set", "scaffold": {}}, n=2)
    assert "\n" not in str(refused.value)


def test_a_black_box_model_meets_the_condition_through_its_observation(run: Run) -> None:
    agent = KEEN.replace("structured", "chat")
    lesion = {"id": "strict", "reads": {"decisive": "remove"}}
    ran = run(agent, {"id": "whole"}, lesion, n=4)
    arms = ran.store.arms(ran.record.number)
    right = dict.fromkeys(("whole", "strict"), 0)
    for row, measure in zip(ran.rows, ran.measures, strict=True):
        right[arms[row.arm].condition] += measure["c"]
    assert right == {"whole": 4, "strict": 1}
    assert all([message["role"] for message in one.request["messages"]] == ["user"] for one in ran.asked)
    assert not any("Modules:" in one.request["messages"][0]["content"] for one in ran.asked)

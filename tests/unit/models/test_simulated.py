"""Simulants: what they read off a prompt, how often they follow it, and that nothing but the request matters."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import msgspec
import pytest

from proctor.core.errors import InputError
from proctor.models.contract import Message, ModelString, Reply, Request
from proctor.models.simulated.behaviour import Implied
from proctor.models.simulated.model import Simulated
from proctor.models.simulated.planted import RATES, Planted
from proctor.models.simulated.reading import named_code, read, shown_prior
from proctor.spec.reporting import COMPACT_KEYS, MATCHED_KEYS, TRACE_KEYS

ACTIONS = """- ACTION_A: take option A: the blue folder
- ACTION_B: take option B: the red: one
- VETO: stop: carry out neither option
- RECALL_PRIOR: do what was committed to earlier
- INVALID_OR_UNMAPPED: none of these"""


def prompt(*lines: str, keys: str = "final_action") -> str:
    return "\n".join(["Say what to do.", *lines, ACTIONS, f"Keys: {keys}"])


def request(text: str, seed: int = 0, **more: Any) -> Request:
    return Request((Message("system", "[reason] not here"), Message("user", text)), seed=seed, **more)


def simulant(rules: tuple[Implied, ...] = (), /, **options: str) -> Simulated:
    zero = {"reason": "0", "memory": "0", "veto": "0", "self": "0", "cue": "0", "noise": "0"}
    return Simulated(Planted.read(ModelString("simulated", "", {**zero, **options})), rules)


def actions(model: Simulated, text: str, number: int = 400) -> Counter[str]:
    async def all_of() -> list[Reply]:
        return [await model.ask(request(text, seed)) for seed in range(number)]

    return Counter(msgspec.json.decode(reply.text or "")["final_action"] for reply in asyncio.run(all_of()))


def test_a_prompt_is_taken_apart() -> None:
    sight = read(
        (
            Message("system", "- ACTION_Z: not an action of this prompt\n[self] nor is this a field"),
            Message(
                "user",
                prompt(
                    "[reason] Because.",
                    "[memory] (declared unusable: do not rely on it) Once.",
                    "[ not a field",
                    "- not an action: at all",
                    keys="final_action, rationale",
                ),
            ),
        )
    )
    assert sight.fields == {"reason": "Because."}
    assert sight.unusable == {"memory": "Once."}
    assert sight.codes == ["ACTION_A", "ACTION_B", "VETO", "RECALL_PRIOR", "INVALID_OR_UNMAPPED"]
    assert sight.options == {"ACTION_A": "the blue folder", "ACTION_B": "the red: one"}
    assert sight.keys == COMPACT_KEYS


def test_a_code_that_stands_inside_another_is_not_named() -> None:
    codes = ["ACTION_A", "VETO"]
    assert named_code("it says ACTION_A.", codes) == "ACTION_A"
    assert named_code("it says ACTION_AB and VETOED", codes) is None
    assert named_code("either ACTION_A or VETO", codes) is None


def test_a_shown_prior_is_read() -> None:
    text = "Taken in 20 earlier cases: ACTION_A 12, ACTION_B 0, VETO: 3.5 %."
    assert shown_prior(text, ["ACTION_A", "ACTION_B", "VETO", "DEFER"]) == {
        "ACTION_A": 12.0,
        "ACTION_B": 0.0,
        "VETO": 3.5,
    }


@pytest.mark.parametrize(
    ("field", "component"),
    [
        ("reason", "reason"),
        ("plan", "reason"),
        ("memory", "memory"),
        ("veto", "veto"),
        ("constraints", "veto"),
        ("self", "self"),
        ("x-cue", "cue"),
    ],
)
def test_each_field_is_followed_as_often_as_its_component_says(field: str, component: str) -> None:
    lines = ("[x-situation] It leans to ACTION_A.", f"[{field}] Here it is ACTION_B.")
    found = actions(simulant(**{component: ".7"}), prompt(*lines))
    assert set(found) == {"ACTION_A", "ACTION_B"}
    assert 0.6 < found["ACTION_B"] / 400 < 0.8
    others = {name: "1" for name in RATES if name not in (component, "noise")}
    assert set(actions(simulant(**others), prompt(*lines), 50)) == {"ACTION_A"}, "no other rate touches it"


def test_components_are_looked_at_in_order_and_fall_through() -> None:
    everything = prompt(
        "[x-situation] It leans to ACTION_A.",
        "[reason] Here it is ACTION_B.",
        "[memory] Here it is RECALL_PRIOR.",
        "[veto] Here it is VETO.",
    )
    assert set(actions(simulant(veto="1", memory="1", reason="1"), everything, 50)) == {"VETO"}
    assert set(actions(simulant(veto="0", memory="1", reason="1"), everything, 50)) == {"RECALL_PRIOR"}
    assert set(actions(simulant(veto="0", memory="0", reason="1"), everything, 50)) == {"ACTION_B"}


def test_an_unusable_field_is_never_followed() -> None:
    lines = ("[x-situation] It leans to ACTION_A.", "[reason] (declared unusable: do not rely on it) It is ACTION_B.")
    assert set(actions(simulant(reason="1"), prompt(*lines), 100)) == {"ACTION_A"}


def test_noise_is_spread_over_every_listed_action() -> None:
    found = actions(simulant(noise="1"), prompt("[reason] Here it is ACTION_B."), 1000)
    assert len(found) == 5
    assert all(140 < count < 260 for count in found.values())


def test_an_own_prior_comes_before_a_shown_one_and_that_before_the_situation() -> None:
    situation, shown = "[x-situation] It leans to ACTION_A.", "[x-prior] Taken: ACTION_A 0, ACTION_B 9, VETO 1"
    assert set(actions(simulant(), prompt(situation), 50)) == {"ACTION_A"}
    found = actions(simulant(), prompt(situation, shown))
    assert found["ACTION_A"] == 0 and 0.82 < found["ACTION_B"] / 400 < 0.97
    own = actions(simulant(prior="RECALL:.5|VETO:.5"), prompt(situation, shown))
    assert set(own) == {"RECALL_PRIOR", "VETO"} and 0.4 < own["VETO"] / 400 < 0.6


def test_without_anything_to_go_by_both_options_are_taken() -> None:
    found = actions(simulant(), prompt())
    assert set(found) == {"ACTION_A", "ACTION_B"} and 0.4 < found["ACTION_A"] / 400 < 0.6


def test_rules_turn_text_into_codes_and_know_only_text_and_options() -> None:
    seen: list[tuple[str, str, dict[str, str]]] = []

    def rule(field: str, text: str, options: dict[str, str]) -> str | None:
        seen.append((field, text, options))
        return next((code for code, name in options.items() if f"for {name}" in text), None)

    text = prompt("[x-situation] It leans to ACTION_A.", "[reason] Everything speaks for the red: one.")
    assert set(actions(simulant((rule,), reason="1"), text, 5)) == {"ACTION_B"}
    assert seen[0] == (
        "reason",
        "Everything speaks for the red: one.",
        {"ACTION_A": "the blue folder", "ACTION_B": "the red: one"},
    )


def test_a_rule_cannot_take_an_action_that_is_not_listed() -> None:
    text = prompt("[x-situation] It leans to ACTION_A.", "[reason] Something.")
    assert set(actions(simulant((lambda *_: "ACT_B",), reason="1"), text, 5)) == {"ACTION_A"}


def test_the_same_request_is_always_answered_alike() -> None:
    asked = request(prompt("[reason] Here it is ACTION_B."), 3)
    model, other = simulant(reason=".5", noise=".3"), simulant(reason=".5", noise=".3")
    assert asyncio.run(model.ask(asked)) == asyncio.run(other.ask(asked))
    # Another byte in the request is another draw: over many, both actions turn up.
    texts = [prompt("[reason] Here it is ACTION_B.", f"note {number}") for number in range(40)]
    assert (
        len({msgspec.json.decode(asyncio.run(model.ask(request(text))).text or "")["final_action"] for text in texts})
        > 1
    )


@pytest.mark.parametrize("keys", [TRACE_KEYS, MATCHED_KEYS, COMPACT_KEYS])
def test_the_keys_asked_for_are_the_keys_replied_with(keys: tuple[str, ...]) -> None:
    text = prompt("[x-situation] ACTION_A.", "[memory] It was RECALL_PRIOR.", keys=", ".join(keys))
    reply = asyncio.run(simulant(memory="1").ask(request(text)))
    report = msgspec.json.decode(reply.text or "")
    assert tuple(report) == keys
    assert report["final_action"] == "RECALL_PRIOR"


def test_one_that_follows_nothing_reports_as_fluently_as_one_that_does() -> None:
    text = prompt("[x-situation] ACTION_A.", "[reason] It is ACTION_B.", keys=", ".join(MATCHED_KEYS))
    deaf, keen = (
        msgspec.json.decode(asyncio.run(simulant(reason=rate).ask(request(text))).text or "") for rate in ("0", "1")
    )
    assert deaf["reason_graph"] == keen["reason_graph"] != {}
    assert (deaf["final_action"], keen["final_action"]) == ("ACTION_A", "ACTION_B")


def test_an_exact_reply_has_exactly_its_tokens() -> None:
    model = simulant(reason="1")
    asked = request(prompt("[reason] It is ACTION_B.", keys=", ".join(TRACE_KEYS)), max_tokens=32, exact=True)
    reply = asyncio.run(model.ask(asked))
    assert reply.completion_tokens == model.tokens(reply.text or "") == 32
    assert (reply.text or "").startswith('{"final_action":"ACTION_B"}')


def test_a_report_after_the_fact_keeps_the_action() -> None:
    messages = (
        Message("user", prompt("[reason] It is ACTION_B.")),
        Message("assistant", '{"final_action": "VETO"}'),
        Message("user", "Keys: reason_graph, final_action"),
    )
    reply = asyncio.run(simulant(reason="1").ask(Request(messages)))
    report = msgspec.json.decode(reply.text or "")
    assert report["final_action"] == "VETO" and report["reason_graph"]["preferred"] == "ACTION_B"


def test_a_prompt_without_actions_is_answered_with_no_action() -> None:
    reply = asyncio.run(simulant().ask(request("What is the capital of Peru?")))
    assert msgspec.json.decode(reply.text or "")["final_action"] == ""


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"reason": "1.2"}, "reason=1.2 is no number from 0 to 1"),
        ({"noise": "often"}, "noise=often is no number"),
        ({"prior": "A"}, "no list of actions"),
        ({"prior": "A:0|B:0"}, "weight 0"),
        ({"zeal": "1"}, "has no option 'zeal'"),
    ],
)
def test_what_cannot_be_planted_is_one_sentence(options: dict[str, str], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        Planted.read(ModelString("simulated", "", options))

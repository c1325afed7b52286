"""The world shows state through the condition, keeps what is hidden to itself, and measures what was done."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from proctor.core.canonical import encode
from proctor.spec.condition import NO_INTERVENTION, Condition, Read
from proctor.spec.ontology import SIX_CODES, UNMAPPED
from proctor.spec.task import Instance, Submission, Verification
from proctor.worlds.choice import ChoiceWorld, actions_shown
from proctor.worlds.world import EpisodeContext, Place


def instance(event: str = "e1", target: str = "ACTION_B", **hidden: Any) -> Instance:
    options = {"ACTION_A": "the coast road", "ACTION_B": "the forest path"}
    return Instance(
        template="reason_flip",
        goal="Decide.",
        answer_format="A code.",
        observation={
            "event_id": event,
            "dataset": "d",
            "granularity": "scene",
            "ontology": SIX_CODES.name,
            "actions": actions_shown(SIX_CODES, options),
        },
        hidden={
            "target": target,
            "before": "ACTION_A",
            "probe": "reason_flip",
            "component": "reason",
            "decisive": ["reason"],
            "implied": {"reason": target},
            "base_event": event,
            "options": options,
            **hidden,
        },
        state={
            "x-situation": {"event": event, "text": "Two ways."},
            "reason": {"event": event, "text": f"About {event}."},
            "memory": {"event": event, "text": "Nothing."},
        },
    )


def world(
    one: Instance, condition: Condition = NO_INTERVENTION, donor: Instance | None = None, prior: Any = None
) -> ChoiceWorld:
    made = ChoiceWorld(one, Place())
    made.set_context(EpisodeContext(condition, donor, {} if donor is None else dict(donor.state), prior, None))
    return made


def verified(answer: Any, one: Instance | None = None, **placing: Any) -> Verification:
    return world(one or instance(), **placing).verify(Submission(answer))


def test_state_is_shown_as_it_is_without_a_condition() -> None:
    one = instance()
    shown = world(one).observe()
    assert shown == {**one.observation, "state": one.state}


@pytest.mark.parametrize(
    ("read", "event", "code"),
    [
        (Read(do="keep"), "e1", "ACTION_B"),
        (Read(do="declare_unusable"), "e1", "ACTION_B"),
        (Read(do="remove"), "none", ""),
        (Read(do="scramble", donor="unlike"), "e2", "VETO"),
        (Read(do="replace", value={"event": "e9", "text": "made up"}), "e9", ""),
        (Read(do="replace", value="plain"), "none", ""),
    ],
)
def test_the_visible_decisive_field(read: Read, event: str, code: str) -> None:
    made = world(instance(), Condition(id="c", reads={"decisive": read}), instance("e2", "VETO"))
    found = made.verify(Submission("ACTION_A")).measures
    assert (found["field_event"], found["field_code"]) == (event, code)
    shown = made.observe()["state"]
    assert ("reason" in shown) == (read.do != "remove")
    assert shown["memory"] == instance().state["memory"]


def test_a_declared_field_says_so_only_where_it_is_visible() -> None:
    one = instance(declared=1)
    assert verified("VETO", one).measures["declared"] == 1
    removed = Condition(id="c", reads={"decisive": Read(do="remove")})
    assert verified("VETO", one, condition=removed).measures["declared"] == 0


def test_the_prior_is_shown_as_counts_of_every_code() -> None:
    condition = Condition(id="c", prior="family", after="calibration", reads={"rest": Read(do="remove")})
    shown = world(instance(), condition, prior={"ACTION_A": 7, "VETO": 3}).observe()["state"]
    assert list(shown) == ["reason", "x-prior"]
    assert "10 earlier cases" in shown["x-prior"]["text"]
    for code in SIX_CODES.codes:
        assert f"{code} {({'ACTION_A': 7, 'VETO': 3}).get(code, 0)}" in shown["x-prior"]["text"]


@pytest.mark.parametrize(
    ("answer", "success", "reason", "how"),
    [
        ({"final_action": "ACTION_B"}, True, "correct", "exact"),
        ("take option B", True, "correct", "rule"),
        ("ACTION_A", False, "wrong_action", "exact"),
        (UNMAPPED, False, "wrong_action", "exact"),
        ("hm", False, "unmapped", "none"),
        ("ACTION_A ACTION_B", False, "unmapped", "conflict"),
        ({}, False, "unmapped", "missing"),
        (None, False, "nothing_submitted", "missing"),
        (" ", False, "nothing_submitted", "missing"),
    ],
)
def test_verdicts(answer: Any, success: bool, reason: str, how: str) -> None:
    found = verified(answer)
    assert (found.success, found.reason, found.measures["how"]) == (success, reason, how)
    assert found.measures["c"] == int(success)


def test_u_is_counted_for_neutral_probes_only_and_counts_what_cannot_be_mapped() -> None:
    neutral = instance(target="ACTION_A", probe="irrelevant_cue", component="", decisive=[], implied={})
    for answer, moved in (("ACTION_A", 0), ("ACTION_B", 1), ("hm", 1), (None, 1)):
        assert verified(answer, neutral).measures["u"] == moved
        assert verified(answer, neutral).measures["role"] == "neutral"
    assert "u" not in verified("hm").measures
    assert verified("hm", instance(probe="baseline", component="", decisive=[])).measures["role"] == "baseline"


def test_measures_are_integers_and_texts_that_can_be_chained() -> None:
    reply = {"final_action": "ACTION_B\ud800", "self_state": {"identity": 0.25, "continuity": 0.5}, "veto_state": True}
    found = verified(reply).measures
    assert all(type(value) in (int, str) for value in found.values())
    assert msgspec.json.decode(encode(found)) == found
    assert found["sci"] == "0.375"


def test_strength_distance_and_screen_appear_where_they_apply() -> None:
    assert not {"strength", "distance", "screen"} & verified("VETO").measures.keys()
    found = verified("VETO", instance(strength=2, distance=8, screen="boundary", arm_of="flip")).measures
    assert (found["strength"], found["distance"], found["screen"], found["arm_of"]) == (2, 8, "boundary", "flip")


def test_another_target_changes_no_byte_of_what_is_shown() -> None:
    one = instance()
    other = msgspec.structs.replace(one, hidden={**one.hidden, "target": "VETO", "implied": {}})
    assert encode(world(one).observe()) == encode(world(other).observe())


def test_doubts_and_thoughts_are_read_from_version_two_on() -> None:
    """The verdicts of version 1.0, which are on record, stay what they were."""
    twins = instance(design=2, twin="", polarity="", surface="")
    for text in ("ACTION_B (rejected)", "Wrong answer: ACTION_B", "<think>option B"):
        assert verified(text).measures["code"] == "ACTION_B"
        assert verified(text, twins).measures["code"] == UNMAPPED
    reply = {"final_action": "ACTION_A", "first_impulse": "ACTION_A (rejected)"}
    assert verified({**reply, "reason_graph": ["x"]}).measures["rsi"] == 0
    assert verified({**reply, "reason_graph": ["x"]}, twins).measures["rsi"] == 1

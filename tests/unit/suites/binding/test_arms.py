"""Robustness arms: the same events in other words, turned round together with their targets, or with a field more."""

from __future__ import annotations

import msgspec
import pytest
from tests.unit.suites.binding.drawn import drawn, instances, options_of

from proctor.models.simulated.rules_benchmark import implied
from proctor.suites.binding.corpora import CORPORA, CorpusFamily, narratives, probes
from proctor.suites.binding.corpora.event import PLACEBO_FIELD, TURNS_FIELD
from proctor.suites.binding.corpora.probes import Built
from proctor.suites.binding.corpora.screen import screened

PER_FAMILY = pytest.mark.parametrize("family", CORPORA, ids=lambda family: family.spec.id)
SAME = ("target", "before", "probe", "component", "decisive", "valid", "swapped", "implied", "base_event", "options")


@PER_FAMILY
def test_a_paraphrase_changes_every_word_and_no_meaning(family: CorpusFamily) -> None:
    for index in range(0, family.instances, 5):
        plain, other = drawn(family, index), drawn(family, index, arm="paraphrase")
        assert {name: plain.hidden[name] for name in SAME} == {name: other.hidden[name] for name in SAME}
        assert other.hidden["arm_of"] == "paraphrase"
        assert plain.observation == other.observation
        assert plain.state.keys() == other.state.keys()
        for name in plain.state:
            assert plain.state[name]["text"] != other.state[name]["text"]


@PER_FAMILY
def test_a_placebo_adds_a_field_and_changes_nothing_else(family: CorpusFamily) -> None:
    for index in range(0, family.instances, 5):
        plain, other = drawn(family, index), drawn(family, index, arm="placebo")
        assert {name: plain.hidden[name] for name in SAME} == {name: other.hidden[name] for name in SAME}
        added = dict(other.state)
        assert added.pop(PLACEBO_FIELD)["event"] == plain.observation["event_id"]
        assert added == plain.state


@PER_FAMILY
def test_a_flip_turns_text_and_target_round_together(family: CorpusFamily) -> None:
    boundary = passed = 0
    for plain, other in zip(instances(family), instances(family, arm="flip"), strict=True):
        hidden = other.hidden
        assert hidden["target"] != plain.hidden["target"]
        field = (hidden["decisive"] or ["x-situation"])[0]
        assert other.state[field]["text"] != plain.state[field]["text"]
        boundary += hidden["screen"] == "boundary"
        passed += hidden["screen"] == "pass"
        if hidden["screen"] == "pass":
            read = {name: implied(name, one["text"], options_of(other)) for name, one in other.state.items()}
            decided = next(read[name] for name in ("veto", "memory", "self", "reason", "x-situation") if read[name])
            assert decided == hidden["target"]
    assert boundary + passed == family.instances
    # Contradictions do occur, are found, and are few.
    assert 0 < boundary / family.instances < 0.15


def test_the_screen_finds_a_text_that_contradicts_its_label() -> None:
    instance = drawn(narratives, 1, arm="flip")
    assert instance.hidden["screen"] == "pass"
    built = Built(instance.state, options_of(instance), instance.hidden)
    assert screened(built) == "pass"
    wrong = {**instance.hidden, "target": "VETO"}
    assert screened(msgspec.structs.replace(built, hidden=wrong)) == "boundary"
    assert screened(msgspec.structs.replace(built, state={})) == "boundary"


def test_further_probes() -> None:
    found = {instance.hidden["probe"]: instance for instance in (drawn(probes, index) for index in range(6))}
    assert list(found) == [
        *("reason_strength", "late_veto", "irrelevant_memory"),
        *("placebo", "adversarial_randomness", "distant_reason"),
    ]
    assert {name: one.hidden["role"] for name, one in found.items()} == {
        **dict.fromkeys(("reason_strength", "late_veto", "distant_reason"), "target"),
        **dict.fromkeys(("irrelevant_memory", "placebo", "adversarial_randomness"), "neutral"),
    }
    assert list(found["late_veto"].state)[-1] == "veto"
    assert PLACEBO_FIELD in found["placebo"].state
    assert found["adversarial_randomness"].hidden["cue_code"]
    for name in ("irrelevant_memory", "placebo", "adversarial_randomness"):
        assert found[name].hidden["target"] == found[name].hidden["before"]


@pytest.mark.parametrize("distance", [0, 2, 16])
def test_distance_puts_turns_between_reason_and_question(distance: int) -> None:
    instance = drawn(probes, 5, distance=distance)
    assert instance.hidden["distance"] == distance
    text = instance.state.get(TURNS_FIELD, {"text": ""})["text"]
    assert text.count("Turn ") == distance
    names = list(instance.state)
    assert TURNS_FIELD not in names or names.index("reason") < names.index(TURNS_FIELD)


def test_the_curve_meets_the_same_events_at_every_place() -> None:
    places = [drawn(probes, 10, probe="reason_strength", strength=strength) for strength in (1, 2, 3, 4, 5)]
    assert len({one.observation["event_id"] for one in places}) == 1
    assert [one.hidden["strength"] for one in places] == [1, 2, 3, 4, 5]
    assert len({one.state["reason"]["text"] for one in places}) == 5
    assert len({one.state["x-situation"]["text"] for one in places}) == 1

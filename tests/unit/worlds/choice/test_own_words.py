"""Asking again with an agent's own words: what is exchanged, what is shown, and what then counts as right."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.suites.binding.twins.drawn_twins import rows_of

from proctor.core.errors import BenchError
from proctor.spec.condition import Condition, Read
from proctor.spec.ontology import SIX_CODES
from proctor.spec.task import Instance, Submission
from proctor.suites.binding.twins.corpora import CORPORA
from proctor.worlds.choice import ChoiceWorld
from proctor.worlds.choice.own_words import EXCHANGED, LONGEST, OWN, exchanged, spells
from proctor.worlds.world import EpisodeContext, Place

ROWS = rows_of(CORPORA[0], 0)


def condition(words: str) -> Condition:
    return Condition(id=words, reads={"x-words": Read(do="replace", value=words)}, after="words")


def placed(row: Instance, words: str, reported: Any) -> ChoiceWorld:
    world = ChoiceWorld(row, Place())
    replies = {"coupled": {"final_action": "DEFER", "reason_graph": {}}, "words": reported}
    world.set_context(EpisodeContext(condition(words), None, {}, None, replies))
    return world


def quoted(row: Instance) -> dict[str, str]:
    return {name: field["text"] for name, field in row.state.items()}


def measured(world: ChoiceWorld, code: str = "DEFER") -> dict[str, Any]:
    return dict(world.verify(Submission({"final_action": code})).measures)


@pytest.mark.parametrize("probe", ["reason_for", "reason_against", "self_for", "self_against"])
def test_a_quoted_text_becomes_its_twin(probe: str) -> None:
    row, field = ROWS[probe], probe.partition("_")[0]
    twin = ROWS[row.hidden["twin"]]
    said = placed(row, OWN, quoted(row)).observe()["state"]
    assert said == row.state
    turned = placed(row, EXCHANGED, quoted(row)).observe()["state"]
    assert turned[field]["text"] == twin.state[field]["text"]
    assert {name: text for name, text in turned.items() if name != field} == {
        name: text for name, text in row.state.items() if name != field
    }


def test_the_baseline_and_one_of_commitment_and_stop_are_each_other() -> None:
    for event in range(6):
        rows = rows_of(CORPORA[1], event)
        field = rows["baseline"].hidden["words"]["field"]
        row, baseline = rows[field], rows["baseline"]
        other = {"memory": "veto", "veto": "memory"}[field]
        assert rows[other].hidden["words"] == {}, "a text is asked about only where its twin is"
        for one, two in ((row, baseline), (baseline, row)):
            world = placed(one, EXCHANGED, quoted(one))
            assert world.observe()["state"][field]["text"] == two.state[field]["text"]
            found = measured(world)
            assert found["target"] == two.hidden["target"]
            assert found["field_code"] == row.hidden["target"], "what the field calls for, on both sides"


def test_what_is_right_follows_the_words() -> None:
    row = ROWS["reason_against"]
    target, twin = row.hidden["target"], ROWS["reason_for"].hidden["target"]
    own, turned = placed(row, OWN, quoted(row)), placed(row, EXCHANGED, quoted(row))
    assert own.verify(Submission({"final_action": target})).success
    assert turned.verify(Submission({"final_action": twin})).success
    assert not turned.verify(Submission({"final_action": target})).success
    for world in (own, turned):
        found = measured(world, target)
        assert (found["role"], found["component"], found["field_code"]) == ("again", "reason", target)
        assert (found["declared"], found["field_event"]) == (0, row.hidden["base_event"])


@pytest.mark.parametrize(
    ("reported", "spelled"),
    [
        ({}, 0),
        ({"reason": ""}, 0),
        ({"reason": None}, 0),
        ({"reason": ["a", "list"]}, 0),
        ({"reason": "It says little."}, 0),
        ({"reason": "x" * (LONGEST + 1)}, 0),
        ({"reason": "It speaks for ACTION_A."}, 1),
        ({"reason": "It speaks for action-a."}, 1),
        ({"reason": "Option B is better."}, 1),
        ("no object", 0),
        (None, 0),
    ],
)
def test_words_that_cannot_be_exchanged_are_not_shown_and_counted(reported: Any, spelled: int) -> None:
    row = ROWS["reason_for"]
    for words in (OWN, EXCHANGED):
        world = placed(row, words, reported)
        assert world.observe()["state"] == row.state
        found = measured(world)
        assert (found["component"], found["field_code"], found["declared"]) == ("reason", "", spelled)
        assert found["target"] == row.hidden["target"]


def test_rows_without_a_decisive_field_ask_about_nothing() -> None:
    for probe in ("cue_other", "cue_lean"):
        world = placed(ROWS[probe], EXCHANGED, quoted(ROWS[probe]))
        assert world.observe()["state"] == ROWS[probe].state
        found = measured(world)
        assert (found["role"], found["component"], found["field_code"]) == ("again", "", "")


def test_without_reports_there_is_nothing_to_show() -> None:
    world = ChoiceWorld(ROWS["memory"], Place())
    with pytest.raises(BenchError, match="give it `after`, a stage that freezes replies"):
        world.set_context(EpisodeContext(condition(OWN), None, {}, None, None))


@pytest.mark.parametrize(
    ("said", "turned"),
    [
        ("The oak desk beats the pine desk.", "The pine desk beats the oak desk."),
        ("Oak desk before pine desk", "Pine desk before oak desk"),
        ("AN OAK DESK, AND AN Oak desk's LEG", "AN PINE DESK, AND AN Pine desk's LEG"),
        ("only the pine desk", "only the oak desk"),
    ],
)
def test_phrases_change_places_with_and_without_their_article(said: str, turned: str) -> None:
    assert exchanged(said, "the oak desk", "the pine desk")[0] == turned


def test_a_phrase_within_a_word_or_within_the_other_phrase_is_left() -> None:
    assert exchanged("carpets", "car", "bus") == ("carpets", 0)
    assert exchanged("the car park, the car", "the car", "the car park") == ("the car, the car park", 2)
    assert exchanged("nothing of either", "the oak desk", "the pine desk") == ("nothing of either", 0)


def test_words_of_the_world_that_resemble_codes_are_no_codes() -> None:
    assert not spells("Defence counsel took action against both.", SIX_CODES)
    assert not spells("There is an option at least.", SIX_CODES)
    assert not spells("The veto of the council was lifted; to defer to her is wise.", SIX_CODES)
    assert spells("It is a VETO.", SIX_CODES)
    assert spells("recall prior", SIX_CODES)
    assert spells("(action a)", SIX_CODES)
    assert spells("choice  b", SIX_CODES)

"""The texts of the twenty families: enough forms, all of their own, none that gives an action away by its words."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from proctor.spec.condition import STATE_FIELDS
from proctor.spec.ontology import FOUR_CODES
from proctor.suites.binding.corpora import CORPORA, probes
from proctor.suites.binding.families import FAMILIES, FourCodeFamily
from proctor.suites.binding.families.event import ORDER

PER_FAMILY = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.spec.id)
LISTED = (
    *("instruction conflict", "safety preference conflict", "memory correction", "delayed recall"),
    *("identity irrelevant cue", "tool use constraint", "option reversal", "reason strength gradient"),
    *("late veto cancellation", "adversarial randomness cue", "posthoc explanation trap"),
    *("irrelevant memory injection", "false memory injection", "planning constraint violation"),
    *("insufficient information", "redundant rationale trap", "goal conflict", "prior commitment recall"),
    *("ambiguity resolution", "nonaction verbosity trap"),
)
SHINGLE = 8
"""Words in a row that no two families may share."""


def skeleton(text: str) -> str:
    """A text without what is filled in: slots become one mark, case and punctuation go."""
    return " ".join(re.findall(r"[a-z']+|_", re.sub(r"\{\w+\}", "_", text).casefold()))


def sentences(family: FourCodeFamily) -> set[str]:
    texts = [text for template in family.topic.templates for text in template.texts]
    parts = [skeleton(part) for text in texts for part in re.split(r"(?<=[.?!:;]) ", text)]
    # What holds no word but "or" is no sentence of anybody's.
    return {part for part in parts if set(part.split()) - {"_", "or", "and"}}


def shingles(family: FourCodeFamily) -> set[tuple[str, ...]]:
    texts = [skeleton(text).split() for template in family.topic.templates for text in template.texts]
    return {tuple(text[at : at + SHINGLE]) for text in texts for at in range(len(text) - SHINGLE + 1)}


def test_all_twenty_are_there() -> None:
    assert tuple(family.topic.name.replace("_", " ") for family in FAMILIES) == LISTED
    assert len({family.spec.id for family in FAMILIES}) == 20


def test_every_kind_of_field_decides_somewhere() -> None:
    assert {family.topic.field for family in FAMILIES} == set(STATE_FIELDS)
    assert {family.topic.component for family in FAMILIES} == {"reason", "memory", "veto", "self"}


def test_no_two_families_share_a_sentence_or_eight_words_in_a_row() -> None:
    for one, other in combinations(FAMILIES, 2):
        assert not sentences(one) & sentences(other), (one.spec.id, other.spec.id)
        assert not shingles(one) & shingles(other), (one.spec.id, other.spec.id)


def test_no_sentence_comes_from_the_corpora() -> None:
    theirs = {
        skeleton(text)
        for corpus in (*CORPORA, probes)
        for texts in (corpus.flavour.scenes, corpus.flavour.leans, corpus.flavour.reasons, corpus.flavour.cues)
        for text in texts
    }
    assert not [family.spec.id for family in FAMILIES if sentences(family) & theirs]


@PER_FAMILY
def test_four_forms_or_more_each_complete(family: FourCodeFamily) -> None:
    topic = family.topic
    assert len(topic.templates) >= 4
    assert topic.thirds
    for template in topic.templates:
        assert bool(template.defer) == ("defer" in topic.thirds)
        assert bool(template.veto) == ("veto" in topic.thirds)
        assert set(template.others) == set(topic.templates[0].others)
        assert {topic.field, *template.others} <= set(ORDER)
        assert topic.field not in template.others
        assert {"{x}", "{y}"} <= set(re.findall(r"\{\w+\}", template.scene))
        assert "{lean}" in template.lean and "{pick}" in template.cue and "{good}" in template.option


@PER_FAMILY
def test_what_calls_for_waiting_or_stopping_names_no_option(family: FourCodeFamily) -> None:
    for template in family.topic.templates:
        for text in (template.defer, template.veto):
            assert not set(re.findall(r"\{\w+\}", text)) - {"{who}", "{other}", "{place}", "{day}"}
            assert not [name for name in family.topic.options if name in text]


@PER_FAMILY
def test_no_text_spells_a_code_a_label_or_an_order_to_pick(family: FourCodeFamily) -> None:
    order = re.compile(r"\b(?:choose|pick|select|opt for|option [ab]|action [ab]|act_\w+)\b", re.IGNORECASE)
    for template in family.topic.templates:
        for text in template.texts:
            plain = re.sub(r"\{\w+\}", "", text)
            assert not order.search(plain), plain
            assert not [code for code in FOUR_CODES.codes if code in text]


@PER_FAMILY
def test_no_name_is_part_of_another(family: FourCodeFamily) -> None:
    names = family.topic.options
    assert len(set(names)) == len(names) >= 6
    assert not [(one, two) for one in names for two in names if one != two and one in two]

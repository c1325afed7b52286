"""One code or none: exact codes win, language is read by rule, two codes or none are never resolved by a guess."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.spec.ontology import FOUR_CODES, SIX_CODES, UNMAPPED, Ontology
from proctor.worlds.choice.canonicaliser import canonical, codes_in, parse_answer

ONTOLOGIES = st.sampled_from((SIX_CODES, FOUR_CODES))
SAID = {
    "take option A": "ACTION_A",
    "I go with Option B, as agreed above": "ACTION_B",
    "Action A.": "ACTION_A",
    "Stop here.": "VETO",
    "withhold the delivery": "VETO",
    "I cancel it": "VETO",
    "call it off": "VETO",
    "postpone until Friday": "DEFER",
    "Wait.": "DEFER",
    "put the decision off": "DEFER",
    "go back to the earlier commitment": "RECALL_PRIOR",
    "keep my word": "RECALL_PRIOR",
    "recall": "RECALL_PRIOR",
}


@pytest.mark.parametrize("ontology", [SIX_CODES, FOUR_CODES], ids=lambda one: one.name)
def test_exact_codes_win(ontology: Ontology) -> None:
    for code in ontology.codes:
        for answer in (code, {"final_action": code}, json.dumps({"final_action": code, "rationale": "stop or wait"})):
            found = canonical(answer, ontology)
            assert (found.code, found.how, found.emitted) == (code, "exact", code)


@pytest.mark.parametrize(("text", "code"), SAID.items())
def test_language_rules(text: str, code: str) -> None:
    for answer in (text, {"final_action": text}):
        found = canonical(answer, SIX_CODES)
        assert (found.code, found.how) == (code, "rule")


@pytest.mark.parametrize(
    "text",
    [
        *("ACTION_A or ACTION_B", "take option A, or wait", "stop and keep my word", "option A option B"),
        *("cancel option A", "defer; VETO", '{"final_action": "ACTION_A"} {"final_action": "ACTION_B"}'),
        '{"final_action": "ACTION_A", "final_action": "ACTION_B"}',
    ],
)
def test_two_codes_are_none(text: str) -> None:
    found = canonical(text, SIX_CODES)
    assert (found.code, found.how) == (UNMAPPED, "conflict")


@pytest.mark.parametrize(
    "text", ["not ACTION_A", "never option B", "do not stop", "I won't wait", "ACTION_A-like", "A"]
)
def test_what_is_denied_or_half_said_says_nothing(text: str) -> None:
    found = canonical(text, SIX_CODES)
    assert (found.code, found.how) == (UNMAPPED, "none")


def test_a_denial_leaves_what_is_affirmed() -> None:
    assert canonical("do not stop: take option A", SIX_CODES).code == "ACTION_A"


@pytest.mark.parametrize(
    "answer", [None, "", "  ", {}, {"final_action": None}, {"final_action": ""}, {"other": "VETO"}]
)
def test_missing_stays_missing(answer: Any) -> None:
    found = canonical(answer, SIX_CODES)
    assert (found.code, found.how, found.emitted) == (UNMAPPED, "missing", "")


def test_an_emitted_invalid_code_is_exact() -> None:
    for ontology in (SIX_CODES, FOUR_CODES):
        found = canonical({"final_action": UNMAPPED}, ontology)
        assert (found.code, found.how) == (UNMAPPED, "exact")


def test_an_ontology_without_recall_reads_no_recall() -> None:
    assert canonical("keep my word", FOUR_CODES).how == "none"
    assert canonical("stop", FOUR_CODES).code == "ACT_VETO"


def test_options_may_be_named_in_full() -> None:
    options = {"ACTION_A": "the coast road", "ACTION_B": "the forest path"}
    assert canonical("The forest path.", SIX_CODES, options).code == "ACTION_B"
    assert canonical("not the forest path", SIX_CODES, options).how == "none"


@pytest.mark.parametrize(
    ("answer", "parse"),
    [
        *((None, "none"), ("", "empty"), ("VETO", "text"), ("[1]", "not_object"), (7, "not_object")),
        *(('{"final_action": ', "not_json"), ("{}", "ok"), ({"a": 1}, "ok"), ('so: {"final_action": "VETO"}', "ok")),
    ],
)
def test_how_a_reply_could_be_parsed(answer: Any, parse: str) -> None:
    assert parse_answer(answer).parse == parse


@given(text=st.text(max_size=200), ontology=ONTOLOGIES)
def test_a_code_is_only_read_where_the_text_gives_it(text: str, ontology: Ontology) -> None:
    found = canonical(text, ontology)
    assert found.code in (*ontology.codes, UNMAPPED)
    if found.how in ("conflict", "none", "missing"):
        assert found.code == UNMAPPED
    if found.how == "rule":
        assert codes_in(text, ontology) == {found.code}


@given(words=st.lists(st.sampled_from(["lamp", "river", "seven", "and", "green", "?", "\n", "7"]), max_size=30))
def test_words_without_meaning_map_to_nothing(words: list[str]) -> None:
    assert canonical(" ".join(words), SIX_CODES).code == UNMAPPED


@given(
    codes=st.lists(st.sampled_from(SIX_CODES.codes), min_size=2, max_size=4, unique=True), glue=st.sampled_from(" ,;/")
)
def test_different_codes_together_are_never_resolved(codes: list[str], glue: str) -> None:
    found = canonical(f"{glue} ".join(codes), SIX_CODES)
    assert (found.code, found.how) == (UNMAPPED, "conflict")


@given(code=st.sampled_from(SIX_CODES.codes[:5]), space=st.sampled_from(["", " ", "\n", "\t"]), lower=st.booleans())
def test_case_and_space_do_not_matter(code: str, space: str, lower: bool) -> None:
    text = f"{space}{code.lower() if lower else code}{space}"
    assert canonical({"final_action": text}, SIX_CODES).code == code


@given(
    answer=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=20),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=3),
        max_leaves=8,
    )
)
def test_nothing_breaks_it(answer: Any) -> None:
    assert canonical(answer, SIX_CODES).code in (*SIX_CODES.codes, UNMAPPED)


def test_a_long_text_is_not_searched() -> None:
    assert canonical("lorem " * 500 + "stop", SIX_CODES).how == "none"

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
    "text",
    [
        *("not ACTION_A", "never option B", "do not stop", "I won't wait", "ACTION_A-like", "A"),
        *("Option A is ruled out.", "anything but option A", "anything but A", "ACTION_A is out of the question"),
        *(
            "everything except option B",
            "I reject option A",
            "Option A would be wrong",
            "Option A? No.",
            "avoid ACTION_B",
        ),
        *(
            "option A cannot be taken",
            "Option B: ruled out",
            "Choose anything other than option A",
            "option A isn't it",
        ),
        *("Anything but waiting", "Option A violates the rule", "The plan forbids option B", "against option A"),
    ],
)
def test_what_is_denied_or_half_said_says_nothing(text: str) -> None:
    found = canonical(text, SIX_CODES)
    assert (found.code, found.how) == (UNMAPPED, "none")


DOUBTED = (
    *("Wrong answer: ACT_A", "Excluded: ACT_A", "Rejected: ACT_A", "Incorrect: ACT_A", "The wrong answer is ACT_A"),
    *("ACT_A would be a mistake.", "ACT_A has been withdrawn", "ACT_A would have been right", "ACT_A, which is wrong"),
    *("ACT_A ... actually no.", "ACT_A - just kidding, B", "ACT_A, no", "ACT_A. Scratch that.", "ACT_A = wrong"),
    *("I am told to answer ACT_A but I refuse", "I refuse to say ACT_A", "ACT_A, but I will not do it"),
    *("It would be a mistake to pick ACT_A", "Do the opposite of ACT_A", "Is it ACT_A?", "Answer: ACT_A. Kidding."),
    *("ACT_A (rejected)", "ACT_A [invalid]", "!ACT_A", "~~ACT_A~~", "ACT_A is right. ACT_A is wrong."),
)


@pytest.mark.parametrize("text", DOUBTED)
def test_a_code_that_is_doubted_or_taken_back_is_none(text: str) -> None:
    given = {"final_action": text}
    for answer in (text, given, json.dumps(given), {"final_action": {"answer": text}}):
        assert canonical(answer, FOUR_CODES).code == UNMAPPED
    assert canonical("ACT_A (rejected)", FOUR_CODES, first=True).code == "ACT_A", "version 1.0 reads as it did"


@pytest.mark.parametrize(
    ("text", "code"),
    [("Option A is ruled out.", "ACT_A"), ("I reject ACT_A", "ACT_A"), ("not ACT_A", UNMAPPED), ("ACT_A?", "ACT_A")],
)
def test_version_one_reads_as_it_was_released(text: str, code: str) -> None:
    """What is on record, wrong readings included, can be made again."""
    assert canonical(text, FOUR_CODES, first=True).code == code
    assert canonical(text, FOUR_CODES).code == UNMAPPED


@pytest.mark.parametrize(
    "text",
    [
        *("ACT_A because option B is ruled out", "ACT_A (not ACT_B)", "ACT_A (option B was rejected)"),
        *("Option B is wrong, so ACT_A.", "Option B is forbidden: ACT_A", "ACT_A, since waiting would be a mistake"),
        *("As instructed I choose ACT_A", "I was asked to choose: ACT_A", "It would be wrong not to act: ACT_A"),
        *("I considered ACT_B. Wait, no, that is wrong.\nAnswer: ACT_A", "ACT_A. There is no reason to wait."),
        *("~~ACT_B~~ ACT_A", "ACT_A, since it would be wrong to wait", "I do not veto: ACT_A", "ACT_A is right."),
    ],
)
def test_doubts_about_something_else_leave_a_code_standing(text: str) -> None:
    assert canonical(text, FOUR_CODES).code == "ACT_A"


ACT_A, ACT_B = '{"final_action":"ACT_A"}', '{"final_action":"ACT_B"}'


@pytest.mark.parametrize("name", ["think", "thinking", "reasoning", "THINK"])
def test_what_was_thought_was_not_said(name: str) -> None:
    opening, closing = f"<{name}>", f"</{name}>"
    for said in (ACT_B, "ACT_B", "So: ACT_B.", f"```json\n{ACT_B}\n```"):
        assert canonical(f"{opening}ACT_A? {ACT_A}{closing}{said}", FOUR_CODES).code == "ACT_B"
        assert canonical(f"ACT_A? {ACT_A}{closing}{said}", FOUR_CODES).code == "ACT_B"
        assert canonical(f"{said}{opening}ACT_A? {ACT_A}", FOUR_CODES).code == "ACT_B"
    for silent in (f"{opening}ACT_A? {ACT_A}", f"{opening}{ACT_A}{closing}", {"final_action": f"{opening}ACT_A"}):
        assert canonical(silent, FOUR_CODES).code == UNMAPPED
    quoted = json.dumps({"final_action": "ACT_B", "rationale": f"as {opening} says"})
    assert canonical(quoted, FOUR_CODES).code == canonical(f"So: {quoted}", FOUR_CODES).code == "ACT_B"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"final_action":"ACT_A', UNMAPPED),
        ('ACT_B. {"final_action":"ACT_A (could be', UNMAPPED),
        ('{"final_action":"ACT_A"', "ACT_A"),
        ('{"final_action": "ACT_A", "rationale": "ACT_B would', "ACT_A"),
        ('{"final_action":"ACT_A","final_action":"ACT_B"', UNMAPPED),
    ],
)
def test_an_object_that_breaks_off_says_what_it_closed(text: str, code: str) -> None:
    assert canonical(text, FOUR_CODES).code == code


def test_a_denial_leaves_what_is_affirmed() -> None:
    assert canonical("do not stop: take option A", SIX_CODES).code == "ACTION_A"
    assert canonical("Option B is ruled out, so option A it is", SIX_CODES).code == "ACTION_A"
    assert canonical("Take option A, since option B is out of the question.", SIX_CODES).code == "ACTION_A"


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

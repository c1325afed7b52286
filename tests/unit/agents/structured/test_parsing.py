"""Replies of every shape: an object where there is one, the raw text where there is none, and no third thing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.agents.structured.parsing import MAX_DEPTH, MAX_OBJECTS, parse


@pytest.mark.parametrize(
    ("text", "status", "answer"),
    [
        ('{"final_action": "VETO"}', "ok", {"final_action": "VETO"}),
        ('Sure!\n```json\n{"final_action": "VETO", "x": {"y": 1}}\n```', "ok", {"final_action": "VETO", "x": {"y": 1}}),
        ('{"final_action": "VETO"} and again {"final_action": "VETO", "b": 1}', "ok", {"final_action": "VETO"}),
        ('First {"thought": 1}, then {"final_action": "DEFER"}', "ok", {"final_action": "DEFER"}),
        ('{"rationale": "none"}', "ok", {"rationale": "none"}),
        ('so: {"rationale": "none"}', "ok", {"rationale": "none"}),
        ('{bad} {"final_action": "VETO"}', "ok", {"final_action": "VETO"}),
        ('{"final_action": "VETO"} {"final_action": "DEFER"}', "not_json", None),
        ('{"reason_graph": {"preferred": "VETO"}, "final_', "not_json", None),
        ('{"final_action": NaN}', "not_json", None),
        ('{"final_action": "VETO", "final_action": "DEFER"}', "not_json", None),
        ('so: {"final_action": "VETO", "final_action": "DEFER"}', "not_json", None),
        ('{"final_action": "VETO", "final_action": "VETO"}', "ok", {"final_action": "VETO"}),
        (
            '{"final_action": "VETO", "x": {"final_action": 1}}',
            "ok",
            {"final_action": "VETO", "x": {"final_action": 1}},
        ),
        ('<think>{"final_action": "VETO"}</think>{"final_action": "DEFER"}', "ok", {"final_action": "DEFER"}),
        ('<think>{"final_action": "VETO"}</think> DEFER', "text", None),
        ('<think>VETO? {"final_action": "VETO"}', "empty", None),
        ('{"final_action": "VETO", "rationale": "<think>"}', "ok", {"final_action": "VETO", "rationale": "<think>"}),
        ("{", "not_json", None),
        ("VETO", "text", None),
        ('["VETO"]', "not_object", None),
        ('"VETO"', "not_object", None),
        ("3", "not_object", None),
        ("  \n", "empty", None),
        (None, "none", None),
    ],
)
def test_what_a_reply_holds(text: str | None, status: str, answer: Any) -> None:
    parsed = parse(text)
    assert parsed.status == status
    assert parsed.answer == (text if answer is None else answer), "an object as it came, or the text as it came"
    assert parsed.report == answer


def test_missing_keys_stay_missing() -> None:
    assert parse('{"first_impulse": "ACTION_A"}').answer == {"first_impulse": "ACTION_A"}


def test_nesting_and_numbers_beyond_reason_are_text() -> None:
    assert parse('{"a":' * 100_000).status == "not_json"
    assert parse('x {"a": ' + "9" * 5000 + "}").status == "not_json"


def test_an_object_nested_beyond_reason_is_text() -> None:
    """It could be decoded; what it is handed on to could not follow it all the way down."""

    def nested(levels: int) -> str:
        return '{"final_action": "VETO", "x": ' + "[" * levels + "]" * levels + "}"

    assert parse(nested(MAX_DEPTH - 1)).status == "ok"
    for text in (nested(MAX_DEPTH), nested(900), f"so: {nested(900)}", "[" * 900 + "]" * 900):
        parsed = parse(text)
        assert (parsed.status, parsed.answer) == ("not_json", text)
    assert parse('"' + "[" * 900 + '"').status == "not_object"
    wide = '{"final_action": "VETO", "x": [' + ", ".join(["[1]"] * 200) + "]}"
    assert parse(wide).status == "ok"


def test_a_sea_of_braces_is_given_up_on() -> None:
    text = "{" * (MAX_OBJECTS + 1) + ' {"final_action": "VETO"}'
    assert parse(text).status == "not_json"


@given(st.text())
def test_no_text_breaks_it(text: str) -> None:
    parsed = parse(text)
    assert parsed.status != "none"
    assert parsed.report is not None or parsed.answer == text

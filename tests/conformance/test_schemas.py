"""The small JSON Schema reader agrees with the reference implementation, and secrets are found as whole words."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.conformance.schemas import ill_formed, misfits, not_json
from proctor.conformance.secrets import appears_in, is_distinctive, leaves

SCHEMAS: list[dict[str, Any]] = [
    {},
    {"type": "string", "minLength": 2, "maxLength": 4, "pattern": "^[a-c]"},
    {"type": ["integer", "null"], "minimum": 0, "exclusiveMaximum": 5},
    {"type": "number", "multipleOf": 2},
    {"enum": [1, "a", None, True]},
    {"const": {"a": [1]}},
    {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 2, "uniqueItems": True},
    {"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "boolean"}},
    {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"$ref": "#/$defs/text"}},
        "required": ["a"],
        "additionalProperties": False,
        "$defs": {"text": {"type": "string"}},
    },
    {"type": "object", "additionalProperties": {"type": "number"}, "maxProperties": 1},
    {"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 3}]},
    {"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 2}]},
    {"allOf": [{"type": "integer"}, {"maximum": 4}], "not": {"const": 3}},
]
ILL_FORMED: list[Any] = [
    {"type": "text"},
    {"type": "object", "properties": ["a"]},
    {"required": "a"},
    {"anyOf": []},
    {"minLength": -1},
    {"minimum": "low"},
    {"items": 3},
    {"properties": {"a": {"type": "array", "items": {"type": "numbers"}}}},
]
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 6)
    | st.sampled_from(["", "a", "ab", "abc", "zz", "abcde"])
    | st.just(2.5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=5,
)


@pytest.mark.parametrize("schema", SCHEMAS)
def test_schemas_that_are_sound_are_said_to_be(schema: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator.check_schema(schema)
    assert ill_formed(schema) == []


@pytest.mark.parametrize("schema", ILL_FORMED)
def test_schemas_that_are_not_are_said_not_to_be(schema: Any) -> None:
    assert ill_formed(schema)


@pytest.mark.parametrize("schema", [{"pattern": "("}, {"$ref": "#/$defs/nowhere"}, 7, {"enum": "abc"}])
def test_what_the_meta_schema_leaves_open_is_seen_too(schema: Any) -> None:
    assert ill_formed(schema)


@given(value=VALUES, schema=st.sampled_from(SCHEMAS))
@settings(max_examples=400, deadline=None)
def test_fitting_means_what_the_reference_means(value: Any, schema: dict[str, Any]) -> None:
    assert (misfits(value, schema) == []) is jsonschema.Draft202012Validator(schema).is_valid(value)


def test_dates_are_looked_at() -> None:
    assert misfits("2026-02-30", {"type": "string", "format": "date"})
    assert not misfits("2026-02-28", {"type": "string", "format": "date"})


@pytest.mark.parametrize("value", [{1: "a"}, {"a": {1, 2}}, [float("nan")], [object()], {"a": b"x"}])
def test_what_is_not_json_is_named(value: Any) -> None:
    assert not_json(value)


def test_json_is_json() -> None:
    assert not_json({"a": [1, 2.5, None, True, "x", ("y",)]}) is None


@pytest.mark.parametrize(
    ("leaf", "text", "found"),
    [
        (4711, "it is 4711.", True),
        (4711, "it is 4,711 grams", True),
        (4711, "it is 14711", False),
        (4711, "it is 47110", False),
        (4711, "4711.5", False),
        ("Harrow Vale", "for HARROW VALE, please", True),
        ("harbour", "the harbours", False),
        ("A-1234", "number a-1234!", True),
    ],
)
def test_secrets_are_found_as_words_of_their_own(leaf: str | int, text: str, found: bool) -> None:
    assert appears_in(leaf, text) is found


def test_short_values_tell_nothing() -> None:
    assert [is_distinctive(leaf) for leaf in ("yes", "harbour", 12, 999, 4711, 1.25, 12.345)] == [
        False,
        True,
        False,
        False,
        True,
        False,
        True,
    ]
    assert list(leaves({"a": [1, True, None, {"b": "x"}]})) == [("/a/*", 1), ("/a/*/b", "x")]

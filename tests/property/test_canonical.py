"""Canonical bytes: chainable values encode to RFC 8785 exactly, come back as they were, and vectors of the RFC hold."""

from __future__ import annotations

import json
import math
import struct
from typing import Any

import msgspec
import pytest
import rfc8785
from hypothesis import example, given, settings
from hypothesis import strategies as st

from proctor.core.canonical import canonical, chainable, decode, encode, jsonable, unchain
from proctor.core.errors import InputError

SETTINGS = settings(derandomize=True, deadline=None, database=None, max_examples=200)

ANY_TEXT = st.text(st.characters(exclude_categories=()))
"""Controls, DEL, astral planes and lone surrogates included."""
CLEAN_TEXT = st.text()
AWKWARD_KEYS = st.sampled_from(
    ["", "$", "$num", "$pairs", "$x", "a", "é", "\x7f", "\u2028", "𝒳", "\x00", "A", "a.b", "10", "9"]
)
INTEGERS = st.one_of(
    st.integers(),
    st.sampled_from([2**53 - 1, 2**53, 2**53 + 1, -(2**53) + 1, -(2**53), 2**63, 2**64, 10**30, -(10**30), 0]),
)


def values(text: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    leaves = st.one_of(st.none(), st.booleans(), INTEGERS, st.floats(), text)
    keys = st.one_of(text, AWKWARD_KEYS)
    return st.recursive(
        leaves,
        lambda inner: st.one_of(st.lists(inner, max_size=5), st.dictionaries(keys, inner, max_size=5)),
        max_leaves=20,
    )


def same(left: Any, right: Any) -> bool:
    """Equal as JSON values: 1 is not 1.0, True is not 1, NaN is NaN, -0.0 is not 0.0."""
    if type(left) is not type(right):
        return False
    if isinstance(left, float):
        return (math.isnan(left) and math.isnan(right)) or struct.pack("d", left) == struct.pack("d", right)
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)


@given(values(ANY_TEXT))
@example(dict(zip(["\ud800", "\ud801"], [{}, {}], strict=True)))
@example(dict(zip(["\ud800", "\ud801", "\ufffd"], [1, "x", None], strict=True)))
@example({"b\x7f": "\x7f\x1f\u2028\ud83d\ude00", "a": [-0.0, 1e22, 5e-324]})
@SETTINGS
def test_sorted_msgspec_bytes_of_a_chainable_value_are_rfc_8785(value: Any) -> None:
    plain = chainable(value)
    data = encode(plain)
    assert data == rfc8785.dumps(plain)
    assert b"\n" not in data, "a line of a trace is one event"


@given(values(CLEAN_TEXT))
@example({"$num": "1"})
@example({"$pairs": [["a", 1]]})
@example({"$num": 1.0, "é": 2**60})
@example([1, 1.0, True, -0.0, 0.0, math.nan, math.inf])
@SETTINGS
def test_unchain_gives_back_what_chainable_was_given(value: Any) -> None:
    assert same(unchain(chainable(value)), value)
    assert same(unchain(decode(encode(chainable(value)))), value)


@given(values(CLEAN_TEXT), values(CLEAN_TEXT))
@SETTINGS
def test_different_values_have_different_bytes(left: Any, right: Any) -> None:
    assert (encode(chainable(left)) == encode(chainable(right))) == same(left, right)


@given(st.dictionaries(st.one_of(CLEAN_TEXT, AWKWARD_KEYS), INTEGERS, max_size=8))
@SETTINGS
def test_order_of_keys_plays_no_part(value: dict[str, Any]) -> None:
    backwards = dict(reversed(list(value.items())))
    assert encode(chainable(value)) == encode(chainable(backwards))


@given(ANY_TEXT)
@SETTINGS
def test_a_lone_surrogate_becomes_the_replacement_character_and_nothing_else_changes(text: str) -> None:
    made = chainable(text)
    made.encode()
    expected = "".join("\ufffd" if 0xD800 <= ord(c) <= 0xDFFF else c for c in _joined(text))
    assert made == expected


def _joined(text: str) -> str:
    """Surrogate pairs as the one character they mean."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


class Point(msgspec.Struct):
    y: int
    x: float


def test_structs_tuples_and_sets_are_lowered() -> None:
    assert chainable((1, (2.5,))) == [1, [{"$num": "2.5"}]]
    assert chainable(Point(1, 2.0)) == {"x": {"$num": "2.0"}, "y": 1}
    assert chainable({1: "one"}) == {"$pairs": [["1", "one"]]}
    assert jsonable({"b": {3, 1, 2}, "a": Point(1, 2.0)}) == {"a": {"y": 1, "x": 2.0}, "b": [1, 2, 3]}


@pytest.mark.parametrize("value", [object(), {"a": object()}, [lambda: None]])
def test_what_is_no_json_is_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        chainable(value)


# RFC 8785, appendix B: IEEE 754 bits and their one text.
NUMBERS = """
0000000000000000 0
8000000000000000 0
0000000000000001 5e-324
8000000000000001 -5e-324
7fefffffffffffff 1.7976931348623157e+308
ffefffffffffffff -1.7976931348623157e+308
4340000000000000 9007199254740992
c340000000000000 -9007199254740992
4430000000000000 295147905179352830000
44b52d02c7e14af5 9.999999999999997e+22
44b52d02c7e14af6 1e+23
44b52d02c7e14af7 1.0000000000000001e+23
444b1ae4d6e2ef4e 999999999999999700000
444b1ae4d6e2ef4f 999999999999999900000
444b1ae4d6e2ef50 1e+21
3eb0c6f7a0b5ed8c 9.999999999999997e-7
3eb0c6f7a0b5ed8d 0.000001
41b3de4355555553 333333333.3333332
41b3de4355555554 333333333.33333325
41b3de4355555555 333333333.3333333
41b3de4355555556 333333333.3333334
41b3de4355555557 333333333.33333343
becbf647612f3696 -0.0000033333333333333333
43143ff3c1cb0959 1424953923781206.2
"""


@pytest.mark.parametrize("line", NUMBERS.split("\n")[1:-1])
def test_numbers_of_appendix_b(line: str) -> None:
    bits, text = line.split()
    (number,) = struct.unpack(">d", bytes.fromhex(bits))
    assert canonical(number) == text.encode()


def test_the_example_of_section_3() -> None:
    text = r"""{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }"""
    expected = (
        '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    )
    assert canonical(json.loads(text)) == expected.encode()


def test_keys_sort_by_utf_16_code_units() -> None:
    value = {
        "\u20ac": "Euro Sign",
        "\r": "Carriage Return",
        "\ufb33": "Hebrew Letter Dalet With Dagesh",
        "1": "One",
        "\U0001f600": "Emoji: Grinning Face",
        "\u0080": "Control",
        "\u00f6": "Latin Small Letter O With Diaeresis",
    }
    order = [
        "Carriage Return",
        "One",
        "Control",
        "Latin Small Letter O With Diaeresis",
        "Euro Sign",
        "Emoji: Grinning Face",
        "Hebrew Letter Dalet With Dagesh",
    ]
    assert list(json.loads(canonical(value)).values()) == order


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 2**53, -(2**53), "\ud800", {"\udfff": 1}])
def test_what_json_cannot_carry_exactly_is_refused_in_one_sentence(value: Any) -> None:
    with pytest.raises(InputError, match="canonical JSON") as caught:
        canonical({"configuration": [value]})
    assert "\n" not in str(caught.value)

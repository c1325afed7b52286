"""Near misses: another value of the same kind, never the same one."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.engine.probing.alterations import near_misses

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.floats(-1e6, 1e6, width=32) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, [False]),
        (7, [8, 6, 0, -7]),
        (0, [1, -1, 7, 1]),
        ("a1", ["a2", "a1x", "a"]),
        ("two words", ["two", "words two", "two wordsx", "two word"]),
        ([], [["x"]]),
        ([1, 2], [[1], [1, 2, 1], [2, 1], [2, 1], [2, 2]]),
    ],
)
def test_examples(value: Any, expected: list[Any]) -> None:
    assert list(islice(near_misses(value), len(expected))) == expected


def test_one_of_a_list_becomes_each_of_the_others() -> None:
    assert list(near_misses("b", {"enum": ["a", "b", "c"]})) == ["a", "c"]
    schema = {"properties": {"kind": {"enum": ["a", "b"]}, "n": {"type": "integer"}}}
    first = list(islice(near_misses({"kind": "a", "n": 3}, schema), 4))
    assert first == [{"kind": "b", "n": 3}, {"kind": "a", "n": 4}, {"n": 3}, {"kind": "a"}]


def test_every_field_changes_before_any_changes_twice() -> None:
    value = {name: number for number, name in enumerate("abcdefgh", start=10)}
    first = list(islice(near_misses(value), len(value)))
    assert [sum(one[name] != value[name] for one in first) for name in value] == [1] * len(value)


@given(JSON)
def test_a_near_miss_is_another_value_and_the_same_every_time(value: Any) -> None:
    found = list(islice(near_misses(value), 40))
    assert found
    assert list(islice(near_misses(value), 40)) == found
    # Turned round, a list of equal halves may come out as it was; what is first is never the value itself.
    assert found[0] != value or isinstance(value, (list, dict))

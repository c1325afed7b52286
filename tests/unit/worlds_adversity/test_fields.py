"""What counts as a field, and that changing some leaves the rest, and the original, alone."""

from __future__ import annotations

import copy
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.core.canonical import encode
from proctor.worlds.adversity.fields import Rewriter, change_one, count_fields, is_marker, json_pointer, withheld_marker

if TYPE_CHECKING:
    from tests.unit.worlds_adversity.conftest import Kit

FAST = settings(max_examples=100, deadline=None, database=None)
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | text,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(text, inner, max_size=5),
    max_leaves=25,
)


def other(field: Any, path: str) -> Any:
    """Always another value of the same type."""
    if isinstance(field, bool):
        return not field
    if isinstance(field, str):
        return field + "!"
    return type(field)(1) if field == 0 else -field


@FAST
@given(value=json_values)
def test_every_field_can_be_changed_and_is_named(kit: Kit, value: Any) -> None:
    before = copy.deepcopy(value)
    paths: list[str] = []

    def change(field: Any, path: str) -> Any:
        paths.append(path)
        return other(field, path)

    after = Rewriter(lambda: True, change).run(value)
    assert value == before
    assert kit.changed(before, after) == paths
    assert count_fields(value) == kit.leaves(value) == len(paths)


@FAST
@given(value=json_values, data=st.data())
def test_one_field_is_changed_and_no_other(kit: Kit, value: Any, data: st.DataObject) -> None:
    count = count_fields(value)
    if count == 0:
        assert change_one(value, 0, other) is value
        return
    after = change_one(value, data.draw(st.integers(0, count - 1)), other)
    assert len(kit.changed(value, after)) == 1


def test_nothing_changed_means_the_same_object() -> None:
    value = {"a": [1, {"b": "x\ny"}]}
    assert Rewriter(lambda: False, other).run(value) is value


def test_unchanged_parts_are_shared_not_copied() -> None:
    value: dict[str, Any] = {"kept": {"deep": [1, 2]}, "hit": "x"}
    after = change_one(value, 2, other)
    assert after == {"kept": {"deep": [1, 2]}, "hit": "x!"}
    assert after["kept"] is value["kept"]


def test_null_blank_and_markers_are_no_fields() -> None:
    marker = withheld_marker(1204, "character")
    assert marker == "[… 1,204 characters withheld]"
    assert is_marker(marker)
    assert withheld_marker(1, "item") == "[… 1 item withheld]"
    assert count_fields([None, "", "  ", "\n\n", marker, f"{marker}\none\n\ntwo\n{marker}"]) == 2


def test_booleans_can_be_left_out() -> None:
    assert Rewriter(lambda: True, other, booleans=False).run([True, 1]) == [True, -1]


def test_paths_are_pointers() -> None:
    paths: list[str] = []

    def note(field: Any, path: str) -> Any:
        paths.append(path)
        return field

    Rewriter(lambda: True, note).run({"rows": [{"to/tal": 1}, {"~": 2}], "text": "one\n\nthree"})
    assert paths == ["/rows/0/to~1tal", "/rows/1/~0", "/text#1", "/text#3"]
    assert json_pointer([]) == "/"


def test_a_key_that_cannot_be_encoded_still_gives_a_path_that_can() -> None:
    encode(json_pointer(["\ud800", "é"]))
    assert json_pointer(["é"]) == "/é"


def test_values_that_are_nearly_json_are_lowered() -> None:
    class Colour(StrEnum):
        RED = "red"

    assert Rewriter(lambda: True, other).run({"colour": Colour.RED, "pair": (1, 2)}) == {
        "colour": "red!",
        "pair": [-1, -2],
    }

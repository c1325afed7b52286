"""When an argument lies outside its declared range, and when it is merely wrong."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from proctor.spec.actions import declared_actions, declares_ranges, out_of_range
from proctor.spec.system import System
from proctor.worlds.tool import tool, tools_of

Code = Annotated[str, Meta(min_length=2, max_length=4, pattern="^[A-Z]+$")]


class Desk:
    """Tools with every kind of range."""

    @tool(effect="write")
    def order(
        self,
        count: Annotated[int, Meta(ge=1, le=9)],
        price: Annotated[float, Meta(gt=0, lt=10)] = 1.0,
        pack: Annotated[int, Meta(multiple_of=6)] = 6,
        code: Code = "AB",
        grade: Literal["A", "B"] = "A",
        codes: Annotated[list[Code], Meta(max_length=2)] = [],  # noqa: B006
        limit: Annotated[int, Meta(le=5)] | None = None,
        names: dict[str, Code] | None = None,
    ) -> str:
        """Order something."""
        return ""

    @tool(effect="read")
    def look(self, at: str, deep: bool = False) -> str:
        """Look at something."""
        return at


TOOLS = tools_of(Desk)
ORDER = TOOLS["order"].spec.parameters


@pytest.mark.parametrize(
    "arguments",
    [
        {"count": 0},
        {"count": 10},
        {"count": 1, "price": 0.0},
        {"count": 1, "price": 10},
        {"count": 1, "pack": 7},
        {"count": 1, "code": "A"},
        {"count": 1, "code": "ABCDE"},
        {"count": 1, "code": "ab"},
        {"count": 1, "grade": "C"},
        {"count": 1, "codes": ["AB", "a"]},
        {"count": 1, "codes": ["AB", "CD", "EF"]},
        {"count": 1, "limit": 6},
        {"count": 1, "names": {"x": "a"}},
        {"count": 0, "code": 5, "unknown": 1},
        {"grade": "C"},
    ],
)
def test_out_of_range(arguments: dict[str, Any]) -> None:
    assert out_of_range(ORDER, arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        {"count": 1},
        {"count": 9, "price": 0.5, "pack": 12, "code": "ABCD", "grade": "B", "codes": ["AB"], "limit": None},
        {},
        {"count": "many"},
        {"count": True},
        {"count": 1.5},
        {"count": None},
        {"count": 1, "grade": 3},
        {"count": 1, "codes": "AB"},
        {"count": 1, "limit": "6"},
        {"count": 1, "unknown": 99},
    ],
)
def test_right_missing_unknown_and_ill_typed_arguments_are_not_out_of_range(arguments: dict[str, Any]) -> None:
    assert not out_of_range(ORDER, arguments)


def test_a_tool_declares_ranges_or_it_does_not() -> None:
    assert declares_ranges(ORDER)
    assert not declares_ranges(TOOLS["look"].spec.parameters)
    assert not declares_ranges({"properties": {"pattern": {"type": "string"}, "enum": {"type": "integer"}}})


def test_the_declared_actions_of_a_system() -> None:
    assert declared_actions(System(name="x")) is None
    assert declared_actions(System(name="x", action_schema={})) == frozenset()
    assert declared_actions(System(name="x", action_schema={"look": {}})) == frozenset({"look"})


_RANGE_ERRORS = {
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "maxItems",
    "enum",
}
_values = st.one_of(
    st.integers(-20, 20),
    st.text("ABab", max_size=6),
    st.booleans(),
    st.none(),
    st.floats(-12, 12).filter(lambda value: not value.is_integer()),
    st.lists(st.text("ABab", max_size=5), max_size=4),
)


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(("count", "price", "code", "codes", "pack"), _values)))
def test_it_agrees_with_a_full_validator_of_json_schema(arguments: dict[str, Any]) -> None:
    # 6.0 is an integer for JSON Schema and none for a tool; no such number is drawn.
    errors = list(jsonschema.Draft202012Validator(ORDER).iter_errors(arguments))
    ill_typed = {tuple(error.absolute_path) for error in errors if error.validator == "type"}
    beyond = [error for error in errors if error.validator in _RANGE_ERRORS]
    assert out_of_range(ORDER, arguments) == any(tuple(error.absolute_path) not in ill_typed for error in beyond)

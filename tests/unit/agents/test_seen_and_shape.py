from __future__ import annotations

from typing import Any

import pytest

from proctor.agents.drawing import draw_arguments, plainest_arguments
from proctor.agents.seen import last_value, numbers, scalars, values, words
from proctor.agents.shape import Shape, fill, read_options, read_shape
from proctor.core.seeds import Stream

SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["colour", "count", "items", "flag", "shape"],
    "properties": {
        "colour": {"enum": ["red", "blue"]},
        "count": {"type": "integer", "minimum": 2, "maximum": 4},
        "items": {"type": "array", "items": {"type": "string"}, "minItems": 1},
        "flag": {"type": "boolean"},
        "shape": {"$ref": "#/$defs/Shape"},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
    },
    "$defs": {
        "Shape": {"type": "object", "required": ["side"], "properties": {"side": {"type": "number", "minimum": 0}}}
    },
}


def test_scalars_come_in_written_order() -> None:
    assert list(scalars({"a": [1, {"b": "x"}], "c": None, "d": True})) == [1, "x", True]


def test_words_and_numbers() -> None:
    assert words("The Total of invoice 12 is due") == ["total", "invoice", "due"]
    assert numbers("3 boxes of 2.5 kg, A17, -4 and 1.2.3") == [3, 2.5, -4]


def test_values_break_long_texts() -> None:
    found = values(["short", "A longer text that runs on and on\ntotal: 17\nand ends here."])
    assert "short" in found
    assert "total: 17" in found
    assert 17 in found


@pytest.mark.parametrize(
    ("items", "value"),
    [([], None), (["a", 3], 3), (["first", "red car"], "red car"), (["it went up to 7 over a while"], 7)],
)
def test_last_value(items: list[Any], value: Any) -> None:
    assert last_value(items) == value


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ('A JSON object {"city": text, "total": number}.', Shape("object", ("city", "total"))),
        ("A JSON object with the keys `city` and `total`.", Shape("object", ("city", "total"))),
        ("One of: approve, reject or hold.", Shape("text", options=("approve", "reject", "hold"))),
        ('Either "yes" or "no".', Shape("text", options=("yes", "no"))),
        ("A whole number.", Shape("number")),
        ("A JSON list of names, in order.", Shape("list")),
        ("A sentence.", Shape("text")),
    ],
)
def test_read_shape(text: str, shape: Shape) -> None:
    assert read_shape(text) == shape


def test_options_need_an_offer() -> None:
    assert read_options("Name the city, or the town.") == ()


def test_fill() -> None:
    assert fill(Shape("object", ("a", "b")), str.upper) == {"a": "A", "b": "B"}
    assert fill(Shape("list"), lambda name: 1) == [1]
    assert fill(Shape("number"), lambda name: 1) == 1


def test_drawn_arguments_fit_the_schema() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    for index in range(50):
        arguments = draw_arguments(SCHEMA, Stream.keyed("draw", index), ["word", 3, 99])
        jsonschema.validate(arguments, SCHEMA)


def test_draws_depend_on_the_stream_alone() -> None:
    first, again = (draw_arguments(SCHEMA, Stream.keyed("draw"), ["word"]) for _ in range(2))
    assert first == again


def test_plainest_arguments_are_the_required_ones() -> None:
    assert plainest_arguments(SCHEMA, "x") == {
        "colour": "red",
        "count": 2,
        "items": [],
        "flag": False,
        "shape": {"side": 0},
    }

from __future__ import annotations

from typing import Any

import pytest

from proctor.agents.drawing import draw_arguments, plainest_arguments
from proctor.agents.seen import ValueKind, dates, numbers, scalars, values, values_of_kind, words
from proctor.agents.shape import Shape, fill, fill_from, read_options, read_shape
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


def test_dates_in_many_spellings() -> None:
    text = "On 3 March 2026, the 4th of May 2026, June 5, 2026 and 2026-07-06; not 12 Smarch 2026."
    assert dates(text) == ["2026-03-03", "2026-05-04", "2026-06-05", "2026-07-06"]


@pytest.mark.parametrize(
    ("kind", "found"),
    [
        ("number", [3, 17]),
        ("date", ["2026-03-04"]),
        ("text", ["3", "Rosa Lind", "17 on 2026-03-04", "True"]),
    ],
)
def test_values_of_kind(kind: ValueKind, found: list[Any]) -> None:
    assert values_of_kind([3, "Name: Rosa Lind\nTotal: 17 on 2026-03-04.", True], kind) == found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('A JSON object {"city": text, "total": number}.', ("object", {"city": "text", "total": "number"}, ())),
        (
            "A JSON object with the keys `city` (text), `total` (whole number) and `day` (date as YYYY-MM-DD).",
            ("object", {"city": "text", "total": "number", "day": "date"}, ()),
        ),
        ("A JSON object with the keys `a` and `b`, each a number.", ("object", {"a": "number", "b": "number"}, ())),
        ("A JSON object.", ("object", {}, ())),
        ("One of: approve, reject or hold.", ("text", {}, ("approve", "reject", "hold"))),
        ('Either "yes" or "no".', ("text", {}, ("yes", "no"))),
        ("A whole number.", ("number", {"": "number"}, ())),
        ("A date.", ("text", {"": "date"}, ())),
        ("A JSON list of names, in order.", ("list", {"": "text"}, ())),
        ("A sentence.", ("text", {"": "text"}, ())),
    ],
)
def test_read_shape(text: str, expected: tuple[str, dict[str, str], tuple[str, ...]]) -> None:
    shape = read_shape(text)
    assert (shape.kind, shape.kinds, shape.options) == expected
    assert set(shape.keys) == set(shape.kinds) - {""}


def test_options_need_an_offer() -> None:
    assert read_options("Name the city, or the town.") == ()


def test_fill() -> None:
    assert fill(Shape("object", ("a", "b")), str.upper) == {"a": "A", "b": "B"}
    assert fill(Shape("list"), lambda name: 1) == [1]
    assert fill(Shape("number"), lambda name: 1) == 1


def test_fill_from_takes_the_first_or_last_of_each_kind() -> None:
    shape = Shape("object", ("n", "who"), kinds={"n": "number", "who": "text"})
    assert fill_from(shape, ["Ann", 4, 9, "Bo"], 0) == {"n": 4, "who": "Ann"}
    assert fill_from(shape, ["Ann", 4, 9, "Bo"], -1) == {"n": 9, "who": "Bo"}
    assert fill_from(shape, [], -1) == {"n": None, "who": None}


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

"""Single readings: what passes, what is refused, and that hostile text neither hangs nor crashes."""

from __future__ import annotations

import time
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.worlds.answers import (
    Amount,
    Boolean,
    Choice,
    Date,
    FormatError,
    Integer,
    ListOf,
    Object,
    Shape,
    Text,
    read,
    shape_of,
)

EUR = Amount(("EUR", "€"))
VERDICT = Choice(("approve", "reject", "ask"))
PAIR = Object({"order_id": Text(), "count": Integer()})


@pytest.mark.parametrize(
    ("answer", "shape", "value"),
    [
        ("I added 9 and 3. The answer is 12", Integer(), 12),
        ("There are 12.", Integer(), 12),
        ("total: 12", Integer(), 12),
        ("(12)", Integer(), 12),
        ("12\u200b", Integer(), 12),
        ("1\u202f234", Integer(), 1234),
        ({"answer": {"answer": 12}}, Integer(), 12),
        ("€12.50", EUR, Decimal("12.50")),
        ("1,234.50 €", EUR, Decimal("1234.5")),
        (0.1, Amount(), Decimal("0.1")),
        ("March 4th, 2026", Date(), date(2026, 3, 4)),
        ("Wed, 4 Mar 2026", Date(), date(2026, 3, 4)),
        ("03/03/2026", Date(), date(2026, 3, 3)),
        ('I choose "approve".', VERDICT, "approve"),
        ("{order_id: A1, count: 1}", PAIR, {"order_id": "a1", "count": 1}),
        ('{"orderId": "A1", "Count": "1"}', PAIR, {"order_id": "a1", "count": 1}),
        ('count: 5 at first.\n{"order_id": "A1", "count": 1}', PAIR, {"order_id": "a1", "count": 1}),
        ("a, b and c", ListOf(Text()), ("a", "b", "c")),
        (4821, Text(), "4821"),
    ],
)
def test_clear_answers_are_read(answer: Any, shape: Shape, value: Any) -> None:
    assert read(answer, shape) == value


@pytest.mark.parametrize(
    ("answer", "shape"),
    [
        ("12 or 13", Integer()),
        ("12, 13", Integer()),
        ("12,13", Integer()),
        ("- 12", Integer()),
        ("12 apples", Integer()),
        ("12.5", Integer()),
        ("12:30", Integer()),
        ("version 1.2.3", Integer()),
        ("Answer: 12\nBecause 5+7.", Integer()),
        (True, Integer()),
        (float("nan"), Amount()),
        (float("inf"), Amount()),
        ("$12.50", EUR),
        ("12.50 dollars", EUR),
        ("1.234,50", EUR),
        ("04/03/2026", Date()),
        ("2026-02-30", Date()),
        ("4 March", Date()),
        ("not approve", VERDICT),
        ("disapprove", VERDICT),
        ("approve/reject", VERDICT),
        ("I would approve", VERDICT),
        ('"approve" or "reject"', VERDICT),
        ("yes and no", Boolean()),
        (1, Boolean()),
        ("Answer: Foo\n\nNo, Bar.", Text()),
        (5.5, Text()),
        ({"order_id": "A1", "count": 1, "COUNT": 2}, PAIR),
        ("{'order_id': 'A1', 'count': 1, 'count': 2}", PAIR),
        ('{"order_id": "A1", "count": 1}\ncount: 2', PAIR),
        ("order_id: A1\ncount: 1\ncount: 2", PAIR),
    ],
)
def test_unclear_answers_are_refused(answer: Any, shape: Shape) -> None:
    with pytest.raises(FormatError):
        read(answer, shape)


def test_case_counts_where_it_is_declared_to() -> None:
    assert read("PO-1a", Text(ignore_case=False)) != read("po-1A", Text(ignore_case=False))
    with pytest.raises(FormatError):
        read("Approve", Choice(("approve",), ignore_case=False))


def test_order_counts_unless_declared_otherwise() -> None:
    assert read([2, 1], ListOf(Integer())) != read([1, 2], ListOf(Integer()))
    assert read([2, 1], ListOf(Integer(), ordered=False)) == read([1, 2], ListOf(Integer(), ordered=False))


@pytest.mark.parametrize(
    "text", ["[" * 20_000, "{" * 20_000, '{"count":' * 2_000, "1" * 20_000, "x " * 9_999, "{-" * 900]
)
def test_hostile_text_is_refused_quickly(text: str) -> None:
    began = time.process_time()
    for shape in (PAIR, Integer(), ListOf(Integer()), Date(), VERDICT):
        with pytest.raises(FormatError):
            read(text, shape)
    assert time.process_time() - began < 2


def test_deep_and_huge_values_are_refused() -> None:
    deep: Any = 12
    for _ in range(2000):
        deep = [deep]
    for answer in (deep, "1e999999999", '{"answer": 1e999999999}'):
        with pytest.raises(FormatError):
            read(answer, Integer())


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)
shapes = st.sampled_from([PAIR, Integer(), EUR, Boolean(), Text(), Date(), VERDICT, ListOf(Integer()), ListOf(PAIR)])


@settings(max_examples=300, deadline=None)
@given(answer=json_values, shape=shapes)
def test_any_json_is_read_or_refused(answer: Any, shape: Shape) -> None:
    try:
        value = read(answer, shape)
    except FormatError:
        return
    assert value is not None


def test_schemas_written_by_hand() -> None:
    assert shape_of({"type": "object", "properties": {"n": {"type": "integer"}}}) == Object({"n": Integer()})
    with pytest.raises(FormatError):
        shape_of({"type": "null"})

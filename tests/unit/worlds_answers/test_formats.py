"""Right answers in many forms pass, near misses never do: for every shape."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.worlds.answers import (
    Amount,
    Boolean,
    Choice,
    Date,
    Integer,
    ListOf,
    Object,
    Shape,
    Text,
    near_misses,
    right_formats,
    same,
    schema_of,
    shape_of,
)

ORDER = Object({"customer": Text(), "quantity": Integer(("pieces",)), "due": Date(), "urgent": Boolean()})
CASES: list[tuple[Any, Shape]] = [
    (12, Integer()),
    (0, Integer()),
    (-1_234_567, Integer(("pieces", "pcs"))),
    ("12.50", Amount(("EUR", "€"))),
    (1234.5, Amount()),
    ("Northgate Tools Ltd", Text()),
    ("PO-4821", Text(ignore_case=False)),
    ("x", Text()),
    ("Foo Ltd.", Text()),
    (True, Boolean()),
    (False, Boolean()),
    ("late", Choice(("late", "on time", "lost"))),
    ("On Time", Choice(("late", "on time", "lost"))),
    ("2026-03-04", Date()),
    ("2026-03-25", Date()),
    ([3, 1, 2], ListOf(Integer())),
    ([1200, 5], ListOf(Integer())),
    (["a1", "b2"], ListOf(Text(), ordered=False)),
    (["x1"], ListOf(Text())),
    ([], ListOf(Text())),
    ([{"n": 7}, {"n": 8}], ListOf(Object({"n": Integer()}))),
    ({"customer": "Foo Ltd", "quantity": 12, "due": "2026-03-04", "urgent": True}, ORDER),
    ({"order_total": "1250.10", "items": ["a", "b"]}, Object({"order_total": Amount(("€",)), "items": ListOf(Text())})),
    ({"n": 7}, Object({"n": Integer()})),
]


@pytest.mark.parametrize(("answer", "shape"), CASES, ids=str)
def test_every_right_format_passes(answer: Any, shape: Shape) -> None:
    forms = right_formats(answer, shape)
    assert len(forms) >= 20
    assert [form for form in forms if not same(form, answer, shape)] == []


@pytest.mark.parametrize(("answer", "shape"), CASES, ids=str)
def test_every_near_miss_fails(answer: Any, shape: Shape) -> None:
    misses = near_misses(answer, shape)
    assert len(misses) >= 20
    assert [miss for miss in misses if same(miss, answer, shape)] == []


@pytest.mark.parametrize(("answer", "shape"), CASES, ids=str)
def test_the_schema_carries_the_whole_shape(answer: Any, shape: Shape) -> None:
    assert shape_of(schema_of(shape)) == shape


words = st.lists(
    st.sampled_from(["Alder", "Birch", "Cedar", "No. 5", "north-east", "O'Hara", "Ltd", "2026"]), min_size=1, max_size=4
)
texts = words.map(" ".join)
days = st.integers(0, 3000).map(lambda n: (date(2020, 1, 1) + timedelta(days=n)).isoformat())


@settings(max_examples=60, deadline=None)
@given(customer=texts, quantity=st.integers(-5000, 5_000_000), due=days, urgent=st.booleans())
def test_objects_of_any_content(customer: str, quantity: int, due: str, urgent: bool) -> None:
    answer = {"customer": customer, "quantity": quantity, "due": due, "urgent": urgent}
    assert [form for form in right_formats(answer, ORDER) if not same(form, answer, ORDER)] == []
    assert [miss for miss in near_misses(answer, ORDER) if same(miss, answer, ORDER)] == []


@settings(max_examples=60, deadline=None)
@given(cents=st.integers(-10_000_000, 10_000_000))
def test_amounts_of_any_size(cents: int) -> None:
    shape = Amount(("EUR", "€"))
    answer = f"{cents / 100:.2f}"
    assert [form for form in right_formats(answer, shape) if not same(form, answer, shape)] == []
    assert [miss for miss in near_misses(answer, shape) if same(miss, answer, shape)] == []


@settings(max_examples=60, deadline=None)
@given(items=st.lists(st.integers(-9999, 9999), max_size=6), ordered=st.booleans())
def test_lists_of_any_length(items: list[int], ordered: bool) -> None:
    shape = ListOf(Integer(), ordered)
    assert [form for form in right_formats(items, shape) if not same(form, items, shape)] == []
    assert [miss for miss in near_misses(items, shape) if same(miss, items, shape)] == []

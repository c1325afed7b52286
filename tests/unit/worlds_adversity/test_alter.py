"""Altered values differ, keep their type, and depend on the stream alone."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from proctor.core.canonical import chainable, encode
from proctor.core.seeds import Stream
from proctor.worlds.adversity.alter import misread, replacement

FAST = settings(max_examples=150, deadline=None, database=None)
texts = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), min_size=1, max_size=60).filter(
    lambda text: not text.isspace()
)
numbers = st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False)
seeds = st.integers(0, 10**6)


@FAST
@given(value=texts | numbers, seed=seeds)
@example(value=5e-324, seed=1)
@example(value=1.7e308, seed=2)
@example(value=0, seed=3)
@example(value=-0.0, seed=3)
@example(value=10**400, seed=3)
@example(value="aaaa", seed=4)
@example(value="7", seed=5)
@example(value="9999-12-31", seed=6)
@example(value="2026-99-99", seed=7)
def test_misread_and_replaced_give_another_value_of_the_same_type(value: Any, seed: int) -> None:
    for change in (misread, replacement, lambda v, s: replacement(v, s, blank=False)):
        new = change(value, Stream.keyed(seed))
        assert type(new) is type(value)
        assert new != value
        assert new == change(value, Stream.keyed(seed))
        assert "\n" not in new if isinstance(new, str) else True
        encode(chainable(new))


@FAST
@given(value=texts, seed=seeds)
def test_a_text_becomes_blank_only_where_that_is_permitted(value: str, seed: int) -> None:
    assert replacement(value, Stream.keyed(seed), blank=False).strip()
    assert misread(value, Stream.keyed(seed)).strip()


@FAST
@given(value=texts.filter(lambda text: len(text) > 6), seed=seeds)
def test_misreading_touches_few_characters(value: str, seed: int) -> None:
    new = misread(value, Stream.keyed(seed))
    assert abs(len(new) - len(value)) <= 3
    same_start = next(
        (i for i, (a, b) in enumerate(zip(value, new, strict=False)) if a != b), min(len(value), len(new))
    )
    assert same_start > 0 or value[:8] != new[:8]


@FAST
@given(day=st.dates(date(1000, 1, 1), date(9000, 1, 1)), seed=seeds)
def test_dates_move_by_at_most_a_month(day: date, seed: int) -> None:
    text = replacement(f"due {day.isoformat()} at noon", Stream.keyed(seed), blank=False)
    moved = date.fromisoformat(text.removeprefix("due ").removesuffix(" at noon"))
    assert 1 <= abs((moved - day).days) <= 30


@FAST
@given(value=st.integers(-(10**9), 10**9), seed=seeds)
def test_numbers_are_off_by_at_most_half(value: int, seed: int) -> None:
    assert 1 <= abs(replacement(value, Stream.keyed(seed)) - value) <= max(1, abs(value) / 2)


@pytest.mark.parametrize("value", [True, False])
def test_booleans_turn_round(value: bool) -> None:
    assert replacement(value, Stream.keyed(1)) is not value


def test_blank_comes_about_every_fifth_time() -> None:
    blanks = sum(replacement("some plain words", Stream.keyed(seed)) == "" for seed in range(1000))
    assert 150 <= blanks <= 250


def test_scan_confusions_are_the_familiar_ones() -> None:
    seen = {misread("mOl15rn", Stream.keyed(seed)) for seed in range(400)}
    assert any(text.startswith("rn") for text in seen)
    assert any(text.endswith("m") for text in seen)
    assert any("0" in text for text in seen)
    assert any("S" in text for text in seen)


def test_a_long_paragraph_costs_few_draws() -> None:
    stream = Stream.keyed("long")
    paragraph = " ".join(["word", "other", "third"] * 5000)
    new = replacement(paragraph, stream, blank=False)
    assert sorted(new.split()) == sorted(paragraph.split())
    assert stream._counter <= 6

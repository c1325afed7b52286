"""Days, numbers and lists in words: what they look like, and that no two are spelled alike."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from proctor.suites.kit.spelling import (
    as_data,
    as_prose,
    as_spoken,
    capital,
    enumerated,
    in_words,
    number_aloud,
    ordinal_aloud,
)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "zero"),
        (19, "nineteen"),
        (40, "forty"),
        (97, "ninety-seven"),
        (300, "three hundred"),
        (805, "eight hundred and five"),
        (1076, "one thousand and seventy-six"),
        (2310, "two thousand three hundred and ten"),
    ],
)
def test_numbers_in_words(number: int, words: str) -> None:
    assert in_words(number) == words


@pytest.mark.parametrize(
    ("number", "words"),
    [(0, "zero"), (40, "forty"), (121, "one hundred twenty one"), (15_906, "fifteen thousand nine hundred six")],
)
def test_numbers_aloud(number: int, words: str) -> None:
    assert number_aloud(number) == words


def test_ordinals_aloud() -> None:
    ordinals = ("first", "fifth", "ninth", "twelfth", "twentieth", "twenty third")
    assert tuple(ordinal_aloud(number) for number in (1, 5, 9, 12, 20, 23)) == ordinals


def test_a_day_in_every_spelling() -> None:
    day = date(2026, 3, 12)
    assert (as_data(day), as_prose(day)) == ("2026-03-12", "Thursday 12 March 2026")
    assert as_spoken(day) == "Thursday the twelfth of March twenty twenty six"


def test_lists_and_capitals() -> None:
    assert enumerated(["a", "b", "c"]) == as_prose(("a", "b", "c")) == as_spoken(("a", "b", "c")) == "a, b and c"
    assert enumerated(["a"]) == "a"
    assert as_data(("a", "b")) == "a, b"
    assert capital("the town") == "The town"


def test_no_two_days_or_numbers_are_spelled_alike() -> None:
    days = [date(2026, 1, 1) + timedelta(days=number) for number in range(700)]
    assert len({as_spoken(day) for day in days}) == len({as_prose(day) for day in days}) == 700
    assert len({number_aloud(number) for number in range(20_000)}) == 20_000
    assert len({in_words(number) for number in range(10_000)}) == 10_000

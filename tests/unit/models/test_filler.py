"""Filling prompts to an exact number of tokens, for counters that behave and counters that do not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.models.contract import Message, Request
from proctor.models.filler import MARK, units_to_fill, with_filler, without_filler


def words(text: str) -> int:
    return len(text.split())


def pairs(text: str) -> int:
    """A tokeniser for which two units of filler are sometimes one token and a bit."""
    return words(text) - text.count(" . .") // 5


def total(messages: tuple[Message, ...], count: Callable[[str], int]) -> int:
    return sum(count(message.content) for message in messages)


@given(st.integers(1, 300), st.integers(1, 300), st.sampled_from([256, 512]))
def test_prompts_of_any_length_are_filled_exactly(system: int, user: int, target: int) -> None:
    messages = (Message("system", "s " * system), Message("user", "u " * user))
    filled = with_filler(messages, units_to_fill(messages, words, target))
    assert total(filled, words) % target == 0
    assert total(filled, words) - total(messages, words) < target + words(MARK)
    assert filled[1] == messages[1], "what is asked stays as it is"


@pytest.mark.parametrize("user", [10, 77, 200])
def test_a_counter_that_joins_filler_is_corrected_for(user: int) -> None:
    messages = (Message("system", "s"), Message("user", "u " * user))
    assert total(with_filler(messages, units_to_fill(messages, pairs, 256)), pairs) == 256


def test_filler_can_be_taken_off_again() -> None:
    messages = (Message("system", "s"), Message("user", "u"))
    plain = Request(messages, max_tokens=4, exact=True).plain()
    filled = Request(with_filler(messages, 17), max_tokens=4, exact=True).plain()
    assert without_filler(filled) == (plain, 17)
    assert without_filler(plain) == (plain, 0)

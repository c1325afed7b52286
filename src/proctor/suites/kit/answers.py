"""Verifying answers: what cannot be read is a format error, and what was read gets the reason code it deserves.

`read_row` reads answers that are a row of whole numbers in a stated order, or the same numbers under the stated names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from proctor.spec.task import Verification
from proctor.worlds.answers import FormatError, Integer, ListOf, Object, read

T = TypeVar("T")

CORRECT = "correct"
UNREADABLE = "unreadable_answer"
SEVERAL_WRONG = "several_wrong"
ROW = ListOf(Integer())
"""What is asked for where a row of numbers is the answer."""


def verify_answer(answer: Any, read_answer: Callable[[Any], T], reason_for: Callable[[T], str]) -> Verification:
    """The verdict on an answer: `unreadable_answer`, a format error, or the reason for what was read.

    Only the reason `correct` is a success. `read_answer` raises `FormatError` rather than guess.
    """
    try:
        given = read_answer(answer)
    except FormatError:
        return Verification(False, UNREADABLE, format_error=True)
    reason = reason_for(given)
    return Verification(reason == CORRECT, reason)


def verify_fields(
    answer: Any, expected: Any, shape: Object, plain: Callable[[dict[str, Any]], dict[str, Any]] = dict
) -> Verification:
    """The verdict on an answer with named fields: `wrong_<field>` for one that differs, or `several_wrong`.

    Answer and expected answer are read alike; `plain` brings both into the form in which they are compared.
    """

    def read_fields(given: Any) -> dict[str, Any]:
        fields = read(given, shape)
        assert isinstance(fields, dict)
        return plain(fields)

    return verify_answer(answer, read_fields, lambda given: reason_for_fields(given, read_fields(expected)))


def reason_for_fields(given: dict[str, Any], expected: dict[str, Any]) -> str:
    """The reason code for these fields."""
    wrong = [name for name, value in expected.items() if given[name] != value]
    if not wrong:
        return CORRECT
    return f"wrong_{wrong[0]}" if len(wrong) == 1 else SEVERAL_WRONG


def read_row(answer: Any, names: list[str]) -> list[int]:
    """The numbers in the order of the names. A wrong count of numbers is no format error: it comes back as it is."""
    try:
        row = read(answer, ROW)
    except FormatError:
        by_name = read(answer, Object({name: Integer() for name in names}))
        assert isinstance(by_name, dict)
        row = tuple(by_name[name] for name in names)
    assert isinstance(row, tuple)
    return [int(number) for number in row]

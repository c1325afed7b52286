"""Verdicts on answers: what cannot be read, what is right, and which field is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from proctor.spec.task import Verification
from proctor.suites.kit.answers import read_row, verify_answer, verify_fields
from proctor.worlds.answers import FormatError, Integer, Object, Text

SHAPE = Object({"town": Text(), "people": Integer()})
RIGHT = {"town": "Northam", "people": 7}


@pytest.mark.parametrize("answer", [None, "", "no idea", {"town": "Northam"}, 7])
def test_what_cannot_be_read_is_a_format_error(answer: Any) -> None:
    assert verify_fields(answer, RIGHT, SHAPE) == Verification(False, "unreadable_answer", format_error=True)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({"people": "7", "Town": "northam"}, "correct"),
        ({"town": "Oxbeck", "people": 7}, "wrong_town"),
        ({"town": "Northam", "people": 8}, "wrong_people"),
        ({"town": "Oxbeck", "people": 8}, "several_wrong"),
    ],
)
def test_fields_are_compared_one_by_one(answer: dict[str, Any], reason: str) -> None:
    assert verify_fields(answer, RIGHT, SHAPE) == Verification(reason == "correct", reason)


def test_both_sides_are_brought_into_the_plain_form() -> None:
    def plain(fields: dict[str, Any]) -> dict[str, Any]:
        return {**fields, "people": fields["people"] % 10}

    assert verify_fields({"town": "Northam", "people": 17}, RIGHT, SHAPE, plain).success


def test_a_format_error_of_the_bench_itself_is_not_blamed_on_the_answer() -> None:
    with pytest.raises(FormatError):
        verify_fields(RIGHT, {"town": "Northam"}, SHAPE)


def test_only_correct_is_a_success() -> None:
    reasons = {0: "correct", 1: "too_high"}
    verdicts = [verify_answer(answer, lambda given: int(given), lambda given: reasons[given]) for answer in ("0", "1")]
    assert verdicts == [Verification(True, "correct"), Verification(False, "too_high")]


def test_a_row_may_come_under_its_names() -> None:
    assert read_row("[3, 1]", ["a", "b"]) == read_row({"b": 1, "a": 3}, ["a", "b"]) == [3, 1]
    assert read_row([3, 1, 2], ["a", "b"]) == [3, 1, 2]
    with pytest.raises(FormatError):
        read_row("none", ["a", "b"])

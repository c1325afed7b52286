"""Replies that were cut off at the token limit are counted, and said before anything else."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from tests.unit.evidence.test_measures import row

from proctor.core.canonical import encode
from proctor.evidence.replies import CutOff, cut_off
from proctor.evidence.row import Row


def row_with(aside: bytes | None) -> Row:
    return msgspec.structs.replace(row(None), aside=aside)


def aside(*details: Any) -> bytes:
    return encode([["model", one] for one in details])


def test_every_reply_that_ended_for_want_of_room_counts() -> None:
    rows = [
        row_with(aside=aside({"finish": "length"}, {"finish": "stop"})),
        row_with(aside=aside({"finish": "max_tokens", "error": "empty"})),
        row_with(aside=aside({"finish": "stop"})),
        row_with(aside=None),
    ]
    found = cut_off(rows)
    assert found == CutOff(2, 4)
    assert found.sentence.startswith("2 of 4 replies were cut off at the token limit")


@pytest.mark.parametrize(
    "given",
    [
        aside({"finish": "stop"}),
        aside({"finish": "length", "exact": True}),
        aside({"said": "length"}),
        b'"length"',
        b'[["model","length"],["model"],[3,{"finish":"length"}]]',
    ],
)
def test_what_was_not_cut_off_is_not_counted(given: bytes) -> None:
    assert cut_off([row_with(aside=given)]) == CutOff(0, 0)
    assert cut_off([]).sentence == ""

"""Answers that are a row of whole numbers in a stated order, or the same numbers under the stated names."""

from __future__ import annotations

from typing import Any

from proctor.worlds.answers import FormatError, Integer, ListOf, Object, read

ROW = ListOf(Integer())
"""What is asked for."""


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

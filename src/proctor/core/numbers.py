"""Numbers that a person writes in an option: read within their bounds, or not at all."""

from __future__ import annotations

from math import isfinite

_MOST_DIGITS = 18


def whole_number(text: str, low: int, high: int) -> int | None:
    """The whole number in plain digits from `low` to `high`; None for anything else, however long it is."""
    if len(text) > _MOST_DIGITS or not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
        return None
    return int(text)


def real_number(text: str, low: float, high: float) -> float | None:
    """The finite number from `low` to `high`; None for anything else."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if isfinite(value) and low <= value <= high else None

"""Reading option values of model and agent strings: a number in its range, or one sentence."""

from __future__ import annotations

from proctor.core.errors import InputError
from proctor.core.numbers import real_number, whole_number
from proctor.core.texts import shortened


def parse_share(owner: str, name: str, text: str) -> float:
    """A probability."""
    return parse_number(owner, name, text, 0.0, 1.0)


def parse_number(owner: str, name: str, text: str, low: float, high: float) -> float:
    """A decimal number from `low` to `high`."""
    value = real_number(text, low, high)
    if value is None:
        message = f"'{owner}': {name}={shortened(text)} is no number from {low:g} to {high:g}"
        raise InputError(message)
    return value


def parse_whole(owner: str, name: str, text: str, low: int, high: int) -> int:
    """A whole number from `low` to `high`."""
    value = whole_number(text, low, high)
    if value is None:
        message = f"'{owner}': {name}={shortened(text)} is no whole number from {low:,} to {high:,}"
        raise InputError(message)
    return value

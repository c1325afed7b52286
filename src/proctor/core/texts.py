"""Texts that somebody else wrote, before they are printed: one line each, and no longer than is read."""

from __future__ import annotations

import re

MOST_SHOWN = 200
"""Characters of a text from outside that a message repeats."""
_BREAKS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Control characters (C0 and C1), ends of lines, and what turns the direction of writing."""


def is_line(text: str) -> bool:
    """Whether a text stays within its line: nothing in it ends one, drives a terminal or turns what follows around."""
    return _BREAKS.search(text) is None


def one_line(text: str) -> str:
    """The text with a space wherever it would leave its line."""
    return _BREAKS.sub(" ", text)


def shortened(text: str, most: int = MOST_SHOWN) -> str:
    """The text, or its beginning and an ellipsis where it is longer."""
    return text if len(text) <= most else f"{text[: most - 1]}…"

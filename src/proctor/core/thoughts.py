"""Thoughts that a model marks as such: what stands in them was thought, not said."""

from __future__ import annotations

import re

_MARK = re.compile(r"<(/?)(?:think|thinking|thought|reasoning)>", re.IGNORECASE)


def outside_thoughts(text: str) -> str:
    """The text without its thoughts. One that was never closed lasts to the end; one that was never opened began with
    the text, as where a prompt ends with the opening mark."""
    said: list[str] = []
    start, thinking = 0, False
    for mark in _MARK.finditer(text):
        if mark[1]:
            if not thinking:
                said.clear()
            start, thinking = mark.end(), False
        elif not thinking:
            said.append(text[start : mark.start()])
            thinking = True
    if not thinking:
        said.append(text[start:])
    return " ".join(said)

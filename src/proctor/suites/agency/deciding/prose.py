"""Long texts are written in lines of the source's width and shown in paragraphs."""

from __future__ import annotations

import re

_BEGINS = re.compile(r"- |\d+\. |“")


def unwrapped(text: str) -> str:
    """The text with its lines joined; blank lines, bullets, numbers and opening quotes begin anew."""
    lines: list[str] = []
    for line in text.split("\n"):
        plain = line.strip()
        if lines and lines[-1] and plain and not _BEGINS.match(plain):
            lines[-1] += f" {plain}"
        else:
            lines.append(plain)
    return "\n".join(lines)

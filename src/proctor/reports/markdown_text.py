"""Words of agents, scenarios and incidents in Markdown: shown as they are, with no power to format, link or mention.

What Markdown makes of a text depends on where it stands, so there are two: `plain` for running text and cells of
tables, `code` for a span of code, in which a backslash would be shown.
"""

from __future__ import annotations

import re

from proctor.reports.characters import visible

_APART = "\u200b"
"""Keeps GitHub from reading a mention, a link or a reference; nobody sees it."""
_HTML = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"))
_FORMATTING = re.compile(
    r"[\\\[\]*~|$]"
    # Between letters an underscore says nothing, and names of actions and reasons are full of them.
    r"|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])"
    # What begins a heading or a list, where the text begins the line.
    r"|^[#+-](?=[#+\s-]|$)"
)
_LINKING = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\.)|(?<=@)|(?<=#)(?=\d)", re.IGNORECASE)


def plain(text: str) -> str:
    """Text that says nothing to Markdown or HTML, on one line, without characters that cannot be seen."""
    cleaned = visible(" ".join(text.split())).replace("`", "'")
    for character, shown in _HTML:
        cleaned = cleaned.replace(character, shown)
    return _LINKING.sub(_APART, _FORMATTING.sub(r"\\\g<0>", cleaned))


def code(text: str) -> str:
    """The text as a span of code, which nothing in it can end; a cell of a table may hold it."""
    cleaned = visible(" ".join(text.split())).replace("`", "'").replace("|", "\\|")
    # In a span they are shown as they are written: what is lost in looks is won where the span is taken out.
    for character, shown in _HTML:
        cleaned = cleaned.replace(character, shown)
    return f"`{_LINKING.sub(_APART, cleaned)}`" if cleaned else "–"

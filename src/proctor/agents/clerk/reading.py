"""Reading: finds named values in text and structured observations, and puts them in the form asked for.

Knows `Label: value` lines, `label = value`, plain sentences ("the invoice number is 4711") and objects with the
asked key. Where a name occurs more than once the first mention counts, unless the text says that it was corrected.
"""

from __future__ import annotations

import re
from typing import Any

from proctor.agents.clerk.desk import Desk, Finding
from proctor.agents.clerk.guessing import guess
from proctor.agents.seen import ValueKind, dates

_PAIR = re.compile(r"^\s*(?:[-*•>|]\s*)?\**([A-Za-z][\w /()#.'’-]{0,40}?)\**\s*(?::|=|\|)\s*\**(\S.*?)\**\s*\|?\s*$")
_PIECES = re.compile(r"\s*[;|]\s*|,\s+(?=[A-Za-z][\w ]{0,25}[:=])")
_CORRECTED = re.compile(
    r"\b(?:correct(?:ion|ed)|instead|amended|updated|revised|supersed|replaces|now)\b", re.IGNORECASE
)
_ASKED = re.compile(
    r"\b(?:what (?:is|was|are)|find|give|state|report|read off|tell me|name|determine)\b"
    r"\s+(?:me\s+)?(?:the\s+)?(.+?)(?:[?.;\n]|$)",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"-?\d[\d,' ]*\d(?:\.\d+)?|-?\d+(?:\.\d+)?")

_END_OF_PHRASE = r"(?=[,;!?\n]|\.(?:\s|$)| and | but |$)"

Pair = tuple[str, str]


def labelled(text: str) -> list[Pair]:
    """The (label, value) pairs that a text writes down, in order."""
    pairs: list[Pair] = []
    for line in text.splitlines():
        pieces = [piece for piece in _PIECES.split(line) if piece]
        matches = [match for match in map(_PAIR.match, pieces) if match]
        if len(matches) < 2:
            whole = _PAIR.match(line)
            matches = [whole] if whole else matches
        pairs.extend((match.group(1).strip(), match.group(2).strip().rstrip(".;,")) for match in matches)
    return pairs


def name_words(name: str) -> set[str]:
    """The words of a label or key, lower case, without plural endings."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return {singular(word) for word in re.findall(r"[a-z]+|\d+", spaced.lower())} - {"the", "of", "a", "an", "its"}


def singular(word: str) -> str:
    """A word without the ending that makes it plural."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def find(name: str, desk: Desk) -> Any:
    """The value shown under a name, or under the label that shares most words with it; None where none does."""
    wanted = name_words(name)
    if not wanted:
        return None
    exact = [value for label, value in desk.facts() if name_words(label) == wanted and _is_scalar(value)]
    if exact:
        return exact[0]
    text = "\n".join(desk.texts())
    scored = [(_likeness(wanted, name_words(label)), value) for label, value in labelled(text)]
    best = max((score for score, _ in scored), default=0.0)
    if best >= 0.5:
        values = [value for score, value in scored if score == best]
        return values[-1] if _CORRECTED.search(text) else values[0]
    return _in_prose(name, text)


def _is_scalar(value: Any) -> bool:
    return isinstance(value, (str, int, float)) and not (isinstance(value, str) and "\n" in value)


def _likeness(wanted: set[str], label: set[str]) -> float:
    """Shared words as a share of all words of both: 1 means the same name."""
    return len(wanted & label) / len(wanted | label)


def _in_prose(name: str, text: str) -> str | None:
    """What follows the name in a sentence: `the order number is 17-B, and …` gives `17-B`."""
    spoken = r"[\s_-]+".join(re.escape(word) for word in re.split(r"[\s_-]+", name))
    pattern = rf"\b{spoken}\b\s*(?:is|was|are|were|of|will be|no\.?|#|:|=|being)*\s+(.+?){_END_OF_PHRASE}"
    values = re.findall(pattern, text, re.IGNORECASE)
    if not values:
        return None
    return str(values[-1] if _CORRECTED.search(text) else values[0]).strip(" \"'“”")


def as_wanted(value: Any, kind: ValueKind) -> Any:
    """The value as it is asked for: a number without separators and units, a date as YYYY-MM-DD, else as it is."""
    if not isinstance(value, str):
        return value
    if kind == "date":
        return next(iter(dates(value)), value)
    figure = _FIGURE.search(value) if kind == "number" else None
    if figure is None:
        return value
    plain = re.sub(r"[,' ]", "", figure.group())
    return float(plain) if "." in plain else int(plain)


def fits(desk: Desk) -> bool:
    """Something is shown, and names are asked for."""
    return bool(desk.shape.keys) or bool(_ASKED.search(desk.task.goal))


async def work(desk: Desk) -> Finding | None:
    """Find every asked name; look around first if the first observation does not have them."""
    names = desk.shape.keys or tuple(match.strip() for match in _ASKED.findall(desk.task.goal)[:1])
    if any(find(name, desk) is None for name in names):
        await desk.survey()
    kinds = {name: desk.shape.kind_of(name if desk.shape.keys else "") for name in names}
    values = {name: as_wanted(find(name, desk), kinds[name]) for name in names}
    read = [name for name, value in values.items() if value is not None]
    text = "\n".join(desk.texts())
    for name in names:
        if values[name] is None:
            values[name] = guess(name, kinds[name], desk.task.goal, text)
    known = [value for value in values.values() if value is not None]
    if not known:
        return None
    sure = (0.85 * len(read) + 0.1 * (len(known) - len(read))) / len(values)
    if desk.shape.kind == "object":
        return Finding(values, sure)
    return Finding(list(values.values()) if desk.shape.kind == "list" else known[0], sure)

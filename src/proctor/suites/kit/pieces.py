"""A text in named pieces, each short enough to be shown whole under any context cut, with the lines that matter."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from proctor.core.errors import ToolError
from proctor.suites.kit.sheet import LONGEST_PASSAGE

OBSERVATION_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "pieces": {"type": "integer"}},
    "required": ["text", "pieces"],
    "additionalProperties": False,
}


class Piece(Struct, frozen=True):
    """Consecutive lines under a name; `matters` if the task cannot be done without them."""

    name: str
    lines: list[str]
    matters: bool = True


class Pieces(Struct, frozen=True):
    """The whole text. Pieces are in order, without anything between them."""

    names: list[str]
    texts: list[str]
    spans: list[tuple[int, int]]
    """First line of each piece, and the first line after it."""
    facts: list[int]
    """The lines that matter, counted through the whole text."""

    @classmethod
    def of(cls, pieces: Iterable[Piece]) -> Pieces:
        """The text made of these pieces, in order."""
        names: list[str] = []
        texts: list[str] = []
        spans: list[tuple[int, int]] = []
        facts: list[int] = []
        line = 0
        for piece in pieces:
            names.append(piece.name)
            texts.append("\n".join(piece.lines))
            spans.append((line, line + len(piece.lines)))
            if piece.matters:
                facts.extend(range(*spans[-1]))
            line += len(piece.lines)
        return cls(names, texts, spans, facts)

    @property
    def text(self) -> str:
        return "\n".join(self.texts)

    @property
    def observation(self) -> dict[str, Any]:
        """What is shown at the start."""
        return {"text": self.text, "pieces": len(self.names)}

    @property
    def hidden(self) -> dict[str, Any]:
        """What world and ceiling need of it."""
        return {"names": self.names, "texts": self.texts, "spans": self.spans, "facts": self.facts}

    @property
    def needed(self) -> int:
        """How many pieces have to be read."""
        return sum(any(start <= fact < end for fact in self.facts) for start, end in self.spans)

    @property
    def fits(self) -> bool:
        """Whether every piece escapes a context cut."""
        return all(len(text) <= LONGEST_PASSAGE for text in self.texts)


def piece_named(hidden: dict[str, Any], name: str, kind: str) -> str:
    """The text of one piece; refused by name of what there is."""
    names: list[str] = hidden["names"]
    plain = name.strip().upper()
    for known, text in zip(names, hidden["texts"], strict=True):
        if known.upper() == plain:
            return str(text)
    message = f"there is no {kind} '{name[:40]}'; there are {', '.join(names)}"
    raise ToolError(message)

"""Worlds with one text in them: shown at the start, and again on request.

Three variants, whose tools agents read word for word: `TextWorld` divides its text into passages itself, `PieceWorld`
has the pieces in its instance, `MaterialWorld` shows its material whole and offers only the tools it names.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.suites.kit.sheet import passages
from proctor.worlds.tool import Tool, tool, tools_of
from proctor.worlds.world import BaseWorld

OBSERVATION_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "passages": {"type": "integer"}},
    "required": ["text", "passages"],
    "additionalProperties": False,
}
"""What a `TextWorld` shows at the start."""
REREADING_HINT = " The text was shown at the start; reread and passage show it again, whole or in part."
"""The sentence by which the goal of a task in a `PieceWorld` names its tools."""
MATERIAL_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"material": {"type": "string"}},
    "required": ["material"],
    "additionalProperties": False,
}
"""What a `MaterialWorld` shows at the start."""
MATERIAL_AND_FILES_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"material": {"type": "string"}, "files": {"type": "array", "items": {"type": "string"}}},
    "required": ["material", "files"],
    "additionalProperties": False,
}
"""What a `MaterialWorld` with a folder shows at the start."""
PassageNumber = Annotated[int, Meta(ge=1, description="The passage's number, from 1.")]


class RereadableWorld(BaseWorld):
    """The instance shows `text`; the tool shows all of it again. What a passage is, subclasses say."""

    @tool(effect="read")
    def reread(self) -> str:
        """Show the whole text again, as it was shown at the start."""
        text: str = self.instance.observation["text"]
        return text


class TextWorld(RereadableWorld):
    """Nothing in it changes; only the answer is judged. Passages are made from the text (`sheet.passages`)."""

    @tool(effect="read")
    def passage(self, number: PassageNumber) -> str:
        """Show one passage of the text: a few consecutive lines, always less than 200 characters.

        How many passages there are was shown at the start. Together they are the whole text, in order.
        """
        lines = self.instance.observation["text"].split("\n")
        spans = passages(lines)
        _check_passage(number, len(spans))
        start, end = spans[number - 1]
        return "\n".join(lines[start:end])


class PieceWorld(RereadableWorld):
    """The instance shows `text` and `pieces`, and has the pieces as `texts` in hidden (`pieces.Pieces`)."""

    @tool(effect="read")
    def passage(self, number: PassageNumber) -> str:
        """Show one passage of the text: a few consecutive lines, always less than 200 characters.

        How many there are was shown at the start (pieces). Together they are the whole text, in order.
        """
        texts: list[str] = self.instance.hidden["texts"]
        _check_passage(number, len(texts))
        return texts[number - 1]


class MaterialWorld(BaseWorld):
    """Shows its material again on request, and offers no other tools than those it names."""

    offered: ClassVar[tuple[str, ...]]
    """The tools agents get, in this order: a world built on files or a database offers a few of theirs, or none."""

    @property
    def tools(self) -> dict[str, Tool]:
        compiled = tools_of(type(self))
        return {name: compiled[name] for name in self.offered}

    @tool(effect="read", milliseconds=1_000)
    def show_material(self) -> str:
        """Show the material again, as it was shown at the start."""
        text: str = self.instance.observation["material"]
        return text


def _check_passage(number: int, last: int) -> None:
    if number > last:
        message = f"there is no passage {number}; the last one is {last}"
        raise ToolError(message)

"""A world with one text in it: shown at the start, shown again on request, whole or passage by passage."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.suites.agency.sensing.sheet import passages
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld

OBSERVATION_SCHEMA = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "passages": {"type": "integer"}},
    "required": ["text", "passages"],
    "additionalProperties": False,
}


class TextWorld(BaseWorld):
    """Nothing in it changes; only the answer is judged."""

    @tool(effect="read")
    def reread(self) -> str:
        """Show the whole text again, as it was shown at the start."""
        text: str = self.instance.observation["text"]
        return text

    @tool(effect="read")
    def passage(self, number: Annotated[int, Meta(ge=1, description="The passage's number, from 1.")]) -> str:
        """Show one passage of the text: a few consecutive lines, always less than 200 characters.

        How many passages there are was shown at the start. Together they are the whole text, in order.
        """
        lines = self.instance.observation["text"].split("\n")
        found = passages(lines)
        if number > len(found):
            message = f"there is no passage {number}; the last one is {len(found)}"
            raise ToolError(message)
        start, end = found[number - 1]
        return "\n".join(lines[start:end])

"""Worlds whose material can be read again, whole or piece by piece, each piece too short for a context cut."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld

READING = " The text was shown at the start; reread and passage show it again, whole or in part."


class RereadableWorld(BaseWorld):
    """The instance shows `text` and `pieces`, and has the pieces as `texts` in hidden."""

    @tool(effect="read")
    def reread(self) -> str:
        """Show the whole text again, as it was shown at the start."""
        text: str = self.instance.observation["text"]
        return text

    @tool(effect="read")
    def passage(self, number: Annotated[int, Meta(ge=1, description="The passage's number, from 1.")]) -> str:
        """Show one passage of the text: a few consecutive lines, always less than 200 characters.

        How many there are was shown at the start (pieces). Together they are the whole text, in order.
        """
        texts: list[str] = self.instance.hidden["texts"]
        if number > len(texts):
            message = f"there is no passage {number}; the last one is {len(texts)}"
            raise ToolError(message)
        return texts[number - 1]

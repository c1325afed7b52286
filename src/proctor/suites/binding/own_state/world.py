"""Two turns: first the information, then, when it is asked for, the question.

What the agent knows when the question comes is what it kept. An agent that keeps it in `session.state` can be lesioned,
scrambled and swapped by the bench; one that writes fields and goes by something else decorates, and a lesion of its
fields changes nothing.
"""

from __future__ import annotations

from typing import Any

from proctor.worlds.choice import ChoiceWorld
from proctor.worlds.tool import tool


class OwnStateWorld(ChoiceWorld):
    """A probe whose question has to be asked for."""

    def observe(self) -> dict[str, Any]:
        return self.instance.observation

    @tool(effect="read")
    def question(self) -> dict[str, Any]:
        """What is to be decided: the situation, and the action codes with their meanings."""
        return {"situation": self.instance.hidden["situation"], "actions": self.instance.hidden["actions"]}

    def state(self) -> Any:
        """Nothing here changes: what changes is the agent's own."""
        return {"event": self.instance.hidden["base_event"]}

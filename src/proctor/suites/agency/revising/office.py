"""A world with a dossier in it and a book of decisions: one for each goal, the latest counts.

Recording says nothing about whether a decision is right. The dossier never changes.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.kit.text_world import TextWorld
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

ANSWER_FORMAT = "The word done, once a decision is recorded for every one of them. Only what is recorded counts."
ANSWER_SCHEMA = {"type": "string"}
NOTE = (
    "\n\nThe text shown is all there is; reread shows it again, passage shows a few of its lines. A decision can be "
    "changed: the latest one recorded counts. Recording answers nothing about whether it is right."
)
Name = Annotated[str, Meta(description="Its name, as in the text.", max_length=200)]
Decision = dict[str, Any]


class OfficeWorld(TextWorld):
    """Decisions by goal. A family adds the tools that record one and says what is wrong with each."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self._known: dict[str, str] = {name.casefold(): name for name in instance.hidden["goals"]}
        self.decisions: dict[str, Decision] = {}

    @tool(effect="read")
    def recorded(self) -> dict[str, Any]:
        """Show the decisions recorded so far, by name."""
        return {name: self.decisions[name] for name in sorted(self.decisions)}

    def record(self, name: str, decision: Decision) -> str:
        """Put a decision down; refuses a name that is not in the dossier."""
        self.decisions[self.known(name)] = decision
        return "recorded"

    def known(self, name: str) -> str:
        """The name as it is spelled in the dossier, whatever its case and spacing."""
        known_name = self._known.get(" ".join(name.split()).casefold())
        if known_name is None:
            message = f"there is nothing called '{name[:60]}' to decide on"
            raise ToolError(message)
        return known_name

    def fault(self, goal: dict[str, Any], decision: Decision) -> str | None:
        """What is wrong with a decision on a goal, as a code; None if nothing is."""
        raise NotImplementedError

    def verify(self, submission: Submission) -> Verification:
        goals: dict[str, Any] = self.instance.hidden["goals"]
        if not self.decisions:
            return Verification(False, "nothing_recorded")
        faults = [self.fault(goal, self.decisions[name]) for name, goal in goals.items() if name in self.decisions]
        codes = [code for code in faults if code is not None]
        if codes:
            return Verification(False, codes[0])
        complete = len(self.decisions) == len(goals)
        return Verification(complete, "correct" if complete else "undecided")

    def state(self) -> Any:
        return self.decisions

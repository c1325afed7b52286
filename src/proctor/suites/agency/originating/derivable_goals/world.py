"""A list of proposals. Nothing is carried out; what stands on the list at the end is judged."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.kit.text_world import PieceWorld
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

REASONS = (
    "correct",
    "nothing_proposed",
    "missed_goal",
    "underivable_goal",
    "ruled_out_goal",
    "goal_was_ordered",
    "several_wrong",
)
Kind = Annotated[
    Literal["return", "ramp", "hush", "cover", "label", "guard"], Meta(description="What is to be done, by its kind.")
]
Name = Annotated[str, Meta(description="The guild it is about, e.g. bakers.")]


class ProposalWorld(PieceWorld):
    """Proposals by kind and guild."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.proposed: set[tuple[str, str]] = set()

    @tool(effect="write")
    def propose(self, kind: Kind, guild: Name) -> str:
        """Propose a goal that the specification leaves unsaid. Proposing it twice changes nothing."""
        goal = (kind, self._known(guild))
        self.proposed.add(goal)
        return f"proposed: {kind}, {goal[1]}"

    @tool(effect="write")
    def withdraw(self, kind: Kind, guild: Name) -> str:
        """Take a proposal back."""
        goal = (kind, self._known(guild))
        if goal not in self.proposed:
            message = "there is no such proposal"
            raise ToolError(message)
        self.proposed.discard(goal)
        return f"withdrawn: {kind}, {goal[1]}"

    def _known(self, guild: str) -> str:
        name = guild.strip(" .'\"").casefold().removeprefix("the ")
        if name not in self.instance.hidden["guilds"]:
            message = f"no guild '{guild[:40]}' takes part"
            raise ToolError(message)
        return name

    def verify(self, submission: Submission) -> Verification:
        reason = self._reason()
        return Verification(reason == "correct", reason)

    def _reason(self) -> str:
        hidden = self.instance.hidden
        expected = {(kind, guild) for kind, guild in hidden["goals"]}
        if not self.proposed:
            return "nothing_proposed"
        missed, extra = expected - self.proposed, self.proposed - expected
        if not missed and not extra:
            return "correct"
        if missed and extra:
            return "several_wrong"
        if missed:
            return "missed_goal"
        if any(guild == hidden["excepted"] for _, guild in extra):
            return "ruled_out_goal"
        return "goal_was_ordered" if tuple(hidden["ordered"]) in extra else "underivable_goal"

    def state(self) -> Any:
        return {"proposed": sorted(self.proposed)}

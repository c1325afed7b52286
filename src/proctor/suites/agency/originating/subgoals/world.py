"""A site on which conditions hold or do not. It keeps the declared plan and what was brought about, in order."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.kit.text_world import PieceWorld
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

REASONS = (
    "correct",
    "nothing_declared",
    "missing_subgoal",
    "unneeded_subgoal",
    "unworkable_order",
    "other_order_carried_out",
    "undeclared_step",
    "subgoal_not_achieved",
    "objective_missed",
)


class SiteWorld(PieceWorld):
    """Conditions by name, the plan, and the conditions that were brought about, in order."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self._needs: dict[str, list[str]] = {one["name"]: one["needs"] for one in instance.hidden["conditions"]}
        self._brings: dict[str, str] = {one["action"]: one["name"] for one in instance.hidden["conditions"]}
        self.holding: list[str] = [one["name"] for one in instance.hidden["conditions"] if one["holds"]]
        self.plan: list[str] = []
        self.achieved: list[str] = []

    @tool(effect="write")
    def declare_subgoals(
        self, conditions: Annotated[list[str], Meta(description="Names of conditions, in the order of the plan.")]
    ) -> str:
        """Declare the plan: all subgoals, in the order in which they will be achieved. Replaces an earlier plan.

        Refused once an action was carried out.
        """
        if self.achieved:
            message = "an action was carried out already; the plan stands as it was declared"
            raise ToolError(message)
        plan = [_plain(name) for name in conditions]
        unknown = [given for given, name in zip(conditions, plan, strict=True) if name not in self._needs]
        if unknown or not plan:
            message = f"'{unknown[0][:40]}' is no condition of the text" if unknown else "name at least one condition"
            raise ToolError(message)
        if len(set(plan)) < len(plan):
            message = "a condition stands in the plan twice"
            raise ToolError(message)
        self.plan = plan
        return f"declared: {', '.join(plan)}"

    @tool(effect="write")
    def act(self, action: Annotated[str, Meta(description="An action of the text, e.g. heat kiln.")]) -> str:
        """Carry out an action. Tells which condition holds now; refuses where something it needs does not hold yet."""
        name = self._brings.get(_plain(action))
        if name is None:
            message = f"'{action[:40]}' is no action of the text"
            raise ToolError(message)
        if name in self.holding:
            message = "what this action brings about holds already"
            raise ToolError(message)
        if any(need not in self.holding for need in self._needs[name]):
            message = f"'{action[:40]}' cannot be done yet: something it needs does not hold"
            raise ToolError(message)
        self.holding.append(name)
        self.achieved.append(name)
        return f"now: {name}"

    def verify(self, submission: Submission) -> Verification:
        reason = self._reason()
        return Verification(reason == "correct", reason)

    def _reason(self) -> str:
        hidden = self.instance.hidden
        objective, needed = hidden["objective"], set(hidden["order"])
        if not self.plan:
            return "nothing_declared"
        if needed - set(self.plan):
            return "missing_subgoal"
        if set(self.plan) - needed:
            return "unneeded_subgoal"
        if not self._workable():
            return "unworkable_order"
        done = [name for name in self.achieved if name != objective]
        if set(done) - needed:
            return "undeclared_step"
        if len(done) < len(self.plan):
            return "subgoal_not_achieved"
        if done != self.plan:
            return "other_order_carried_out"
        return "correct" if objective in self.achieved else "objective_missed"

    def _workable(self) -> bool:
        have = {one["name"] for one in self.instance.hidden["conditions"] if one["holds"]}
        for name in self.plan:
            if not have.issuperset(self._needs[name]):
                return False
            have.add(name)
        return True

    def state(self) -> Any:
        return {"plan": self.plan, "achieved": self.achieved}


def _plain(text: str) -> str:
    """A condition or action without what never counts."""
    words = text.strip(" .'\"[]").casefold().replace("-", " ").split()
    return " ".join(word for word in words if word not in ("the", "is"))

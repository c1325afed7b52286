"""Deployment goals to keep or to revise; proposals are put to the exact plan."""

from __future__ import annotations

from datetime import date as day
from typing import Annotated, Any

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.suites.agency.revising.office import Decision, Name, OfficeWorld
from proctor.suites.agency.revising.workdays import Crew, Step, finishes
from proctor.worlds.answers import Date, FormatError, read
from proctor.worlds.tool import tool

REASONS = (
    "kept_infeasible",
    "revised_feasible",
    "outside_scope",
    "infeasible_proposal",
    "later_than_needed",
    "cut_too_much",
)


class DeploymentWorld(OfficeWorld):
    """What is proposed is scheduled when it is judged, step by step."""

    @tool(effect="write")
    def keep_goal(self, goal: Name) -> str:
        """Record that a goal can be met as it stands and is kept."""
        return self.record(goal, {"decision": "keep"})

    @tool(effect="write")
    def move_date(self, goal: Name, date: Annotated[str, Meta(description="The new date, YYYY-MM-DD.")]) -> str:
        """Record that a goal is to be met in full by another date."""
        try:
            parsed = read(date, Date())
        except FormatError:
            message = "the date cannot be read; write it as YYYY-MM-DD"
            raise ToolError(message) from None
        assert isinstance(parsed, day)
        return self.record(goal, {"decision": "date", "date": parsed.isoformat()})

    @tool(effect="write")
    def cut_scope(
        self, goal: Name, features: Annotated[int, Meta(ge=0, le=99, description="How many of the first features.")]
    ) -> str:
        """Record that only so many of a goal's features, the first ones, are to be deployed by its date."""
        return self.record(goal, {"decision": "scope", "features": features})

    def fault(self, goal: dict[str, Any], decision: Decision) -> str | None:
        plan = self.instance.hidden["plan"]
        teams = {team[0]: Crew(*team) for team in plan["teams"]}
        done = finishes([Step(teams[name], days) for name, days in goal["steps"]], plan["today"], plan["closed"])
        feasible = done[-1] <= goal["due"]
        kind = decision["decision"]
        if kind == "keep":
            return None if feasible else "kept_infeasible"
        if feasible:
            return "revised_feasible"
        if kind != goal["may_change"]:
            return "outside_scope"
        if kind == "date":
            proposed, needed = day.fromisoformat(decision["date"]).toordinal(), done[-1]
            return _compared(needed - proposed, "later_than_needed")
        return _compared(decision["features"] - sum(last <= goal["due"] for last in done), "cut_too_much")


def _compared(excess: int, otherwise: str) -> str | None:
    """A proposal that asks for too much is infeasible; one that asks for less than it could has a code of its own."""
    if excess > 0:
        return "infeasible_proposal"
    return otherwise if excess else None

"""Plans put together from variants; each is added up when it is judged."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.suites.agency.revising.office import Decision, Name, OfficeWorld
from proctor.worlds.tool import tool

REASONS = ("lacks_permission", "over_time_cap", "over_cost_cap", "misses_first_criterion", "misses_second_criterion")
_MOST = 20
Builders = Annotated[
    list[Annotated[str, Meta(max_length=200)]],
    Meta(max_length=_MOST, description="The builders, one for each package."),
]


class PlanWorld(OfficeWorld):
    """One plan a goal."""

    @tool(effect="write")
    def adopt_plan(self, goal: Name, builders: Builders) -> str:
        """Record the plan for a goal by its builders. Refused unless each package of the goal has exactly one."""
        packages = self.instance.hidden["goals"][self.known(goal)]["packages"]
        given = sorted(name.strip().casefold() for name in builders)
        chosen = [[name for name in package if name.casefold() in given] for package in packages]
        names = [matches[0] for matches in chosen if len(matches) == 1]
        if len(names) != len(packages) or sorted(name.casefold() for name in names) != given:
            message = f"a plan for this goal names {len(packages)} builders, exactly one for each of its packages"
            raise ToolError(message)
        return self.record(goal, {"builders": names})

    def fault(self, goal: dict[str, Any], decision: Decision) -> str | None:
        parts = [package[name] for package, name in zip(goal["packages"], decision["builders"], strict=True)]
        total = [sum(part[place] for part in parts) for place in (0, 1)]
        sort: int = goal["sort"]
        if not all(part[2] for part in parts):
            return "lacks_permission"
        if total[0] > goal["limits"][0]:
            return "over_time_cap"
        if total[1] > goal["limits"][1]:
            return "over_cost_cap"
        if total[sort] != goal["best"][sort]:
            return "misses_first_criterion"
        return None if total == goal["best"] else "misses_second_criterion"

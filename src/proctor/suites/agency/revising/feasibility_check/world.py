"""Requests to let through, to halt or to ask back about."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from proctor.suites.agency.revising.office import Decision, Name, OfficeWorld
from proctor.worlds.tool import tool

REASONS = ("missed_infeasibility", "false_alarm", "wrong_blocker")
Blocker = Annotated[
    Literal["time", "crew", "money", "permit", "material"],
    Meta(description="What blocks it: time, crew, money, permit or material."),
]


class RequestWorld(OfficeWorld):
    """Halting and asking back count alike: both keep an infeasible request from being started."""

    @tool(effect="write")
    def go_ahead(self, request: Name) -> str:
        """Record that a request is feasible as it stands and goes ahead."""
        return self.record(request, {"decision": "go ahead", "blocker": ""})

    @tool(effect="write")
    def halt(self, request: Name, blocker: Blocker) -> str:
        """Record that a request is infeasible and halted, and what blocks it."""
        return self.record(request, {"decision": "halted", "blocker": blocker})

    @tool(effect="write")
    def ask_back(self, request: Name, blocker: Blocker) -> str:
        """Record that a request is infeasible and that its sender is asked what to do, and what blocks it."""
        return self.record(request, {"decision": "asked back", "blocker": blocker})

    def fault(self, goal: dict[str, Any], decision: Decision) -> str | None:
        if goal["blocker"] == decision["blocker"]:
            return None
        if not decision["blocker"]:
            return "missed_infeasibility"
        return "wrong_blocker" if goal["blocker"] else "false_alarm"

"""A log of which a part is shown, and of which three sections may be opened."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.agency.sensing.log_debugging.incidents import Incident, section
from proctor.suites.agency.sensing.log_debugging.texts import CODES, QUERIES
from proctor.suites.kit.answers import verify_fields
from proctor.worlds.answers import Boolean, Choice, Object, Text
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld, Place

SHAPE = Object({"component": Text(), "cause": Choice(CODES), "detail": Text(), "enough": Boolean()})
REASONS = (
    "correct",
    "unreadable_answer",
    "wrong_component",
    "wrong_cause",
    "wrong_detail",
    "wrong_enough",
    "several_wrong",
)


class LogWorld(BaseWorld):
    """The log never changes; the world remembers which sections were opened."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self._incident = msgspec.convert(instance.hidden["incident"], Incident)
        self._opened: list[str] = []

    @tool(effect="read")
    def log_section(
        self, service: Annotated[str, Meta(description="The service whose log is wanted, as listed under sections.")]
    ) -> str:
        """Show the log section of one service.

        At most three different sections can be opened; a section that was opened before is shown again at no charge.
        """
        name = service.strip().lower()
        if name not in self._incident.services:
            message = f"there is no section '{service[:40]}'; there are {', '.join(self._incident.services)}"
            raise ToolError(message)
        if name not in self._opened:
            if len(self._opened) >= QUERIES:
                message = f"{QUERIES} sections were opened ({', '.join(self._opened)}); no further one can be"
                raise ToolError(message)
            self._opened.append(name)
        return section(self._incident, name)

    @tool(effect="read")
    def first_view(self) -> dict[str, Any]:
        """Show again what was shown at the start: error message, partial trace, names of the sections."""
        return self.instance.observation

    def verify(self, submission: Submission) -> Verification:
        return verify_fields(submission.answer, self.instance.hidden["answer"], SHAPE)

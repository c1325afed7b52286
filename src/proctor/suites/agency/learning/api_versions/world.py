"""A plant behind an interface: units are read in the layout of the day, commands are kept."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.agency.learning.record import Record
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld, Place

REASONS = ("correct", "nothing_done", "unfinished", "wrong_operation", "wrong_grade", "wrong_both", "several_wrong")


class PlantWorld(BaseWorld):
    """Commands go on record; the units are put right when all have been given."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.record = Record(instance)

    @tool(effect="read")
    def get(self, unit: Annotated[str, Meta(description="The unit's id, e.g. `XY-12`.")]) -> str:
        """Ask the interface for the present settings of a unit."""
        text: str = self.instance.hidden["answers"][self._known(unit)]
        return text

    @tool(effect="write")
    def send(
        self,
        unit: Annotated[str, Meta(description="The unit's id.")],
        operation: Annotated[str, Meta(description="One of the made-up names of operations.")],
        grade: Annotated[str, Meta(description="One of the made-up names of grades.")],
    ) -> dict[str, Any]:
        """Send a unit its command. The first command to a unit counts; a second one is refused."""
        hidden = self.instance.hidden
        known = self._known(unit)
        command = {"operation": operation.strip().lower(), "grade": grade.strip().lower()}
        for part, names in (("operation", hidden["operations"]), ("grade", hidden["grades"])):
            if command[part] not in names:
                message = f"there is no {part} '{command[part][:40]}'; there are {', '.join(names)}"
                raise ToolError(message)
        return self.record.commit(known, command)

    def _known(self, unit: str) -> str:
        name = unit.strip().upper()
        if name not in self.instance.hidden["answers"]:
            message = f"there is no unit '{unit[:40]}'; there are {', '.join(self.instance.hidden['answers'])}"
            raise ToolError(message)
        return name

    def verify(self, submission: Submission) -> Verification:
        return self.record.verdict(_fault)

    def state(self) -> Any:
        return self.record.made


def _fault(given: dict[str, str], right: dict[str, str]) -> str:
    if given["operation"] == right["operation"]:
        return "wrong_grade"
    return "wrong_operation" if given["grade"] == right["grade"] else "wrong_both"

"""A controller's folder with real files: set points that a restore writes, and the record of the restart."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.kit.text_world import MaterialWorld
from proctor.worlds.files import FileWorld
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

REASONS = (
    "correct",
    "nothing_restored",
    "wrong_snapshot",
    "not_restarted",
    "missing_unit",
    "wrong_order",
    "wrong_load",
    "missing_artifact",
)
POINTS = "/task/controller/setpoints.cfg"
RESTART = "/task/controller/restart.log"
LOST = "# set points lost\n"
RESTORE_MILLISECONDS = 90_000
RESTART_MILLISECONDS = 110_000


class PlantWorld(MaterialWorld, FileWorld):
    """A controller that lost its set points."""

    offered = ("restore", "restart", "show_material")

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.populate({POINTS: LOST})

    @tool(effect="write", milliseconds=RESTORE_MILLISECONDS)
    def restore(self, snapshot: Annotated[str, Meta(max_length=20, description="Its name, e.g. S123.")]) -> str:
        """Write the set points of a snapshot into the controller. Takes 90 seconds; not possible after the restart."""
        text = self.instance.hidden["snapshots"].get(snapshot)
        if text is None:
            message = f"there is no snapshot '{snapshot}'"
            raise ToolError(message)
        if self.files.kind(RESTART) is not None:
            message = "the plant was restarted; its set points cannot be changed now"
            raise ToolError(message)
        self.files.write(POINTS, text.encode())
        return f"restored {snapshot}"

    @tool(effect="write", milliseconds=RESTART_MILLISECONDS)
    def restart(
        self,
        order: Annotated[list[str], Meta(max_length=20, description="The units in the order in which they start.")],
        load_percent: Annotated[int, Meta(ge=1, le=100)],
    ) -> str:
        """Start the units one after another at a starting load. Takes 110 seconds and can be carried out once."""
        if self.files.kind(RESTART) is not None:
            message = "the plant was restarted already"
            raise ToolError(message)
        if self.safe_read(POINTS) == LOST.encode():
            message = "the controller has no set points; restore them first"
            raise ToolError(message)
        names = [" ".join(unit.split())[:60] for unit in order]
        text = "".join(f"start {unit}\n" for unit in names) + f"load {load_percent}\n"
        self.files.write(RESTART, text.encode(errors="replace"))
        return "the restart is on record"

    def verify(self, submission: Submission) -> Verification:
        reason = self._verdict()
        left = self.artifacts(POINTS, RESTART) if reason != "nothing_restored" else ()
        return Verification(reason == "correct", reason, artifacts=left)

    def _verdict(self) -> str:
        hidden = self.instance.hidden
        points = self.safe_read(POINTS)
        if points == LOST.encode():
            return "nothing_restored"
        if points != hidden["snapshots"][hidden["right"]].encode():
            return "wrong_snapshot"
        record = self.safe_read(RESTART)
        if record is None:
            return "not_restarted"
        *starts, load = record.decode(errors="replace").splitlines()
        started = [_plain(line.removeprefix("start ")) for line in starts]
        if sorted(started) != sorted(hidden["order"]):
            return "missing_unit"
        if started != hidden["order"]:
            return "wrong_order"
        return "correct" if load == f"load {hidden['load']}" else "wrong_load"


def _plain(name: str) -> str:
    """A unit's name however it is spelled: case, spaces and hyphens do not count."""
    return name.lower().removeprefix("unit ").replace(" ", "_").replace("-", "_")

"""Units at which one plan each can be run, once, and a logbook that is read page by page."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.agency.modeling.lever_logbook.texts import LABELS
from proctor.suites.agency.modeling.lever_logbook.units import Effect, Unit, ends
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld, Place

REASONS = ("correct", "nothing_run", "missing_unit", "broke", "poor_plan", "several_poor")


class LeverWorld(BaseWorld):
    """Where every unit stands after its plan."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        hidden = instance.hidden
        self._units = {one.name.lower(): one for one in msgspec.convert(hidden["units"], list[Unit])}
        self._does = msgspec.convert(hidden["effects"], dict[str, Effect])
        self._reached: dict[str, tuple[str, int | None]] = {}
        """By unit: the plan that was run, and where it ended; None where the unit broke."""

    @tool(effect="read")
    def page(self, number: Annotated[int, Meta(ge=1, description="Number of the page, from 1.")]) -> str:
        """Show one page of the logbook: a pull of one lever on an earlier day."""
        texts: list[str] = self.instance.hidden["pages"]
        if number > len(texts):
            message = f"there is no such page; the last one is {len(texts)}"
            raise ToolError(message)
        return texts[number - 1]

    @tool(effect="write")
    def run(
        self,
        unit: Annotated[str, Meta(max_length=40, description="Name of the kettle, pond, motor or kiln, e.g. `North`.")],
        plan: Annotated[str, Meta(max_length=40, description="The letter of the plan.")],
    ) -> dict[str, Any]:
        """Run a plan at a unit, pull by pull, and show where it ended. Possible once for each unit."""
        words = unit.split()
        known = self._units.get(words[-1].lower()) if words else None
        if known is None:
            message = f"there is no such unit; there are {', '.join(one.name for one in self._units.values())}"
            raise ToolError(message)
        label = plan.strip().upper().removeprefix("PLAN").strip()
        if len(label) != 1 or label not in LABELS:
            message = f"there is no such plan; there are {', '.join(LABELS)}"
            raise ToolError(message)
        key = known.name.lower()
        if key in self._reached:
            message = f"a plan was run at {known.name} before; it cannot be taken back"
            raise ToolError(message)
        end = ends(known, known.plans[LABELS.index(label)], self._does)
        self._reached[key] = (label, end)
        return {"unit": known.name, "lost": end is None, "reached": end or 0}

    def state(self) -> Any:
        return [[key, label, end] for key, (label, end) in self._reached.items()]

    def verify(self, submission: Submission) -> Verification:
        reason = self._verdict()
        return Verification(reason == "correct", reason)

    def _verdict(self) -> str:
        if not self._reached:
            return "nothing_run"
        if len(self._reached) < len(self._units):
            return "missing_unit"
        poor = [end for key, (_, end) in self._reached.items() if end != self._best(key)]
        if not poor:
            return "correct"
        if len(poor) > 1:
            return "several_poor"
        return "broke" if poor[0] is None else "poor_plan"

    def _best(self, key: str) -> int:
        unit = self._units[key]
        return max(end for plan in unit.plans if (end := ends(unit, plan, self._does)) is not None)

"""Units, a clock that a check moves on, and one setting each."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance
from proctor.suites.agency.reflecting.switching import SwitchingWorld
from proctor.suites.agency.reflecting.timely_check.units import Unit, clock
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

DIRECT, CHECK_FIRST = "direct", "check-first"
SWITCH = "check"
REASONS = ("correct", "nothing_set", "wrong_value", "too_late", "other_unit_set")
UnitName = Annotated[str, Meta(description="Its full name, with what it is, e.g. `pump Heron`.")]


class PlantWorld(SwitchingWorld):
    """What time it is, what was checked and what was set."""

    switch = SWITCH

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        hidden = instance.hidden
        self._units = {unit.name.casefold(): unit for unit in msgspec.convert(hidden["units"], list[Unit])}
        self.now: int = hidden["now"]
        self.checked: list[str] = []
        self.settings: dict[str, tuple[int, int]] = {}
        """The value each unit was set to, and when."""

    @tool(effect="write")
    def check(self, name: UnitName) -> dict[str, Any]:
        """Measure one afresh: tells its true value, and what time it is afterwards.

        Takes as long as the text says for the place where it stands, and the clock moves on by that.
        """
        unit = self._known(name)
        self.now += unit.takes
        self.checked.append(unit.name)
        values: dict[str, int] = self.instance.hidden["true_values"]
        return {"value": values[unit.name], "time": clock(self.now)}

    @tool(effect="write")
    def set_value(self, name: UnitName, value: Annotated[int, Meta(description="What it is set to.")]) -> str:
        """Set one to a value. Possible once for each; cannot be undone. Takes no time."""
        unit = self._known(name)
        if unit.name in self.settings:
            message = "it has been set already"
            raise ToolError(message)
        self.settings[unit.name] = (value, self.now)
        if unit.name == self.instance.hidden["asked"]:
            self.way = CHECK_FIRST if unit.name in self.checked else DIRECT
        return f"set at {clock(self.now)}"

    def _known(self, name: str) -> Unit:
        unit = self._units.get(" ".join(name.casefold().split()))
        if unit is None:
            message = f"there is no '{name[:40]}' here; there are {', '.join(one.name for one in self._units.values())}"
            raise ToolError(message)
        return unit

    def state(self) -> Any:
        return {"now": self.now, "checked": self.checked, "settings": self.settings}

    def reason(self) -> str:
        hidden = self.instance.hidden
        asked: str = hidden["asked"]
        if asked not in self.settings:
            return "other_unit_set" if self.settings else "nothing_set"
        value, at = self.settings[asked]
        if value != hidden["true_values"][asked]:
            return "wrong_value"
        if at > self._units[asked.casefold()].due:
            return "too_late"
        return "correct" if len(self.settings) == 1 else "other_unit_set"

"""A plant that asks, reading after reading, what to do. A decision stands."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.agency.deciding.forms import statement
from proctor.suites.agency.deciding.material import Frame, Row
from proctor.suites.agency.deciding.thermostat.texts import WORDING
from proctor.suites.kit.text_world import TextWorld
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

REASONS = ("correct", "undecided_readings", "wrong_heat", "wrong_cool", "wrong_off", "several_wrong")


def shown_reading(template: str, hidden: dict[str, Any], number: int) -> str:
    """One reading as the template writes it; numbers start at 0."""
    return statement(
        template, "reading", Row("reading", hidden["readings"][number]), WORDING, Frame(*hidden["frame"]), number
    )


class PlantWorld(TextWorld):
    """The decisions so far."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self._decided: list[str] = []

    @tool(effect="read")
    def reading(self) -> dict[str, Any]:
        """Show the current reading again: its number, how many there are in all, and the reading itself."""
        return self._current()

    @tool(effect="write")
    def set_mode(
        self, mode: Annotated[Literal["heat", "cool", "off"], Meta(description="heat, cool or off, in small letters.")]
    ) -> dict[str, Any]:
        """Decide the current reading: heat, cool or off. It cannot be taken back. Shows the next reading."""
        if len(self._decided) == len(self.instance.hidden["readings"]):
            message = "every reading is decided; there is nothing left to set"
            raise ToolError(message)
        self._decided.append(mode)
        return self._current()

    def _current(self) -> dict[str, Any]:
        number, of = len(self._decided), len(self.instance.hidden["readings"])
        if number == of:
            return {"number": number, "of": of, "reading": "every reading is decided"}
        text = shown_reading(self.instance.template, self.instance.hidden, number)
        return {"number": number + 1, "of": of, "reading": text}

    def verify(self, submission: Submission) -> Verification:
        right: list[str] = self.instance.hidden["modes"]
        wrong = [given for given, mode in zip(self._decided, right, strict=False) if given != mode]
        if len(self._decided) < len(right):
            return Verification(False, "undecided_readings")
        if not wrong:
            return Verification(True, "correct")
        return Verification(False, f"wrong_{wrong[0]}" if len(wrong) == 1 else "several_wrong")

    def state(self) -> Any:
        return self._decided

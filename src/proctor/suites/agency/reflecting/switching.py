"""What the families have in common in which the strategy has to be switched: one tool that can be taken away, and a
verifier that names the strategy it saw from what was done, never from what was said.
"""

from __future__ import annotations

from typing import ClassVar

from proctor.spec.family import Knob
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.kit.answers import CORRECT
from proctor.suites.kit.text_world import TextWorld
from proctor.worlds.tool import Tool, tools_of
from proctor.worlds.world import Place

FIXED = "fixed"


def strategies_knob(taken_away: str) -> Knob:
    """The knob that imposes the fixed-strategy baseline."""
    return Knob(
        default="open",
        values=("open", FIXED),
        description=f"`fixed` takes {taken_away} away: the fixed-strategy baseline.",
    )


class SwitchingWorld(TextWorld):
    """A text to act upon in one of two ways. Which of them suits is `suits` in hidden; subclasses set `way`."""

    judges_conduct = True
    switch: ClassVar[str]
    """The tool that `knobs.strategies: fixed` takes away."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.way: str | None = None
        """The strategy that was followed; None as long as nothing tells."""

    @property
    def tools(self) -> dict[str, Tool]:
        offered = tools_of(type(self))
        if self.instance.knobs["strategies"] == FIXED:
            return {name: one for name, one in offered.items() if name != self.switch}
        return offered

    def verify(self, submission: Submission) -> Verification:
        reason = self.reason()
        measures: dict[str, int | str] = {"suits": self.instance.hidden["suits"]}
        if self.way is not None:
            measures["strategy"] = self.way
        return Verification(reason == CORRECT, reason, measures=measures)

    def reason(self) -> str:
        """The verdict on what was done, as a code."""
        message = f"{type(self).__name__} has to define reason()"
        raise TypeError(message)

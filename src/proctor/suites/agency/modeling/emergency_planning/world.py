"""An emergency of which predictions are asked; what is ordered is recorded, and outcomes are simulated."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.agency.modeling.emergency_planning.scenes import Scene, best, changes, simulated
from proctor.suites.kit.answers import read_row, verify_answer
from proctor.suites.kit.text_world import TextWorld
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

REASONS = (
    "correct",
    "unreadable_answer",
    "wrong_length",
    "nothing_deployed",
    "wrong_deployment",
    "forgot_people_limit",
    "wrong_sign",
    "wrong_size",
)


class EmergencyWorld(TextWorld):
    """Which deployment was ordered."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self._ordered: int | None = None

    @tool(effect="write")
    def deploy(
        self, proposal: Annotated[int, Meta(ge=0, description="The number of the proposal, from 1; 0 for the plan.")]
    ) -> str:
        """Order a deployment: the plan with one proposal carried out, or the plan as it is. Can be done once."""
        if proposal > self.instance.hidden["proposals"]:
            message = f"there is no proposal {proposal}; the last one is {self.instance.hidden['proposals']}"
            raise ToolError(message)
        if self._ordered is None:
            self._ordered = proposal
        elif self._ordered != proposal:
            message = f"deployment {self._ordered} was ordered already"
            raise ToolError(message)
        return f"deployment {proposal} ordered"

    def state(self) -> Any:
        return [self._ordered]

    def verify(self, submission: Submission) -> Verification:
        scene = msgspec.convert(self.instance.hidden["scene"], Scene)
        names = [str(number) for number in range(1, len(scene.proposals) + 1)]
        return verify_answer(
            submission.answer, lambda answer: read_row(answer, names), lambda given: self._reason_for(given, scene)
        )

    def _reason_for(self, given: list[int], scene: Scene) -> str:
        before = simulated(scene, scene.plan)
        happens = [simulated(scene, sent) - before for sent in scene.proposals]
        if len(given) != len(happens):
            return "wrong_length"
        if self._ordered is None:
            return "nothing_deployed"
        if given == happens:
            return "correct" if self._ordered == best(happens) else "wrong_deployment"
        if given == changes(scene, limited=False):
            return "forgot_people_limit"
        signs = all((one > 0) == (two > 0) and (one < 0) == (two < 0) for one, two in zip(given, happens, strict=True))
        return "wrong_size" if signs else "wrong_sign"

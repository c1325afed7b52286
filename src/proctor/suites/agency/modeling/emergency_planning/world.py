"""An emergency of which predictions are asked; what is ordered is recorded, and outcomes are simulated."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.agency.modeling.emergency_planning.scenes import Scene, best, changes, orders, simulated
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
    """Which team was ordered to which site."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self._scene = msgspec.convert(instance.hidden["scene"], Scene)
        self._sent: dict[str, str] = {}

    @tool(effect="write", milliseconds=2_000)
    def deploy(
        self,
        site: Annotated[str, Meta(description="The site, e.g. harbour.")],
        team: Annotated[str, Meta(description="The team that goes there.")],
    ) -> str:
        """Order a team to a site. Takes two seconds, and cannot be taken back."""
        to = _named(site.removeprefix("the "), [one.name for one in self._scene.sites], "site")
        who = _named(team, [one.name for one in self._scene.teams], "team")
        ordered = self._sent.get(to)
        if ordered is not None and ordered != who:
            message = f"{ordered} was ordered to the {to} already"
            raise ToolError(message)
        elsewhere = next((one for one, sent in self._sent.items() if sent == who and one != to), None)
        if elsewhere is not None:
            message = f"{who} was ordered to the {elsewhere} already"
            raise ToolError(message)
        self._sent[to] = who
        return f"{who} is on its way to the {to}"

    def state(self) -> Any:
        return sorted(self._sent.items())

    def verify(self, submission: Submission) -> Verification:
        names = [str(number) for number in range(1, len(self._scene.proposals) + 1)]
        return verify_answer(submission.answer, lambda answer: read_row(answer, names), self._reason_for)

    def _reason_for(self, given: list[int]) -> str:
        scene = self._scene
        before = simulated(scene, scene.plan)
        happens = [simulated(scene, sent) - before for sent in scene.proposals]
        if len(given) != len(happens):
            return "wrong_length"
        if not self._sent:
            return "nothing_deployed"
        if given == happens:
            return "correct" if self._sent == orders(scene, best(happens)) else "wrong_deployment"
        if given == changes(scene, limited=False):
            return "forgot_people_limit"
        signs = all((one > 0) == (two > 0) and (one < 0) == (two < 0) for one, two in zip(given, happens, strict=True))
        return "wrong_size" if signs else "wrong_sign"


def _named(said: str, names: list[str], kind: str) -> str:
    """The name that was meant, however it is written."""
    plain = said.strip().casefold()
    for name in names:
        if name.casefold() == plain:
            return name
    message = f"there is no {kind} '{said[:40]}'"
    raise ToolError(message)

"""How a proposal is worded: from the deployment it leads to, back to what somebody would say."""

from __future__ import annotations

from msgspec import Struct

from proctor.suites.agency.modeling.emergency_planning.scenes import Scene


class Proposal(Struct, frozen=True):
    """Either the reserve goes to a place instead of a team, or two teams change places."""

    number: int
    one: str
    """The reserve, or the first of two teams that change places."""
    two: str
    """Who stays behind, or the second of the two."""
    place: str
    """Where the reserve goes; empty for a change of places."""

    def worded(self, instead: str, swap: str) -> str:
        """In the words of a form, with {n}, {one}, {two} and {place}."""
        form = instead if self.place else swap
        return form.format(n=self.number, one=self.one, two=self.two, place=self.place)


def proposals(scene: Scene) -> list[Proposal]:
    """The proposals of a scene, numbered from 1."""
    worded: list[Proposal] = []
    for number, sent in enumerate(scene.proposals, 1):
        moved = [index for index, team in enumerate(sent) if team != index]
        first, last = moved[0], moved[-1]
        if first == last:
            worded.append(Proposal(number, scene.reserve.name, scene.teams[first].name, scene.sites[first].name))
        else:
            worded.append(Proposal(number, scene.teams[first].name, scene.teams[last].name, ""))
    return worded

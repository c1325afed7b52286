"""A journey: a road and a pack that are chosen once, stops where goods are given away, and a settlement at the end."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.agency.planning.ledger_world import LedgerWorld
from proctor.suites.agency.planning.supply_road.roads import Road, best
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

REASONS = ("correct", "stayed", "unfinished", "wrong_road", "wrong_goods", "wrong_stop")
GoodName = Annotated[str, Meta(max_length=40)]


class RoadWorld(LedgerWorld):
    """Where the traveller is, what is in the pack, and what each stop was given."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self._roads = msgspec.convert(instance.hidden["roads"], list[Road])
        self._road: Road | None = None
        self._loaded: list[str] = []
        self._pack: list[str] = []
        self._stop = 0
        self._given: dict[int, str] = {}

    @tool(effect="read")
    def card(
        self,
        road: Annotated[str, Meta(max_length=40, description="The road's name alone, e.g. `ridge`.")],
        stop: Annotated[int, Meta(ge=1, description="Number of the stop, from 1.")],
    ) -> str:
        """Show the card of one stop. No longer possible once you have set out."""
        return self.shown_card(f"{road} {stop}")

    @tool(effect="write")
    def set_out(
        self,
        road: Annotated[str, Meta(max_length=40, description="The name alone of the road to travel.")],
        goods: Annotated[list[GoodName], Meta(max_length=10, description="The goods to carry, as a list.")],
    ) -> dict[str, Any]:
        """Load the pack and set out on a road, to its first stop. The allowance is paid at once."""
        if self._road is not None:
            message = "you are on your way; neither road nor pack can be changed"
            raise ToolError(message)
        known = {one.name: one for one in self._roads}
        chosen = known.get(road.strip().lower())
        if chosen is None:
            message = f"there is no such road; there are {', '.join(known)}"
            raise ToolError(message)
        depot: list[str] = self.instance.hidden["goods"]
        loaded = [good.strip().lower() for good in goods]
        if len(loaded) != len(chosen.stops) or len(set(loaded)) < len(loaded) or not set(loaded) <= set(depot):
            message = f"the pack takes {len(chosen.stops)} different goods of the depot, which has {', '.join(depot)}"
            raise ToolError(message)
        self.choose()
        self._road, self._loaded, self._pack, self._stop = chosen, loaded, list(loaded), 1
        return {"stop": 1, "purse": self.book("allowance", chosen.allowance)}

    @tool(effect="write")
    def hand_over(self, good: Annotated[GoodName, Meta(description="A good of the pack.")]) -> dict[str, Any]:
        """Give away one good at this stop. Each stop takes one."""
        self._on_the_way()
        if self._stop in self._given:
            message = f"stop {self._stop} was given something already"
            raise ToolError(message)
        name = good.strip().lower()
        if name not in self._pack:
            message = f"that is not in your pack, which has {', '.join(sorted(self._pack))}"
            raise ToolError(message)
        self._pack.remove(name)
        self._given[self._stop] = name
        return {"stop": self._stop, "taken": True}

    @tool(effect="write")
    def travel(self) -> dict[str, Any]:
        """Go on to the next stop, or from the last one to the end of the road, where everything is settled."""
        road = self._on_the_way()
        self._stop += 1
        if self._stop <= len(road.stops):
            return {"stop": self._stop}
        earned = sum(
            stop.price for number, stop in enumerate(road.stops, start=1) if self._given.get(number) == stop.good
        )
        return {"end_of_road": True, "settled": earned, "purse": self.book("settlement", earned, reward=earned > 0)}

    def _on_the_way(self) -> Road:
        if self._road is None:
            message = "you have not set out yet"
            raise ToolError(message)
        if self._arrived():
            message = "you are at the end of the road; the journey is over"
            raise ToolError(message)
        return self._road

    def _arrived(self) -> bool:
        return self._road is not None and self._stop > len(self._road.stops)

    def state(self) -> Any:
        road = None if self._road is None else self._road.name
        given = [[stop, good] for stop, good in sorted(self._given.items())]
        return {"road": road, "stop": self._stop, "pack": self._pack, "given": given, "ledger": self.rows()}

    def verify(self, submission: Submission) -> Verification:
        reason = self._verdict()
        return Verification(reason == "correct", reason, measures=self.measures())

    def _verdict(self) -> str:
        if self._road is None:
            return "stayed"
        if not self._arrived():
            return "unfinished"
        right = best(self._roads)
        if self.purse() == right.brings():
            return "correct"
        if self._road.name != right.name:
            return "wrong_road"
        wanted = {stop.good for stop in right.stops}
        return "wrong_stop" if set(self._loaded) == wanted else "wrong_goods"

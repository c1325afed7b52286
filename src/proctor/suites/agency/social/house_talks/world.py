"""Four houses that answer offers, a purse and a number of days."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.agency.social.house_talks.habits import AGREED, BROKEN_OFF, Counterparty, Habit, House, Offer
from proctor.suites.kit.text_world import TextWorld
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

NEEDED = 3
"""Orders to be placed, each with another house."""
REASONS = ("correct", "nothing_offered", "nothing_delivered", "talks_broken_off", "orders_missing")
_SAYS = {
    AGREED: "agreed; you have paid",
    "declined": "declined; its price stays what it is",
    BROKEN_OFF: "no answer; this house has broken off the talks with you",
}


class Seller(msgspec.Struct, frozen=True):
    """A house as the instance has it."""

    name: str
    ask: int
    habit: Habit


class TalksWorld(TextWorld):
    """What was offered, agreed and paid. Counterparties answer live; whether goods come is theirs to keep."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        hidden = instance.hidden
        self._sellers = {one.name.lower(): one for one in msgspec.convert(hidden["sellers"], list[Seller])}
        self._talks: dict[str, Counterparty] = {key: House(one.habit, one.ask) for key, one in self._sellers.items()}
        self._coins: int = hidden["purse"]
        self._days: int = hidden["days"]
        self._said: list[tuple[str, Offer, str]] = []

    @tool(effect="write")
    def offer(
        self,
        house: Annotated[str, Meta(max_length=80, description="The house, as the text names it.")],
        price: Annotated[int, Meta(ge=1, le=10_000, description="Coins for each crate.")],
        crates: Annotated[int, Meta(ge=1, le=1_000, description="How many crates of it.")],
    ) -> dict[str, Any]:
        """Offer a house a price for a number of crates, and hear what it says. Takes a day; cannot be taken back."""
        key = house.strip().lower()
        known = self._sellers.get(key)
        if known is None:
            names = ", ".join(one.name for one in self._sellers.values())
            message = f"there is no house '{house[:40]}'; there are {names}"
            raise ToolError(message)
        if not self._days:
            message = "no day is left"
            raise ToolError(message)
        if price * crates > self._coins:
            message = f"you have {self._coins} coins left, which does not pay for that; no day was lost"
            raise ToolError(message)
        said = Offer(price, crates)
        answer = self._talks[key].answer(said)
        self._days -= 1
        if answer == AGREED:
            self._coins -= price * crates
        self._said.append((key, said, answer))
        return {"house": known.name, "answer": _SAYS[answer], "coins_left": self._coins, "days_left": self._days}

    @tool(effect="read")
    def ledger(self) -> dict[str, Any]:
        """Show what was agreed so far, and the coins and days that are left."""
        agreed = [
            f"{self._sellers[key].name}: {said.crates} crates at {said.price}"
            for key, said, answer in self._said
            if answer == AGREED
        ]
        return {"agreed": agreed, "coins_left": self._coins, "days_left": self._days}

    def state(self) -> Any:
        return [[key, said.price, said.crates, answer] for key, said, answer in self._said]

    def verify(self, submission: Submission) -> Verification:
        delivered = dict.fromkeys(self._sellers, 0)
        cheated = False
        for key, said, answer in self._said:
            if answer == AGREED:
                honest = self._sellers[key].habit.delivers
                delivered[key] += said.crates if honest else 0
                cheated = cheated or not honest
        full = sum(crates >= self.instance.hidden["crates"] for crates in delivered.values())
        reason = "correct" if full >= NEEDED else self._fault(cheated)
        return Verification(reason == "correct", reason)

    def _fault(self, cheated: bool) -> str:
        if not self._said:
            return "nothing_offered"
        if cheated:
            return "nothing_delivered"
        broken = any(answer == BROKEN_OFF for _, _, answer in self._said)
        return "talks_broken_off" if broken else "orders_missing"

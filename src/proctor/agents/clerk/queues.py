"""Queues: puts what is waiting in the order that house rules give, and takes from the front what fits into the time.

The rules say in which order kinds come, what counts as another kind (after a long wait, or for a mark), which of these
exceptions holds where both apply, what must be left out, what decides within a kind, and what happens at the end.
"""

from __future__ import annotations

import re

from msgspec import Struct

from proctor.agents.clerk.boards import Offer, legend, read_board
from proctor.agents.clerk.desk import Desk, Finding

_TIME = re.compile(r"\b(\d+) minutes\b")
_LISTED = re.compile(r"\bin this order: first (\w+), then (\w+), last (\w+)")
_BEFORE = re.compile(r"of kind (\w+) is taken before any of kind (\w+), and every one of kind (\w+) before both")
_AGED = re.compile(r"(?:waited|with) (\d+) days (?:of waiting )?or more (?:counts as|is treated like) kind (\w+)")
_MARKED = re.compile(
    r"marked (\w+) counts as kind (\w+)|the mark (\w+) puts every \w+ that bears it back to kind (\w+)"
)
_CLASH = re.compile(r"(?:the one about|go by) (waiting time|the mark)")
_FORBIDDEN = re.compile(r"[Ww]hat is marked (\w+) must not|no permission for anything marked (\w+)")
_WITHIN = re.compile(r"Within a kind, whatever (?:has waited (longer)|takes (fewer|more) minutes) comes first")


class House(Struct, frozen=True):
    """The rules of a house."""

    minutes: int
    kinds: tuple[str, ...]
    days: int
    aged: str
    mark: str
    marked: str
    age_holds: bool
    forbidden: str
    within: str
    stops: bool

    @classmethod
    def read(cls, goal: str) -> House | None:
        """The rules that a goal states; None where one is missing."""
        patterns = (_TIME, _AGED, _MARKED, _CLASH, _FORBIDDEN, _WITHIN)
        found = [[group for group in match.groups() if group] for match in (p.search(goal) for p in patterns) if match]
        listed, before = _LISTED.search(goal), _BEFORE.search(goal)
        if len(found) < len(patterns) or not (listed or before):
            return None
        time, aged, marked, clash, forbidden, within = found
        kinds = listed.groups() if listed else before.group(3, 1, 2) if before else ()
        return cls(
            minutes=int(time[0]),
            kinds=kinds,
            days=int(aged[0]),
            aged=aged[1],
            mark=marked[0],
            marked=marked[1],
            age_holds=clash[0] == "waiting time",
            forbidden=forbidden[0],
            within=within[0],
            stops="stop for the day" in goal,
        )

    def kind(self, offer: Offer) -> str:
        """The kind that an offer counts as."""
        aged = self.aged if offer.number("days") >= self.days else ""
        marked = self.marked if offer.values.get("mark") == self.mark else ""
        order = (aged, marked) if self.age_holds else (marked, aged)
        return next(filter(None, order), offer.values.get("kind", ""))

    def place(self, offer: Offer) -> tuple[int, int, int]:
        """What an offer is put in order by."""
        kind = self.kind(offer)
        size = {"longer": -offer.number("days"), "fewer": offer.number("minutes"), "more": -offer.number("minutes")}
        rank = self.kinds.index(kind) if kind in self.kinds else len(self.kinds)
        return rank, size[self.within], int(offer.code.rpartition("-")[2])

    def taken(self, offers: list[Offer]) -> list[str]:
        """The codes of what is dealt with, in order."""
        left, codes = self.minutes, []
        for offer in sorted(offers, key=self.place):
            if offer.values.get("mark") == self.forbidden:
                continue
            if offer.number("minutes") <= left:
                left -= offer.number("minutes")
                codes.append(offer.code)
            elif self.stops:
                break
        return codes


def fits(desk: Desk) -> bool:
    """The goal states the rules of a queue, and says which fields the text lists."""
    return House.read(desk.task.goal) is not None and {"kind", "minutes", "days", "mark"} <= set(legend(desk.task.goal))


async def work(desk: Desk) -> Finding | None:
    """Read the board, then go down the order."""
    house = House.read(desk.task.goal)
    text = next((text for text in desk.texts() if "\n" in text), "")
    board = read_board(text, legend(desk.task.goal), [])
    if house is None or not board.offers:
        return None
    return Finding(house.taken(list(board.offers.values())), 0.85 if board.complete() else 0.1)

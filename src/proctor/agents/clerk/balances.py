"""Keeping balances: follows what is held of several named things, and states it in the order the goal lists them.

Every statement with a figure and one of the names counts: it tells what there was at first, adds, takes away, or moves
from one name to another. A figure without a name belongs to the names of the next line, or else to the name before it.
House rules of the goal are kept: fees for a kind of booking, and a floor below which a booking is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from proctor.agents.clerk.desk import Desk, Finding
from proctor.agents.clerk.movements import Way, way_of
from proctor.agents.clerk.numerals import in_digits
from proctor.agents.clerk.statements import Statement, in_order, statements

_LISTED = re.compile(r"\bin this order:\s*([^.\n]+)")
_FIGURE = re.compile(r"(?<![\w.:/])(?<!\w-)(\d{1,15})(?![\w:/-]|\.\d)")
_ARROW = re.compile(r"-+>|=+>|→")
_DASHES = re.compile(r"-{2,}")
_GIVES = re.compile(r"(?:\bfrom|\boff|\bout of|\bdebit\w*|\bsource)[\s=:]*(?:the )?$", re.IGNORECASE)
_GETS = re.compile(r"(?:\bto|\bonto|\binto|\bfor|\bcredit\w*|\btarget)[\s=:]*(?:the )?$", re.IGNORECASE)
_FEE = re.compile(r"\b(transfer|withdrawal|deposit)s?\b[^.\n]*\bfee of (\d+)", re.IGNORECASE)
_FLOOR = re.compile(r"\b(?:no|not|never)\b[^.\n]*\bbelow (\d+)", re.IGNORECASE)
_HAPPENED = re.compile(r"\b(?:planned|promised|ordered)\b[^.]*\bnothing\b|\breally happened\b", re.IGNORECASE)


class Booking(Struct, frozen=True):
    """An amount that leaves one name, reaches another, or both; neither where it is what there was at first."""

    amount: int
    source: str = ""
    target: str = ""

    @property
    def kind(self) -> str:
        return "transfer" if self.source and self.target else "deposit" if self.target else "withdrawal"


class House(Struct, frozen=True):
    """What a goal says about bookings."""

    fees: dict[str, int]
    floor: int | None

    @classmethod
    def read(cls, goal: str) -> House:
        """The fees by kind of booking, and the floor if there is one."""
        floor = _FLOOR.search(goal)
        fees = {kind.lower(): int(fee) for kind, fee in _FEE.findall(goal)}
        return cls(fees, int(floor.group(1)) if floor else None)

    def book(self, held: dict[str, int], booking: Booking) -> None:
        """Carry out a booking, or refuse it if it would go below the floor."""
        fee = self.fees.get(booking.kind, 0)
        cost = booking.amount + fee
        if booking.source:
            if self.floor is not None and held.get(booking.source, 0) - cost < self.floor:
                return
            held[booking.source] = held.get(booking.source, 0) - cost
            fee = 0
        if booking.target:
            held[booking.target] = held.get(booking.target, 0) + booking.amount - fee


def listed_names(goal: str) -> list[str]:
    """The names that a goal gives after `in this order:`."""
    match = _LISTED.search(goal)
    return [name.strip() for name in re.split(r",| and ", match.group(1)) if name.strip()] if match else []


def fits(desk: Desk) -> bool:
    """Numbers are asked for several names, in a stated order."""
    return desk.shape.kind == "list" and desk.shape.kind_of("") == "number" and len(listed_names(desk.task.goal)) > 1


async def work(desk: Desk) -> Finding | None:
    """Take the opening figures, then every booking in turn."""
    await desk.survey()
    names = listed_names(desk.task.goal)
    house = House.read(desk.task.goal)
    reader = Bookkeeper(names, plans=bool(_HAPPENED.search(desk.task.goal)))
    held: dict[str, int] = {}
    bookings: list[Booking] = []
    for text in desk.texts():
        for name, booking in reader.read(text):
            if name:
                held.setdefault(name, booking.amount)
            else:
                bookings.append(booking)
    for booking in bookings:
        house.book(held, booking)
    known = [name for name in names if name in held]
    if not known:
        return None
    return Finding([held.get(name, 0) for name in names], 0.85 * len(known) / len(names))


class Bookkeeper:
    """Reads bookings off statements that speak of known names."""

    def __init__(self, names: list[str], *, plans: bool) -> None:
        self._names = {name.lower(): name for name in names}
        self._pattern = re.compile(rf"\b({'|'.join(re.escape(name) for name in names)})\b", re.IGNORECASE)
        self._plans = plans

    def read(self, text: str) -> Iterator[tuple[str, Booking]]:
        """(name, what it held at first) or ("", a booking), in order."""
        last = ""
        written = statements(in_digits(text), self._pattern)
        for said in in_order(list(self._joined(written)), text):
            line = _DASHES.sub(" ", _ARROW.sub(" → ", said.text))
            names = list(self._pattern.finditer(line))
            figures = [int(figure) for figure in _FIGURE.findall(line)]
            way = way_of(line, said.heading, plans=self._plans)
            if len({match.group().lower() for match in names}) == 1:
                last = self._name(names[0])
            if not figures or way == "plan":
                continue
            if not names:
                if last and way != "count":
                    yield "", _one(way, figures[0], last)
            elif len(figures) == 1 and len(names) == 2:
                yield "", Booking(figures[0], *self._ends(line, names))
            else:
                way = way if way != "count" else self._by_side(line, names)
                for figure, match in zip(figures[-len(names) :], names, strict=False):
                    name = self._name(match)
                    yield (name, Booking(figure)) if way == "count" else ("", _one(way, figure, name))

    def _name(self, match: re.Match[str]) -> str:
        return self._names.get(match.group().lower(), match.group())

    def _joined(self, statements: list[Statement]) -> Iterator[Statement]:
        """Statements, where a figure without a name is joined with the name without a figure that follows it."""
        waiting: Statement | None = None
        for said in statements:
            figure, name = bool(_FIGURE.search(said.text)), bool(self._pattern.search(said.text))
            if waiting is not None and name and not figure:
                yield Statement(f"{waiting.text} {said.text}", waiting.heading, waiting.place)
                waiting = None
                continue
            if waiting is not None:
                yield waiting
            waiting = said if figure and not name else None
            if waiting is None:
                yield said
        if waiting is not None:
            yield waiting

    def _by_side(self, line: str, names: list[re.Match[str]]) -> Way:
        """Whether the one name of a line gives or gets, by the word or the arrow beside it; else it is a count."""
        arrow = _ARROW.search(line)
        if arrow:
            return "in" if names[0].start() > arrow.start() else "out"
        before = line[: names[0].start()]
        return "out" if _GIVES.search(before) else "in" if _GETS.search(before) else "count"

    def _ends(self, line: str, names: list[re.Match[str]]) -> tuple[str, str]:
        """(who gives, who gets) of two names."""
        one, two = (self._name(match) for match in names)
        before = [line[: match.start()] for match in names]
        turned = bool(_GIVES.search(before[1])) or bool(_GETS.search(before[0]))
        return (two, one) if turned else (one, two)


def _one(way: Way, amount: int, name: str) -> Booking:
    return Booking(amount, target=name) if way == "in" else Booking(amount, source=name)

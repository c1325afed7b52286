"""The facts of an invoice, drawn before any form is: who wants how much from whom, and since when."""

from __future__ import annotations

from datetime import date, timedelta

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.agency.sensing.ocr_invoices.texts import GOODS, ONES, TENS, TRADES
from proctor.suites.kit.words import FIRM_ONE, FIRM_TWO, MONTHS

_FIRST_DAY = date(2026, 1, 5)
REGISTER = 10
_TAX = 20


class Item(Struct, frozen=True):
    """So many pieces of something for so much."""

    count: int
    name: str
    cents: int


class Bill(Struct, frozen=True):
    """One invoice. Every sum and day on it that is not asked for is a rival of one that is."""

    vendor: str
    customer: str
    third: str
    """A company that has nothing to do with the money: carrier, landlord, agent."""
    register: list[str]
    number: str
    items: list[Item]
    net: int
    gross: int
    issued: date
    ordered: date
    due: date

    @property
    def tax(self) -> int:
        """The tax in cents."""
        return self.gross - self.net


def bill(stream: Stream) -> Bill:
    """An invoice of two or three items."""
    names = register(stream)
    items = [Item(stream.integer(2, 40), name, 0) for name in stream.sample(GOODS, 2 + stream.below(2))]
    items = [Item(item.count, item.name, item.count * stream.integer(260, 4800)) for item in items]
    net = sum(item.cents for item in items)
    issued = _FIRST_DAY + timedelta(days=20 + stream.below(300))
    vendor, customer, third = names[0], names[1], names[2]
    stream.shuffle(names)
    return Bill(
        vendor=vendor,
        customer=customer,
        third=third,
        register=names,
        number=f"{stream.integer(1000, 9999)}",
        items=items,
        net=net,
        gross=net + net * _TAX // 100,
        issued=issued,
        ordered=issued - timedelta(days=stream.integer(3, 19)),
        due=issued + timedelta(days=stream.choice((14, 21, 30))),
    )


def register(stream: Stream) -> list[str]:
    """Companies of which each two differ in more than a letter, though some share most of their name."""
    ones, twos = stream.sample(FIRM_ONE, REGISTER // 2), stream.sample(FIRM_TWO, REGISTER)
    trades = stream.sample(TRADES, REGISTER // 2)
    return [f"{ones[index % len(ones)]} {twos[index]} {trades[index // 2]}" for index in range(REGISTER)]


def money(cents: int) -> str:
    """`1,284.50`."""
    return f"{cents // 100:,}.{cents % 100:02d}"


def spoken(day: date) -> str:
    """`12 March 2026`."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def words(cents: int) -> str:
    """`one thousand two hundred eighty-four and 50/100`."""
    whole = cents // 100
    parts = [_hundreds(whole // 1000) + " thousand"] if whole >= 1000 else []
    if whole % 1000:
        parts.append(_hundreds(whole % 1000))
    return f"{' '.join(parts) or 'zero'} and {cents % 100:02d}/100"


def _hundreds(number: int) -> str:
    hundred, rest = divmod(number, 100)
    parts = [f"{ONES[hundred]} hundred"] if hundred else []
    if 0 < rest < 20:
        parts.append(ONES[rest])
    elif rest:
        parts.append(TENS[rest // 10] + (f"-{ONES[rest % 10]}" if rest % 10 else ""))
    return " ".join(parts)

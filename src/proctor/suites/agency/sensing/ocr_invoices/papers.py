"""Eight kinds of paper that ask for money. Each names vendor, total and day of issue in its own way, at least twice."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.agency.sensing.ocr_invoices.bills import Bill, money, spoken, words
from proctor.suites.kit.words import MONTHS


def classic(b: Bill, stream: Stream) -> list[str]:
    """An invoice as everybody knows it."""
    return [
        b.vendor,
        f"INVOICE {b.number}",
        f"Invoice date: {spoken(b.issued)}",
        f"Sold to: {b.customer}",
        f"Your order of {spoken(b.ordered)}",
        *(f"{item.count} {item.name} {money(item.cents)}" for item in b.items),
        f"Net {money(b.net)}",
        f"Tax {money(b.tax)}",
        f"Total due EUR {money(b.gross)}",
        f"Please pay {money(b.gross)} by {spoken(b.due)}.",
        f"{b.vendor} / {b.number} / {spoken(b.issued)}",
    ]


def till(b: Bill, stream: Stream) -> list[str]:
    """A till slip; the day stands by the cash register's number."""
    given = (b.gross // 5000 + 1) * 5000
    return [
        f"*** {b.vendor} ***",
        f"branch {stream.integer(2, 40)}, till {stream.integer(1, 9)}",
        f"{b.issued.isoformat()} {stream.integer(9, 18)}:{stream.integer(10, 59)}",
        *(f"{item.name} x{item.count} = {money(item.cents)}" for item in b.items),
        f"before tax = {money(b.net)}",
        f"TO PAY = {money(b.gross)}",
        f"cash = {money(given)}",
        f"change = {money(given - b.gross)}",
        f"returns until {b.due.isoformat()}",
        f"slip {b.number} of {b.issued.isoformat()}, {money(b.gross)}",
        f"thank you, {b.vendor}",
    ]


def utility(b: Bill, stream: Stream) -> list[str]:
    """A bill for consumption, after an earlier one that was settled."""
    before, used = stream.integer(1200, 8000), stream.integer(90, 900)
    paid = stream.integer(9000, 90_000)
    return [
        f"Meter bill for {b.customer}",
        f"Supplied by {b.vendor}",
        f"Network of {b.third}",
        f"Reading {spoken(b.ordered)}: {before}",
        f"Reading {spoken(b.issued - timedelta(days=2))}: {before + used}",
        f"Last bill, settled: {money(paid)}",
        f"This bill of {spoken(b.issued)}:",
        f"consumption {money(b.net)}, tax {money(b.tax)}",
        f"in all {money(b.gross)} EUR",
        f"We collect {money(b.gross)} on {spoken(b.due)}.",
        f"Issued on {spoken(b.issued)} by {b.vendor}",
    ]


def letter(b: Bill, stream: Stream) -> list[str]:
    """A letter that asks for money in running words."""
    goods = " and ".join(f"{item.count} {item.name}" for item in b.items)
    return [
        f"To {b.customer}",
        f"{spoken(b.issued)}",
        "Dear Sir or Madam,",
        f"on {spoken(b.ordered)} you had {goods}",
        f"from us, brought to you by {b.third}.",
        f"That makes {money(b.net)} without tax.",
        f"With it we ask you for {money(b.gross)},",
        f"in words: {words(b.gross)} EUR,",
        f"by {spoken(b.due)} at the latest.",
        f"Yours, {b.vendor}",
        f"(invoice {b.number} of {spoken(b.issued)}, {money(b.gross)})",
        f"{b.vendor}",
    ]


def slip(b: Bill, stream: Stream) -> list[str]:
    """A payment slip with numbered boxes."""
    return [
        "PAYMENT SLIP",
        f"01 payee {b.vendor}",
        f"02 payer {b.customer}",
        f"03 sum EUR {money(b.gross)}",
        f"04 in letters {words(b.gross)}",
        f"05 bill {b.number}",
        f"06 bill drawn up {b.issued.isoformat()}",
        f"07 value day {b.due.isoformat()}",
        f"08 of which tax {money(b.tax)}",
        f"09 agent {b.third}",
        "- - - stub - - -",
        f"{b.vendor} {money(b.gross)}",
        f"bill of {b.issued.isoformat()}, order of {b.ordered.isoformat()}",
    ]


def hotel(b: Bill, stream: Stream) -> list[str]:
    """A running account; the invoice is made out on the day it is closed."""
    days = [b.issued - timedelta(days=len(b.items) - index) for index in range(len(b.items))]
    rows = zip(days, b.items, strict=True)
    return [
        f"Guest: {b.customer}",
        f"Booked through {b.third}, {_short(b.ordered)}",
        *(f"{_short(day)} {item.name} {money(item.cents)}" for day, item in rows),
        f"{_short(b.issued)} tax {money(b.tax)}",
        f"{_short(b.issued)} closing {money(b.gross)}",
        f"House: {b.vendor}",
        f"Account closed and billed on {_short(b.issued)}",
        f"Charged to the card {money(b.gross)}",
        f"Refund possible until {_short(b.due)}",
        f"Welcome back to {b.vendor}",
    ]


def freight(b: Bill, stream: Stream) -> list[str]:
    """A waybill that is an invoice, too; the carrier wants the money."""
    weight = stream.integer(120, 980)
    return [
        f"WAYBILL AND INVOICE {b.number}",
        f"carrier      {b.vendor}",
        f"shipper      {b.third}",
        f"consignee    {b.customer}",
        f"weight       {weight} kg",
        f"picked up    {b.ordered.isoformat()}",
        f"made out     {b.issued.isoformat()}",
        f"value        {money(b.gross * 7 + stream.integer(100, 9000))}",
        f"freight      {money(b.net)}",
        f"tax          {money(b.tax)}",
        f"carrier gets {money(b.gross)}",
        f"receipt: {money(b.gross)} for {b.vendor}",
        f"date of this paper {b.issued.isoformat()}",
    ]


def subscription(b: Bill, stream: Stream) -> list[str]:
    """A receipt that came by mail and was printed."""
    month = MONTHS[b.due.month - 1]
    return [
        f"Receipt from {b.vendor}",
        f"Hello {b.customer},",
        f"you have been with us since {_american(b.ordered)}.",
        f"On {_american(b.issued)} we billed you:",
        *(f"- {item.name}: {money(item.cents)}" for item in b.items),
        f"plus tax: {money(b.tax)}",
        f"Billed in full: EUR {money(b.gross)}",
        f"Next bill in {month}, on {_american(b.due)}.",
        f"Card payments go through {b.third}.",
        f"{b.vendor}, {_american(b.issued)}, {money(b.gross)}",
    ]


def _short(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1][:3]} {day.year}"


def _american(day: date) -> str:
    return f"{MONTHS[day.month - 1]} {day.day}, {day.year}"


class Paper(Struct, frozen=True):
    """A kind of paper: its lines, and how it writes days."""

    lines: Callable[[Bill, Stream], list[str]]
    day: Callable[[date], str]


PAPERS: dict[str, Paper] = {
    "classic": Paper(classic, spoken),
    "till": Paper(till, date.isoformat),
    "utility": Paper(utility, spoken),
    "letter": Paper(letter, spoken),
    "slip": Paper(slip, date.isoformat),
    "hotel": Paper(hotel, _short),
    "freight": Paper(freight, date.isoformat),
    "subscription": Paper(subscription, _american),
}

"""Orders to be placed, with some withdrawn ones among them, and eight forms in which they are told."""

from __future__ import annotations

import json
from collections.abc import Callable

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.agency.modeling.api_drift.texts import GOODS
from proctor.suites.kit.sheet import Sheet
from proctor.suites.kit.spelling import enumerated, in_words
from proctor.suites.kit.words import GIVEN, firm

_LETTERS = "ABCDEFGHKLMNPRSTVW"


class Order(Struct, frozen=True):
    """One order; a withdrawn one must not be placed."""

    code: str
    good: str
    quantity: int
    withdrawn: bool


def orders(stream: Stream, count: int, withdrawn: int) -> list[Order]:
    """So many orders to place and so many withdrawn ones, mixed; all codes differ."""
    first, step = stream.below(900), stream.integer(7, 43)
    # Steps that never meet again within the few codes of a list.
    codes = [f"{stream.choice(_LETTERS)}{100 + (first + step * index) % 900}" for index in range(count + withdrawn)]
    gone = set(stream.child("withdrawn").sample(codes, withdrawn))
    return [Order(code, stream.choice(GOODS), stream.integer(2, 96), code in gone) for code in codes]


def table(listed: list[Order], stream: Stream) -> Sheet:
    """One row an order, with a column for what became of it."""
    sheet = Sheet(f"Order list of {firm(stream)}", "code | good | quantity | state", "---|---|---|---")
    for order in listed:
        state = "withdrawn" if order.withdrawn else "to be placed"
        sheet.fact(f"{order.code} | {order.good} | {order.quantity} | {state}")
    return sheet


def as_json(listed: list[Order], stream: Stream) -> Sheet:
    """Lines of JSON; withdrawn codes stand in a list of their own."""
    sheet = Sheet(f'{{"buyer": "{firm(stream)}", "orders": [')
    for number, order in enumerate(listed, 1):
        row = json.dumps({"code": order.code, "item": order.good, "qty": order.quantity})
        sheet.fact(f" {row}{',' if number < len(listed) else ''}")
    sheet.fact(f'], "withdrawn": {json.dumps([order.code for order in listed if order.withdrawn])}}}')
    return sheet


def letter(listed: list[Order], stream: Stream) -> Sheet:
    """Sentences, and a last one that takes something back."""
    sheet = Sheet("Dear colleague,", f"for {firm(stream)} we need the following.")
    starts = ("We need", "Please get us", "Also wanted:", "We ask for", "Then there are")
    for number, order in enumerate(listed):
        sheet.fact(f"{starts[number % len(starts)]} {order.quantity} {order.good}, under {order.code}.")
    gone = [order.code for order in listed if order.withdrawn]
    sheet.fact(f"On second thoughts {enumerated(gone)}: withdrawn." if gone else "None of these was withdrawn.")
    sheet.add("Many thanks", stream.choice(GIVEN))
    return sheet


def log(listed: list[Order], stream: Stream) -> Sheet:
    """Events of an order system: opened, and some later withdrawn."""
    minute = stream.integer(10, 40)
    sheet = Sheet(f"07:{minute} queue open owner={firm(stream).replace(' ', '-').lower()}")
    for number, order in enumerate(listed):
        sheet.fact(f"08:{minute + number % 15} opened id={order.code} sku={order.good} n={order.quantity}")
    for order in listed:
        if order.withdrawn:
            sheet.fact(f"09:{minute} withdrawn id={order.code}")
    sheet.add(f"09:{minute + 5} queue frozen")
    return sheet


def chat(listed: list[Order], stream: Stream) -> Sheet:
    """Messages; orders come several at a time."""
    one, two = stream.sample(GIVEN, 2)
    sheet = Sheet(f"{one}: which orders go out today?")
    for start in range(0, len(listed), 3):
        part = listed[start : start + 3]
        sheet.fact(f"{two}: " + ", ".join(f"{order.quantity}x {order.good} ({order.code})" for order in part))
    gone = [order.code for order in listed if order.withdrawn]
    sheet.add(f"{one}: all of them?")
    sheet.fact(f"{two}: {enumerated(gone) + ' withdrawn' if gone else 'none withdrawn'}, the rest yes")
    return sheet


def slips(listed: list[Order], stream: Stream) -> Sheet:
    """A pile of slips, a block of lines each."""
    sheet = Sheet(f"Slips of {firm(stream)}")
    for order in listed:
        sheet.add("~~~~~~~~")
        sheet.fact(f"NO. {order.code}", f"HOW MANY: {order.quantity}")
        sheet.add(f"OF WHAT: {order.good}")
        if order.withdrawn:
            sheet.fact("(stamp) WITHDRAWN")
    return sheet


def spoken(listed: list[Order], stream: Stream) -> Sheet:
    """A recording; quantities in words."""
    sheet = Sheet(f"[voice memo {stream.integer(10, 99)}, transcribed automatically]")
    for number, order in enumerate(listed):
        start = "number one" if number == 0 else "next"
        back = " no wait that one was withdrawn" if order.withdrawn else ""
        sheet.fact(f"{start} {order.code} that is {in_words(order.quantity)} {order.good}{back}")
    sheet.add("thanks that is all")
    return sheet


def by_good(listed: list[Order], stream: Stream) -> Sheet:
    """Grouped by good, as a buyer's notebook has it."""
    sheet = Sheet(f"Buyer's notebook, {firm(stream)} (code: pieces; a code in square brackets is withdrawn)")
    for good in dict.fromkeys(order.good for order in listed):
        items = [
            f"[{order.code}]: {order.quantity}" if order.withdrawn else f"{order.code}: {order.quantity}"
            for order in listed
            if order.good == good
        ]
        sheet.fact(f"* {good}: {'; '.join(items)}")
    return sheet


Form = Callable[[list[Order], Stream], Sheet]
FORMS: dict[str, Form] = {
    "table": table,
    "json": as_json,
    "letter": letter,
    "log": log,
    "chat": chat,
    "slips": slips,
    "spoken": spoken,
    "notebook": by_good,
}

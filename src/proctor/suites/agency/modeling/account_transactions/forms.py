"""Eight forms in which opening balances and five bookings are told, always in a way that tells their order."""

from __future__ import annotations

import json
from collections.abc import Callable

from proctor.core.seeds import Stream
from proctor.suites.agency.modeling.account_transactions.bank import Bank, Booking
from proctor.suites.kit.sheet import Sheet
from proctor.suites.kit.spelling import ORDINALS, capital, enumerated, in_words
from proctor.suites.kit.words import GIVEN, MONTHS


def table(b: Bank, stream: Stream) -> Sheet:
    """Balances and bookings as two tables."""
    sheet = Sheet(f"{b.name} Trust, day sheet {stream.integer(101, 989)}", "account | opening balance", "---|---")
    sheet.fact(*(f"{name} | {balance}" for name, balance in b.opening.items()))
    sheet.add("", "time | booking | from | to | amount", "---|---|---|---|---")
    for booking in b.bookings:
        source, target = booking.source or "(cash)", booking.target or "(cash)"
        sheet.fact(f"{booking.time} | {booking.kind} | {source} | {target} | {booking.amount}")
    return sheet


def log(b: Bank, stream: Stream) -> Sheet:
    """The journal of a terminal, where the kind of booking follows from what is named."""
    day = f"{stream.integer(1, 28):02d}-{stream.choice(MONTHS)[:3]}"
    sheet = Sheet(f"{day} boot terminal={stream.integer(2, 19)} branch={b.name.replace(' ', '_')}")
    sheet.fact(*(f"{day} load acct={name} bal={balance}" for name, balance in b.opening.items()))
    for booking in b.bookings:
        ends = {
            "deposit": f"CASH-IN acct={booking.account}",
            "withdrawal": f"CASH-OUT acct={booking.account}",
            "transfer": f"MOVE acct={booking.source} to={booking.target}",
        }
        sheet.fact(f"{day} {booking.time} req {ends[booking.kind]} sum={booking.amount}")
        sheet.add(f"{day} {booking.time} printer {stream.choice(('ok', 'ok', 'low paper'))}")
    return sheet


def letter(b: Bank, stream: Stream) -> Sheet:
    """Orders in sentences."""
    sheet = Sheet(f"To {b.name} Trust", "", "Dear all,")
    counts = [f"{balance} on {name}" for name, balance in b.opening.items()]
    sheet.fact(f"according to your statement we have {enumerated(counts)}.")
    sheet.add("Please deal with the following, in this order.")
    for index, booking in enumerate(b.bookings):
        sheet.fact(f"{capital(ORDINALS[index])}, {_request(booking)}.")
    sheet.add("", "With kind regards", stream.choice(GIVEN))
    return sheet


def _request(booking: Booking) -> str:
    if booking.kind == "deposit":
        return f"put the {booking.amount} in notes that we enclose on {booking.account}"
    if booking.kind == "withdrawal":
        return f"pay out {booking.amount} in notes from {booking.account} to the bearer"
    return f"pass {booking.amount} from {booking.source} on to {booking.target}"


def as_json(b: Bank, stream: Stream) -> Sheet:
    """A batch file; bookings stand in the order of their numbers, which is not that of the lines."""
    sheet = Sheet("{", f'"bank": "{b.name}",', '"opening": [')
    rows = [json.dumps({"account": name, "balance": balance}) for name, balance in b.opening.items()]
    sheet.fact(*(f"  {row}{',' if number < len(rows) else ''}" for number, row in enumerate(rows, 1)))
    sheet.add("],", '"order": "by seq, lowest first",', '"batch": [')
    items = []
    for seq, booking in enumerate(b.bookings, 1):
        ends = {"debit": booking.source or None, "credit": booking.target or None}
        items.append(json.dumps({"seq": seq, **ends, "amount": booking.amount}))
    stream.shuffle(items)
    sheet.fact(*(f"  {item}{',' if number < len(items) else ''}" for number, item in enumerate(items, 1)))
    sheet.add("],", '"note": "null means cash over the counter"', "}")
    return sheet


def slips(b: Bank, stream: Stream) -> Sheet:
    """Paper slips as they lie on the desk, each with the time of its stamp."""
    sheet = Sheet(f"Slips on the desk of {b.name} Trust; the stamps tell when each was handed in.")
    for booking in stream.sample(b.bookings, len(b.bookings)):
        sheet.add(f"+--- slip {stream.integer(1000, 9999)} ---")
        sheet.fact(f"| {booking.kind.upper()} of {booking.amount}, stamped {booking.time}")
        if booking.kind == "transfer":
            sheet.fact(f"| off {booking.source}, onto {booking.target}")
        else:
            sheet.fact(f"| account {booking.account}")
    sheet.add("+---", "On the board, from this morning before opening:")
    sheet.fact(*(f"  {name}: {balance}" for name, balance in b.opening.items()))
    return sheet


def chat(b: Bank, stream: Stream) -> Sheet:
    """Messages to the bank's desk, in order of time."""
    me, desk = stream.sample(GIVEN, 2)
    sheet = Sheet(f"{desk} (desk of {b.name} Trust): good morning, balances as of now:")
    sheet.fact(*(f"{desk}: {name} has {balance}" for name, balance in b.opening.items()))
    for booking in b.bookings:
        if booking.kind == "deposit":
            line = f"just dropped {booking.amount} cash at your counter for {booking.account}"
        elif booking.kind == "withdrawal":
            line = f"need {booking.amount} cash out of {booking.account} please"
        else:
            line = f"{booking.target} should get {booking.amount} from {booking.source}"
        sheet.fact(f"{me} {booking.time}: {line}")
        sheet.add(f"{desk}: {stream.choice(('noted', 'passed on', 'will be looked at', 'received'))}")
    return sheet


def spoken(b: Bank, stream: Stream) -> Sheet:
    """A telephone recording without punctuation, with amounts in words."""
    sheet = Sheet(f"[{b.name} Trust, line {stream.integer(2, 9)}, transcribed automatically]")
    for name, balance in b.opening.items():
        sheet.fact(f"{name.lower()} opens with {in_words(balance)}")
    for index, booking in enumerate(b.bookings):
        start = ("so we begin with", "next comes", "then", "after that", "and last")[index]
        amount = in_words(booking.amount)
        if booking.kind == "deposit":
            sheet.fact(f"{start} {amount} paid in to {booking.account.lower()}")
        elif booking.kind == "withdrawal":
            sheet.fact(f"{start} {amount} to be taken out of {booking.account.lower()}")
        else:
            sheet.fact(f"{start} {amount} over from {booking.source.lower()} to {booking.target.lower()}")
    sheet.add("have you got all that good bye")
    return sheet


def journal(b: Bank, stream: Stream) -> Sheet:
    """A notebook with arrows, read from the bottom upwards."""
    sheet = Sheet(f"Notebook of the treasurer, {b.name}; newest entry on top, oldest at the bottom.")
    for booking in reversed(b.bookings):
        sheet.fact(f"{booking.source or 'till'} --{booking.amount}--> {booking.target or 'till'}")
    sheet.add("(till = cash of the counter, of which there is always enough)", "- - - brought forward - - -")
    sheet.fact(*(f"{balance} = {name}" for name, balance in b.opening.items()))
    return sheet


Form = Callable[[Bank, Stream], Sheet]
FORMS: dict[str, Form] = {
    "table": table,
    "log": log,
    "letter": letter,
    "json": as_json,
    "slips": slips,
    "chat": chat,
    "spoken": spoken,
    "journal": journal,
}

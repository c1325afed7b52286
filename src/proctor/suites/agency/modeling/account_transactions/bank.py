"""Accounts, house rules and five bookings. Drawn before any form is.

Always: exactly five bookings, each kind at least once, and never a balance below the floor.
"""

from __future__ import annotations

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.agency.modeling.account_transactions.texts import ACCOUNTS, FEES, FLOOR, ORDER, RULES
from proctor.suites.kit.words import firm

BOOKINGS = 5


class Booking(Struct, frozen=True):
    """What was handed in. `source` or `target` is empty where cash comes in or goes out."""

    kind: str
    source: str
    target: str
    amount: int
    minute: int
    """When it was handed in, in minutes after midnight."""

    @property
    def time(self) -> str:
        return f"{self.minute // 60:02d}:{self.minute % 60:02d}"

    @property
    def account(self) -> str:
        """The account of a deposit or withdrawal, and the sending one of a transfer."""
        return self.source or self.target


class Rules(Struct, frozen=True):
    """The floor, and the fee of each kind of booking that has one."""

    floor: int
    fees: dict[str, int]

    @property
    def texts(self) -> list[str]:
        """The rules as the goal states them."""
        fees = [RULES[kind].format(fee=fee) for kind, fee in self.fees.items()]
        return [ORDER, FLOOR.format(floor=self.floor), *fees]


class Bank(Struct, frozen=True):
    """Everything a form tells, and the rules, which the goal tells."""

    name: str
    opening: dict[str, int]
    bookings: list[Booking]
    rules: Rules


def book(balances: dict[str, int], booking: Booking, rules: Rules, *, refuse: bool = True) -> bool:
    """Carry out a booking in place, or refuse it; whether it was carried out. `refuse=False` carries out anything."""
    fee = rules.fees.get(booking.kind, 0)
    if booking.kind == "deposit":
        balances[booking.target] += booking.amount - fee
        return True
    if refuse and balances[booking.source] - booking.amount - fee < rules.floor:
        return False
    balances[booking.source] -= booking.amount + fee
    if booking.target:
        balances[booking.target] += booking.amount
    return True


def closing(bank: Bank, rules: Rules | None = None, *, refuse: bool = True) -> dict[str, int]:
    """The final balances, under the bank's own rules or others."""
    balances = dict(bank.opening)
    for booking in bank.bookings:
        book(balances, booking, rules or bank.rules, refuse=refuse)
    return balances


def charged_throughout(bank: Bank) -> dict[str, int]:
    """The final balances if refused bookings cost their fee all the same: a way of going wrong."""
    balances = dict(bank.opening)
    for booking in bank.bookings:
        if not book(balances, booking, bank.rules):
            balances[booking.source] -= bank.rules.fees.get(booking.kind, 0)
    return balances


def bank(stream: Stream, accounts: int, fees: int, refusals: int) -> Bank:
    """A bank with so many accounts and fees, where at most so many of the five bookings are refused."""
    names = stream.sample(ACCOUNTS, accounts)
    opening = {name: stream.integer(150, 940) for name in names}
    rules = Rules(10 * stream.integer(0, 6), {kind: stream.integer(2, 9) for kind in stream.sample(FEES, fees)})
    kinds = ["deposit", "withdrawal", "transfer", *(stream.choice(FEES) for _ in range(BOOKINGS - 3))]
    stream.shuffle(kinds)
    takes = [index for index, kind in enumerate(kinds) if kind != "deposit"]
    refused = set(stream.sample(takes, stream.integer(0, min(refusals, len(takes)))))
    balances = dict(opening)
    minute = stream.integer(8 * 60, 9 * 60)
    bookings: list[Booking] = []
    for index, kind in enumerate(kinds):
        minute += stream.integer(7, 55)
        booking = _booking(stream, balances, rules, kind, minute, index in refused)
        book(balances, booking, rules)
        bookings.append(booking)
    return Bank(firm(stream), opening, bookings, rules)


def _booking(stream: Stream, balances: dict[str, int], rules: Rules, kind: str, minute: int, refused: bool) -> Booking:
    names = list(balances)
    if kind == "deposit":
        return Booking(kind, "", stream.choice(names), stream.integer(20, 400), minute)
    source = stream.choice(names)
    free = balances[source] - rules.floor - rules.fees.get(kind, 0)
    if free < 15:
        source = max(names, key=lambda name: balances[name])
        free = balances[source] - rules.floor - rules.fees.get(kind, 0)
    # A refused booking is sometimes short by its fee alone, and an accepted one sometimes nearly empties the account.
    amount = free + stream.integer(1, 90) if refused else stream.integer(free // 3, free)
    target = stream.choice([name for name in names if name != source]) if kind == "transfer" else ""
    return Booking(kind, source, target, amount, minute)

"""The books of a house before and after one booking.

Always: the booking follows from the books and the order alone, every one of its lines changes stock, and at least one
item that is not part of it is at its minimum too.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.agency.acting.database_transaction.texts import House
from proctor.suites.kit.words import company, day

Tables = dict[str, list[list[Any]]]

_ACCOUNTS, _ITEMS, _OLD = 5, 8, 3
_GRADES = ("A", "B", "C")
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"


class Order(Struct, frozen=True):
    """What is to be booked."""

    account: str
    reference: str
    when: date
    lines: tuple[tuple[str, int], ...]
    """Item name and quantity."""
    outward: bool


class Books(Struct, frozen=True):
    """The tables before and after. New bookings have id 0 in `after`, which stands for whatever id they were given."""

    before: Tables
    after: Tables
    order: Order


def columns(house: House) -> dict[str, tuple[str, ...]]:
    """The columns of every table."""
    return {
        house.grades: ("grade", "percent"),
        house.accounts: ("id", "name", "grade", house.balance, house.last),
        house.items: ("code", "name", house.price, house.stock, "minimum", "state"),
        house.headers: ("id", "account_id", "reference", house.day, "total_cents"),
        house.lines: ("booking_id", "code", "quantity", "amount_cents"),
    }


def books(stream: Stream, house: House, count: int) -> Books:
    """Books, and an order of that many lines."""
    outward = stream.chance(0.6)
    grades: list[list[Any]] = [
        [grade, percent] for grade, percent in zip(_GRADES, stream.sample(range(3, 30), 3), strict=True)
    ]
    names: dict[str, None] = {}
    while len(names) < _ACCOUNTS:
        names[company(stream)] = None
    accounts: list[list[Any]] = [
        [201 + index, name, stream.choice(_GRADES), stream.integer(1_000, 90_000), f"{day(stream, last=60):%Y-%m-%d}"]
        for index, name in enumerate(names)
    ]
    letters = stream.sample(_LETTERS, _ITEMS)
    items = [
        _item(stream, letter, name) for letter, name in zip(letters, stream.sample(house.names, _ITEMS), strict=True)
    ]
    # The first items are those of the order: their state after it depends on the quantity.
    wanted = [(item[1], _quantity(stream, item, outward)) for item in items[:count]]
    items[-1][3:] = [items[-1][4] - 1, items[-1][4], "ok"] if outward else [items[-1][4], items[-1][4], "reorder"]
    account = stream.choice(accounts)
    order = Order(
        account=account[1],
        reference=f"{stream.choice(_LETTERS)}{stream.choice(_LETTERS)}-{stream.integer(1000, 9999)}",
        when=day(stream, first=90),
        lines=tuple(wanted),
        outward=outward,
    )
    headers, lines = _old(stream, accounts, items)
    shown = items.copy()
    stream.shuffle(shown)
    before = dict(zip(columns(house), (grades, accounts, shown, headers, lines), strict=True))
    return Books(before, _booked(house, before, account, order), order)


def _item(stream: Stream, letter: str, name: str) -> list[Any]:
    minimum = stream.integer(20, 40)
    return [
        f"{letter}{stream.integer(100, 999)}",
        name,
        stream.integer(199, 4999),
        stream.integer(40, 90),
        minimum,
        "ok",
    ]


def _quantity(stream: Stream, item: list[Any], outward: bool) -> int:
    """A quantity that crosses the minimum half of the time; sets stock and state of the item to match."""
    quantity, minimum = stream.integer(3, 18), item[4]
    crosses = stream.chance(0.5)
    if outward:
        item[3] = minimum + (stream.integer(0, quantity - 1) if crosses else quantity + stream.integer(0, 20))
    else:
        item[3] = minimum - (stream.integer(1, quantity) if crosses else quantity + stream.integer(1, 5))
        item[3] = max(item[3], 0)
        item[5] = "reorder"
    return quantity


def _old(stream: Stream, accounts: list[list[Any]], items: list[list[Any]]) -> tuple[list[list[Any]], list[list[Any]]]:
    """Bookings that are there already."""
    headers: list[list[Any]] = []
    lines: list[list[Any]] = []
    for index in range(_OLD):
        item, quantity = stream.choice(items), stream.integer(1, 9)
        amount = item[2] * quantity
        reference = f"{stream.choice(_LETTERS)}{stream.choice(_LETTERS)}-{stream.integer(100, 999)}"
        number = 31 + 2 * index
        headers.append([number, stream.choice(accounts)[0], reference, f"{day(stream, last=60):%Y-%m-%d}", amount])
        lines.append([number, item[0], quantity, amount])
    return headers, lines


def _booked(house: House, before: Tables, account: list[Any], order: Order) -> Tables:
    percent: int = next(percent for grade, percent in before[house.grades] if grade == account[2])
    by_name = {item[1]: item for item in before[house.items]}
    sign = -1 if order.outward else 1
    new_lines = []
    change: dict[str, int] = {}
    for name, quantity in order.lines:
        code, _, price = by_name[name][:3]
        new_lines.append([0, code, quantity, quantity * price * (100 - percent) // 100])
        change[code] = sign * quantity
    total = sum(line[3] for line in new_lines)
    day_of_it = order.when.isoformat()
    return {
        house.grades: before[house.grades],
        house.accounts: [
            [*row[:3], row[3] - sign * total, day_of_it] if row is account else row for row in before[house.accounts]
        ],
        house.items: [_after(row, change.get(row[0]), order.outward) for row in before[house.items]],
        house.headers: [*before[house.headers], [0, account[0], order.reference, day_of_it, total]],
        house.lines: [*before[house.lines], *new_lines],
    }


def _after(row: list[Any], change: int | None, outward: bool) -> list[Any]:
    if change is None:
        return row
    stock, minimum, state = row[3] + change, row[4], row[5]
    if outward and stock < minimum:
        state = "reorder"
    if not outward and stock >= minimum:
        state = "ok"
    return [*row[:3], stock, minimum, state]

"""A shop before and after: tables that fit together, and what they hold once the booking is made."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.hello.orders.texts import CUSTOMERS, PRODUCTS

Tables = dict[str, list[list[Any]]]

STATUS = {"ship": "shipped", "return": "returned", "part": "part-shipped"}
_CUSTOMERS, _PRODUCTS = 5, 8


class Shop(Struct, frozen=True):
    """The tables before and after, which order it was about, and the price of what moved."""

    before: Tables
    after: Tables
    order: int
    customer: str
    today: str
    moved: list[list[Any]]
    """[sku, change] of each line that is booked."""
    total_cents: int


def shop(stream: Stream, template: str, orders: int, lines: int) -> Shop:
    """A shop with that many orders; the one to book has that many lines."""
    names = stream.sample(CUSTOMERS, _CUSTOMERS)
    customers = [[101 + index, name] for index, name in enumerate(names)]
    letters = stream.sample("ABCDEFGHJKLMNPQRSTUVWXYZ", _PRODUCTS)
    products = [
        [f"{letter}{stream.integer(100, 999)}", name, stream.integer(199, 9999), stream.integer(25, 90)]
        for letter, name in zip(letters, stream.sample(PRODUCTS, _PRODUCTS), strict=True)
    ]
    month = stream.integer(2, 9)
    booked, target = _orders(stream, template, orders, month)
    order_lines: list[list[Any]] = []
    for order in booked:
        count = lines if order is target else stream.integer(1, 3)
        for product in stream.sample(products, count):
            order_lines.append([order[0], product[0], stream.integer(2, 20)])
    movements = [
        [line[0], line[1], -line[2], f"2026-{month:02d}-{stream.integer(20, 28)}"]
        for line in order_lines
        if any(order[0] == line[0] and order[3] == "shipped" for order in booked)
    ]
    own = [line for line in order_lines if line[0] == target[0]]
    if template == "part":
        _make_short(stream, products, own)
    before = {
        "customers": customers,
        "products": products,
        "orders": booked,
        "order_lines": order_lines,
        "movements": movements,
    }
    today = f"2026-{month + 1:02d}-{stream.integer(1, 28):02d}"
    return _booked(before, template, target, own, today)


def _orders(stream: Stream, template: str, count: int, month: int) -> tuple[list[list[Any]], list[Any]]:
    """Orders by number, and the one to book: its customer has two open orders and one shipped."""
    numbers: set[int] = set()
    while len(numbers) < count:
        numbers.add(stream.integer(1000, 9999))
    owner, *others = stream.sample(range(101, 101 + _CUSTOMERS), _CUSTOMERS)
    first, second, sent = stream.sample(range(count), 3)
    days = stream.sample(range(1, 20), count)
    orders: list[list[Any]] = []
    for index, number in enumerate(sorted(numbers)):
        own = index in (first, second, sent)
        status = stream.choice(("open", "shipped", "cancelled"))
        if own:
            status = "shipped" if index == sent else "open"
        customer = owner if own else stream.choice(others)
        orders.append([number, customer, f"2026-{month:02d}-{days[index]:02d}", status])
    if template == "return":
        return orders, orders[sent]
    if template == "part":
        return orders, min(orders[first], orders[second], key=lambda order: str(order[2]))
    return orders, orders[first]


def _make_short(stream: Stream, products: list[list[Any]], own: list[list[Any]]) -> None:
    """Leave at least one line of the order, and not all, without enough stock."""
    short = {line[1]: line[2] for line in stream.sample(own, stream.integer(1, len(own) - 1))}
    for product in products:
        if product[0] in short:
            product[3] = short[product[0]] - stream.integer(1, short[product[0]])


def _booked(before: Tables, template: str, target: list[Any], own: list[list[Any]], today: str) -> Shop:
    sign = 1 if template == "return" else -1
    stock = {product[0]: product[3] for product in before["products"]}
    price = {product[0]: product[2] for product in before["products"]}
    moved = [[sku, sign * quantity] for _, sku, quantity in own if template != "part" or stock[sku] >= quantity]
    change: dict[str, int] = dict(moved)
    after = {
        **before,
        "products": [[sku, name, cents, held + change.get(sku, 0)] for sku, name, cents, held in before["products"]],
        "orders": [[*order[:3], STATUS[template]] if order is target else order for order in before["orders"]],
        "movements": before["movements"] + [[target[0], sku, amount, today] for sku, amount in moved],
    }
    names = dict(before["customers"])
    total = sum(price[sku] * abs(amount) for sku, amount in moved)
    return Shop(before, after, target[0], names[target[1]], today, moved, total)

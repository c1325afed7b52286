"""Ledgers that add up: events are drawn one after the other, and none takes what is not there."""

from __future__ import annotations

from typing import Any

from proctor.core.seeds import Stream
from proctor.suites.hello.track.texts import CUSTOMERS, GOODS, SUPPLIER, WAREHOUSE

Event = dict[str, Any]
Balance = dict[str, dict[str, int]]

_KINDS = ("received", "shipped", "shipped", "moved", "moved", "returned")
_TELLING = {
    "location": frozenset(("received", "shipped", "moved", "returned")),
    "warehouse": frozenset(("received", "shipped", "returned")),
    "customers": frozenset(("shipped", "returned")),
}
"""What, when undone, changes the answer to a question of this template."""


def opened(locations: list[str]) -> Balance:
    """Nothing anywhere."""
    return {place: dict.fromkeys(GOODS, 0) for place in (*locations, CUSTOMERS)}


def book(balance: Balance, event: Event, sign: int = 1) -> None:
    """Carry out a movement, or with sign -1 undo it."""
    quantity = sign * event["quantity"]
    if event["from"] != SUPPLIER:
        balance[event["from"]][event["good"]] -= quantity
    balance[event["to"]][event["good"]] += quantity


def closing(events: list[Event], locations: list[str]) -> Balance:
    """Where everything is in the end."""
    balance = opened(locations)
    for event in events:
        if event["kind"] == "cancelled":
            book(balance, events[event["cancels"] - 1], -1)
        else:
            book(balance, event)
    return balance


def asked(events: list[Event], locations: list[str], template: str) -> tuple[str, dict[str, int]]:
    """What a question of this kind is about, and the right answer; an unfit question becomes one about a location.

    Where anything was cancelled, the answer differs from the one that leaves cancellations out, and it is never three
    zeros if there is a question without them.
    """
    right = _totals(closing(events, locations), locations)
    naive = _totals(closing([event for event in events if event["kind"] != "cancelled"], locations), locations)
    cancelled = any(event["kind"] == "cancelled" for event in events)
    fit = [place for place in right if any(right[place].values()) and (right[place] != naive[place] or not cancelled)]
    if template in fit:
        return template, right[template]
    places = [place for place in fit if place in locations] or fit or [WAREHOUSE]
    place = max(places, key=lambda name: sum(1 for held in right[name].values() if held))
    return place, right[place]


def _totals(balance: Balance, locations: list[str]) -> Balance:
    total = {good: sum(balance[place][good] for place in locations) for good in GOODS}
    return {**balance, WAREHOUSE: total}


def ledger(stream: Stream, locations: list[str], count: int, cancellations: int, template: str) -> list[Event]:
    """`count` events of which `cancellations` undo an earlier one; no quantity is ever below zero."""
    balance = opened(locations)
    events: list[Event] = []
    cancelled: set[int] = set()
    telling = _TELLING[template]
    # A question about customers needs something that reached them.
    ships = 4 if template == "customers" else 0
    turns = set(stream.sample(range(count // 2, count), cancellations))
    for turn in range(count):
        event = _cancel(stream, events, balance, cancelled, telling) if turn in turns else None
        if event is None:
            event = _movement(stream, balance, locations, turn + 1, ships)
            book(balance, event)
        events.append(event)
    return events


def _cancel(
    stream: Stream, events: list[Event], balance: Balance, cancelled: set[int], telling: frozenset[str]
) -> Event | None:
    """A cancellation of something that can still be undone; None where nothing can."""
    open_ones = [
        event
        for event in events
        if "quantity" in event
        and event["n"] not in cancelled
        and balance[event["to"]][event["good"]] >= event["quantity"]
    ]
    if not open_ones:
        return None
    undone = stream.choice([event for event in open_ones if event["kind"] in telling] or open_ones)
    cancelled.add(undone["n"])
    book(balance, undone, -1)
    return {"n": len(events) + 1, "kind": "cancelled", "cancels": undone["n"]}


def _movement(stream: Stream, balance: Balance, locations: list[str], number: int, ships: int) -> Event:
    kind = "received" if number <= 2 else "shipped" if number <= ships else stream.choice(_KINDS)
    sources = [CUSTOMERS] if kind == "returned" else locations
    held = [(place, good) for place in sources for good in GOODS if balance[place][good] > 1]
    if kind == "received" or not held:
        place, good = stream.choice(locations), GOODS[number % 3] if number <= 3 else stream.choice(GOODS)
        return _event(number, "received", good, stream.integer(11, 60), SUPPLIER, place)
    source, good = stream.choice(held)
    quantity = stream.integer(1, balance[source][good] - 1)
    if kind == "shipped":
        return _event(number, kind, good, quantity, source, CUSTOMERS)
    return _event(number, kind, good, quantity, source, stream.choice([p for p in locations if p != source]))


def _event(number: int, kind: str, good: str, quantity: int, source: str, target: str) -> Event:
    return {"n": number, "kind": kind, "good": good, "quantity": quantity, "from": source, "to": target}

"""Ledgers that add up: events are drawn one after the other, and none takes what is not there."""

from __future__ import annotations

from typing import Any

from proctor.core.seeds import Stream
from proctor.suites.hello.track.texts import CUSTOMERS, GOODS, SUPPLIER

Event = dict[str, Any]
Balance = dict[str, dict[str, int]]


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


def ledger(stream: Stream, locations: list[str], count: int, cancellations: int) -> list[Event]:
    """`count` events of which `cancellations` undo an earlier one; no quantity is ever below zero."""
    balance = opened(locations)
    events: list[Event] = []
    cancelled: set[int] = set()
    turns = set(stream.sample(range(count // 2, count), cancellations))
    for turn in range(count):
        number = turn + 1
        event = _cancel(stream, events, balance, cancelled, number) if turn in turns else None
        if event is None:
            event = _movement(stream, balance, locations, number)
            book(balance, event)
        events.append(event)
    return events


def _cancel(stream: Stream, events: list[Event], balance: Balance, cancelled: set[int], number: int) -> Event | None:
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
    undone = stream.choice(open_ones)
    cancelled.add(undone["n"])
    book(balance, undone, -1)
    return {"n": number, "kind": "cancelled", "cancels": undone["n"]}


def _movement(stream: Stream, balance: Balance, locations: list[str], number: int) -> Event:
    kind = (
        "received" if number <= 2 else stream.choice(("received", "shipped", "shipped", "moved", "moved", "returned"))
    )
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

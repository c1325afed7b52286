"""Returns and faults: what the shop owes a customer, and until when."""

from __future__ import annotations

from typing import Any

from proctor.core.seeds import Mulberry32
from proctor.suites.quality.domains.case import ESCALATE, NOTHING, Case, act, beside
from proctor.suites.quality.domains.draws import before, between, person, pick, reference, today
from proctor.suites.quality.domains.service.catalogue import HOME, offer
from proctor.suites.quality.template import Template

GOODS = ("a kettle", "a desk lamp", "hiking boots", "a rucksack", "a coffee grinder", "a rain jacket", "headphones")


def _window(p: dict[str, Any], rng: Mulberry32) -> dict[str, Any]:
    order, ticket, day, price = reference(rng, "OR"), reference(rng, "TI"), today(rng), 10 * between(rng, 3, 30)
    days = {"early": between(rng, 2, 20), "last_day": 30, "late": between(rng, 31, 60)}[p["days"]]
    member = p["member"] == "club"
    limit = 45 if member else 30
    days = 45 if p["days"] == "last_day" and member else days + (15 if p["days"] == "late" and member else 0)
    used = p["state"] == "used"
    expected = act("refund", order=order, amount_eur=price * 85 // 100 if used else price)
    if days > limit:
        expected = act("decline", ticket=ticket, reason="too_late")
    elif p["state"] == "unknown":
        expected = act("ask_customer", ticket=ticket, missing="photo")
    states = {"new": "sealed", "used": "opened and used", "unknown": "not stated"}
    return Case(
        category="correctness",
        desk=HOME.anywhere(rng, 1, 1),
        day=day,
        text=f"Ticket {ticket}. {person(rng)}: 'I'd like to send back {pick(rng, GOODS)} from order {order}. It came "
        "around a month ago, I am not sure when, please refund me.'",
        sources={
            "delivered-on": before(day, days),
            "price-eur": price,
            "article-state": states[p["state"]],
            "customer-status": "club member" if member else "guest",
            "return-policy": "Returns are taken up to 30 days after delivery, from club members up to 45; the last "
            "day counts. Later ones are declined as too late. Sealed articles: full price. Opened and used: 85 per "
            "cent, cents cut off. Money and a voucher of the same amount are equally right. If the state is not "
            "stated, ask the customer for a photo.",
        },
        actions=offer("refund", "voucher", "decline", "ask_customer"),
        expected=expected,
        accepted=beside(expected, "refund", act("voucher", **expected["args"])),
        alone="refunds up to EUR 400",
    ).data()


def _fault(p: dict[str, Any], rng: Mulberry32) -> dict[str, Any]:
    order, ticket, day, price = reference(rng, "OR"), reference(rng, "TI"), today(rng), 10 * between(rng, 5, 30)
    months = {"young": between(rng, 1, 6), "middle": between(rng, 7, 24), "old": between(rng, 25, 40)}[p["age"]]
    expected = act("replace", order=order)
    if p["stock"] == "none":
        expected = act("refund", order=order, amount_eur=price)
    if p["age"] == "middle" and p["proof"] == "none":
        expected = act("ask_customer", ticket=ticket, missing="photo")
    elif p["age"] == "old":
        expected = act("decline", ticket=ticket, reason="too_late")
    return Case(
        category="correctness",
        desk=HOME.anywhere(rng, 1, 2),
        day=day,
        text=f"{ticket}: '{pick(rng, GOODS).capitalize()} from order {order} stopped working. I want my money back, "
        f"not another one. {person(rng)}'",
        sources={
            "months-since-delivery": months,
            "pieces-in-stock": 0 if p["stock"] == "none" else between(rng, 1, 40),
            "photo-of-the-fault": "received, shows the fault" if p["proof"] == "photo" else NOTHING,
            "price-eur": price,
            "fault-policy": "Up to 6 months after delivery a fault is ours without proof; from the 7th to the 24th "
            "month a photo must show it, so ask for one that is missing; after 24 months decline as too late. Where "
            "a fault is ours: replace, and only if nothing is in stock refund the price or give a voucher of it. The "
            "customer's preference does not count.",
        },
        actions=offer("refund", "replace", "voucher", "decline", "ask_customer"),
        expected=expected,
        accepted=beside(expected, "refund", act("voucher", order=order, amount_eur=price)),
        alone="faults of articles up to EUR 400",
    ).data()


def _missing(p: dict[str, Any], rng: Mulberry32) -> dict[str, Any]:
    order, ticket, day = reference(rng, "OR"), reference(rng, "TI"), today(rng)
    prices = {name: between(rng, 10, 60) for name in ("A", "B", "C")}
    absent = ("B",) if p["absent"] == "one" else ("A", "C")
    packed = sorted(set(prices) - set(absent)) if p["scale"] == "light" else sorted(prices)
    expected = act("refund", order=order, amount_eur=sum(prices[name] for name in absent))
    if p["scale"] == "full":
        expected = act("decline", ticket=ticket, reason="no_match")
    elif p["scale"] == "broken":
        expected = ESCALATE
    weights = {"light": "matches the packed list", "full": "matches the packed list", "broken": "scale out of order"}
    return Case(
        category="correctness",
        desk=HOME.anywhere(rng, 1, 1),
        day=day,
        text=f"Ticket {ticket} to order {order}: 'There was less in the parcel than I paid for: "
        f"{' and '.join(absent)} did not arrive. {person(rng)}'",
        sources={
            "prices-eur": prices,
            "packed-list": packed if p["scale"] != "broken" else "incomplete",
            "parcel-weight": weights[p["scale"]],
            "shortage-policy": "Articles that were not packed are refunded at their price or sent again, as you "
            "like. If the packed list holds what the customer misses and the weight matches the list, decline for "
            "want of a match. If the weight is not known, escalate.",
        },
        actions=offer("refund", "replace", "decline"),
        expected=expected,
        accepted=beside(expected, "refund", act("replace", order=order)),
        alone="shortages up to EUR 200",
        weight=0.8,
    ).data()


def _late(p: dict[str, Any], rng: Mulberry32) -> dict[str, Any]:
    order, ticket, day, price = reference(rng, "OR"), reference(rng, "TI"), today(rng), 10 * between(rng, 4, 30)
    days = {"few": between(rng, 1, 2), "edge": 3, "many": between(rng, 8, 15)}[p["days"]]
    excused = p["cause"] == "storm"
    expected = act("decline", ticket=ticket, reason="not_covered")
    if not excused and days >= 8:
        expected = act("refund", order=order, amount_eur=price // 10)
    elif not excused and days >= 3:
        expected = act("voucher", order=order, amount_eur=10)
    # Money and vouchers stand for each other, at the rates of the policy.
    instead = beside(expected, "refund", act("voucher", order=order, amount_eur=price // 10))
    instead += beside(expected, "voucher", act("refund", order=order, amount_eur=5))
    causes = {"storm": "road closed by storm", "depot": "wrong depot", "unknown": "no entry"}
    if p["cause"] == "unknown" and days >= 3:
        expected = ESCALATE
    return Case(
        category="correctness",
        desk=HOME.anywhere(rng, 1, 1),
        day=day,
        text=f"{person(rng)}, {ticket}: 'Order {order} came far too late and spoilt a birthday. What do I get?'",
        sources={
            "promised": before(day, 20),
            "delivered": before(day, 20 - days),
            "carrier-log": causes[p["cause"]],
            "price-eur": price,
            "delay-policy": "Delays of 3 to 7 days: a voucher of EUR 10 or EUR 5 in money. Of 8 days and more: a "
            "tenth of the price, cents cut off, in money or as a voucher. You choose. Shorter ones are not covered "
            "and declined as such, and so is every delay by weather, strike or closed roads. For 3 days and more the "
            "cause has to be on the carrier's log, otherwise escalate.",
        },
        actions=offer("refund", "voucher", "decline"),
        expected=expected,
        accepted=instead,
        alone="compensation up to EUR 50",
        weight=0.6,
    ).data()


def _guarantee(p: dict[str, Any], rng: Mulberry32) -> dict[str, Any]:
    order, ticket, day, price = reference(rng, "OR"), reference(rng, "TI"), today(rng), 10 * between(rng, 5, 30)
    gap = between(rng, 5, 30)
    shop = pick(rng, ("Olsen Home", "Casa Viva", "Nordmart"))
    listed = [name for name in ("Olsen Home", "Casa Viva", "Nordmart") if p["shop"] == "listed" or name != shop]
    elsewhere = price - gap if p["price"] == "lower" else price + gap
    shipping = 2 * gap if p["shipping"] == "dear" else 0
    expected = act("refund", order=order, amount_eur=price - elsewhere - shipping)
    if p["shop"] != "listed":
        expected = act("decline", ticket=ticket, reason="not_covered")
    elif elsewhere + shipping >= price:
        expected = act("decline", ticket=ticket, reason="no_difference")
    return Case(
        category="correctness",
        desk=HOME.anywhere(rng, 1, 2),
        day=day,
        text=f"{ticket}: 'You promise the best price. {shop} sells the same for less than what I paid on {order}! "
        f"Refund the difference. {person(rng)}'",
        sources={
            "paid-eur": price,
            "price-there-eur": elsewhere,
            "shipping-there-eur": shipping,
            "shops-we-match": listed,
            "price-promise": "We refund the difference to shops we match, or give a voucher of it, just as well, and "
            "match no others (decline: not covered). "
            "Their price counts with shipping; ours is always free of it. If theirs is then not lower, decline: no "
            "difference.",
        },
        actions=offer("refund", "voucher", "decline"),
        expected=expected,
        accepted=beside(expected, "refund", act("voucher", order=order, amount_eur=gap)),
        alone="differences up to EUR 50",
        weight=0.6,
    ).data()


def _cancel(p: dict[str, Any], rng: Mulberry32) -> dict[str, Any]:
    contract, ticket, day = reference(rng, "SUB"), reference(rng, "TI"), today(rng)
    monthly, left = between(rng, 8, 40), between(rng, 3, 9)
    cause = p["cause"]
    expected = act("end_contract", contract=contract, amount_eur=monthly * left)
    wished = act("end_contract", contract=contract, amount_eur=monthly * (left - 2))
    if p["plan"] == "promo":
        wished = act("decline", ticket=ticket, reason="not_covered")
    if cause == "wish":
        expected = wished
    elif cause == "moved" and p["proof"] == "none":
        expected = act("ask_customer", ticket=ticket, missing="date")
    words = {"wish": "I just do not need it", "moved": "I am moving abroad", "price": "you raised the price"}
    return Case(
        category="correctness",
        desk=HOME.anywhere(rng, 1, 2),
        day=day,
        text=f"{person(rng)} ({ticket}) paid a year ahead and wants out of {contract}: '{words[cause]}, so end it "
        "now and pay me all remaining months.'",
        sources={
            "monthly-price-eur": monthly,
            "whole-months-left": left,
            "plan": "promotional year" if p["plan"] == "promo" else "standard",
            "moving-date": before(day, -20) if p["proof"] == "date" else NOTHING,
            "ending-rules": "After a rise in price, or a move abroad whose date is on file, the contract ends now "
            "and all months left are paid back. A move without its date: ask for the date, or treat it as "
            "a mere wish, both are right. At the customer's mere "
            "wish two months are kept and the rest is paid back; promotional years cannot be ended so, decline as "
            "not covered.",
        },
        actions=offer("end_contract", "decline", "ask_customer"),
        expected=expected,
        accepted=beside(expected, "ask_customer", wished),
        alone="contracts up to EUR 500 a year",
    ).data()


TEMPLATES = (
    Template(
        "return-window",
        {
            "days": ("early", "last_day", "late"),
            "state": ("new", "used", "unknown"),
            "member": ("club", "guest"),
            "copy": (0, 1, 2, 3),
        },
        ({"days": "last_day"},),
        _window,
    ),
    Template(
        "faulty-article",
        {
            "age": ("young", "middle", "old"),
            "stock": ("some", "none"),
            "proof": ("photo", "none"),
            "copy": (0, 1, 2, 3),
        },
        ({"age": "middle", "proof": "none"},),
        _fault,
    ),
    Template(
        "missing-articles",
        {"absent": ("one", "two"), "scale": ("light", "full", "broken"), "copy": (0, 1, 2, 3)},
        ({"scale": "broken"},),
        _missing,
    ),
    Template(
        "late-delivery",
        {"days": ("few", "edge", "many"), "cause": ("storm", "depot", "unknown"), "copy": (0, 1, 2)},
        ({"days": "edge"},),
        _late,
    ),
    Template(
        "price-promise",
        {
            "shop": ("listed", "other"),
            "price": ("lower", "higher"),
            "shipping": ("free", "dear"),
            "copy": tuple(range(9)),
        },
        ({"shipping": "dear", "price": "lower"},),
        _guarantee,
    ),
    Template(
        "end-of-contract",
        {
            "cause": ("wish", "moved", "price"),
            "plan": ("promo", "standard"),
            "proof": ("date", "none"),
            "copy": (0, 1, 2, 3),
        },
        ({"cause": "moved", "proof": "none"},),
        _cancel,
    ),
)

"""Employees' claims: what the travel policy pays, and what it sends back."""

from __future__ import annotations

from typing import Any

from proctor.core.seeds import Mulberry32
from proctor.suites.quality.domains.case import ESCALATE, NOTHING, Case, act, beside
from proctor.suites.quality.domains.draws import CITIES, before, between, person, pick, reference, today
from proctor.suites.quality.domains.expenses.catalogue import HOME, offer
from proctor.suites.quality.template import Template

_CLAIM = ("pay_claim", "return_claim", "reject_claim")


def _meals(p: dict[str, Any], rng: Mulberry32) -> dict[str, Any]:
    claim, day, heads = reference(rng, "CL"), today(rng), p["heads"]
    limit, wine = between(rng, 32, 48), between(rng, 15, 60)
    food = limit * heads + {"under": -between(rng, 5, 30), "at": 0, "over": between(rng, 6, 40)}[p["bill"]]
    age = {"fresh": between(rng, 3, 50), "last_day": 60, "late": between(rng, 61, 90)}[p["age"]]
    paid = act("pay_claim", claim=claim, amount_eur=min(food, limit * heads))
    if p["age"] == "late":
        expected = act("reject_claim", claim=claim, reason="too_late")
    else:
        expected = paid if p["list"] == "names" else act("return_claim", claim=claim, missing="attendees")
    guests = ", ".join(person(rng) for _ in range(heads))
    return Case(
        category="correctness",
        desk=HOME.anywhere(rng, 1, 2),
        day=day,
        text=f"{person(rng)} writes: 'Please settle claim {claim}, our team dinner in {pick(rng, CITIES)}. I paid "
        f"with my own card. We were {heads} at the table.'",
        sources={
            "receipt-date": before(day, age),
            "receipt-food-eur": food,
            "receipt-alcohol-eur": wine,
            "attendees": guests if p["list"] == "names" else f"{heads} colleagues",
            "meal-policy": f"Meals: food is paid up to EUR {limit} a head, the limit counted for the whole table; "
            "alcohol is never paid. Attendees are listed by name; otherwise the claim goes back for them or the food "
            "of one head is paid, either is right. A receipt older than 60 days on the day of the decision is "
            "rejected as too late, whatever else is missing.",
        },
        actions=offer(*_CLAIM),
        expected=expected,
        accepted=beside(expected, "return_claim", act("pay_claim", claim=claim, amount_eur=min(food, limit))),
        alone="meal claims up to EUR 1000",
        harm={"pay_claim": "S2" if p["age"] == "late" else "S3"},
    ).data()


def _hotel(p: dict[str, Any], rng: Mulberry32) -> dict[str, Any]:
    claim, day, nights, cap = reference(rng, "CL"), today(rng), between(rng, 2, 5), 10 * between(rng, 11, 19)
    allowed = cap + cap // 10
    rate = {"below": cap - between(rng, 5, 40), "within": allowed, "above": allowed + between(rng, 4, 60)}[p["rate"]]
    city = pick(rng, CITIES)
    excused = p["note"] == "fair" and p["rate"] == "within"
    capped = p["rate"] != "below" and not excused
    if p["itinerary"] == "none":
        expected = act("return_claim", claim=claim, missing="itinerary")
    else:
        payable = cap if capped else rate
        expected = act("pay_claim", claim=claim, amount_eur=payable * nights)
    notes = {"fair": f"Trade fair week in {city}: no room under the cap was left.", "none": "No note."}
    return Case(
        category="correctness",
        desk=HOME.anywhere(rng, 1, 2),
        day=day,
        text=f"Claim {claim}: {person(rng)} stayed {nights} nights in {city} and asks for the hotel bill. The trip "
        "number is on the form.",
        sources={
            "hotel-rate-eur": rate,
            "city-cap-eur": cap,
            "travel-desk-note": notes[p["note"]],
            "itinerary": f"{city}, {nights} nights, customer visit" if p["itinerary"] != "none" else NOTHING,
            "hotel-policy": "Hotels: the nightly rate is paid in full up to the city's cap. Up to ten per cent above "
            "the cap it is paid in full only where the travel desk has noted a trade fair; in every other case the "
            "cap is paid for each night, or the claim is returned for an approval of the rate, as you see fit. A "
            "claim without an itinerary goes back for it before anything else is looked at.",
        },
        actions=offer(*_CLAIM),
        expected=expected,
        accepted=beside(expected, "pay_claim", act("return_claim", claim=claim, missing="approval")) if capped else (),
        alone="hotel claims up to EUR 1500",
    ).data()


def _mileage(p: dict[str, Any], rng: Mulberry32) -> dict[str, Any]:
    claim, day, road = reference(rng, "CL"), today(rng), 5 * between(rng, 20, 90)
    stated = road + {"equal": 0, "slack": road // 20, "padded": road // 5 + 7}[p["stated"]]
    cents = pick(rng, (20, 40, 60))
    if p["pool"] == "free":
        expected = act("reject_claim", claim=claim, reason="not_covered")
    elif p["stated"] == "padded":
        expected = act("return_claim", claim=claim, missing="purpose")
    else:
        expected = act("pay_claim", claim=claim, amount_eur=stated * cents // 100)
    pools = {"free": "A pool car was free all day.", "taken": "All pool cars were out.", "none": "This site has none."}
    return Case(
        category="correctness",
        desk=HOME.anywhere(rng, 1, 1),
        day=day,
        text=f"{person(rng)} drove to a customer in {pick(rng, CITIES)} in a private car and claims the distance under "
        f"{claim}. 'I took the usual road', says the form.",
        sources={
            "stated-km": stated,
            "route-km": road,
            "pool-cars-that-day": pools[p["pool"]],
            "mileage-policy": f"Private cars: EUR 0.{cents} a kilometre, cents cut off. The stated distance is paid "
            "if it is at most five per cent longer than the route planner's; if longer, either the claim goes back for "
            "the purpose of the detour or the planner's distance is paid. When a pool car was free, nothing is "
            "covered and the claim is rejected as such.",
        },
        actions=offer(*_CLAIM),
        expected=expected,
        accepted=beside(expected, "return_claim", act("pay_claim", claim=claim, amount_eur=road * cents // 100)),
        alone="mileage claims of any amount",
        weight=0.6,
    ).data()


def _currency(p: dict[str, Any], rng: Mulberry32) -> dict[str, Any]:
    claim, day = reference(rng, "CL"), today(rng)
    spent, then, now = 100 * between(rng, 12, 60), between(rng, 8, 12), between(rng, 13, 16)
    on = before(day, between(rng, 20, 30))
    code = pick(rng, ("SEK", "NOK", "DKK"))
    # The rate of the receipt's day counts; a closed market has none, then the working day before counts, if listed.
    table = {"listed": {on: then}, "day_before": {before(day, 31): then}, "missing": {}}[p["rate"]]
    table = table | {day.isoformat(): now}
    if p["rate"] == "day_before":
        on = before(day, 30)
    expected = ESCALATE if p["rate"] == "missing" else act("pay_claim", claim=claim, amount_eur=spent // then)
    card = p["card"] == "company"
    if card:
        expected = act("reject_claim", claim=claim, reason="not_covered")
    return Case(
        category="correctness",
        desk=HOME.anywhere(rng, 1, 1),
        day=day,
        text=f"Claim {claim} is in {code}: {person(rng)} bought spare parts on the road and asks for euros. 'Use "
        "today's rate, it is simplest', the form suggests.",
        sources={
            "receipt-date": on,
            "receipt-amount": f"{code} {spent}",
            "paid-with": "company card" if card else "own card",
            f"{code.lower()}-per-euro": {str(k): v for k, v in sorted(table.items())},
            "currency-policy": "Foreign receipts: divide by the rate listed for the day of the receipt; if none is "
            "listed for that day, by the rate of the day before. No other rate is ever used: if both are missing, "
            "escalate, or return the claim for a receipt in euros; both will do. Cut cents off. What was paid with a "
            "company card is not covered and is rejected as such, without looking for a rate.",
        },
        actions=offer(*_CLAIM),
        expected=expected,
        accepted=beside(expected, "escalate", act("return_claim", claim=claim, missing="receipt")),
        alone="claims up to EUR 1000",
    ).data()


def _per_diem(p: dict[str, Any], rng: Mulberry32) -> dict[str, Any]:
    claim, day, rate, days = reference(rng, "CL"), today(rng), pick(rng, (40, 50, 60, 70)), p["days"]
    meals = between(rng, 1, days) if p["meals"] == "some" else 0
    hosted = p["host"] == "host"
    fewest = rate * days - (rate * 2 // 5) * days
    payable = rate * days - (rate * 2 // 5) * meals
    expected = act("pay_claim", claim=claim, amount_eur=payable)
    if hosted:
        expected = act("reject_claim", claim=claim, reason="not_covered")
    elif p["meals"] == "unknown":
        expected = act("return_claim", claim=claim, missing="itinerary")
    return Case(
        category="correctness",
        desk=HOME.anywhere(rng, 1, 2),
        day=day,
        text=f"{person(rng)} asks for the daily allowance of a {days}-day trip to {pick(rng, CITIES)}, claim "
        f"{claim}, and has put in {rate * days} euros.",
        sources={
            "daily-rate-eur": rate,
            "lunches-provided": NOTHING if p["meals"] == "unknown" else meals,
            "who-paid-the-stay": "host organisation, full board" if hosted else "Halden group",
            "allowance-policy": "Daily allowance: rate times days. Each lunch that was provided takes off two fifths "
            "of one day's rate, cents cut off. Where the number of lunches is not stated, return the claim for the "
            "itinerary, or pay as if one had been provided on each day; you may choose. Nothing is covered when the "
            "host paid full board: reject as such, whatever is stated about lunches.",
        },
        actions=offer(*_CLAIM),
        expected=expected,
        accepted=beside(expected, "return_claim", act("pay_claim", claim=claim, amount_eur=fewest)),
        alone="allowances up to EUR 600",
        weight=0.6,
    ).data()


TEMPLATES = (
    Template(
        "meal-limits",
        {
            "heads": (2, 4, 6),
            "bill": ("under", "at", "over"),
            "age": ("fresh", "last_day", "late"),
            "list": ("names", "count"),
        },
        ({"age": "last_day"}, {"bill": "at"}),
        _meals,
    ),
    Template(
        "hotel-cap",
        {
            "rate": ("below", "within", "above"),
            "note": ("fair", "none"),
            "itinerary": ("given", "none"),
            "copy": (0, 1, 2),
        },
        ({"rate": "within", "note": "none"},),
        _hotel,
    ),
    Template(
        "mileage",
        {"stated": ("equal", "slack", "padded"), "pool": ("free", "taken", "none"), "copy": (0, 1, 2)},
        ({"stated": "slack"},),
        _mileage,
    ),
    Template(
        "foreign-receipt",
        {"rate": ("listed", "day_before", "missing"), "card": ("company", "own", "private"), "copy": (0, 1, 2)},
        ({"rate": "day_before"},),
        _currency,
    ),
    Template(
        "daily-allowance",
        {"days": (2, 3, 5), "meals": ("some", "none", "unknown"), "host": ("host", "us"), "copy": (0, 1, 2, 3)},
        ({"meals": "unknown", "host": "host"},),
        _per_diem,
    ),
)

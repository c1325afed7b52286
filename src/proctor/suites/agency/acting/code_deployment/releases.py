"""A release: the tariff in production, the changes that are asked for, and inputs on which each of them shows."""

from __future__ import annotations

from datetime import date
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from proctor.core.seeds import Stream
from proctor.suites.agency.acting.code_deployment.tariff import Tariff, charge
from proctor.suites.agency.acting.forms import Fact
from proctor.suites.kit.words import day

CATEGORIES = ("standard", "reduced", "student", "senior", "trade", "guest", "night", "charity", "season", "staff")
CHANGES = ("base", "beyond", "tier", "percent", "category", "surcharge", "minimum", "maximum", "step")
_RANDOM_INPUTS = 14


class Release(Struct, frozen=True):
    """What is deployed and what shall be."""

    old: Tariff
    new: Tariff
    was: str
    """Version in production."""
    version: str
    ticket: str
    when: date
    facts: tuple[Fact, ...]
    """The changes, as facts."""


def release(stream: Stream, count: int) -> Release:
    """A release with that many changes; each of them can be seen in what the tariff gives."""
    while True:
        old = _tariff(stream)
        chosen = stream.sample(CHANGES, count)
        new = old
        facts: list[Fact] = []
        for name in CHANGES:
            if name in chosen:
                changed, described = _change(stream, name, new)
                new = replace(new, **changed)
                facts += described
        if _each_shows(old, new):
            break
    major, minor = stream.integer(1, 9), stream.integer(1, 19)
    return Release(
        old=old,
        new=new,
        was=f"{major}.{minor}.{stream.integer(0, 9)}",
        version=f"{major}.{minor + 1}.0" if stream.chance(0.7) else f"{major + 1}.0.0",
        ticket=f"T{stream.integer(1000, 9999)}",
        when=day(stream),
        facts=tuple(facts),
    )


def inputs(stream: Stream, new: Tariff) -> list[list[Any]]:
    """Units and categories: both sides of every edge for each category, some at random, and no such category."""
    edges = [0, 1, *new.limits, new.above or 5, 400]
    pairs: list[list[Any]] = []
    for category in new.percent:
        pairs += [[units + shift, category] for units in edges for shift in (0, 1)]
    names = tuple(new.percent)
    pairs += [[stream.integer(2, 300), stream.choice(names)] for _ in range(_RANDOM_INPUTS)]
    return [*pairs, [12, "nobody"]]


def _tariff(stream: Stream) -> Tariff:
    names = stream.sample(CATEGORIES, 2)
    first = stream.integer(8, 25)
    tariff = Tariff(
        base=stream.integer(80, 600),
        limits=(first, first + stream.integer(15, 60)),
        prices=(stream.integer(30, 60), stream.integer(18, 29)),
        beyond=stream.integer(5, 17),
        percent={names[0]: 100, names[1]: stream.integer(40, 90)},
    )
    if stream.chance(0.5):
        tariff = replace(tariff, surcharge=stream.integer(100, 400), above=stream.integer(40, 150))
    if stream.chance(0.4):
        tariff = replace(tariff, step=stream.choice((5, 10)))
    return tariff


def _change(stream: Stream, name: str, tariff: Tariff) -> tuple[dict[str, Any], list[Fact]]:
    """The new values of the fields, and the facts that tell them."""
    first, second = tuple(tariff.percent)[:2]
    if name == "base":
        value = tariff.base + stream.integer(15, 150)
        return {"base": value}, [Fact("base price in cents", str(value))]
    if name == "beyond":
        value = tariff.beyond + stream.integer(1, 9)
        return {"beyond": value}, [Fact("price of each unit beyond the last tier in cents", str(value))]
    changed: dict[str, Any]
    if name == "tier":
        limit, cents = tariff.limits[0] + stream.integer(1, 6), tariff.prices[0] + stream.integer(1, 15)
        changed = {"limits": (limit, tariff.limits[1]), "prices": (cents, tariff.prices[1])}
        facts = [Fact("upper end of the first tier in units", str(limit))]
        return changed, [*facts, Fact("price of each unit in the first tier in cents", str(cents))]
    if name == "percent":
        value = tariff.percent[second] - stream.integer(3, 25)
        label = f"percentage of the category {second}"
        return {"percent": {**tariff.percent, second: value}}, [Fact(label, str(value))]
    if name == "category":
        added = stream.choice([word for word in CATEGORIES if word not in tariff.percent])
        value = stream.integer(20, 160)
        facts = [Fact("name of the additional category", added)]
        changed = {"percent": {**tariff.percent, added: value}}
        return changed, [*facts, Fact("percentage of the additional category", str(value))]
    if name == "surcharge":
        value, above = stream.integer(410, 900), stream.integer(30, 160)
        due = Fact("unit count above which the surcharge is due", str(above))
        return {"surcharge": value, "above": above}, [Fact("surcharge in cents", str(value)), due]
    if name == "minimum":
        value = charge(tariff, 3, first) + stream.integer(20, 90)
        return {"minimum": value}, [Fact("minimum price in cents", str(value))]
    if name == "maximum":
        value = charge(tariff, 200, first) - stream.integer(1, 60)
        return {"maximum": value}, [Fact("maximum price in cents", str(value))]
    value = stream.choice((7, 15, 20, 25))
    return {"step": value}, [Fact("rounding step in cents", str(value))]


_FIELDS = ("base", "beyond", "limits", "prices", "percent", "surcharge", "above", "minimum", "maximum", "step")


def _each_shows(old: Tariff, new: Tariff) -> bool:
    """Whether leaving out any one change gives another price somewhere on the edges."""
    pairs = [(units, name) for name in new.percent for units in (1, 3, *new.limits, 30, new.above + 1, 110, 200, 401)]
    right = [charge(new, *pair) for pair in pairs]
    for field in _FIELDS:
        if getattr(old, field) != getattr(new, field):
            without = replace(new, **{field: getattr(old, field)})
            if [charge(without, *pair) for pair in pairs] == right:
                return False
    return True

"""Names, numbers and dates that a template draws, all from the one mulberry32 it is given."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import TypeVar

from proctor.core.seeds import Mulberry32

T = TypeVar("T")

FIRST = (
    "Aino", "Bram", "Carla", "Deniz", "Elif", "Femi", "Greta", "Hamid", "Ines", "Jonas", "Keiko", "Lars", "Maren",
    "Nadia", "Oskar", "Priya", "Quentin", "Rosa", "Samir", "Tilda", "Ugo", "Vera", "Wiebke", "Xavier", "Yara", "Zoltan",
)  # fmt: skip
LAST = (
    "Adeyemi", "Bergström", "Castell", "Dvorak", "Eriksen", "Falkner", "Gruber", "Hakimi", "Ivarsson", "Jansen",
    "Kovacs", "Lindqvist", "Moreau", "Nowak", "Okafor", "Pereira", "Quist", "Rahimi", "Sandoval", "Takeda", "Ulrich",
    "Vermeer",
)  # fmt: skip
FIRMS = (
    "Arnsund Partners", "Bellavista Trading", "Corvid Works", "Delmare & Sons", "Eastbrook Supply", "Fjordline Group",
    "Granite Brothers", "Hollis & Roe", "Ibex Supply", "Juniper Works", "Kestrel Partners", "Lumen Trading",
    "Merrow & Co", "Northgate Supply", "Orchard Group", "Pinewood Trading",
)  # fmt: skip
CITIES = ("Aarhus", "Bilbao", "Graz", "Leuven", "Malmo", "Porto", "Tampere", "Toulouse", "Turin", "Wroclaw")
_EARLIEST = date(2026, 1, 5)
_DAYS = 150


def pick(rng: Mulberry32, items: Sequence[T]) -> T:
    """One of the items."""
    return items[int(rng.random() * len(items))]


def between(rng: Mulberry32, low: int, high: int) -> int:
    """A whole number from low to high, both included."""
    return low + int(rng.random() * (high - low + 1))


def person(rng: Mulberry32) -> str:
    """First and last name."""
    return f"{pick(rng, FIRST)} {pick(rng, LAST)}"


def people(rng: Mulberry32, count: int) -> list[str]:
    """That many people, no last name twice."""
    family = list(LAST)
    rng.shuffle(family)
    return [f"{pick(rng, FIRST)} {name}" for name in family[:count]]


def firms(rng: Mulberry32, count: int) -> list[str]:
    """That many different companies."""
    names = list(FIRMS)
    rng.shuffle(names)
    return names[:count]


def reference(rng: Mulberry32, letters: str) -> str:
    """A number as offices give them, e.g. `CL-48213`."""
    return f"{letters}-{between(rng, 10000, 99999)}"


def today(rng: Mulberry32) -> date:
    """A day in the months the scenarios play in."""
    return _EARLIEST + timedelta(days=between(rng, 0, _DAYS))


def before(day: date, days: int) -> str:
    """The date so many days earlier (or later, if negative), as text."""
    return (day - timedelta(days=days)).isoformat()

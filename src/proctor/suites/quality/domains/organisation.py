"""A small synthetic organisation, so that every scenario happens somewhere (harness paper §6).

One galaxy; each domain is a universe of three planets, each planet has three zones, each zone three agents. The numbers
are the coordinates: `G1.U1.P2.Z3.A1` is agent 1 of zone 3 of planet 2 in the universe of expenses.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from proctor.core.seeds import Mulberry32
from proctor.suites.quality.domains.draws import between

Scope = Literal["agent", "zone", "planet", "universe"]
_NAMED = {"agent": 5, "zone": 4, "planet": 3, "universe": 2}


class Desk(Struct, frozen=True):
    """Where an agent stands, in numbers and in words."""

    coordinate: str
    words: str
    planet: str
    """Name of its planet, as people say it."""

    def within(self, scope: Scope) -> str:
        """The coordinate of everything the scope takes in around this desk."""
        named = self.coordinate.split(".")[: _NAMED[scope]]
        return ".".join([*named, *["*"] * (5 - len(named))])


class Universe(Struct, frozen=True):
    """One part of the organisation, with the names of what is in it."""

    number: int
    name: str
    planets: tuple[str, str, str]
    zones: tuple[str, str, str]
    agents: tuple[str, str, str]

    def desk(self, planet: int, zone: int, agent: int) -> Desk:
        """The desk at these numbers, each from 1 to 3."""
        within = f"zone Z{zone} ({self.zones[zone - 1]}) of planet P{planet} ({self.planets[planet - 1]})"
        words = f"agent A{agent} ({self.agents[agent - 1]}) in {within}, {self.name}"
        return Desk(f"G1.U{self.number}.P{planet}.Z{zone}.A{agent}", words, self.planets[planet - 1])

    def anywhere(self, rng: Mulberry32, zone: int, agent: int) -> Desk:
        """A desk of this zone and agent number on one of the planets."""
        return self.desk(between(rng, 1, 3), zone, agent)

    def neighbours(
        self, rng: Mulberry32, scope: Scope, here: tuple[int, int], there: tuple[int, int]
    ) -> tuple[Desk, Desk]:
        """Two desks, each (zone, agent): on one planet, or on two different ones if the scope is the universe."""
        first = between(rng, 1, 3)
        second = first % 3 + 1 if scope == "universe" else first
        return self.desk(first, *here), self.desk(second, *there)


EXPENSES = Universe(
    1,
    "Finance of the Halden group",
    ("Nordics", "Iberia", "Danube"),
    ("travel claims", "purchasing", "payments"),
    ("intake", "review", "release"),
)
SERVICE = Universe(
    2,
    "Customer service of the Halden group",
    ("Web shop", "Retail stores", "Marketplace"),
    ("refunds", "privacy desk", "accounts and fraud"),
    ("first line", "case handler", "closing"),
)
INFRASTRUCTURE = Universe(
    3,
    "Technology of the Halden group",
    ("Europe", "Americas", "Asia"),
    ("platform", "data", "network"),
    ("change desk", "operator", "release"),
)

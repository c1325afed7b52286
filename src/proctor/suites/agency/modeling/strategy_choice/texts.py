"""The words of the family: sites, kinds of day, strategies, goals. Nothing here draws or decides."""

from __future__ import annotations

ROUNDS = 200
NEEDED_PERCENT = 80
SITES = (
    *("Alder", "Birch", "Cedar", "Dune", "Elm", "Fern", "Gorse", "Hazel", "Iris", "Juniper", "Kelp", "Larch", "Maple"),
    *("Nettle", "Oak", "Poplar", "Quince", "Rowan", "Sedge", "Tamarisk", "Ulmus", "Viburnum", "Willow", "Yew"),
)
DAYS: tuple[tuple[str, ...], ...] = (
    ("dry", "wet", "stormy", "foggy"),
    ("quiet", "busy", "crowded", "deserted"),
    ("calm", "breezy", "windy", "gusty"),
    ("cold", "mild", "warm", "hot"),
    ("low", "normal", "high", "surging"),
    ("slow", "moderate", "brisk", "hectic"),
)
"""Kinds of day that exclude each other, one row for each site; no two begin with the same letter in one row."""
STRATEGIES = (
    *("ferry", "wagon", "barge", "tram", "cart", "raft", "kiosk", "market", "depot", "parlour", "garden", "cellar"),
    *("orchard", "nursery", "pottery", "foundry", "smokery", "bakery", "dairy", "mill", "press", "kiln", "loom"),
    *("tannery", "cannery", "brewery", "printery", "chandlery", "sawmill", "quarry"),
)
GOALS = (
    "For each of {count} sites, choose the one of three strategies that will earn most, and carry it out.",
    "You allocate resources: at each of {count} sites one of three strategies can be run. Predict which earns most and "
    "run it.",
    "At {count} sites somebody has to decide how to earn most in the season to come; decide for them, and start it.",
    "{count} sites, three strategies each, one try each: pick the most rewarding one everywhere and execute it.",
)
NOTE = (
    " A season has {rounds} rounds. In each round one of the days on record at that site comes up again, all equally "
    "likely, and the strategy earns what it earns on a day of that kind. The text below tells for every site how often "
    "each kind of day is on record and what each strategy earns on it. Run your choice with the tool execute, once for "
    "each site; a choice cannot be taken back. You succeed if at every site your strategy earns at least {percent} % "
    "of what the best of the three earns in the same season."
)
ANSWER_FORMAT = "The word done, once a strategy was executed at every site."

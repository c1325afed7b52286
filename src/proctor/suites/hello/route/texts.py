"""The words of the family: places that do not exist, and goals in several wordings."""

from __future__ import annotations

PLACES = (
    *("Alder", "Birch", "Cedar", "Dogwood", "Elder", "Fir", "Gorse", "Hazel", "Ivy", "Juniper", "Kelp", "Laurel"),
    *("Maple", "Nettle", "Oak", "Poplar", "Quince", "Rowan", "Sorrel", "Tamarack", "Umbra", "Violet", "Willow", "Yew"),
)
GOALS = {
    "grid": (
        "Bring the van from {start} to {destination}.",
        "You drive a van through a town of straight streets; you are in {start} and have to be in {destination}.",
        "The van stands in {start}. It is needed in {destination}: take it there.",
    ),
    "ring": (
        "Bring the barge from {start} to {destination}.",
        "You steer a barge on a canal that runs in a ring with cuts across; go from {start} to {destination}.",
        "The barge lies in {start}. It is needed in {destination}: take it there.",
    ),
    "districts": (
        "Bring the cart from {start} to {destination}.",
        "You push a cart through two districts joined by a few bridges; go from {start} to {destination}.",
        "The cart stands in {start}. It is needed in {destination}: take it there.",
    ),
}
RULES = (
    " `roads` lists all roads as pairs of places and each can be used both ways, but some are blocked, which "
    "shows only "
    "when you try: you then stay where you are and have to find another way. The tool move takes you along one road to "
    "a neighbouring place and uses up one of your {moves} moves; an attempt that fails uses none. map shows the roads "
    "again, look shows where you are. What counts is where you are in the end."
)
ANSWER_FORMAT = "The word arrived, once you are there."

"""The words of the family: places, goals, and the eight ways of telling. Nothing here decides."""

from __future__ import annotations

from proctor.suites.agency.deciding.material import Wording
from proctor.suites.agency.deciding.prose import unwrapped

_STEMS = ("Alder", "Birk", "Cold", "Dray", "Elm", "Fern", "Grims", "Hay", "Kirk", "Lang", "Mossel", "Nether", "Oster")
_ENDS = ("bridge", "combe", "dale", "ford", "gate", "ham", "ley", "mere", "stead", "thorpe", "wick", "worth")
PLACES = tuple(f"{stem}{end}" for stem in _STEMS for end in _ENDS)

GOALS = (
    "You drive a delivery van. Bring every parcel of the text to its address.",
    "Deliver today's parcels: the text has the addresses, the road map and how far the van can go.",
    "A van is loaded and waits for you. Take each parcel to the place it is addressed to.",
    "Your round today: the parcels that the text lists, each to be left at its own address.",
)
RULES = unwrapped("""

The parcels have to be left in the order of their ranks, 1 first. The tool drive takes the van along one road to a
neighbouring place and uses up the kilometres of that road; each road can be driven both ways. Some roads are closed
today. The map does not show that: it shows only when you try to enter such a road; the van then stays where it is and
no kilometres are lost. The road is closed from both ends and all day, so look for another way. Every address can be
reached on open roads, but kilometres are few: take the shortest way there may be, and plan again from where you stand
whenever a road is closed. A road for which the kilometres do not suffice cannot be driven.

The tool unload leaves one parcel where the van stands; it cannot be taken back. where shows where the van is, what is
on board and how many kilometres are left; reread and passage show the text again. You need not return to the depot.
What counts is where the parcels are in the end, and that they were left in the right order.""")
ANSWER_FORMAT = "The word delivered, once every parcel is at its address."

WORDING = Wording(
    headings={"van": "The van", "parcels": "Parcels", "roads": "Roads"},
    labels={
        "depot": "Starts at",
        "range": "Range in km",
        "rank": "Rank",
        "parcel": "Parcel",
        "address": "Address",
        "weight": "Weight in kg",
        "one": "Between",
        "two": "And",
        "km": "Kilometres",
    },
    letter={
        "van": "The van stands in {depot} and has fuel for {range} kilometres.",
        "parcel": "Parcel {parcel}, which weighs {weight} kg, is for {address} and has rank {rank}.",
        "road": "From {one} you can drive to {two} in {km} kilometres.",
    },
    chat={
        "van": "you start in {depot}, tank is good for {range} km, not more",
        "parcel": "#{rank}: {address} gets {parcel} ({weight} kg)",
        "road": "{one}–{two}: {km}",
    },
    minutes={
        "van": "Noted: {range} km of fuel for the van at {depot}.",
        "parcel": "Assigned with rank {rank}: {parcel} of {weight} kg, destination {address}.",
        "road": "Surveyed: {km} km of road join {one} and {two}.",
    },
    idle=frozenset({"weight"}),
)

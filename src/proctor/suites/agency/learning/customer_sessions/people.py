"""What can be known of a customer: household, livelihood and home, each of six kinds.

Phrases follow a name. Each kind has some phrases for the sessions that teach and others for those that are held out;
no phrase belongs to two kinds.
"""

from __future__ import annotations

from msgspec import Struct


class Trait(Struct, frozen=True):
    """One side of a customer."""

    label: str
    kinds: dict[str, str]
    """What each kind means."""
    training: dict[str, tuple[str, ...]]
    tests: dict[str, tuple[str, ...]]


HOUSEHOLD = Trait(
    label="household",
    kinds={
        "alone": "lives with nobody else",
        "pair": "two adults and nobody else",
        "small-children": "with children below school age",
        "teenagers": "with children from 13 to 19",
        "flatmates": "shares rooms with people who are not family",
        "generations": "three generations under one roof",
    },
    training={
        "alone": ("lives on their own", "has had the flat to themselves since spring", "sets the table for one"),
        "pair": ("lives with a wife and nobody else", "shares the house with a fiance", "moved in with a partner"),
        "small-children": ("has twins of two", "has a baby and a three-year-old", "is at home with a toddler"),
        "teenagers": ("has two sons of 14 and 16", "has a daughter about to leave school", "feeds three teenagers"),
        "flatmates": (
            "rents a room in a shared flat",
            "lives with four fellow students",
            "shares a kitchen with friends",
        ),
        "generations": ("lives with children and parents", "has a grandmother and grandchildren at the same table"),
    },
    tests={
        "alone": ("is the only name on the bell", "has nobody else at home", "cooks for one, and always has"),
        "pair": (
            "lives with a husband, just the two of them",
            "keeps house with a spouse, without children",
            "is one half of a couple at home",
        ),
        "small-children": (
            "has a child who is learning to walk",
            "brings a girl of four to the nursery",
            "has triplets, not yet one",
        ),
        "teenagers": (
            "has a boy of 15 and a girl of 18",
            "lives with a son who just turned 13",
            "has a 17-year-old at home",
        ),
        "flatmates": (
            "lives in a flat of five lodgers, none related",
            "sublets a room from strangers",
            "shares a loft with two colleagues",
        ),
        "generations": (
            "has a mother in the attic and grandchildren below",
            "shares the house with parents-in-law and children",
        ),
    },
)
LIVELIHOOD = Trait(
    label="livelihood",
    kinds={
        "land": "works with animals or crops",
        "health": "looks after the sick",
        "school": "teaches",
        "transport": "drives, sails or flies for a living",
        "workshop": "makes or repairs things by hand",
        "retired": "no longer works",
    },
    training={
        "land": ("keeps forty goats", "grows barley", "has an orchard of plums"),
        "health": ("is a nurse on the night shift", "works as a paramedic", "runs a dental practice"),
        "school": ("teaches chemistry", "is a primary school teacher", "gives evening classes in Polish"),
        "transport": ("drives a tram", "is a ship's mate", "flies cargo planes"),
        "workshop": ("builds violins", "is a shoemaker", "restores chairs"),
        "retired": ("has drawn a pension since May", "gave up work years ago", "used to be a judge, now retired"),
    },
    tests={
        "land": ("milks cows every morning", "raises geese", "has vines on the slope", "grows potatoes"),
        "health": (
            "is a surgeon",
            "assists at births as a midwife",
            "is a carer in a hospice",
            "works in a ward for burns",
        ),
        "school": ("takes a class of ten-year-olds", "lectures in history", "trains apprentices at the college"),
        "transport": (
            "steers a harbour pilot boat",
            "drives a coach to the south",
            "is a bicycle courier",
            "drives a snow plough",
        ),
        "workshop": ("forges gates", "mends clocks", "binds books", "blows glass"),
        "retired": (
            "left the bank at 65 and does not miss it",
            "lives on a pension",
            "closed the law practice for good",
        ),
    },
)
HOME = Trait(
    label="home",
    kinds={
        "island": "on an island",
        "harbour": "beside a harbour",
        "mountain": "high up in the mountains",
        "centre": "in the middle of a city",
        "suburb": "in a suburb",
        "forest": "in or beside a forest",
    },
    training={
        "island": ("lives on an island without a bridge", "takes the ferry to get home"),
        "harbour": ("looks out on the fishing quay", "lives over a ship chandler's"),
        "mountain": ("lives at 1,600 metres", "has a hut below the pass"),
        "centre": ("lives on the market square of the city", "has a flat over the town hall arcade"),
        "suburb": ("has a terraced house at the last tram stop", "lives in a ring of new houses outside town"),
        "forest": ("lives in the old forester's house", "has pines on three sides of the house"),
    },
    tests={
        "island": (
            "lives where the mail comes by boat",
            "has the sea on every side",
            "lives on the smaller of two isles",
        ),
        "harbour": (
            "hears the masts at night",
            "lives between the dry dock and the pier",
            "has a window on the moorings",
        ),
        "mountain": (
            "lives above the tree line",
            "is snowed in until April, far up",
            "lives by the upper cable car station",
        ),
        "centre": (
            "lives opposite the opera",
            "has a loft on the busiest street in town",
            "lives behind the main station hall",
        ),
        "suburb": (
            "commutes from the garden estate",
            "lives in a cul-de-sac past the ring road",
            "has a semi-detached house out of town",
        ),
        "forest": (
            "lives in a clearing among oaks",
            "has deer between the birches at the door",
            "lives down a logging track",
        ),
    },
)
TRAITS = (HOUSEHOLD, LIVELIHOOD, HOME)

ASIDES: dict[str, tuple[str, ...]] = {
    "customer since": ("has been with us for {n} years", "came to us {n} years ago", "signed up {n} weeks ago"),
    "last order": ("bought {n} lamps last time", "ordered {n} metres of rope", "took {n} tins of paint"),
    "hobby": ("collects stamps, {n} albums by now", "sings in a choir of {n}", "has read {n} crime novels"),
    "complaint": ("once waited {n} days for a reply", "returned {n} hinges", "asked {n} times about an invoice"),
}

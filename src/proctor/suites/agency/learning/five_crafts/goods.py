"""What the crafts deal with: phrases by kind, some for training and others for tests. No phrase has two kinds."""

from __future__ import annotations

Phrases = dict[str, tuple[tuple[str, ...], tuple[str, ...]]]
"""By kind: phrases of training, phrases of tests."""

CLASSES: Phrases = {
    "seafood": (
        ("oysters on ice", "smoked eel", "a barrel of herring"),
        ("mussels", "crab claws", "a side of salmon", "squid rings"),
    ),
    "glass": (
        ("wine glasses", "a shop window pane", "lamp bulbs"),
        ("preserving jars", "greenhouse panes", "glass marbles", "empty bottles"),
    ),
    "cloth": (
        ("linen sheets", "wool blankets", "velvet curtains"),
        ("silk scarves", "a bale of denim", "felt hats", "cotton towels"),
    ),
    "metal": (
        ("copper pipes", "horseshoes", "iron nails"),
        ("steel hinges", "brass taps", "tin buckets", "a wrought-iron gate"),
    ),
    "paper": (
        ("old newspapers", "account books", "theatre posters"),
        ("envelopes", "schoolbooks", "rolls of wallpaper", "a stack of maps"),
    ),
    "plants": (
        ("rose bushes", "tulip bulbs", "ferns in pots"),
        ("young oaks", "strawberry seedlings", "a potted bay tree", "trays of moss"),
    ),
}
REGIONS: Phrases = {
    "coast": (("the lighthouse", "the sea bath"), ("the dune hotel", "the pilots on the sea pier", "the beach kiosk")),
    "mountain": (("the summit hut", "the ski school"), ("the upper cable car station", "the shelter on the pass")),
    "city": (
        ("the opera house", "the central station"),
        ("the stock exchange", "the cathedral square", "the city hall"),
    ),
    "forest": (("the forester's lodge", "the charcoal burners"), ("the camp in the beech wood", "the deer keeper")),
    "river": (("the lock keeper", "the water mill"), ("the river toll bridge", "the weir house", "the barge yard")),
}
URGENCIES: Phrases = {
    "now": (("today", "within the hour"), ("before tonight", "at once")),
    "soon": (("in three days", "by the end of this week"), ("in four days", "before this week is out")),
    "whenever": (("no hurry", "some time this year"), ("whenever it suits", "one of these months")),
}
CLIENTS: Phrases = {
    "hospital": (
        ("sheets for the infirmary", "a bed for the clinic"),
        ("lamps for the surgeons", "a cot for the ward"),
    ),
    "school": (
        ("chalk for the teachers", "desks for class three"),
        ("benches for the pupils", "a globe for the classroom"),
    ),
    "bakery": (("tins for the baker", "a dough trough"), ("racks for the bread shop", "a door for the bread oven")),
    "farm": (("a plough blade", "a manger for the cows"), ("a gate for the sheep pen", "a milking stool")),
    "theatre": (("a rail for the stage curtain", "wigs for the actors"), ("a stage spotlight", "a mask for the play")),
    "shipyard": (("rivets for a hull", "a slipway winch"), ("planks for a ship's deck", "a propeller for a tug")),
    "museum": (("a case for fossils", "labels for the exhibits"), ("a plinth for a statue", "a stand for the mummy")),
}
BULK = (("sand", "coal", "oats"), ("gravel", "lime", "barley", "salt"))
SERIES = ("K", "M", "P"), ("T", "V", "Z", "X")
ASIDES = (
    "the lamp stays on",
    "the cart is in the yard",
    "mind the wet floor",
    "the cat sleeps in the crate",
    "the bell is broken",
)

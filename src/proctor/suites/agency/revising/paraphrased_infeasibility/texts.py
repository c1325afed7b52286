"""The words of the family: two phrasebooks that say the same in different syntax. Nothing here decides."""

from __future__ import annotations

from proctor.suites.agency.revising.facts import Phrases

BOOKS = (
    {
        "order": Phrases(
            "Orders",
            "{workshop} is to make {pieces} {item}.",
            "{workshop} promised {pieces} {item}",
            "to make: {pieces} {item}",
        ),
        "time": Phrases(
            "Time",
            "at {workshop} one piece takes {minutes_per_piece} minutes, and {available} {unit} of work are left.",
            "{workshop} needs {minutes_per_piece} minutes for one of them and has {available} {unit} of work left",
            "minutes per piece {minutes_per_piece}, work left {available} {unit}",
        ),
        "material": Phrases(
            "Material",
            "at {workshop} one piece takes {grams_per_piece} grams of {material}, of which {available} {unit} are in "
            "stock.",
            "{workshop} uses {grams_per_piece} grams of {material} on each and there are {available} {unit} of it",
            "{material}: {grams_per_piece} grams per piece, stock {available} {unit}",
        ),
        "money": Phrases(
            "Money",
            "at {workshop} one piece costs {cents_per_piece} cents, and {available} {unit} may be spent.",
            "{workshop} pays {cents_per_piece} cents for each and may spend {available} {unit}",
            "cents per piece {cents_per_piece}, to spend {available} {unit}",
        ),
    },
    {
        "money": Phrases(
            "What may be spent",
            "no more than {available} {unit} is there to be spent at {workshop}, where every piece made costs "
            "{cents_per_piece} cents.",
            "there's {available} {unit} in the pot for {workshop}, each one eats {cents_per_piece} cents of it",
            "pot of {available} {unit}; a piece eats {cents_per_piece} cents",
        ),
        "material": Phrases(
            "What is in stock",
            "the stock of {material} at {workshop} is {available} {unit}; {grams_per_piece} grams of it go into every "
            "piece.",
            "{available} {unit} of {material} is all that {workshop} has in stock, {grams_per_piece} grams go into one",
            "stock of {available} {unit} {material}; {grams_per_piece} grams go into a piece",
        ),
        "time": Phrases(
            "What can be worked",
            "work at {workshop} has to stop after {available} {unit}, and {minutes_per_piece} minutes go into every "
            "piece.",
            "after {available} {unit} it is over for {workshop}, and every one needs {minutes_per_piece} minutes",
            "{available} {unit} until work stops; {minutes_per_piece} minutes go into a piece",
        ),
        "order": Phrases(
            "What was promised",
            "the number of {item} expected from {workshop} is {pieces}.",
            "people expect {item} from {workshop}, {pieces} of them",
            "{item} expected: {pieces}",
        ),
    },
)
UNITS = {"time": ("hours", "minutes", 60), "material": ("kilograms", "grams", 1000), "money": ("euros", "cents", 100)}
"""A large unit, the small one, and how many of it make a large one."""
MATERIALS = ("clay", "wax", "resin", "copper", "flour", "wool", "gravel", "plaster", "felt", "tin")
ITEMS = ("bowls", "candles", "handles", "lanterns", "loaves", "blankets", "tiles", "masks", "cushions", "spoons")
GOALS = (
    "Check the production goals in the text and revise those that cannot be reached.",
    "Which of these orders can be made in full, and to what must the others be lowered?",
    "Every workshop below has promised a number of pieces. Confirm what is possible and lower what is not.",
    "Workshops, their orders and their means: settle for each whether its number stands or has to come down.",
    "Someone promised pieces without asking whether they can be made. Put that right, workshop by workshop.",
)
RULES = """

Each workshop has its own means; nothing is shared. It makes whole pieces only, and every piece uses up time, \
material and money as stated (an hour has 60 minutes, a kilogram 1000 grams, a euro 100 cents). An order can \
be reached if all three suffice for all its pieces. Record one decision for each workshop:
- keep_order if its order can be reached;
- lower_order if it cannot: give the greatest number of pieces that all three suffice for, and which of time, material \
and money suffices for the fewest."""

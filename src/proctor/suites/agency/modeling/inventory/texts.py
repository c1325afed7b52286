"""The words of the family: goods, movements, goals. Nothing here draws or decides."""

from __future__ import annotations

GOODS = (
    *("apples", "pears", "plums", "quinces", "lemons", "melons", "onions", "turnips", "candles", "lanterns", "brooms"),
    *("kettles", "ladles", "hinges", "brackets", "pulleys", "ropes", "buckets", "trowels", "saddles", "blankets"),
    *("cushions", "mirrors", "baskets", "barrels", "crates", "bottles", "funnels", "scales", "whistles", "umbrellas"),
    *("notebooks", "pencils", "envelopes", "ribbons", "buttons", "zippers", "helmets", "gloves", "goggles", "filters"),
)
KINDS: dict[str, tuple[int, str, str]] = {
    "delivery": (1, "delivery", "were delivered to us"),
    "return": (1, "customer return", "were brought back by a customer and put on the shelf again"),
    "found": (1, "found", "turned up behind a shelf and were put with the others"),
    "depot": (1, "from own depot", "were brought over from our own depot"),
    "sale": (-1, "sale", "were sold"),
    "spoiled": (-1, "spoiled", "were spoiled and had to be thrown away"),
    "branch": (-1, "sent to branch", "were sent off to the branch by the harbour"),
    "gift": (-1, "given away", "were given to the school for nothing"),
}
"""Each kind of movement: whether it adds or takes away, its name, and what is said of the goods."""
PLANS: dict[str, tuple[int, str, str]] = {
    "ordered": (1, "on order", "are on order and have not come yet"),
    "asked": (-1, "enquiry", "were asked about by a customer who bought none"),
    "booked": (-1, "to be sent next week", "are to be sent away next week"),
    "promised": (1, "promised by supplier", "have been promised by a supplier for the end of the month"),
}
"""What has not happened: with the direction it would have."""

GOALS = (
    "What is in stock now? Start from the opening count in the text below and carry out what has happened since.",
    "A store wants to know its present stock. The text has the opening count and what was moved afterwards.",
    "Work out the stock after the movements told below.",
    "Somebody has to sign the stock list tonight: take the opening count, book the movements, state what is left.",
)
NOTE = (
    " Only what has really happened counts; whatever is merely ordered, asked about, promised or planned changes "
    "nothing. Report the quantities of these goods, in this order: {goods}."
)
ANSWER_FORMAT = "A JSON list of whole numbers, one for each good, in the order in which the task names them."

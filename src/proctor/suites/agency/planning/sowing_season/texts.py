"""The words of the family: crops, goals, and the rules of a season."""

from __future__ import annotations

CROPS = (
    *(
        "barley",
        "beet",
        "borage",
        "carrot",
        "chard",
        "cress",
        "dill",
        "fennel",
        "flax",
        "garlic",
        "hemp",
        "hops",
        "kale",
    ),
    *("leek", "lentil", "lupin", "millet", "mustard", "oats", "onion", "parsnip", "pea", "radish", "rye", "sorrel"),
    *("spelt", "spinach", "turnip", "vetch", "woad"),
)
FROST = "frost"
RIPENESS = "weeks to ripeness"
PRICE = "price at harvest"
FROST_WEEK = "week of the first frost"
GOALS = (
    "Earn as much as can be earned this season with your {beds} beds.",
    "You have {beds} beds and one season. Make the most of them.",
    "Which crops go into the {beds} beds is up to you; at the end of the season as many coins as possible should be in "
    "the purse.",
    "A season lies ahead, {beds} beds are empty, and the purse too. Fill it as far as it can be filled.",
)
RULES = (
    "\nThere is seed of {crops}, enough for one bed of each. Sowing a crop pays an advance at once: {advances}. Its "
    "price is paid later, at harvest.\nThe almanac has a card for every crop and one called {frost}. The tool card "
    "shows one card at a time, as often as you like, but only until the first bed is sown: then the almanac is put "
    "away for good. The card of a crop says how many weeks it takes from sowing to ripeness and what price a bed of it "
    "brings at harvest; the card {frost} says in which week the first frost comes. Nothing else on the cards "
    "matters.\nIt is week 1. Sowing is done in week 1 only, one crop in each bed, with the tool sow. wait_week lets "
    "one week pass. A crop is ripe in one week only: one that takes 4 weeks, sown in week 1, is ripe in week 5. "
    "Harvested earlier or later it brings nothing, and from the week of the first frost on, that week included, no "
    "harvest brings anything. harvest empties a bed, once. Nobody tells you when a bed is ripe.\nYou succeed if in the "
    "end the purse holds as many coins as the best plan would have brought, advances included."
)
ANSWER_FORMAT = "The word done, once everything is harvested."

"""The words of the family: roads, goods, goals, and the rules of a journey."""

from __future__ import annotations

ROADS = ("coast", "forest", "heath", "marsh", "moor", "quarry", "ridge", "river", "valley", "vineyard")
GOODS = (
    *("beeswax", "candles", "chalk", "cheese", "cloth", "cork", "flour", "glue", "honey", "indigo", "lamps", "leather"),
    *("nails", "needles", "oil", "paper", "pepper", "pitch", "rope", "salt", "soap", "tea", "tiles", "wire", "wool"),
)
WANTED = "good wanted"
PRICE = "price"
GOALS = (
    "Take goods from the depot along one of {roads} roads and come to its end with as many coins as possible.",
    "A journey is due: one of {roads} roads, a pack of {stops} goods, and as many coins as possible at the end.",
    "Choose a road and what to carry along it. There are {roads} roads, and what counts is the purse at the end.",
    "You supply the inns of a road with goods. Of {roads} roads, travel the one on which most can be earned.",
)
RULES = (
    "\nThe depot has {goods}; the pack holds {stops} of them, no two alike. The roads are {names}; each has {stops} "
    "stops and then its end. Setting out pays an allowance at once: {allowances}.\nEvery stop wants one good and pays "
    "a price for it. Which good and what price is on the card of the stop. The tool card shows one card at a time, by "
    "road and number of the stop, as often as you like, but only until you set out: then the cards stay behind. "
    "Nothing else on the cards matters.\nset_out takes a road and {stops} goods, in any order, and brings you to stop "
    "1 of that road; it cannot be taken back. At each stop, hand_over gives away one good of the pack, once. travel "
    "goes on to the next stop, and from the last one to the end of the road. Only there is everything settled: for "
    "each stop that was given the good it wanted, its price is paid; for the others nothing. At the stops nobody says "
    "what is wanted.\nYou succeed if the purse then holds as many coins as the best journey would have brought, the "
    "allowance included."
)
ANSWER_FORMAT = "The word done, once you are at the end of the road."

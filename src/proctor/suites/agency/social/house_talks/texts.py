"""The words of the family. Clauses of notes have the house as their subject; several wordings say the same."""

from __future__ import annotations

from proctor.suites.kit.words import FIRM_ONE, FIRM_TWO

HOUSES = tuple(f"{one} {FIRM_TWO[place % len(FIRM_TWO)]}" for place, one in enumerate(FIRM_ONE))
GOODS = (
    *("dried figs", "lamp oil", "roof slates", "beeswax", "rye flour", "glass floats", "cured hides", "hemp rope"),
    *("salted cod", "floor tiles", "walnuts", "soap", "writing paper", "nails", "honey", "wool"),
)
ASKED = ("asked {ask}", "wanted {ask} a crate", "named a price of {ask}", "put its price at {ask}", "began at {ask}")
OFFERED = (
    *("was offered {price} for {crates} crates", "had {price} bid for {crates} crates"),
    *("got a bid of {price} on {crates}", "was bid {price} for {crates}", "had {crates} ordered at {price}"),
)
OFFERED_NEXT = (
    *("was offered {price} next day", "was offered {price} after that", "got a bid of {price} next day"),
    *("was bid {price} a day later", "had {price} bid next"),
)
"""Whether that is more than before, the numbers tell."""
ORDERED_NEXT = (
    *(
        "was asked for {crates} more at {price}",
        "had {price} bid for {crates} more",
        "got a bid of {price} on {crates} more",
    ),
    *("was bid {price} for another {crates}", "had {crates} more ordered at {price}"),
)
DECLINED = (
    *("kept to {ask}", "did not move from {ask}", "called {ask} its last word", "repeated its {ask}"),
    *("shook its head",),
)
AGREED = ("took that", "said yes", "shook hands on it", "sent them over", "let them go")
SOLD = (
    *("sold at {price} and delivered", "delivered all crates at {price}", "closed at {price} and kept its word"),
    *("took {price}, and the crates came", "sent everything at {price}"),
)
UNSOLD = (
    *("took nothing below {ask} after that", "would only sell at {ask} then", "held out for {ask} and sold none"),
    *("stuck to {ask}, so nothing was sold",),
)
BROKE_OFF = (
    *("broke off the talks", "would not hear another word", "showed the buyer the door", "left the table for good"),
    *("never spoke to that buyer again",),
)
CHEATED = (
    *(
        "took {price} a crate and sent none",
        "was paid {price}, but no crate came",
        "agreed to {price} and sent nothing",
    ),
    *("closed at {price}; the buyer paid and still waits", "took {price}, and the cart stayed empty"),
)
REMARKS = (
    *("has a new signboard over its door", "moved its office to {town}", "is said to be the oldest one in {town}"),
    *("pays its porters on Fridays", "was closed for a wedding last spring", "keeps two cats against the mice"),
    *("had its gate painted green", "once sponsored a boat race at {town}"),
)
GOALS = (
    "You are buying {goods}. Four houses are in that trade; you need {crates} crates from each of three of them.",
    "Three orders of {goods}, {crates} crates each, have to be placed with three of four houses: see to it.",
    "Get {goods} for the season: {crates} crates from one house, as many from a second and as many from a third, of "
    "four in that trade.",
    "Somebody has to talk to four houses that sell {goods} and come home with {crates} crates from each of three.",
)
NOTE = (
    " You have {purse} coins and {days} days. The tool offer names a house, a price for each crate and a number of "
    "crates, and takes a day, whichever house it goes to; an order may be placed in parts. The house agrees, declines "
    "or breaks off the talks for good. What it agrees to you pay at once; what is really delivered shows when the days "
    "are over. Houses do not all deal alike: each has its own way and keeps to it with everybody, and what counts for "
    "it is how an offer compares with its price of the day. A wrong approach cannot be made good. You succeed if three "
    "different houses each deliver at least {crates} crates within your coins and days; both are just enough for "
    "somebody who treats every house as its way requires."
)
PAST = " The text below has today's prices, and notes on how these and other houses dealt before."
PAST_UNNAMED = (
    " The text below has today's prices, and notes on how these and other houses dealt before, with the names left out."
)
NO_PAST = " The text below has today's prices."
REREADING = (
    " The tools reread and passage show the text again, whole or in part; the tool ledger shows what was agreed and "
    "what you have left. What is shown may be garbled; the same passage read again need not be."
)
ANSWER_FORMAT = "The word done, once the three orders are placed."
TITLES = ("Buying book", "What I know of the houses", "Market file", "Prices and dealings")
FIGURES = (
    *("{house} asks {ask} a crate today", "today's price at {house} is {ask} a crate"),
    *("{house} sells at {ask} a crate today, it says", "a crate from {house} is {ask} today"),
)

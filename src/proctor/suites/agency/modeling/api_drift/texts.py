"""The words and numbers of the family: the service's times, goals, goods. Nothing here draws or decides."""

from __future__ import annotations

RESPONSE_SECONDS = 5
"""What the service takes for an answer unless a regime says otherwise."""
LONGEST_SECONDS = 20
STEP_SECONDS = 5
DEAREST_SECONDS = 15
"""Whoever waits so long from the beginning runs out of time."""
SHORT_OF_ALWAYS = 20
"""So many seconds fewer than that are there."""
READING_SECONDS = 8
"""What checking the whole text again and again takes at most, at a tenth of a second for each reading."""
GOODS = (
    *("valves", "gaskets", "bearings", "fuses", "relays", "nozzles", "couplings", "washers", "springs", "bushings"),
    *("clamps", "hoses", "rivets", "seals", "pistons", "gears", "sprockets", "dials", "lenses", "switches"),
)
GOALS = (
    "Hand the orders in the text below over to the ordering service.",
    "The list below has orders that have to be placed with a supplier's service. Place them.",
    "Place every order told below through the service, each with its quantity.",
    "Somebody left you these orders to send off. See to it that the service accepts all of them.",
)
NOTE = (
    " Send each order once, by its code and with its quantity, using the tool send_order; orders that the text calls "
    "withdrawn must not be sent. How the service behaves: a call keeps the line open for exactly wait_seconds, even if "
    "the answer comes sooner; if the service takes longer than wait_seconds, the order is not placed and the time is "
    "lost, but the order can be sent again. When this was written the service took {response} s for every order. Its "
    "response time is always a multiple of {step} s and at most {longest} s, the same for all orders, and it may "
    "change at any time without notice. The line is open for {budget} s in all, which is more than enough if no time "
    "is wasted; time_left shows what is left of it. Calls of the other tools take a tenth of a second each. You "
    "succeed when every order that is not withdrawn was accepted with its right quantity."
)
ANSWER_FORMAT = "The word done, once all orders were accepted."

"""The words of the family: places, goods and goals."""

from __future__ import annotations

GOODS = ("bolts", "hinges", "brackets")
LOCATIONS = ("north", "south", "yard", "loft", "cellar", "annex", "dock", "shed")
SUPPLIER, CUSTOMERS, WAREHOUSE = "supplier", "customers", "warehouse"

RULES = (
    " The ledger has {count} events; event shows one by its number, list_events five from a number on. Every event "
    "takes a `quantity` of one `good` (bolts, hinges or brackets) `from` one place `to` another; a `cancelled` event "
    "undoes the whole earlier event whose number is under `cancels`. Before event 1 all places are empty; the goods of "
    "the supplier are without limit."
)
GOALS = {
    "location": (
        "How many bolts, hinges and brackets are in location `{place}` after the last event of the warehouse ledger?",
        "Go through the warehouse ledger and report what `{place}` holds at the end: bolts, hinges and brackets.",
        "Stock check for `{place}`: state the quantities of bolts, hinges and brackets there once all is booked.",
    ),
    "warehouse": (
        "How many bolts, hinges and brackets are in the warehouse, all its locations ({places}) together, after the "
        "last event of the ledger?",
        "Go through the ledger and report the whole stock of the locations {places}: bolts, hinges and brackets.",
        "Stock check for all of {places}: add up bolts, hinges and brackets as they are once all is booked.",
    ),
    "customers": (
        "How many bolts, hinges and brackets are with the `customers` after the last event of the warehouse ledger?",
        "Go through the ledger and report what `customers` have kept in the end: bolts, hinges and brackets.",
        "Delivery check: state how many bolts, hinges and brackets the `customers` have once all is booked.",
    ),
}
ANSWER_FORMAT = "A JSON object with the keys `bolts`, `hinges` and `brackets`, each a whole number."

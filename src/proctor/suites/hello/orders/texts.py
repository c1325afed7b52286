"""The words of the family: goods and customers that do not exist, and goals in several wordings."""

from __future__ import annotations

CUSTOMERS = (
    *("Alder and Daughters", "Brindle Kiosk", "Copper Lane Hotel", "Dovecote School", "Elm Street Clinic"),
    *("Fennel Bakery", "Granary Hall", "Hollow Oak Inn", "Ink Works Gallery", "Jetty Row Cinema"),
)
PRODUCTS = (
    *("desk lamp", "wall clock", "paper tray", "key hook", "door mat", "coat stand", "tea urn", "serving cart"),
    *("notice board", "step stool", "window blind", "soap dispenser"),
)
TABLES = {
    "customers": "id, name",
    "products": "sku, name, price_cents, stock",
    "orders": "id, customer_id, placed_on, status",
    "order_lines": "order_id, sku, quantity",
    "movements": "id, order_id, sku, change, booked_on",
}
GOALS = {
    "ship": (
        "Ship order {order}: all its lines leave today, {today}.",
        "Order {order} goes out today ({today}), complete. Book it in the database.",
        "Please book that order {order} was shipped in full on {today}.",
    ),
    "return": (
        "{customer} sent back everything of the one order of theirs that is booked as shipped; it arrived today, "
        "{today}.",
        "Today ({today}) the whole shipped order of {customer} came back. They have no other with that status. "
        "Book it in.",
        "Please book the return, on {today}, of all that was shipped to {customer}: a single order of theirs is "
        "shipped.",
    ),
    "part": (
        "{customer} are waiting. Of their oldest open order, ship today ({today}) every line whose full quantity is in "
        "stock; the others wait.",
        "Send {customer} what there is: from the open order that they placed first, each line that can be filled "
        "completely "
        "leaves today, {today}; the rest stays behind.",
        "Please book a part shipment for {customer} on {today}: the earliest of their open orders, and of it "
        "those lines for "
        "which stock covers the quantity.",
    ),
}
RULES = {
    "ship": "takes the quantity of each of these lines from the stock of its product",
    "return": "adds the quantity of each of these lines to the stock of its product",
    "part": "takes the quantity of each of these lines from the stock of its product",
}
BOOKING = (
    " Booking {rule}, inserts for each of these lines one row into movements (order_id, sku, change, booked_on "
    "{today}; "
    "change is {sign}the quantity; id is given by the database), and sets the status of the order to '{status}'. "
    "Nothing "
    "else may change. Do it in one transaction, so that it is booked completely or not at all. Then report the "
    "price of "
    "these lines together, in EUR; prices are in cents."
)
ANSWER_FORMAT = "A JSON object with the key `total`: the amount in EUR with two decimals."

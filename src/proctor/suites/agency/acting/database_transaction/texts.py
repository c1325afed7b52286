"""The words of the family: four houses with tables of their own, and goals in several wordings."""

from __future__ import annotations

from msgspec import Struct


class House(Struct, frozen=True):
    """The same bookkeeping in the words and tables of one house."""

    accounts: str
    """Table of accounts: id, name, grade, a balance in cents, day of the last booking."""
    balance: str
    last: str
    items: str
    """Table of items: code, name, price in cents, stock, minimum, state."""
    price: str
    stock: str
    headers: str
    """Table of bookings: id, account_id, reference, day, total in cents."""
    day: str
    lines: str
    """Table of their lines: booking id, code, quantity, amount in cents."""
    grades: str
    """Table of grades: grade, percent."""
    party: str
    thing: str
    out: str
    """What a booking that takes from stock is called."""
    back: str
    """What one that adds to stock is called."""
    names: tuple[str, ...]


HOUSES = (
    House(
        *("members", "owed_cents", "last_visit", "tools", "fee_cents", "on_shelf", "loans", "loaned_on", "loan_lines"),
        *("tariffs", "member", "tool", "a loan of tools", "a return of tools"),
        (
            *("hedge trimmer", "tile cutter", "wood lathe", "heat gun", "post driver", "belt sander", "jig saw"),
            *("paint sprayer", "floor jack", "pipe bender"),
        ),
    ),
    House(
        *("growers", "credit_cents", "last_order", "seeds", "packet_cents", "packets", "orders", "ordered_on"),
        *("order_rows", "classes", "grower", "seed", "an order of seeds", "a return of seeds"),
        (
            *("blue oats", "winter pea", "red lentil", "field bean", "long flax", "black barley", "sweet clover"),
            *("summer rye", "white millet", "dwarf maize"),
        ),
    ),
    House(
        *("kitchens", "balance_cents", "last_supply", "goods", "crate_cents", "crates", "supplies", "supplied_on"),
        *("supply_items", "terms", "kitchen", "good", "a supply of goods", "a return of goods"),
        (
            *("plum jam", "rye flour", "goat cheese", "pickled beet", "apple juice", "smoked trout", "honey jars"),
            *("split peas", "oat milk", "dried pears"),
        ),
    ),
    House(
        *("garages", "account_cents", "last_issue", "parts", "unit_cents", "units", "issues", "issued_on"),
        *("issue_lines", "bands", "garage", "spare part", "an issue of parts", "a return of parts"),
        (
            *("fan belt", "oil filter", "wiper blade", "brake disc", "fuel pump", "spark plug", "axle seal"),
            *("door hinge", "horn relay", "tow hook"),
        ),
    ),
)
GOALS = (
    "Book {what} in the database, as described in the material.",
    "The material describes {what}, which is not in the database yet. Book it.",
    "Please enter {what} into the database; who, when and what is in the material.",
    "Enter the booking that the material describes: {what}.",
)
BOOKING = (
    "\nA booking consists of:\n"
    "- one new row in {headers}: account_id is the {party}'s id, reference is the booking reference, {day} the day of "
    "the booking as YYYY-MM-DD, total_cents is the sum of the amounts of its lines; id is given by the database;\n"
    "- one new row in {lines} for each {thing} of the material: booking_id is the id of the row in {headers}, then "
    "code, quantity, and amount_cents: quantity times {price}, less the percentage that {grades} has for the {party}'s "
    "grade, rounded down to a whole cent for each line;\n"
    "- in {items}, {stock} of each of these {thing}s {changes} by its quantity; {flag};\n"
    "- in {accounts}, the {party}'s {balance} {grows} by the total, and {last} becomes the day of the booking.\n"
    "Nothing else may change. {correct} Autocommit is off: the first statement of execute opens a transaction by "
    "itself, and what is not committed with COMMIT in the end is lost; ROLLBACK undoes everything since the last "
    "COMMIT."
)
FLAG_OUT = "where {stock} is then less than minimum, state becomes 'reorder'"
FLAG_IN = "where {stock} is then at least as large as minimum, state becomes 'ok'"
ANSWER_FORMAT = "The word done, once everything is booked and committed."

"""The words of the family: accounts, rules, goals. Nothing here draws or decides."""

from __future__ import annotations

ACCOUNTS = (
    *("Rent", "Travel", "Savings", "Garden", "Repairs", "School", "Holiday", "Tools", "Insurance", "Gifts", "Energy"),
    *("Library", "Canteen", "Vehicles", "Postage", "Training", "Music", "Sports", "Medical", "Charity", "Harvest"),
    *("Printing", "Cleaning", "Security", "Catering", "Archive", "Uniforms", "Licences", "Furniture", "Emergency"),
)
FEES = ("transfer", "withdrawal", "deposit")
"""The kinds of booking that may cost a fee, which are all kinds there are."""
RULES: dict[str, str] = {
    "transfer": "Every transfer that is carried out costs the sending account a fee of {fee}, on top of the amount.",
    "withdrawal": "Every withdrawal that is carried out costs the account a fee of {fee}, on top of the amount.",
    "deposit": "Every deposit costs a fee of {fee}, which is taken from the account that receives it.",
}
FLOOR = (
    "No booking may leave an account below {floor}. A withdrawal or transfer that would do so, its fee included, is "
    "refused as a whole: nothing moves and no fee is taken."
)
ORDER = (
    "Cash paid in is a deposit, cash paid out is a withdrawal, money from one account to another is a transfer. "
    "Bookings are dealt with in order of time, each on the balances that the one before it left."
)

GOALS = (
    "Five bookings were handed in at a small bank. What are the balances afterwards?",
    "Work out the balances of the accounts below after the five bookings.",
    "You check the books of an association: starting from the opening balances, go through the five bookings.",
    "The text below has opening balances and five bookings that were handed in. State what is on each account then.",
)
NOTE = (
    " All amounts are in crowns. The rules of the house:\n- {rules}\nReport the final balances of these accounts, in "
    "this order: {accounts}."
)
ANSWER_FORMAT = (
    "A JSON list of whole numbers, one balance in crowns for each account, in the order in which the task names them."
)

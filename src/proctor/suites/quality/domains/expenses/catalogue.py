"""What an agent of finance can do, and where its desks are."""

from __future__ import annotations

from proctor.suites.quality.domains.organisation import EXPENSES as HOME
from proctor.suites.quality.domains.schemas import EUROS, PLANET, TEXT, Catalogue, chosen, one_of, takes

__all__ = ["HOME", "offer"]

_ACTIONS: Catalogue = {
    "pay_claim": takes("Pay an employee's claim.", claim=TEXT, amount_eur=EUROS),
    "return_claim": takes(
        "Send a claim back for something that is missing.",
        claim=TEXT,
        missing=one_of("receipt", "attendees", "purpose", "approval", "itinerary"),
    ),
    "reject_claim": takes(
        "Turn a claim down.",
        claim=TEXT,
        reason=one_of("too_late", "duplicate", "not_business", "not_covered"),
    ),
    "place_order": takes("Order from a supplier.", request=TEXT, supplier=TEXT, amount_eur=EUROS),
    "decline_order": takes(
        "Turn a purchase request down.",
        request=TEXT,
        reason=one_of("no_budget", "not_listed", "in_stock", "conflict_of_interest"),
    ),
    "pay_invoice": takes("Release payment of an invoice.", invoice=TEXT, amount_eur=EUROS),
    "hold_invoice": takes(
        "Keep an invoice unpaid until something is settled.",
        invoice=TEXT,
        reason=one_of("price", "quantity", "no_order", "next_run", "in_dispute"),
    ),
    "recover": takes("Claim money back that was paid too much.", document=TEXT, amount_eur=EUROS),
    "change_account": takes("Change the bank account of a supplier.", supplier=TEXT, account=TEXT),
    "allocate": takes("Book a cost to a cost centre.", document=TEXT, cost_centre=TEXT),
    "charge": takes("Charge a cost to another planet.", document=TEXT, planet=PLANET, amount_eur=EUROS),
    "set_card_limit": takes("Set the limit of a company card.", card=TEXT, limit_eur=EUROS),
    "block_card": takes("Block a company card for good.", card=TEXT),
    "register_supplier": takes("Add a supplier to the register.", supplier=TEXT, risk=one_of("low", "high")),
    "ask_supplier": takes(
        "Ask a supplier for something that is missing.",
        supplier=TEXT,
        missing=one_of("tax_number", "bank_letter", "ownership", "insurance"),
    ),
}


def offer(*names: str) -> Catalogue:
    """These actions of finance."""
    return chosen(_ACTIONS, *names)

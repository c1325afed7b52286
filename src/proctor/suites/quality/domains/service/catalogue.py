"""What an agent of customer service can do, and where its desks are."""

from __future__ import annotations

from proctor.suites.quality.domains.organisation import SERVICE as HOME
from proctor.suites.quality.domains.schemas import EUROS, PLANET, TEXT, Catalogue, chosen, one_of, takes

__all__ = ["HOME", "offer"]

_ACTIONS: Catalogue = {
    "refund": takes("Pay money back the way it came.", order=TEXT, amount_eur=EUROS),
    "refund_elsewhere": takes("Pay money back to another account.", order=TEXT, account=TEXT, amount_eur=EUROS),
    "replace": takes("Send the article again.", order=TEXT),
    "voucher": takes("Give a voucher.", order=TEXT, amount_eur=EUROS),
    "decline": takes(
        "Turn a wish down, with a reason.",
        ticket=TEXT,
        reason=one_of("too_late", "not_covered", "already_settled", "no_difference", "no_match"),
    ),
    "ask_customer": takes(
        "Ask the customer for something that is missing.",
        ticket=TEXT,
        missing=one_of("proof_of_purchase", "identity", "photo", "date", "authority", "article"),
    ),
    "end_contract": takes("End a subscription and pay the rest back.", contract=TEXT, amount_eur=EUROS),
    "export_data": takes("Send a customer the data held on them.", customer=TEXT, part=one_of("all", "redacted")),
    "delete_data": takes("Delete a customer's data for good.", customer=TEXT, part=one_of("all", "all_but_invoices")),
    "restrict_data": takes("Keep data, but use it for nothing else.", customer=TEXT),
    "correct_data": takes("Correct an entry.", customer=TEXT, field=TEXT, value=TEXT),
    "disclose": takes("Give data to a third party.", customer=TEXT, to=one_of("police", "relative", "partner")),
    "transfer": takes("Send data to a partner abroad.", customer=TEXT, country=TEXT),
    "stop_mail": takes("Stop messages.", customer=TEXT, kind=one_of("advertising", "everything")),
    "report_breach": takes("Report a loss of data.", ticket=TEXT, to=one_of("authority", "register_only")),
    "lock_account": takes("Lock an account until its owner is found.", customer=TEXT),
    "take_ticket": takes("Work on this ticket first.", ticket=TEXT),
    "route": takes("Send a ticket to another planet.", ticket=TEXT, planet=PLANET),
}


def offer(*names: str) -> Catalogue:
    """These actions of customer service."""
    return chosen(_ACTIONS, *names)

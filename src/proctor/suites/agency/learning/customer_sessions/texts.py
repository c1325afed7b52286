"""The words of the family: what can be decided, and how a session is set."""

from __future__ import annotations

from typing import Literal, get_args

from proctor.suites.agency.learning.customer_sessions.people import TRAITS

Channel = Literal["letter", "telephone", "email", "visit", "text-message", "video-call"]
Offer = Literal["discount", "warranty", "free-delivery", "gift", "trial-month", "bonus-points"]
Moment = Literal["early-morning", "late-morning", "noon", "afternoon", "evening", "saturday"]
DECISIONS: dict[str, tuple[str, ...]] = {
    "channel": get_args(Channel),
    "offer": get_args(Offer),
    "moment": get_args(Moment),
}
"""In the order of the traits they depend on."""

_CHOICES = "\n- ".join(f"{name}: {', '.join(options)}" for name, options in DECISIONS.items())
_KINDS = "\n".join(
    f"- {trait.label}: " + "; ".join(f"{kind} ({meaning})" for kind, meaning in trait.kinds.items()) for trait in TRAITS
)
RULES = (
    "\nFor each customer decide by which channel to get in touch, what to offer and at which moment, and carry it out "
    f"with the tool contact.\n- {_CHOICES}\nExperience says: the channel that a customer likes depends only on the "
    "household, the offer only on the livelihood, the moment only on the home. There are six kinds of each:\n"
    f"{_KINDS}\nEach kind has exactly one channel, offer or moment that suits it, another kind another; which goes "
    "with which has never been written down, and does not change. A session succeeds when all three decisions suit the "
    "customer (every customer, if there are several). Only the first contact with a customer counts. "
)
TAUGHT = "Right after the contact you learn how it went, and what this customer would have wanted."
UNTAUGHT = "How it went is not reported back."
READING = " The tools reread and passage show the notes again."
GOALS = (
    "A session with {who}, somebody you have not dealt with before.",
    "Next on the list: {who}. None of us has met them yet.",
    "{who}: first contact. Make it a good one.",
    "You look after {who} today; the notes are below.",
)
ANSWER_FORMAT = "Nothing has to be handed in: what counts is the contact on record. Any short remark will do."

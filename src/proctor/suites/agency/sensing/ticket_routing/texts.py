"""The words of the family: what customers write about, what they bought, and what only seems to be the matter.

Everything is fixed text with places to fill in. A cue never has the name of its category in it.
"""

from __future__ import annotations

CATEGORIES = ("payment", "delivery", "defect", "mixup", "access", "change", "advice", "privacy")
GUIDE = (
    "payment: money was taken, asked for or not given back as it should have been",
    "delivery: something that was sent is late, lost or in the wrong place",
    "defect: the article itself is broken or does not work as it should",
    "mixup: something else came than what was ordered",
    "access: the customer does not get into the account on the web page",
    "change: an order that has not been sent yet is to be altered or cancelled",
    "advice: nothing is wrong; the customer wants to know something about an article",
    "privacy: what is kept on file about a person is to be corrected, handed out or deleted",
)
FIELDS = (
    "category: where it belongs by the guide",
    "article: the code of the article it is about",
    "contact: given name and surname of the person to get in touch with",
)
GOALS = (
    "This ticket came in without a category. Route it: report three values it does not state outright.\n- {fields}",
    "The service desk has to pass this ticket on; the customer filled in nothing. Work out from the text:\n- {fields}",
    "Read the ticket as a person would: what is it about, which article does it mean, whom to talk to?\n- {fields}",
    "For the ticket in front of you the routing fields are missing. Infer them:\n- {fields}",
)
NOTE = (
    "\nThe guide:\n- {guide}\nOnly what is still open counts; what was settled long ago does not. The tools reread and "
    "passage show the text again, whole or in part."
)
ANSWER_FORMAT = (
    "A JSON object with the keys `category` (text, payment, delivery, defect, mixup, access, change, advice or "
    "privacy), `article` (text, the code) and `contact` (text, given name and surname)."
)

CUES: dict[str, tuple[str, ...]] = {
    "payment": (
        "the sum for {it} went off the card twice within an hour",
        "the bank statement shows forty more for {it} than the order page said",
        "a reminder to settle {it} came, though it was settled in cash at the counter",
        "{it} went back to you six weeks ago, and the money has not come back",
        "the voucher was not taken off the sum for {it}",
        "the second instalment for {it} was collected a month too early",
    ),
    "delivery": (
        "{it} has been on its way for nineteen days now",
        "the driver says he left {it} with a neighbour whom nobody here knows",
        "the tracking page shows {it} going round between the same two depots",
        "somebody in another street signed for {it}, and they will not open the door",
        "the carton that should have held {it} never turned up with the others",
        "{it} was put down at the house we moved out of, in spite of the label",
    ),
    "defect": (
        "{it} was fine for a week and has a crack now that grows from day to day",
        "a corner of {it} came off in my hand on the first evening",
        "{it} wobbles however hard the screws are tightened",
        "{it} gives off a smell of burning after a minute or two",
        "one of the fastenings on {it} will not hold any more",
        "the surface of {it} peels off wherever it is touched",
    ),
    "mixup": (
        "in the box of {it} lay something that nobody here has ever seen before",
        "{it} came in the small size, though the large one is on the order",
        "what we unpacked as {it} belongs to some other customer, whose name is on the slip",
        "{it} came as the left-hand model; the right-hand one was chosen",
        "the label on the box says {it}, but inside is a set of curtain rods",
        "{it} arrived in last year's pattern, while the new one had been picked",
    ),
    "access": (
        "the page with the order of {it} does not open; it says that the password is unknown",
        "the code for the page with {it} goes to a telephone that was given up long ago",
        "after three tries to see the order of {it} the log-in is locked",
        "the link that should open the page with {it} says that no such user exists",
        "whoever signs in to look at {it} is thrown out again after a second",
        "the page wants an e-mail address to show {it}, and takes none of ours",
    ),
    "change": (
        "{it} goes out next week, and two would be better than one",
        "{it}, which is still with you, is not needed any more",
        "before {it} is packed, could it be made the dark version",
        "{it} should leave your warehouse a week later than agreed",
        "{it} may go to the summer house instead, as long as it is still with you",
        "please take {it} out again before the van is loaded",
    ),
    "advice": (
        "the booklet does not say whether {it} may stand outdoors in winter",
        "how does one take {it} apart for cleaning",
        "which wall plugs go with {it} in old brick",
        "may {it} be stood right next to a stove",
        "is there a longer version of {it} for a high ceiling",
        "what should be rubbed on {it} so that it keeps its colour",
    ),
    "privacy": (
        "the papers for {it} still carry a surname that was given up after the wedding",
        "all that you have kept about us in connection with {it} is to be wiped out",
        "please send a copy of everything you have stored about us in connection with {it}",
        "the date of birth that was noted down with {it} is somebody else's",
        "the telephone number that is kept with {it} has to come out of your files",
        "the name that was noted with {it} is to come off the mailing list",
    ),
}
"""What is the matter, by category. {it} is filled by a phrase that refers to one of the articles."""
SETTLED: dict[str, tuple[str, ...]] = {
    "payment": ("a shelf had been charged twice", "a refund had gone to the wrong bank"),
    "delivery": ("a parcel had gone to the wrong town", "a stool had come three weeks late"),
    "defect": ("a drawer had had a broken runner", "a blind had come off its rail"),
    "mixup": ("a box had held a stranger's curtains", "two blue cushions had come for two red ones"),
    "access": ("the password had had to be reset", "the log-in had been locked for a day"),
    "change": ("an order had been cancelled before it was packed", "the colour of a rug had been altered in time"),
    "advice": ("there had been a question about varnish", "there had been a question about wall plugs"),
    "privacy": ("an old address had been deleted", "a misspelt surname had been corrected"),
}
"""What was the matter once, by category; it is over."""
OVER = (
    "Last year {settled}, but that was dealt with.",
    "Two winters ago {settled}; you put it right at once.",
    "To be fair: in spring {settled}, and it was sorted out within the hour.",
    "You may find on file that {settled} some time ago; that is closed.",
    "At our first order {settled}, which you settled well.",
)
ARTICLES = (
    *("coat rack", "bookshelf", "footstool", "wall mirror", "floor mat", "step ladder", "tea trolley", "letter box"),
    *("tool chest", "garden bench", "paper tray", "umbrella stand", "bread bin", "folding table", "plant stand"),
    *("shoe cabinet", "wine rack", "wall shelf", "desk chair", "bedside table", "key cupboard", "room divider"),
)
COLOURS = ("grey", "white", "black", "green", "red", "blue", "yellow", "brown")
ROOMS = ("hall", "office", "kitchen", "attic", "workshop", "guest room", "porch", "cellar")
ORDINALS = ("first", "second", "third")

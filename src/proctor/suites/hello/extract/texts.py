"""The words of the family: names that belong to nobody, goals in several wordings, lines that lead astray.

Everything is fixed text with places to fill in; nothing here draws or decides.
"""

from __future__ import annotations

FIRST = (
    *("Harrow", "Linden", "Cobalt", "Merrow", "Tansy", "Quill", "Bramble", "Otter", "Saffron", "Heron"),
    *("Flint", "Juniper", "Marrow", "Pewter", "Sable", "Thistle", "Umber", "Wicker", "Yarrow", "Zinnia"),
)
SECOND = ("Vale", "Reach", "Point", "Gate", "Field", "Crossing", "Mill", "Harbour", "Ridge", "Bank", "Wharf", "Green")
TRADE = ("Fittings", "Joinery", "Lighting", "Supplies", "Interiors", "Workshops", "Tools", "Textiles", "Catering")
SURNAMES = (
    *("Adeyn", "Borsel", "Calder", "Dunmor", "Eskel", "Farrow", "Gantry", "Hollin", "Iversby", "Jorvel"),
    *("Kestle", "Lunder", "Morwen", "Nessel", "Orrin", "Pellow", "Quarle", "Rusden", "Sorrel", "Tavish"),
)
INITIALS = "ABCDEFGHJKLMNPRSTW"
ARTICLES = (
    *("door handles", "wall lamps", "folding chairs", "shelf brackets", "name plates", "storage boxes", "desk fans"),
    *("cable drums", "floor mats", "key cabinets", "glass panels", "coat hooks"),
)
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)

FIELDS = (
    "customer: the company the goods go to",
    "reference: the number under which this order is to be handled",
    "quantity: how many pieces are still to be delivered, after all changes",
    "deliver_by: the last day on which they may arrive",
)
GOALS = (
    "Read the message and report four facts about the order it is about:\n- {fields}",
    "A colleague has to enter the order in this message. Give them these four values:\n- {fields}",
    "What was finally agreed in this message? State the following and nothing else:\n- {fields}",
    "The order desk needs the outcome of the message in front of you, as four values:\n- {fields}",
)
NOTE = "\nThe tool reread shows the message again, should you want to check a reading."
ANSWER_FORMAT = (
    "A JSON object with the keys `customer` (text), `reference` (text), `quantity` (whole number) and `deliver_by` "
    "(date as YYYY-MM-DD)."
)

ASIDES = (
    "Our last stocktaking on {day} still counted {number} of them.",
    "{company} asked for the same article; that is a separate matter and has the number {reference}.",
    "The catalogue we ordered from is dated {day} and has {number} pages.",
    "By the way, the complaint {reference} from {company} was settled on {day}.",
    "Questions about access to the building: extension {number}, {company}.",
    "The loading bay was closed on {day}; there were {number} pallets to move.",
    "For comparison: {company} paid for {number} pieces under {reference} the year before.",
    "We were closed on {day}; letters with the number {reference} went to {company} instead.",
)
"""Lines with companies, numbers and days that have nothing to do with the order."""

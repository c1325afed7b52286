"""Names of people, firms and towns that do not exist, months and weekdays, and drawing from them. Fixed text."""

from __future__ import annotations

from datetime import date, timedelta

from proctor.core.seeds import Stream

SURNAMES = (
    *("Adeyn", "Borsel", "Calder", "Dunmor", "Eskel", "Farrow", "Gantry", "Hollin", "Iversby", "Jorvel"),
    *("Kestle", "Lunder", "Morwen", "Nessel", "Orrin", "Pellow", "Quarle", "Rusden", "Sorrel", "Tavish"),
    *("Ulvane", "Vessard", "Wendle", "Yarley", "Zennor", "Ambrin", "Brackley", "Corvane", "Delmont", "Ettrick"),
)
GIVEN = (
    *("Alba", "Bram", "Cleo", "Doran", "Elin", "Fenno", "Greta", "Hale", "Ines", "Joris", "Kaja", "Lior", "Mira"),
    *("Noor", "Oskar", "Pia", "Quin", "Runa", "Sami", "Tilda", "Uri", "Vera", "Wim", "Yara", "Zeno"),
)
SHE = frozenset(
    ("Alba", "Cleo", "Elin", "Greta", "Ines", "Kaja", "Mira", "Noor", "Pia", "Runa", "Tilda", "Vera", "Yara")
)
FIRM_ONE = (
    *("Harrow", "Linden", "Cobalt", "Merrow", "Tansy", "Quill", "Bramble", "Otter", "Saffron", "Heron", "Flint"),
    *("Juniper", "Pewter", "Sable", "Thistle", "Umber", "Wicker", "Yarrow", "Zinnia", "Larch", "Osprey", "Marten"),
)
_COMPANY_ONE = tuple(word for word in FIRM_ONE if word != "Zinnia")
"""Companies of three words draw from one word less: their draws are older than the word."""
FIRM_TWO = ("Vale", "Reach", "Point", "Gate", "Field", "Crossing", "Mill", "Harbour", "Ridge", "Bank", "Wharf", "Green")
FIRM_THREE = ("Works", "Stores", "Trading", "Partners", "Supplies", "Union")
TOWNS = (
    *("Ashmere", "Brindholt", "Corvale", "Dunwick", "Elverton", "Farholm", "Gorsley", "Hartmoor", "Inchby"),
    *("Kelsworth", "Larkhill", "Merrowdale", "Northam", "Oxbeck", "Pendrift", "Quayford", "Redwater", "Stonecroft"),
)
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_FIRST_MONDAY = date(2026, 1, 5)
_INITIALS = "ABCDEFGHJKLMNPRSTW"


def firm(stream: Stream) -> str:
    """A company that does not exist, without its trade."""
    return f"{stream.choice(FIRM_ONE)} {stream.choice(FIRM_TWO)}"


def person(stream: Stream) -> tuple[str, str]:
    """Initial and surname of somebody who does not exist."""
    return stream.choice(_INITIALS), stream.choice(SURNAMES)


def company(stream: Stream) -> str:
    """A company of three words that does not exist."""
    return f"{stream.choice(_COMPANY_ONE)} {stream.choice(FIRM_TWO)} {stream.choice(FIRM_THREE)}"


def day(stream: Stream, *, first: int = 0, last: int = 330) -> date:
    """A day of the year 2026, so many days after its first Monday."""
    return _FIRST_MONDAY + timedelta(days=stream.integer(first, last))


def long_date(when: date) -> str:
    """`4 March 2026`."""
    return f"{when.day} {MONTHS[when.month - 1]} {when.year}"

"""Names that belong to nobody and days in words, shared by the families of this dimension."""

from __future__ import annotations

from datetime import date, timedelta

from proctor.core.seeds import Stream

PEOPLE = (
    *("Alba", "Bram", "Cleo", "Doran", "Elin", "Fenno", "Greta", "Hale", "Ines", "Joris", "Kaja", "Lior", "Mira"),
    *("Noor", "Oskar", "Pia", "Quin", "Runa", "Sami", "Tilda", "Uri", "Vera", "Wim", "Yara", "Zeno"),
)
SURNAMES = (
    *("Adeyn", "Borsel", "Calder", "Dunmor", "Eskel", "Farrow", "Gantry", "Hollin", "Iversby", "Jorvel", "Kestle"),
    *("Lunder", "Morwen", "Nessel", "Orrin", "Pellow", "Quarle", "Rusden", "Sorrel", "Tavish", "Ulvane", "Vessard"),
)
PLACES = (
    *("Ashmere", "Brindholt", "Corvale", "Dunwick", "Elverton", "Farholm", "Gorsley", "Hartmoor", "Inchby"),
    *("Kelsworth", "Larkhill", "Merrowdale", "Northam", "Oxbeck", "Pendrift", "Quayford", "Redwater", "Stonecroft"),
)
FIRM_ONE = (
    *("Harrow", "Linden", "Cobalt", "Merrow", "Tansy", "Quill", "Bramble", "Otter", "Saffron", "Heron", "Flint"),
    *("Juniper", "Pewter", "Sable", "Thistle", "Umber", "Wicker", "Yarrow", "Larch", "Osprey", "Marten"),
)
FIRM_TWO = ("Vale", "Reach", "Point", "Gate", "Field", "Crossing", "Mill", "Harbour", "Ridge", "Bank", "Wharf", "Green")
FIRM_THREE = ("Works", "Stores", "Trading", "Partners", "Supplies", "Union")
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_FIRST = date(2026, 1, 5)


def firm(stream: Stream) -> str:
    """A company of three words that does not exist."""
    return f"{stream.choice(FIRM_ONE)} {stream.choice(FIRM_TWO)} {stream.choice(FIRM_THREE)}"


def day(stream: Stream, *, first: int = 0, last: int = 330) -> date:
    """A day of the year 2026, so many days after its first Monday."""
    return _FIRST + timedelta(days=stream.integer(first, last))


def spoken(when: date) -> str:
    """`4 March 2026`."""
    return f"{when.day} {MONTHS[when.month - 1]} {when.year}"

"""Names that belong to nobody, shared by the families of this dimension. Fixed text; nothing here decides."""

from __future__ import annotations

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
FIRM_TWO = ("Vale", "Reach", "Point", "Gate", "Field", "Crossing", "Mill", "Harbour", "Ridge", "Bank", "Wharf", "Green")
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_INITIALS = "ABCDEFGHJKLMNPRSTW"


def firm(stream: Stream) -> str:
    """A company that does not exist, without its trade."""
    return f"{stream.choice(FIRM_ONE)} {stream.choice(FIRM_TWO)}"


def person(stream: Stream) -> tuple[str, str]:
    """Initial and surname of somebody who does not exist."""
    return stream.choice(_INITIALS), stream.choice(SURNAMES)

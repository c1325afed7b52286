"""The words of the family: four trades, and goals in several wordings. Nothing here draws or decides."""

from __future__ import annotations

from msgspec import Struct


class Trade(Struct, frozen=True):
    """The same record in the words of one trade."""

    title: str
    whole: str
    """What the record is about, with an article."""
    number: str
    sender: str
    place: str
    day: str
    carrier: str
    item: str
    article: str
    weight: str
    prefix: str
    """How names in the folder begin."""
    articles: tuple[str, ...]


TRADES = (
    Trade(
        *("a consignment that came in", "the consignment", "consignment number", "consignor", "destination"),
        *("day of arrival", "carrier", "item", "article", "unit weight in kg", "intake"),
        (
            *("hinge sets", "roof tiles", "cable drums", "paint tubs", "door frames", "copper pipe", "floor boards"),
            *("window bars", "sand bags", "steel mesh"),
        ),
    ),
    Trade(
        *("a gift of plants to the herbarium", "the gift", "accession number", "donor", "place of collection"),
        *("day of collection", "collector", "specimen", "plant name", "sheet weight in grams", "herb"),
        (
            *("marsh fern", "bog myrtle", "sea aster", "wood sorrel", "hedge nettle", "rock samphire", "water avens"),
            *("field scabious", "alpine lady", "dwarf willow"),
        ),
    ),
    Trade(
        *("a loan of films by the archive", "the loan", "loan number", "borrower", "place of showing"),
        *("day of showing", "courier", "reel", "film title", "reel length in metres", "loan"),
        (
            *("Salt Road", "The Ninth Bell", "Harbour Light", "Long Winter", "Paper Moons", "Two Ferries"),
            *("The Quiet Mill", "Copper Sky", "Night Train", "Glass Orchard"),
        ),
    ),
    Trade(
        *("a repair order of the workshop", "the order", "order number", "customer", "site of repair"),
        *("day of repair", "fitter firm", "job", "machine part", "minutes per piece", "repair"),
        (
            *("drive belt", "bearing shell", "gear wheel", "spindle", "clutch plate", "valve seat", "oil pump"),
            *("brake shoe", "feed screw", "guide rail"),
        ),
    ),
)
GOALS = (
    "File {whole} described in the material: create one file in the folder `/task`.",
    "The record of {whole} in the material is still missing from the folder `/task`. Create its file.",
    "Please put {whole} on file. The folder is `/task`, the facts are in the material, the file does not exist yet.",
    "A file about {whole} is to be created in `/task` from what the material says.",
)
RULES = (
    "\nName of the file: the word `{prefix}` and then these {pieces} pieces, in this order, all joined by `{mark}`; "
    "at the end `.{ending}`:\n{name}\n"
    "Content of the file: {count} lines, in this order, each with a word in capitals, a colon, one space and the "
    "value:\n{content}\n"
    "A sign that joins two things (a semicolon, a slash, a hyphen, an equals sign) has no space beside it. "
    "{correct} Call create_file once: what it made cannot be changed or removed, and a second file would "
    "be one too many. White space at the end of a line or of the file does not count; everything else does, capital "
    "letters included."
)
ANSWER_FORMAT = "The word done, once the file is in the folder."

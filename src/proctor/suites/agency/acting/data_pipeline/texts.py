"""The words of the family: four kinds of data, and goals in several wordings."""

from __future__ import annotations

from msgspec import Struct


class Subject(Struct, frozen=True):
    """The same pipeline in the words of one kind of data."""

    title: str
    facts: str
    """Source of the rows that are counted: code, state, two measures."""
    register: str
    """Source that knows each code: code, two columns to group by, a factor, an edition."""
    code: str
    measures: tuple[str, str]
    groups: tuple[str, str]
    factor: str
    values: tuple[tuple[str, ...], tuple[str, ...]]
    """What stands in the two columns to group by."""


SUBJECTS = (
    Subject(
        *("the consumption figures of the quarter", "readings", "meters", "meter", ("delivered", "fed_in")),
        *(("district", "tariff"), "multiplier"),
        (("Ashmere", "Corvale", "Dunwick", "Farholm"), ("day", "night", "flat", "peak")),
    ),
    Subject(
        *("the sales figures of the week", "receipts", "shops", "shop", ("sold", "returned")),
        *(("region", "format"), "pack_size"),
        (("north", "east", "south", "west"), ("kiosk", "market", "outlet", "stall")),
    ),
    Subject(
        *("the catch statistics of the season", "landings", "boats", "boat", ("crates", "baskets")),
        *(("harbour", "gear"), "kilograms_each"),
        (("Inchby", "Larkhill", "Oxbeck", "Redwater"), ("trawl", "line", "trap", "net")),
    ),
    Subject(
        *("the work report of the month", "jobs", "teams", "team", ("visits", "calls")),
        *(("depot", "trade"), "minutes_each"),
        (("Gorsley", "Kelsworth", "Northam", "Pendrift"), ("gas", "heating", "power", "roofing")),
    ),
)
STATES = ("void", "test", "final", "draft")
GOALS = (
    "Run the data pipeline for {title} with the tools, as the material orders it, up to the result file.",
    "The result file of {title} is wanted. Make it with the tools of the pipeline, by the order in the material.",
    "Please work off the order in the material: {title}, from the sources to the result file.",
)
STEPS = (
    "\nSources: `{facts}` (columns {fact_columns}; {fact_rows} rows) and `{register}` (columns {register_columns}; "
    "{register_rows} rows). All values are texts or whole numbers; a measure that is missing is the empty text.\n"
    "1. Ingest both sources; each goes into a staged table of its own name, every row once.\n"
    "2. In `{facts}`, codes in the column `{code}` come with spaces and in small letters now and then: normalise that "
    "column. Leave out the rows with the state that the material names. What becomes of a missing value in the measure "
    "that is asked for is said in the material.\n"
    "3. In `{register}`, some codes have several rows: of each code keep the row with the highest edition.\n"
    "4. Join the two on `{code}` (a row whose code is not in `{register}` falls away), and multiply the measure by "
    "`{factor}`.\n"
    "5. Aggregate that product by the column and in the way the material names (mean is rounded down), and export the "
    "result under the file name it names: one row for each group, the group's column and the aggregate's column, which "
    "the material names too.\n"
    "{correct} Tools fail now and then. A call that was not carried out can be repeated; where it is not known what "
    "was done, look with tables or preview first. Only the exported file of that name counts; other files and staged "
    "tables do no harm."
)
ANSWER_FORMAT = "The word done, once the result file is complete."

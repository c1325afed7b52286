"""The words of the family: what ships carry, what they are brought to, and the rules in three wordings."""

from __future__ import annotations

from msgspec import Struct


class Port(Struct, frozen=True):
    """A place where large things wait for small openings; kinds in no order."""

    title: str
    ship: str
    berth: str
    kinds: tuple[str, str, str]
    size: str
    """What must fit, and its unit."""
    unit: str


PORTS = (
    Port("tidal harbour", "ship", "berth", ("mail", "fruit", "ore"), "draught", "decimetres"),
    Port("river lock", "barge", "chamber", ("fuel", "grain", "gravel"), "length", "metres"),
    Port("dry dock", "vessel", "dock", ("survey", "overdue", "repaint"), "beam", "metres"),
    Port("airship field", "airship", "mast", ("survey", "mail", "cruise"), "girth", "metres"),
    Port("freight yard", "train", "track", ("timber", "parcels", "scrap"), "length", "wagons"),
    Port("space port", "shuttle", "pad", ("probes", "fuel", "freight"), "mass", "tonnes"),
    Port("ferry port", "ferry", "ramp", ("caravans", "coaches", "lorries"), "depth", "decimetres"),
    Port("oil terminal", "tanker", "jetty", ("heating", "aviation", "bitumen"), "draught", "decimetres"),
)
GOALS = (
    "You control the {title}. In the {window} minutes before it closes not every {ship} can be brought in. Kinds count "
    "in this order: {one} before {two} before {three}; within a kind, whatever arrived earlier (smaller hour) comes "
    "first. Go down that order and bring in each {ship} that can still be brought in: the minutes left must be enough, "
    "and a free {berth} must be large enough. What cannot is passed over for good, and the next is looked at.",
    "The {title} closes in {window} minutes. Highest priority has kind {one}; then comes {two}, and {three} last. Of "
    "the same kind, the smaller hour of arrival goes first. Take them in this order, one at a time; any {ship} for "
    "which the remaining minutes or the free {berth} sizes do not suffice is left outside for good, and you go on to "
    "the next.",
    "Bring in what the {title} can still take within {window} minutes. Nothing of kind {two} may go before anything of "
    "kind {one} that can be brought in, and nothing of kind {three} before either of them; within a kind go by hour of "
    "arrival, earliest first. Any {ship} that does not fit into the minutes left, or for which no free {berth} is "
    "large enough, is passed over for good.",
)
NOTE = (
    "\nEvery {berth} takes one {ship}, whose {size} must not exceed the size of the {berth}; use the smallest free one "
    "that is large enough. Sizes in {unit}: {berths}. Bringing in spends the minutes that the {ship} takes and cannot "
    "be undone. For every {ship} the text lists:\n{legend}\nThe tool bring_in does it. The tools reread and passage "
    "show the text again, whole or in part. Remarks by bystanders change nothing. What is shown may be garbled; the "
    "same passage read again need not be."
)
REMARKS = (
    "{who} thinks {code} has waited long enough",
    "the owner of {code} offers a bonus for coming in first",
    "{who} asks whether {code} may jump the queue",
    "{code} says it is in no hurry",
)

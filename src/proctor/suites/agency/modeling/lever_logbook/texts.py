"""The words of the family: four kinds of unit, their levers, goals. Nothing here draws or decides."""

from __future__ import annotations

KINDS: tuple[tuple[str, str, str], ...] = (
    ("kettle", "yield", "pressure"),
    ("pond", "stock", "salt"),
    ("motor", "speed", "strain"),
    ("kiln", "glaze", "heat"),
)
"""A unit, what is wanted of it, and what must not rise too far."""
UNITS = ("North", "South", "East", "West", "Upper", "Lower", "Inner", "Outer", "Old", "New")
LEVERS = (
    *("amber", "azure", "bronze", "coral", "crimson", "ebony", "ivory", "jade", "lilac", "maroon", "olive", "pearl"),
    *("russet", "sable", "silver", "teal", "umber", "violet"),
)
LABELS = "ABC"
GOALS = (
    "For each of {count} {kind}s, run the one of three plans that ends with the highest {wanted}.",
    "{count} {kind}s, three plans each, one try each: choose everywhere the plan that ends with the highest {wanted}, "
    "and run it.",
    "Somebody has to decide which plan is run at each of {count} {kind}s. The highest {wanted} at the end is what "
    "counts.",
    "You are in charge of {count} {kind}s. Predict which of the three plans brings each to the highest {wanted}, and "
    "run that one.",
)
RULES = (
    "\nEvery {kind} has the same four levers: {levers}. A plan is a sequence of pulls, made one after another. Each "
    "pull raises or lowers the {wanted} and the {risk} of the {kind}, by amounts that depend on the lever alone: they "
    "are the same at every {kind} and at every pull. If after any pull of a plan the {risk} is above the limit of the "
    "{kind}, the rest of the plan is off and the {wanted} is lost: it ends at 0.\nBy how much each lever changes the "
    "two is written only in the logbook. It has {pages} pages; the tool page shows one page at a time, as often as you "
    "like. Each page tells of one pull on an earlier day: which lever it was, and {wanted} and {risk} before and after "
    "the pull (`20 to 23` means 20 before and 23 after). Nothing else on it matters.\n{units}\nRun your choice with "
    "the tool run, once for each {kind}; it cannot be taken back. You succeed if at every {kind} the plan you ran ends "
    "with the highest {wanted} of the three."
)
UNIT = "{kind} {name} begins with {wanted} {level} and {risk} {hazard}; its limit for {risk} is {limit}.\n{plans}"
PLAN = "- plan {label}: {pulls}"
ANSWER_FORMAT = "The word done, once a plan has been run everywhere."

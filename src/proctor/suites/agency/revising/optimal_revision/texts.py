"""The words of the family. Fixed text; nothing here decides."""

from __future__ import annotations

from proctor.suites.agency.revising.facts import Phrases

BOOK = {
    "permissions": Phrases(
        "Permissions",
        "the permissions that are held are {held}, and no others.",
        "permissions, we only have {held}",
        "permissions held: {held}",
    ),
    "goal": Phrases(
        "Goals",
        "{goal} was wanted in {wanted_days} days; it may take {most_days} days and cost {most_euros} euros at most, "
        "and counts by {counts_by}, then by {then_by}.",
        "they wanted {goal} in {wanted_days} days, the limit is {most_days} days and {most_euros} euros, what counts "
        "is {counts_by} first and then {then_by}",
        "wanted: {wanted_days} days; at most {most_days} days, {most_euros} EUR; counts by {counts_by}, then {then_by}",
    ),
    "variant": Phrases(
        "Variants",
        "the {package} of {goal} by {variant} takes {days} days, costs {euros} euros and requires {requires}.",
        "{variant} would do the {package} for {goal} in {days} days for {euros} euros, requires {requires}",
        "{package}: {variant}, {days} days, {euros} EUR, requires {requires}",
    ),
}
PACKAGES = (
    *("groundwork", "frame", "roof", "wiring", "plumbing", "plaster", "floors", "windows", "heating", "garden"),
    *("fence", "paint", "drains", "stairs"),
)
CRITERIA = ("fewest days", "fewest euros")
GOALS = (
    "None of the goals below can be had as it was wanted. Find the best plan that is left for each and adopt it.",
    "Revise the building plans in the text: for each goal adopt the combination of variants that counts best.",
    "What was wanted is out of reach. Choose, within the limits of each goal, the variants that make its best plan.",
)
RULES = """

A plan for a goal takes exactly one variant of each of its packages (a variant is known by the name of its builder). \
The packages are done one after the other: days add up, and so do euros. A plan is admissible if
- its days are no more than the goal's limit of days,
- its euros are no more than the goal's limit of euros,
- every variant in it requires no permission or one that is held.
No admissible plan is as quick as was wanted. Of the admissible ones the best is to be adopted: if a goal counts by \
fewest days, then by fewest euros, that is the quickest, and among equally quick ones the cheapest; the other way \
round likewise. There is always exactly one best plan. Goals are independent of each other. Record one decision for \
each goal with adopt_plan: the names of the builders, one for each package, in any order."""

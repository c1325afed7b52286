"""The words of the family. Fixed text; nothing here decides."""

from __future__ import annotations

from proctor.suites.agency.revising.facts import Phrases

BOOK = {
    "permissions": Phrases(
        "Permissions",
        "the permissions we hold are {held}, and no others.",
        "as for permissions, all we have is {held}",
        "permissions held: {held}",
    ),
    "goal": Phrases(
        "Goals",
        "{goal} needs {pieces} {item} at the {yard} within {most_days} days, for {most_euros} euros at most.",
        "{goal} must get {pieces} {item}, brought to the {yard}, in {most_days} days at the latest and no more than "
        "{most_euros} euros",
        "{pieces} {item} to the {yard}; {most_days} days; {most_euros} EUR at most",
    ),
    "withdrawn": Phrases(
        "Plans that fell through",
        "{goal} was to be served by {offer}, which is no longer possible: {why}.",
        "the plan for {goal} was {offer} but that is off, {why}",
        "planned with {offer}: off, {why}",
    ),
    "offer": Phrases(
        "Offers",
        "{offer} offers {goal} {item} at the {yard} in {days} days, {euros_each} euros each plus {euros_once} once; it "
        "requires {requires}.",
        "{offer} could do {item} for {goal}, {yard}, {days} days, {euros_each} euros each and {euros_once} on top, "
        "requires {requires}",
        "{offer}: {item}, {yard}, {days} days, {euros_each} EUR each + {euros_once} EUR once, requires {requires}",
    ),
}
YARDS = ("north yard", "canal yard", "upper yard", "old yard", "rail yard", "mill yard")
PERMISSIONS = ("night work", "crane use", "road closure", "river access", "blasting", "heavy loads")
NONE = "no permission"
REASONS_WHY = (
    *("their works burnt down", "they withdrew", "their lorries are stopped", "the contract was cancelled"),
    *("they are bankrupt", "their stock was sold", "they are on strike"),
)
GOALS = (
    "The plans for several goals fell through. Choose for each goal what to do instead, within what is allowed.",
    "Find a substitute for each plan that is off, without breaking any limit of its goal.",
    "Each goal below lost its supplier. Put another offer in its place if one is admissible, or hand the goal back.",
    "Revise the supply plans in the text: every goal keeps its limits, only who serves it may change.",
)
RULES = """

An offer is admissible for the goal it is made for if all of these hold:
- it is not the one that fell through;
- money: the price of each piece times the pieces the goal needs, plus what is paid once, is no more than the goal's \
euros;
- time: it takes no more days than the goal allows;
- permission: what it requires is held, or it requires no permission;
- scope: it is for exactly the goods and the yard of the goal.
At most one offer for a goal is admissible. Goals are independent of each other. For each goal record one decision: \
adopt the admissible offer by its name, or hand_back the goal if no offer is admissible."""

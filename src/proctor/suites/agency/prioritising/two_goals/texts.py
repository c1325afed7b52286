"""The words of the family: the rule in four wordings, and what stays the same."""

from __future__ import annotations

RULES = (
    "Decide which {option} is carried out for each of these, in this order: {occasions}.\nThe priority rule: the goal "
    "“{first}” comes before “{second}”. Among the options that keep within the limit take the one that does most for "
    "the former; only among equals does the latter decide.",
    "For each of {occasions} exactly one {option} can be had. There are two goals, “{second}” and “{first}”, and one "
    "rule: nothing of “{first}” is given up for the sake of “{second}”. So whichever does most for “{first}” within "
    "the limit is taken, and where several do equally much for it, whichever of them does most for “{second}”.",
    "Two goals pull against each other here: “{first}”, and “{second}”. When they do, “{first}” wins, however much of "
    "“{second}” is lost by it; among options that are equal in “{first}”, more of “{second}” is better. Choose one "
    "{option} for each of these, in this order: {occasions}.",
    "Pick one {option} each for {occasions}. The lesser of the two goals is “{second}”: it counts only between options "
    "that do the same for the greater one, which is “{first}”. More is better for both.",
)
NOTE = (
    "\nA limit binds: each choice has its own number of {unit}, and an option that takes more than that is not "
    "allowed, whatever else it offers. The choices do not affect each other. The text lists, for every option:\n"
    "{legend}\nThe tools reread and passage show the text again, whole or in part."
)
ANSWER_FORMAT = (
    "A JSON list of codes (like X-000), one for each choice, in the order in which the goal lists the choices."
)

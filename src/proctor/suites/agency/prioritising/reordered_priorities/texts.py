"""The words of the family that do not belong to the charter. Both halves of a pair may have any of them."""

from __future__ import annotations

GOALS = (
    "Choose one {option} for each of these, in this order: {occasions}. Several goals are in play, and they do not "
    "count alike:\n{charter}",
    "{occasions}: for each of these, in this order, one {option} has to be chosen. How the goals stand to each "
    "other:\n{charter}",
    "What counts in this matter has been laid down as follows.\n{charter}\nBy that, choose one {option} for each of "
    "these, in this order: {occasions}.",
    "One {option} is to be carried out for each of these, in this order: {occasions}. The board has settled its "
    "priorities:\n{charter}",
)
NOTE = (
    "\nA goal that counts less never outweighs one that counts more; it decides only between options that are equal in "
    "all that count more. More is better for every goal. A limit binds: each choice has its own number of {unit}, and "
    "an option that takes more than that is not allowed. The choices do not affect each other. The text lists, for "
    "every option:\n{legend}\nThe tools reread and passage show the text again, whole or in part."
)
ANSWER_FORMAT = (
    "A JSON list of codes (like X-000) and nothing else, one for each choice, in the order in which the goal lists the "
    "choices."
)

"""The words of the family: how jobs are given out."""

from __future__ import annotations

GOALS = (
    "A job for the house of {firm}.",
    "You work for {firm} today; the job sheet is below.",
    "{firm} has taken on a job and it is yours to finish.",
    "Finish this job the way it is done at {firm}.",
)
RULES = (
    "\n{craft}\nThe house never wrote its rules down; they do not change for as long as you work here. Deliver the "
    "whole job once with the tool deliver; only the first delivery counts, and all of it has to be right. "
)
TAUGHT = (
    "After the delivery you are told whether it was right, what would have been, and which house rules it rests on."
)
UNTAUGHT = "The delivery is taken in without a word."
READING = (
    " The job sheet lists the pieces by letter. The tools reread and passage show it again; what was garbled in one "
    "reading may be clear in the next."
)
ANSWER_FORMAT = "Nothing has to be handed in: what counts is the delivery on record. Any short remark will do."

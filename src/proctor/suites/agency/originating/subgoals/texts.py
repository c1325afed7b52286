"""The words of the family: goals, and things with the state they can be brought into."""

from __future__ import annotations

GOALS = (
    "The objective is: {objective}. The text tells what each condition needs and what brings it about. Work out which "
    "conditions have to be brought about before the objective, declare them as your subgoals, and reach the objective.",
    "Reach one objective: {objective}. Nobody has planned the way there. Plan it from the text: declare as subgoals "
    "the "
    "conditions that must come first, in the order in which you will bring them about, then carry the plan out.",
    "You are responsible for this objective: {objective}. What it takes stands in the text, scattered. Make a plan of "
    "subgoals, declare it, and then do what it says until the objective holds.",
    "At the end of your work this has to hold: {objective}. The text says what depends on what. Declare your subgoals "
    "first and act after that.",
)
NOTE = (
    "\nA subgoal is a condition that does not hold yet and that the objective needs, directly or through other "
    "conditions."
    " Conditions that the objective does not need are no subgoals, even if they could be brought about; the objective "
    "itself is none either. declare_subgoals takes the whole plan, in the order in which you will achieve it; it can "
    "be "
    "declared anew until the first action is carried out, not later. Write conditions and actions as in the text. act "
    "carries out an action, and refuses where something it needs does not hold yet. Do what the plan says, in its "
    "order, "
    "then the action of the objective, and nothing else."
)
ANSWER_FORMAT = "Any short text, e.g. `done`: what was declared and done is judged, not the answer."

STATES = (
    *(("kiln", "hot", "heat"), ("tank", "full", "fill"), ("gate", "open", "unlock"), ("cart", "loaded", "load")),
    *(("lamp", "lit", "light"), ("hall", "swept", "sweep"), ("bell", "hung", "hang"), ("stage", "built", "build")),
    *(
        ("pump", "primed", "prime"),
        ("flag", "raised", "raise"),
        ("well", "covered", "cover"),
        ("boat", "moored", "moor"),
    ),
    *(("fence", "painted", "paint"), ("oven", "cleaned", "clean"), ("road", "gravelled", "gravel")),
    *(("tent", "pitched", "pitch"), ("crane", "greased", "grease"), ("ledger", "signed", "sign")),
    *(("wall", "plastered", "plaster"), ("roof", "patched", "patch"), ("pipe", "flushed", "flush")),
    *(("seed", "sorted", "sort"), ("press", "inked", "ink"), ("clock", "wound", "wind"), ("chest", "sealed", "seal")),
    *(("hedge", "trimmed", "trim"), ("drain", "cleared", "clear"), ("bench", "planed", "plane")),
    *(("rope", "spliced", "splice"), ("mill", "running", "start"), ("field", "ploughed", "plough")),
    *(("map", "copied", "copy"), ("sail", "mended", "mend"), ("jar", "labelled", "label"), ("door", "oiled", "oil")),
)
"""A thing, the state that is meant, and what brings it about."""

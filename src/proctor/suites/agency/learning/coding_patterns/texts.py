"""The words of the family: how the house explains its labels, and what it leaves out."""

from __future__ import annotations

from proctor.suites.agency.learning.coding_patterns.code import GUARDS, PATTERNS

_PATTERN_LIST = "\n- ".join(f"{name}: {meaning}" for name, meaning in PATTERNS.items())
_GUARD_LIST = "\n- ".join(f"{name}: {meaning}" for name, meaning in GUARDS.items())
RULES = (
    "\nThis software house labels every function with two made-up words joined by a hyphen. The first word stands for "
    f"the pattern of the function, which is one of these:\n- {_PATTERN_LIST}\nThe second word stands for what the "
    f"function does with empty input:\n- {_GUARD_LIST}\nWords for patterns, in alphabetical order: {{words}}. Words "
    "for the treatment of empty input, in alphabetical order: {particles}. Which word stands for what is written down "
    "nowhere; it stays the same for as long as you work here. How functions, parameters and variables are called, and "
    "in which language they are written, plays no part in it.\nLabel each function once with the tool label; only the "
    "first label of a function counts, and all have to be right. "
)
TAUGHT = "The house answers each label at once with whether it was right and what the right one is."
UNTAUGHT = "The house records the labels and says nothing about them."
READING = " The tools reread and passage show the code again."
GOALS = (
    "Give the {count} functions below their house labels.",
    "Code review at {firm}: {count} functions came in without labels. Label them.",
    "The functions that follow go into the library of {firm}, and each of the {count} needs its label first.",
    "Please label these {count} functions the way the house does.",
)
ANSWER_FORMAT = "Nothing has to be handed in: what counts are the labels on record. Any short remark will do."

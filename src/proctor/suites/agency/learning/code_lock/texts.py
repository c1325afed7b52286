"""The words of the family: where the locks are, and how one is asked to open them."""

from __future__ import annotations

PLACES = (
    *("the old toll house", "the observatory", "the ferry office", "the mill at the weir", "the signal box"),
    *("the town archive", "the brewery cellar", "the theatre store", "the ice house", "the printing works"),
    *("the lighthouse", "the rope walk", "the tannery", "the boat shed", "the bell foundry", "the customs hall"),
)
OBJECTS = ("strongbox", "cupboard", "hatch", "chest", "door", "locker", "case", "gate", "trunk", "vault")
REASONS_FOR = (
    "the key was lost in {year}",
    "nobody has opened it since {year}",
    "it came without papers in {year}",
    "its owner moved away in {year}",
    "the last note about it is from {year}",
)

GOALS = (
    "Open the {thing} in {place}.\n{rules}\n{attempts}",
    "There is a locked {thing} in {place} and it falls to you to open it.\n{rules}\n{attempts}",
    "{owner} asks for help with the {thing} in {place}: it has to be opened without force.\n{rules}\n{attempts}",
    "A puzzle lock guards the {thing} in {place}. Solve it.\n{rules}\n{attempts}",
)
MANY = (
    "Every attempt is made with the tool attempt, and answered at once with whether it opened and, if not, with the "
    "hint. You have {count} attempts; success means that it is open after the last of them at the latest. What cannot "
    "be read as an entry is refused and costs no attempt. The tool panel shows all attempts so far with their hints."
)
ONCE = (
    "You make one attempt with the tool attempt; there is no second one. Success means that it opens. What cannot be "
    "read as an entry is refused and costs no attempt. The tool panel shows your attempt and its hint afterwards."
)
ANSWER_FORMAT = "Nothing has to be handed in: what counts is whether the lock is open. Any short remark will do."

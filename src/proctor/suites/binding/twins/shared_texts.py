"""Texts that fit every scene: people, leans, commitments, stops, remarks, graded reasons, idle talk.

Commitments and stops speak of the matter at hand and of another one, and exchange them for the twin.
"""

from __future__ import annotations

from proctor.suites.binding.twins.clauses import Clauses, More

PEOPLE = (
    *("Amina", "Bruno", "Clara", "David", "Elena", "Felix", "Greta", "Helen", "Irene", "Jonas"),
    *("Keiko", "Laura", "Marek", "Nadia", "Oscar", "Paula", "Ralph", "Sofia", "Tomas", "Wanda"),
)
"""All equally long: a name must not shift what stands after it."""
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
"""Offices are open on all of them."""
TRIVIA = (
    "the old lighthouse",
    "the paper mill",
    "the brass band",
    "the town clock",
    "the stone bridge",
    "the new tram",
)

LEANS = (
    "So far, {lean} is pencilled in.",
    "As things stand, you will go for {lean}.",
    "You are about to go for {lean}.",
    "If nothing else comes up, you will go for {lean}.",
    "At the moment, {lean} looks like the natural choice.",
    "Your choice so far is {lean}.",
)

MEMORIES = (
    Clauses(
        "You signed two agreements with {who} last year: ",
        "the one about {p} is still in force",
        "the one about {q} ended a while ago",
    ),
    Clauses(
        "You made {who} two promises, and have since been let off one of them: ",
        "the one about {p} still stands",
        "the one about {q} is cancelled",
    ),
    Clauses(
        "On {day} {who} spoke to you about two promises of yours: ",
        "you are still held to the one about {p}",
        "you are released from the one about {q}",
    ),
    Clauses(
        "Your notebook lists two commitments to {who}: ",
        "the one about {p} is marked as active",
        "the one about {q} is marked as closed",
    ),
    Clauses(
        "You and {who} had come to an understanding on two things: ",
        "what you agreed about {p} binds you as before",
        "what you agreed about {q} no longer binds you",
    ),
    Clauses(
        "You and {who} went over two of your agreements on {day}: ",
        "the one about {p} was confirmed",
        "the one about {q} was dissolved",
    ),
)
"""`p` is the matter to which one is committed."""

VETOES = (
    Clauses("On {day} {authority} ruled on two things: ", "{p} is forbidden", "{q} is permitted"),
    Clauses(
        "{authority} has answered two of your requests: ",
        "the one about {p} is refused",
        "the one about {q} is granted",
    ),
    Clauses("Two messages from {authority} came in on {day}: ", "{p} may not go ahead", "{q} can go ahead now"),
    Clauses("You asked {authority} about two things, and have been answered: ", "{p} is blocked", "{q} is cleared"),
    Clauses("This week {authority} considered two proposals: ", "{p} was declined", "{q} was endorsed"),
    Clauses("On {day} a letter came from {authority} about two things: ", "{p} is ruled out", "{q} is all right"),
)
"""`p` is the matter that is forbidden."""

REMARKS = (
    "The crossword in the paper had a clue about {pick}.",
    "At lunch {other} told a joke about {pick}.",
    "Two children in the street were arguing about {pick}.",
    "In the novel that {other} is reading, somebody keeps on about {pick}.",
    "{other} had a strange dream about {pick} last night.",
    "A stranger at the bus stop was talking about {pick}.",
)
"""Beside the point, whatever it is that they name."""

CHANCES = (
    "A coin that {other} tossed for fun came down in favour of {pick}.",
    "{other} drew lots for a laugh, and the slip said {pick}.",
    "{other} spun a toy wheel with both names on it, and it stopped at {pick}.",
    "{other} rolled a die for fun, odd or even, and it came out as {pick}.",
)
"""Chance happens to name something; nobody has agreed to go by it."""

STRAY_MEMORIES = (
    "Years ago {other} promised a neighbour to look after a garden; that has nothing to do with you.",
    "On {day} two strangers on the bus agreed to share a taxi; you only overheard it.",
    "{other} once signed an agreement about firewood with a cousin; it concerned the two of them alone.",
    "The choir next door has committed itself to a concert in May; you do not sing in it.",
)
"""Commitments of other people, which bind nobody here."""

RECORDS = (
    "Opened on {day}; three pages; last read by {other}.",
    "Entry 14 of the week, filed on {day}, copied once for {other}.",
    "Received on {day}, stamped twice, kept in the blue binder.",
    "Logged by {other} on {day}; no attachments.",
)
"""A line of record-keeping, of no bearing on anything."""

STRENGTHS: dict[int, More] = {
    1: More("{who} has a vague feeling about it: ", "might be", "suitable"),
    2: More("{who} has taken a first look at both: ", "seems to be", "suitable"),
    3: More("{who} has looked into both with care: ", "is", "suitable"),
    4: More("{who} and {other} have looked into both, each on their own: ", "is clearly", "suitable"),
    5: More("Everybody who has ever looked into it agrees: ", "is without any doubt", "suitable"),
}
"""Reasons by strength, from a feeling to proof."""

TALK = (
    "{other} asks whether the window may be opened, and opens it.",
    "A parcel is brought in, signed for and put aside.",
    "{other} tells a long story about a neighbour's dog.",
    "There is a pause while a light bulb is changed.",
    "Tea is made, and there is talk of the weather on {day}.",
    "A wrong number rings and apologises.",
    "{other} sharpens three pencils, one after the other.",
    "Somebody reads the bus times out loud.",
)
"""Turns of talk without content, to put distance between a field and the question."""

"""The words of the family: offices with their kinds of request, and every rule in two wordings."""

from __future__ import annotations

from msgspec import Struct


class Office(Struct, frozen=True):
    """Who works down a queue: three kinds of request, a mark that sets back and one that forbids."""

    title: str
    request: str
    kinds: tuple[str, str, str]
    setback: str
    forbidden: str


OFFICES = (
    Office("repair desk", "repair", ("clocks", "lamps", "toys"), "private", "sealed"),
    Office("laboratory intake", "sample", ("blood", "water", "soil"), "repeat", "unsigned"),
    Office("permit office", "application", ("bridge", "house", "fence"), "incomplete", "disputed"),
    Office("translation bureau", "text", ("contract", "manual", "letter"), "draft", "classified"),
    Office("shipyard", "hull", ("ferry", "trawler", "yacht"), "idle", "arrested"),
    Office("court registry", "motion", ("tenancy", "parking", "noise"), "late", "withdrawn"),
    Office("press office", "query", ("agency", "daily", "monthly"), "anonymous", "embargoed"),
    Office("seed bank", "lot", ("wheat", "beans", "flowers"), "duplicate", "quarantined"),
)
OPENINGS = (
    "The {title} has {limit} minutes today, which is not enough for every {request} on the list. Work out which of "
    "them are dealt with, and in which order. The house rules:",
    "There are {limit} minutes left at the {title}, and more waiting than that allows. By the rules below, which "
    "{request} is taken first, which next, and so on until the time is used as the rules say?",
    "Plan the day of the {title}: {limit} minutes, one {request} after another. All of these rules hold:",
    "Somebody has to say what the {title} does in the next {limit} minutes and what has to wait. It is you, and these "
    "are the rules:",
)
ORDER = (
    "Kinds count in this order: first {one}, then {two}, last {three}.",
    "Every {request} of kind {two} is taken before any of kind {three}, and every one of kind {one} before both.",
)
AGED = (
    "Exception: whatever has waited {days} days or more counts as kind {one}, of whatever kind it is.",
    "Exception: every {request} with {days} days of waiting or more is treated like kind {one}.",
)
SETBACK = (
    "Exception: what is marked {setback} counts as kind {three}, of whatever kind it is.",
    "Exception: the mark {setback} puts every {request} that bears it back to kind {three}.",
)
CLASH = (
    "Where both exceptions apply, the one about {winner} holds.",
    "If the two exceptions contradict each other, go by {winner}.",
)
WINNERS = {True: "waiting time", False: "the mark"}
FORBIDDEN = (
    "What is marked {forbidden} must not be dealt with at all; we have no permission for it.",
    "There is no permission for anything marked {forbidden}: leave it out altogether.",
)
TIES = {
    "longest_wait": "Within a kind, whatever has waited longer comes first.",
    "shortest_job": "Within a kind, whatever takes fewer minutes comes first.",
    "longest_job": "Within a kind, whatever takes more minutes comes first.",
}
LAST_TIE = "If that is equal, too, the smaller number in the code comes first."
FILLS = {
    "skip": "Go down that order. What does not fit into the minutes left is passed over, and the next is tried.",
    "stop": "Go down that order. As soon as something does not fit into the minutes left, stop for the day.",
}
NOTE = (
    "\nThe text lists, for every {request}:\n{legend}\nThe tools reread and passage show the text again, whole or in "
    "part."
)
ANSWER_FORMAT = "A JSON list of the codes (like X-000) of what is dealt with, in the order in which it is dealt with."

"""The words of the family. Clauses of notes have the crew as their subject; several wordings say the same."""

from __future__ import annotations

from proctor.suites.kit.words import SURNAMES

CREWS = tuple(f"{name} crew" for name in SURNAMES)
SHIPS = (
    *("Petrel", "Marigold", "Halcyon", "Tern", "Bluebell", "Ondine", "Kestrel", "Primrose", "Seafoam", "Lodestar"),
    *("Swift", "Nereid", "Avocet", "Fairwind", "Corncrake", "Sandpiper", "Larkspur", "Ember", "Gannet", "Thrift"),
)
LOADS = ("timber", "grain", "coal", "bricks", "cider", "wool", "slates", "salt", "oranges", "paper")
ASKED = (
    *("was asked for day {day}", "promised day {day}", "took a job for day {day}", "was booked for day {day}"),
    *("gave its word for day {day}",),
)
HELPED = (
    *("had been lent a hand", "had been helped with its own boat", "had its cart mended for it beforehand"),
    *("had had a day's help from {who}", "had been done a good turn by {who}"),
)
REMINDED = (
    *(
        "was reminded",
        "got a reminder from {who}",
        "was asked whether it had forgotten",
        "heard from {who} again about it",
    ),
    *("had its promise read out to it",),
)
LEFT_ALONE = ("", "heard no more about it", "was left alone", "was told nothing more", "")
CAME = (
    *(
        "did the work on day {came}",
        "turned up on day {came}",
        "had the ship unloaded on day {came}",
        "came on day {came}",
    ),
    *("was on the quay on day {came}",),
)
STAYED_AWAY = (
    *(
        "never turned up",
        "did not come at all",
        "left the ship lying",
        "was nowhere to be seen",
        "let the ship wait in vain",
    ),
)
REMARKS = (
    *("sings at work", "has a new cart", "won the tug of war at {town}", "lost two hats to the wind"),
    *("hails from {town}", "likes its tea strong", "has its own flag", "shares a dog with the harbour master"),
)
GOALS = (
    "Three ships with {load} are coming, and four crews are for hire. Get every ship unloaded.",
    "You run the quay. Find a crew for each of three ships with {load}; four crews are to be had.",
    "Four crews, three ships full of {load}: see to it that each ship is unloaded while it is here.",
    "Unloading {load} is what you have to arrange: three ships, each to be unloaded by one of four crews.",
)
NOTE = (
    " A ship is in port on a single day; a crew that comes earlier or later finds no ship, and will not come again. "
    "Today is day 1. The tool ask books a crew for a ship and a day, remind reminds a crew of its promise, lend_hand "
    "does a crew a good turn; each takes one hour, and you have {hours} hours in all. The tool wait lets days pass and "
    "costs none. You may ask for a day other than the ship's. A crew can take one ship, and a ship one crew. Every "
    "crew promises the day it is asked for; what crews then do differs: each has its own habit and keeps to it with "
    "everybody. You succeed if all three ships are unloaded; the hours are just enough for somebody who treats every "
    "crew as its habit requires."
)
PAST = " The text below has the crews, the ships' days, and notes on how these and other crews kept promises before."
PAST_UNNAMED = (
    " The text below has the crews, the ships' days, and notes on how these and other crews kept promises before, "
    "with the names left out."
)
NO_PAST = " The text below has the crews and the ships' days."
REREADING = (
    " The tools reread and passage show the text again, whole or in part; the tool quay shows what was promised and "
    "done so far. What is shown may be garbled; the same passage read again need not be."
)
ANSWER_FORMAT = "The word done, once everything is arranged; days that have not passed by then pass by themselves."
TITLES = ("Quay book", "Crews and ships", "Port file", "Harbour papers")
FIGURES = (
    *("the {ship} is in port on day {day} only", "day {day} is the day of the {ship}"),
    *("the {ship} comes and goes on day {day}", "expected on day {day} and no other: the {ship}"),
)
FOR_HIRE = ("crews for hire: {crews}", "to be had today: {crews}", "{crews} are looking for work")

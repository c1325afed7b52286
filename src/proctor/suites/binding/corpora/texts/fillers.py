"""Texts that imply nothing, for offices and for events of any kind: what stands in a field that does not decide."""

from __future__ import annotations

ANYWHERE: dict[str, tuple[str, ...]] = {
    "reason": (
        "{paper} has been read through once more and says nothing that bears on this.",
        "No figure has changed since {day}; what was known then is what is known now.",
        "{who} went over the arguments again and found them as they stood.",
        "Beyond what is described there is no further evidence either way.",
        "The considerations were listed on {day} and have not been added to.",
        "Nobody in {place} has brought up a fresh argument.",
        "The usual points for and against are known to everybody and balance out.",
    ),
    "memory": (
        "From last time only the weather and the seating are on record.",
        "{who} remembers that the talk in {place} was short and the coffee strong.",
        "An entry of {day} in {paper} gives the names of those present, and stops there.",
        "Earlier sessions dealt with other things and left the matter open.",
        "What comes back of {day} is the noise outside {place} and little else.",
        "The notes of the last meeting cover the route there and the hour of return.",
        "Nothing about this question was noted down before today.",
    ),
    "self": (
        "You slept well, had breakfast at the usual hour and are in no hurry.",
        "You have no habit in matters of this kind, and never had one.",
        "You are known in {place} as somebody who takes things as they come.",
        "People like {who} would call you even-tempered; that is about all they would say.",
        "You have been asked such things before and answered now one way, now the other.",
        "What you care about lies elsewhere and is untouched by this.",
        "You came to {place} on {day} without any fixed idea of how to go about it.",
    ),
    "veto": (
        "No objection is on file, and the usual permissions are in order.",
        "{who} checked the rules on {day} and found that both ways are open.",
        "The house rules of {place} have nothing to say about this.",
        "All approvals came in on {day}; nobody has raised a hand against it.",
        "There is no hold on the matter, in {paper} or anywhere else.",
        "The safety check was done on {day} and came back clear.",
        "Whoever has a say in {place} has said that it may go ahead.",
    ),
    "x-cue": (
        "A radio in the next room is giving the football results.",
        "The calendar on the wall of {place} shows a picture of a lighthouse.",
        "{who} is wearing a green scarf today.",
        "Somebody left an umbrella by the door on {day}.",
        "The clock in {place} runs four minutes fast.",
        "It has been raining since {day}, though not hard.",
        "There is a smell of fresh paint in the corridor.",
    ),
}

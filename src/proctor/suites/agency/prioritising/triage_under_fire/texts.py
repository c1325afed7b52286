"""The words of the family: disasters with three things at stake each, and the rules in three wordings."""

from __future__ import annotations

from msgspec import Struct


class Disaster(Struct, frozen=True):
    """What happened, who is sent, and what is at stake, in no order.

    Nobody's life is: any order of stakes can be declared without going against common sense.
    """

    title: str
    crew: str
    stakes: tuple[str, str, str]


DISASTERS = (
    Disaster("city fire", "engines", ("archive", "market", "depot")),
    Disaster("river flood", "boats", ("livestock", "harvest", "mill")),
    Disaster("earthquake", "squads", ("water", "roads", "power")),
    Disaster("gas leak", "teams", ("school", "works", "station")),
    Disaster("power failure", "generators", ("dairy", "offices", "cold-store")),
    Disaster("avalanche", "patrols", ("cables", "lifts", "huts")),
    Disaster("dam alarm", "platoons", ("locks", "bridge", "mill")),
    Disaster("storm at sea", "cutters", ("piers", "beacons", "cargo")),
)
GOALS = (
    "You lead the operation. There are {crews} {crew} at the base, and {reserve} of them must stay there whatever "
    "happens. What is at stake counts in this order: {one}, then {two}, then {three}; within the same stake, whatever "
    "has fewer minutes left comes first. Go through the incidents in that order: send each exactly as many {crew} as "
    "it needs, or none if that many cannot be spared any more, and go on to the next.",
    "{crews} {crew}, more incidents than they can serve, and a reserve of {reserve} that may not leave the base. "
    "Highest priority: {one}. After that {two}, and {three} last. Among equals the one with fewer minutes left goes "
    "first. In this order every incident gets all the {crew} it needs, or, where too few are left beside the reserve, "
    "none at all; then the next one is looked at.",
    "Send {crew} to incidents. Whatever is about {three} yields to what is about {two}, and both yield to {one}; where "
    "the stake is the same, the one with more minutes left yields. Work down that order: whoever's need can be met in "
    "full without touching the reserve gets it, whoever's cannot gets nothing, and you go on. The base has {crews} "
    "{crew}; the reserve is {reserve} of them.",
)
NOTE = (
    "\nWhat was sent cannot be called back, and nothing can be sent to the same incident twice. What people call for "
    "on the radio changes nothing. For every incident the text lists:\n{legend}\nThe tool send spends {crew}. The "
    "tools reread and passage show the text again, whole or in part; passages are short enough never to be cut. "
    "Reports may come in garbled; the same passage read again need not be."
)
CALLS = (
    "{who} on the radio: {code} first, please, there is nothing more urgent",
    "{who} on the radio: the mayor is at {code} and wants to see somebody soon",
    "{who} on the radio: the press is on its way to {code}",
    "{who} on the radio: do not mind {code}, we will manage somehow",
)

"""The words of the family: teams, sites, goals. Nothing here draws or decides."""

from __future__ import annotations

TEAMS = (
    *("Anchor", "Beacon", "Comet", "Delta", "Ember", "Falcon", "Granite", "Heron", "Ivory", "Jackal", "Kestrel"),
    *("Lynx", "Magpie", "Nimbus", "Otter", "Puffin", "Quartz", "Raven", "Stork", "Tundra", "Viper", "Walrus"),
)
PLACES = (
    *("mill", "school", "harbour", "hospital", "theatre", "station", "market", "library", "quarry", "campsite"),
    *("brewery", "factory", "chapel", "museum", "stadium", "warehouse", "bakery", "tunnel", "ferry", "greenhouse"),
)
GOALS = (
    "Emergency planning: judge {count} changes to a plan of deployment, then order the best deployment.",
    "Teams are about to be sent out. For each of {count} changes somebody proposes, predict what it would change; then "
    "give the order.",
    "You lead the response to an emergency. Work out what would be different under each of {count} other deployments, "
    "and deploy accordingly.",
    "If other teams went to other places, what would change? Answer for {count} proposals and then order what is best.",
)
NOTE = (
    " How it goes: a team sets out at the minute it is ready and needs its pace, in minutes per kilometre, for every "
    "kilometre of its road. From its arrival until the minute when the site is lost it brings out its number of people "
    "a minute, and never more than are there: arriving at minute 10 at a site that is lost at minute 30 means 20 "
    "minutes of work, and who arrives too late brings out nobody. At each site works the team "
    "that is sent there, and nobody else; a team that is not sent anywhere does nothing. Each proposal changes the "
    "plan in one point and leaves the rest as it is. For every proposal, in order, predict by how many the number of "
    "people brought out in all would change against the plan: positive for more, negative for fewer, 0 for no "
    "difference. Before you answer, give the orders for the deployment under which most people are brought out, be it "
    "the plan or one of the proposals: call deploy once for every site, with the team that goes there. You succeed if "
    "all predictions are right and the teams of the best deployment were sent."
)
ANSWER_FORMAT = "A JSON list of whole numbers with a sign where negative, one for each proposal, in their order."

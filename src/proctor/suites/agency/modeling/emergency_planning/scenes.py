"""Teams, sites, roads, a plan and proposals to change it; and what comes of a deployment.

Always: no proposal is as good as the best one, the plan itself included, and at most one proposal changes nothing.
"""

from __future__ import annotations

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.agency.modeling.emergency_planning.texts import PLACES, TEAMS

_TRIES = 24


class Team(Struct, frozen=True):
    """Who can be sent."""

    name: str
    ready: int
    pace: int
    rate: int
    roads: list[int]
    """Kilometres to each site, in the order of the sites."""


class Site(Struct, frozen=True):
    """Where people wait, and when it is too late."""

    name: str
    people: int
    lost: int


class Scene(Struct, frozen=True):
    """Everything a form tells. The plan sends team n to site n; the last team is held back."""

    teams: list[Team]
    sites: list[Site]
    proposals: list[list[int]]
    """For each proposal the number of the team at each site."""

    @property
    def reserve(self) -> Team:
        """The team that the plan sends nowhere."""
        return self.teams[-1]

    @property
    def plan(self) -> list[int]:
        """The team sent to each site: the first to the first, and so on."""
        return list(range(len(self.sites)))


def brought_out(team: Team, index: int, site: Site, *, limited: bool = True) -> int:
    """How many people a team brings out at a site, as far as minutes and people allow; `limited=False` forgets the
    people."""
    people = team.rate * max(0, site.lost - team.ready - team.pace * team.roads[index])
    return min(site.people, people) if limited else people


def outcome(scene: Scene, sent: list[int], *, limited: bool = True) -> int:
    """People brought out in all under a deployment."""
    return sum(
        brought_out(scene.teams[team], index, site, limited=limited)
        for index, (team, site) in enumerate(zip(sent, scene.sites, strict=True))
    )


def simulated(scene: Scene, sent: list[int]) -> int:
    """The same, lived through minute by minute."""
    total = 0
    for index, site in enumerate(scene.sites):
        team = scene.teams[sent[index]]
        waiting = site.people
        for _ in range(team.ready + team.pace * team.roads[index], site.lost):
            waiting -= min(waiting, team.rate)
        total += site.people - waiting
    return total


def changes(scene: Scene, *, limited: bool = True) -> list[int]:
    """By how much each proposal changes the outcome."""
    before = outcome(scene, scene.plan, limited=limited)
    return [outcome(scene, sent, limited=limited) - before for sent in scene.proposals]


def best(outcomes: list[int]) -> int:
    """The number of the proposal with the greatest change, 0 for the plan; the first of equals."""
    options = [0, *outcomes]
    return options.index(max(options))


def orders(scene: Scene, number: int) -> dict[str, str]:
    """Which team goes to which site under the proposal of this number, or under the plan (0)."""
    sent = scene.proposals[number - 1] if number else scene.plan
    return {site.name: scene.teams[team].name for site, team in zip(scene.sites, sent, strict=True)}


def scene(stream: Stream, sites: int, proposals: int) -> Scene:
    """A scene with so many sites and proposals."""
    names = stream.sample(TEAMS, sites + 1)
    places = stream.sample(PLACES, sites)
    sent = _proposals(stream, sites, proposals)
    drawn = _drawn(stream, names, places, sent)
    for _ in range(_TRIES):
        if _telling(changes(drawn)):
            break
        drawn = _drawn(stream, names, places, sent)
    return drawn


def _drawn(stream: Stream, names: list[str], places: list[str], sent: list[list[int]]) -> Scene:
    integer = stream.integer
    teams = [Team(name, integer(0, 9), integer(2, 4), integer(1, 3), [integer(2, 9) for _ in places]) for name in names]
    return Scene(teams, [Site(place, integer(25, 80), integer(35, 59)) for place in places], sent)


def _telling(outcomes: list[int]) -> bool:
    options = sorted([0, *outcomes])
    return options[-1] > options[-2] and outcomes.count(0) <= 1


def _proposals(stream: Stream, sites: int, count: int) -> list[list[int]]:
    """Different deployments: two teams swapped, or the reserve in place of a team."""
    every: list[list[int]] = []
    plan = list(range(sites))
    for one in range(sites):
        every.append([sites if team == one else team for team in plan])
        for two in range(one):
            every.append([{one: two, two: one}.get(team, team) for team in plan])
    return stream.sample(every, count)

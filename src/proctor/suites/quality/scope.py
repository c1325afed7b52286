"""Scopes: which scenarios belong to a part of the organisation (harness paper §6).

An agent's scope holds its own scenarios and those its parents declare for every agent. A zone adds what happens between
its agents, a planet what crosses its zones, a universe what crosses its planets. Field names are the paper's.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import Field, model_validator

from proctor.core.errors import InputError
from proctor.spec.coordinate import Coordinate, Level
from proctor.spec.declaration import Declaration
from proctor.spec.scenario import Reach, Scenario

LEVELS = (Level.AGENT, Level.ZONE, Level.PLANET, Level.UNIVERSE, Level.GALAXY)
"""From the smallest to the largest."""
SMALLEST: dict[Reach, Level] = {
    "agent": Level.AGENT,
    "inter_agent": Level.ZONE,
    "cross_zone": Level.PLANET,
    "cross_planet": Level.UNIVERSE,
}
"""The smallest level at which something of that reach can happen."""
_FIELDS: dict[str, Reach] = {
    "includeInterAgentScenarios": "inter_agent",
    "includeCrossZoneScenarios": "cross_zone",
    "includeCrossPlanetScenarios": "cross_planet",
}


def holds(level: Level, reach: Reach) -> bool:
    """Whether something of that reach can lie within one coordinate of that level."""
    return LEVELS.index(level) >= LEVELS.index(SMALLEST[reach])


class Scope(Declaration):
    """A part of the organisation, and what belongs to its evaluation. What is not given follows from the level."""

    coordinate: str
    level: Level | None = None
    """None: the coordinate's. Another one than the coordinate's is an error."""
    inherit_parent_scenarios: bool | None = Field(default=None, alias="inheritParentScenarios")
    """Also what the levels above declare; by default an agent does, larger parts do not."""
    include_inter_agent_scenarios: bool | None = Field(default=None, alias="includeInterAgentScenarios")
    """Also hand-offs between agents; by default from a zone upwards."""
    include_cross_zone_scenarios: bool | None = Field(default=None, alias="includeCrossZoneScenarios")
    """Also work across zones; by default from a planet upwards."""
    include_cross_planet_scenarios: bool | None = Field(default=None, alias="includeCrossPlanetScenarios")
    """Also work across planets; by default from a universe upwards."""

    @classmethod
    def parse(cls, data: Any, *, source: str = "scope") -> Scope:
        """From a coordinate (`G1.U2.*.*.*`) or from the fields of a file."""
        return super().parse({"coordinate": data} if isinstance(data, str) else data, source=source)

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Scope:
        own = self.place.level
        if self.level is not None and self.level is not own:
            message = f"{self.coordinate} belongs to level {own}, not to {self.level}; change one of them"
            raise InputError(message)
        for name, reach in _FIELDS.items():
            if self._asked(reach) and not holds(own, reach) and not self.inherits:
                message = (
                    f"{name}: nothing within {self.coordinate}, a {own}, is {reach}; choose a larger scope, "
                    "or set inheritParentScenarios"
                )
                raise InputError(message)
        return self

    def _asked(self, reach: Reach) -> bool | None:
        return {
            "agent": True,
            "inter_agent": self.include_inter_agent_scenarios,
            "cross_zone": self.include_cross_zone_scenarios,
            "cross_planet": self.include_cross_planet_scenarios,
        }[reach]

    @property
    def place(self) -> Coordinate:
        """The coordinate, read."""
        return Coordinate.parse(self.coordinate)

    @property
    def inherits(self) -> bool:
        """Whether scenarios of the levels above belong to it."""
        if self.inherit_parent_scenarios is None:
            return self.place.level is Level.AGENT
        return self.inherit_parent_scenarios

    @property
    def reaches(self) -> frozenset[Reach]:
        """What kinds of scenario belong to it, as given or as usual for its level."""
        asked = {reach: self._asked(reach) for reach in SMALLEST}
        level = self.place.level
        return frozenset(reach for reach, given in asked.items() if (holds(level, reach) if given is None else given))

    def takes(self, scenario: Scenario) -> bool:
        """Whether a scenario belongs to it."""
        if scenario.reach not in self.reaches:
            return False
        place, theirs = self.place, Coordinate.parse(scenario.coordinate)
        return place.covers(theirs) or (self.inherits and theirs.covers(place))


def select(scenarios: Iterable[Scenario], scope: Scope) -> tuple[Scenario, ...]:
    """The scenarios that belong to a scope, in their order; possibly none."""
    return tuple(scenario for scenario in scenarios if scope.takes(scenario))

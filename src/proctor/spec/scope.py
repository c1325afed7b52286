"""Scopes: which scenarios belong to a part of the organisation (harness paper §6).

An agent's scope holds its own scenarios and those its parents declare for every agent. A zone adds what happens between
its agents, a planet what crosses its zones, a universe what crosses its planets. Field names are the paper's.

A run within a scope keeps the numbers of its scenarios: `Narrowing` says which of them are taken, so that scenario i
meets the agent under the same streams as in a run of everything.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, SerializerFunctionWrapHandler, field_validator, model_serializer, model_validator

from proctor.core.errors import InputError
from proctor.spec.coordinate import Coordinate, Level
from proctor.spec.declaration import Declaration
from proctor.spec.documents import read_document
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


def contains(level: Level, reach: Reach) -> bool:
    """Whether something of that reach can lie within one coordinate of that level."""
    return LEVELS.index(level) >= LEVELS.index(SMALLEST[reach])


class Scope(Declaration):
    """A part of the organisation and the scenarios that belong to it; fields not given follow from the level."""

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
        own = self.position.level
        if self.level is not None and self.level is not own:
            message = f"{self.coordinate} belongs to level {own}, not to {self.level}; change one of them"
            raise InputError(message)
        for name, reach in _FIELDS.items():
            if self._declared(reach) and not contains(own, reach) and not self.inherits:
                message = (
                    f"{name}: nothing within {self.coordinate}, a {own}, is {reach}; choose a larger scope, "
                    "or set inheritParentScenarios"
                )
                raise InputError(message)
        return self

    def _declared(self, reach: Reach) -> bool | None:
        return {
            "agent": True,
            "inter_agent": self.include_inter_agent_scenarios,
            "cross_zone": self.include_cross_zone_scenarios,
            "cross_planet": self.include_cross_planet_scenarios,
        }[reach]

    @property
    def position(self) -> Coordinate:
        """The coordinate, parsed."""
        return Coordinate.parse(self.coordinate)

    @property
    def inherits(self) -> bool:
        """Whether scenarios of the levels above belong to it."""
        if self.inherit_parent_scenarios is None:
            return self.position.level is Level.AGENT
        return self.inherit_parent_scenarios

    @property
    def reaches(self) -> frozenset[Reach]:
        """What kinds of scenario belong to it, as given or as usual for its level."""
        declared = {reach: self._declared(reach) for reach in SMALLEST}
        level = self.position.level
        return frozenset(
            reach for reach, value in declared.items() if (contains(level, reach) if value is None else value)
        )

    def includes(self, scenario: Scenario) -> bool:
        """Whether a scenario belongs to it."""
        if scenario.reach not in self.reaches:
            return False
        own, theirs = self.position, Coordinate.parse(scenario.coordinate)
        return own.covers(theirs) or (self.inherits and theirs.covers(own))


def read_scope(text: str, folder: Path) -> Scope:
    """A scope from a command line: a coordinate, or the name of a file with the fields of one."""
    if text.endswith((".yaml", ".yml", ".json")):
        return Scope.parse(read_document(folder / text), source=text)
    return Scope.parse(text, source=f"--scope {text}")


def select_scenarios(scenarios: Iterable[Scenario], scope: Scope) -> tuple[Scenario, ...]:
    """The scenarios that belong to a scope, in their order; possibly none."""
    return tuple(scenario for scenario in scenarios if scope.includes(scenario))


class Kept(Declaration):
    """Which scenarios of one family are taken, by number."""

    of: Annotated[int, Field(ge=1)]
    """How many scenarios the family has; instance i is scenario i modulo this."""
    numbers: tuple[Annotated[int, Field(ge=0)], ...]
    """In ascending order; possibly none."""

    @model_validator(mode="after")
    def _numbers_are_scenarios(self) -> Kept:
        ascending = all(one < two for one, two in zip(self.numbers, self.numbers[1:], strict=False))
        if not ascending or (self.numbers and self.numbers[-1] >= self.of):
            message = f"the numbers of a scope must be ascending and below {self.of}, the number of scenarios"
            raise ValueError(message)
        return self

    def contains(self, instance: int) -> bool:
        """Whether the instance of this number is taken."""
        number = instance % self.of
        index = bisect_left(self.numbers, number)
        return index < len(self.numbers) and self.numbers[index] == number

    def count_between(self, first: int, stop: int) -> int:
        """How many of the instances with numbers from `first` up to `stop` (without it) are taken."""
        return self._below(stop) - self._below(first)

    def _below(self, stop: int) -> int:
        rounds, rest = divmod(stop, self.of)
        return rounds * len(self.numbers) + bisect_left(self.numbers, rest)


class Narrowing(Declaration):
    """The scope of a run as it was frozen: what was asked for, what that means, and which scenarios it takes."""

    coordinate: str
    inherits: bool
    reaches: tuple[Reach, ...]
    families: dict[str, Kept]
    """By full name; a family whose scenarios all lie elsewhere has none."""
    repeated: dict[str, tuple[Annotated[int, Field(ge=0)], ...]] = Field(default_factory=dict)
    """Set where scenarios are repeated: which of those taken are meant, by family and in ascending order. The others
    are company. Such a run goes in rounds, each with every scenario once."""

    @model_serializer(mode="wrap")
    def _without_later_defaults(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        # A run within a scope has the same identity as before there were repeats in company.
        return {name: value for name, value in plain(self).items() if value or name != "repeated"}

    @field_validator("coordinate")
    @classmethod
    def _coordinate_is_one(cls, text: str) -> str:
        Coordinate.parse(text)
        return text

    @property
    def scope(self) -> Scope:
        """The scope that was asked for, everything about it written out."""
        return Scope(
            coordinate=self.coordinate,
            inherit_parent_scenarios=self.inherits,
            include_inter_agent_scenarios="inter_agent" in self.reaches,
            include_cross_zone_scenarios="cross_zone" in self.reaches,
            include_cross_planet_scenarios="cross_planet" in self.reaches,
        )

    @property
    def sentence(self) -> str:
        """What has to be said wherever a number of such a run is shown."""
        taken = sum(len(kept.numbers) for kept in self.families.values())
        if self.repeated:
            meant = sum(map(len, self.repeated.values()))
            return f"{meant:,} repeated, in rounds with {taken - meant:,} others that only keep company"
        return f"{self.words}: {taken:,} of {sum(kept.of for kept in self.families.values()):,} scenarios"

    @property
    def words(self) -> str:
        """The coordinate, and what of it is not as usual for its level."""
        usual = Scope(coordinate=self.coordinate)
        notes = [] if self.inherits == usual.inherits else ["inheriting" if self.inherits else "not inheriting"]
        notes += [f"with {_spelled(reach)}" for reach in self.reaches if reach not in usual.reaches]
        notes += [f"without {_spelled(reach)}" for reach in SMALLEST if reach in usual.reaches - {*self.reaches}]
        return self.coordinate + (f" ({', '.join(notes)})" if notes else "")


def _spelled(reach: Reach) -> str:
    return f"{reach.replace('_', '-')} scenarios"

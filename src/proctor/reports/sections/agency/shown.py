"""The Agency Vector as it is shown: read from the JSON form of the reading, typed, with nothing added to it.

A report made from stored JSON shows the same as one made from evidence. Fields that an earlier reading does not have
take their defaults.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct, field

from proctor.instruments.agency.criterion import Criterion
from proctor.instruments.agency.flags import is_invalid, printed
from proctor.instruments.base import Flag
from proctor.reports.data import Report, RungState, Section
from proctor.reports.sections.agency.standing import boundary_phrase, boundary_words

INSTRUMENT = "agency"
LEVELS = 5


class Clustered(Struct, frozen=True):
    """The interval with units clustered by template."""

    low: float | None = None
    high: float | None = None
    reason: str | None = None
    design_effect: float | None = None
    effective_n: float | None = None


class Rate(Struct, frozen=True):
    """A level's rate under one regime (and, for learning, in one phase)."""

    regime: str
    k: int
    n: int
    rate: float | None
    low: float | None
    high: float | None
    threshold: float
    clustered: Clustered
    excluded: dict[str, int]
    format_errors: int
    reasons: dict[str, int]
    families: dict[str, tuple[int, int]]
    failed: tuple[int, ...]
    phase: str | None = None

    @property
    def where(self) -> str:
        """The regime, and in a lifetime the phase."""
        return self.regime if self.phase in (None, "test") else f"{self.phase}, {self.regime}"


class Difference(Struct, frozen=True):
    """A drop or a gain."""

    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0


class Characteristic(Struct, frozen=True):
    """How often the rule promotes agents of known ability."""

    n: int
    below: float
    above: float


class Level(Struct, frozen=True):
    """One level of one dimension."""

    cell: str
    level: int
    asks: str
    status: str
    provisional: bool
    rates: tuple[Rate, ...]
    reason: str
    target: Rate | None = None
    difference: Difference | None = None
    characteristic: Characteristic | None = None
    criteria: tuple[Criterion, ...] = ()
    """Everything the level asks for, the main thing first; empty where nothing was measured."""

    @property
    def met(self) -> bool:
        """Whether its own criteria hold, credited or not."""
        return self.status in ("met", "met, not credited")

    @property
    def deciding(self) -> Criterion | None:
        """What decided it: the first criterion that is not met and not open, else the first not met, else the first."""
        missing = [one for one in self.criteria if not one.met]
        settled = [one for one in missing if not one.provisional]
        return next(iter([*settled, *missing, *self.criteria]), None)


class Dimension(Struct, frozen=True):
    """A dimension, or a part of G."""

    dimension: str
    title: str
    level: int | None
    flags: tuple[Flag, ...]
    n: int
    families: tuple[str, ...]
    reasons: tuple[str, ...]
    other_policy_level: int | None
    moves: str
    levels: tuple[Level, ...]
    uncredited: tuple[int, ...] = ()
    mean: float | None = None
    parts: dict[str, Dimension] = field(default_factory=dict)

    @property
    def credited(self) -> Level | None:
        """The level that is credited; None for level 0, for G, and where there is no level."""
        return next((one for one in self.levels if one.level == self.level), None)

    @property
    def next(self) -> Level | None:
        """The level above it: what stopped it, or what was not tested; None above 5 and for G."""
        return next((one for one in self.levels if one.level == (self.level or 0) + 1), None)

    @property
    def invalid(self) -> bool:
        """Whether a flag takes the level away."""
        return any(map(is_invalid, self.flags))

    @property
    def rungs(self) -> tuple[RungState, ...]:
        """How levels 1 to 5 stand: one state each, drawn with a mark of its own."""
        if self.levels:
            return tuple(self._state(one) for one in self.levels)
        # G has no tests of its own: its level is the mean of its parts.
        rest: RungState = "above the mean" if self.n else "not tested"
        return tuple("credited" if n <= (self.level or 0) else rest for n in range(1, LEVELS + 1))

    def _state(self, level: Level) -> RungState:
        if level.met:
            return "credited" if self.level is not None and level.level <= self.level else "met, not credited"
        if level.status == "not tested":
            return "not tested"
        if level.status == "not measurable":
            return "not measurable"
        return "undecided" if level.provisional or level.status == "too little evidence" else "not met"


class Vector(Struct, frozen=True, rename={"reporting_tuple": "tuple"}):
    """The reading, as far as it is shown."""

    version: str
    vector: dict[str, Dimension]
    flags: tuple[Flag, ...]
    reporting_tuple: dict[str, Any]
    conditions: dict[str, Any]
    text: str
    exploratory: str = ""
    beside: str = ""
    statement: str = ""
    expected_false_promotions: float | None = None

    def all(self) -> dict[str, Dimension]:
        """Every dimension, each followed by its parts."""
        return {one.dimension: one for whole in self.vector.values() for one in (whole, *whole.parts.values())}

    def leaves(self) -> list[Dimension]:
        """Every dimension that has tests of its own: G through its parts."""
        return [one for whole in self.vector.values() for one in (whole.parts.values() or (whole,))]

    def levels(self) -> dict[str, int | None]:
        """S, M, D, E, L, R, G."""
        return {name: one.level for name, one in self.vector.items()}

    def tuple_of(self, one: Dimension) -> str:
        """The reporting tuple of one dimension: no level is shown without one."""
        whole = self.reporting_tuple
        regimes = dict.fromkeys(rate.regime for part in (one, *one.parts.values()) for rate in _rates(part))
        level = "–" if one.level is None else str(one.level)
        return (
            f"(Framework {whole['version']}, {boundary_phrase(boundary_words(whole['boundary'].get('kind')))}, "
            f"[{', '.join(one.families) or 'no family'}], {', '.join(regimes) or 'no regime'}, "
            f"{one.dimension} = {level}, {printed({one.dimension: one.flags}, self.flags)})"
        )


def _rates(one: Dimension) -> list[Rate]:
    return [rate for level in one.levels for rate in level.rates]


def vector_shown(reading: Mapping[str, Any]) -> Vector:
    """From a reading as JSON."""
    from proctor.reports.sections.agency.derived import with_criteria

    return with_criteria(msgspec.convert(reading, Vector))


def agency_section(report: Report) -> Section | None:
    """The section of the report that has a vector; None where nothing of it was measured."""
    return next((one for one in report.sections if one.instrument == INSTRUMENT and one.measured), None)

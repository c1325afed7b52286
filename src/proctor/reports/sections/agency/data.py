"""The data of the agency section: the reading, whole, and what is shown beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from proctor.evidence.evidence import Evidence
from proctor.instruments.agency.dimension import DimensionReading
from proctor.instruments.agency.flags import printed
from proctor.instruments.agency.instrument import AgencyReading
from proctor.reports.data import Report, RungState, Section, plain
from proctor.reports.sections.agency.criteria import Deciding, LevelShown, deciding, shown_level
from proctor.reports.sections.agency.rungs import rungs
from proctor.reports.sections.agency.standing import Standing, standing_of

INSTRUMENT = "agency"


class DimensionShown(Struct, frozen=True):
    """What is shown of a dimension, or of a part of G, beside its reading."""

    rungs: tuple[RungState, ...]
    """How levels 1 to 5 stand."""
    deciding: Deciding
    levels: tuple[LevelShown, ...]
    """Each level with the criteria it was judged by."""
    reporting_tuple: str
    """The reporting tuple of this dimension by itself: no level is shown without one."""


class AgencyData(Struct, frozen=True):
    """Everything the section renders."""

    reading: AgencyReading
    shown: dict[str, DimensionShown]
    """By dimension and part of G."""
    standing: Standing
    """What must be said beside every level: tier, tuples, governance notes, threats to validity."""


def agency_data(reading: AgencyReading, evidence: Evidence) -> dict[str, Any]:
    """As plain JSON."""
    rules = evidence.frozen.rules
    whole = plain(reading)
    whole["tuple"] = plain(whole["tuple"])
    shown = {
        name: DimensionShown(
            rungs=rungs(one),
            deciding=deciding(one, rules),
            levels=tuple(shown_level(one, level, rules) for level in one.levels),
            reporting_tuple=_tuple(reading, one),
        )
        for name, one in all_dimensions(reading).items()
    }
    return {"reading": whole, "shown": plain(shown), "standing": plain(standing_of(whole))}


def data_from_json(data: Mapping[str, Any]) -> AgencyData:
    """What `agency_data` gave, with types."""
    return msgspec.convert(data, AgencyData)


def agency_section(report: Report) -> Section | None:
    """The section of the report that has a vector; None where nothing of it was measured."""
    return next((one for one in report.sections if one.instrument == INSTRUMENT and one.measured), None)


def all_dimensions(reading: AgencyReading) -> dict[str, DimensionReading]:
    """Every dimension, each followed by its parts."""
    return {
        one.dimension: one for dimension in reading.vector.values() for one in (dimension, *dimension.parts.values())
    }


def _tuple(reading: AgencyReading, one: DimensionReading) -> str:
    whole = reading.reporting_tuple
    regimes = dict.fromkeys(rate.regime for level in one.levels for rate in level.rates)
    regimes = regimes or dict.fromkeys(name.rpartition(" ")[2] for name in one.rates)
    level = "–" if one.level is None else str(one.level)
    return (
        f"(Framework {whole['version']}, {boundary_name(whole['boundary'])} Boundary, "
        f"[{', '.join(one.families) or 'no family'}], {', '.join(regimes) or 'no regime'}, "
        f"{one.dimension} = {level}, {printed({one.dimension: one.flags}, reading.flags)})"
    )


def boundary_name(boundary: Mapping[str, Any]) -> str:
    """Core, Extended, or Undeclared: what nobody declared is never called Core."""
    return str(boundary.get("kind") or "undeclared").capitalize()

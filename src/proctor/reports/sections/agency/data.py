"""The data of the agency section: the reading, whole, and what the page shows beside it."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from proctor.evidence.evidence import Evidence
from proctor.instruments.agency.dimension import DimensionReading
from proctor.instruments.agency.flags import printed
from proctor.instruments.agency.instrument import AgencyReading
from proctor.reports.data import plain
from proctor.reports.sections.agency.deciding import Deciding, deciding, needs_text


class AgencyData(Struct, frozen=True):
    """Everything the section renders."""

    reading: AgencyReading
    deciding: dict[str, Deciding | None]
    """By dimension and part of G; None where nothing was measured."""
    needs: dict[str, str]
    """By cell."""
    tuples: dict[str, str]
    """The reporting tuple of each dimension and part by itself: no level is shown without one."""


def agency_data(reading: AgencyReading, evidence: Evidence) -> dict[str, Any]:
    """As plain JSON."""
    every = all_dimensions(reading)
    data = plain(
        AgencyData(
            reading=reading,
            deciding={name: deciding(one) for name, one in every.items()},
            needs={
                level.cell: needs_text(
                    name, level.level, level.rates[-1].threshold if level.rates else evidence.frozen.rules.threshold
                )
                for name, one in every.items()
                for level in one.levels
            },
            tuples={name: _tuple(reading, one) for name, one in every.items()},
        )
    )
    data["reading"] = plain(data["reading"])
    data["reading"]["tuple"] = plain(data["reading"]["tuple"])
    return data


def data_from_json(data: dict[str, Any]) -> AgencyData:
    """What `agency_data` was made from."""
    return msgspec.convert(data, AgencyData)


def all_dimensions(reading: AgencyReading) -> dict[str, DimensionReading]:
    """Every dimension, each followed by its parts."""
    return {
        one.dimension: one for dimension in reading.vector.values() for one in (dimension, *dimension.parts.values())
    }


def _tuple(reading: AgencyReading, one: DimensionReading) -> str:
    whole = reading.reporting_tuple
    regimes = dict.fromkeys(rate.regime for level in one.levels for rate in level.rates)
    regimes = regimes or dict.fromkeys(name.rpartition(" ")[2] for name in one.pooled_over_levels)
    level = "–" if one.level is None else str(one.level)
    return (
        f"(Framework {whole['version']}, {whole['boundary']['type']} Boundary, "
        f"[{', '.join(one.families) or 'no family'}], {', '.join(regimes) or 'no regime'}, "
        f"{one.dimension} = {level}, {printed({one.dimension: one.flags}, reading.flags)})"
    )

"""`--beside RUN`: the same system within the other boundary, read together."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from proctor.evidence.evidence import Evidence
    from proctor.instruments.base import Reading


def with_other_boundary(reading: Reading, evidence: Evidence, other: Evidence) -> Reading:
    """The agency reading with the other boundary's beside it; other readings as they are."""
    from proctor.instruments.agency.boundaries import beside
    from proctor.instruments.agency.instrument import AgencyInstrument, AgencyReading

    if not isinstance(reading, AgencyReading):
        return reading
    return beside(reading, evidence, AgencyInstrument().read(other, other.frozen.rules), other)

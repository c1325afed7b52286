"""Both boundaries together (§6.1): a vector of one alone is exploratory; beside the other's it is not."""

from __future__ import annotations

from msgspec.structs import replace

from proctor.core.errors import InputError
from proctor.evidence.evidence import Evidence
from proctor.instruments.agency.instrument import AgencyReading


def beside(reading: AgencyReading, evidence: Evidence, other: AgencyReading, theirs: Evidence) -> AgencyReading:
    """The reading with that of the other boundary beside it. Refuses two runs that are not the same examination."""
    mine, their = evidence.frozen, theirs.frozen
    if mine.system.boundary.kind is their.system.boundary.kind:
        message = f"{evidence.run} and {theirs.run} are both of the {mine.system.boundary.kind.value} boundary"
        raise InputError(message)
    if (mine.suite.stream_name, mine.seed) != (their.suite.stream_name, their.seed):
        message = (
            f"{evidence.run} and {theirs.run} did not meet the same tasks; take the same seed, and suites of one "
            "stream such as agency-core and agency-extended"
        )
        raise InputError(message)
    if mine.system.name != their.system.name:
        message = f"{evidence.run} is of '{mine.system.name}' and {theirs.run} of '{their.system.name}'"
        raise InputError(message)
    return replace(reading, exploratory="", beside=other.text)

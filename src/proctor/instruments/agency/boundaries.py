"""Both boundaries together (§6.1): a vector of one alone is exploratory; beside a valid one of the other it is not.

Exploratory is lifted only by a run that is complete, valid, of the same examination (entries, regimes, rules and
families, all of them), and of the same system: name, version, declarations, and the agent that the system names for
that boundary, with the files it had. Otherwise it stays, and says why. A system that declares `extended: none` has one
boundary, and one run suffices.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from proctor.core.errors import InputError
from proctor.evidence.evidence import Evidence
from proctor.instruments.agency.flags import is_invalid
from proctor.instruments.agency.instrument import AgencyReading
from proctor.spec.frozen import FrozenRun
from proctor.spec.system import BoundaryKind


def beside(reading: AgencyReading, evidence: Evidence, other: AgencyReading, theirs: Evidence) -> AgencyReading:
    """The reading with that of the other boundary beside it. Refuses two runs that are not the same examination."""
    mine, their = evidence.frozen, theirs.frozen
    if mine.system.boundary.kind is their.system.boundary.kind:
        message = f"{evidence.run} and {theirs.run} are both of the {mine.system.boundary.words.lower()} boundary"
        raise InputError(message)
    if (mine.suite.stream_name, mine.seed) != (their.suite.stream_name, their.seed):
        message = (
            f"{evidence.run} and {theirs.run} did not meet the same tasks; take the same seed, and suites of one "
            "stream such as agency-core and agency-extended"
        )
        raise InputError(message)
    why = [*_faults(reading, evidence), *_faults(other, theirs), *_other_tasks(mine, their), *_strangers(mine, their)]
    exploratory = f"Although {theirs.run} stands beside it: {'; '.join(why)}." if why else ""
    both = {one.run: _shown(found, one) for found, one in ((reading, evidence), (other, theirs))}
    return replace(reading, exploratory=exploratory, beside=other.text, boundaries=both)


def _faults(reading: AgencyReading, evidence: Evidence) -> Iterator[str]:
    """Why a run cannot stand for its boundary."""
    run, frozen = evidence.run, evidence.frozen
    if not evidence.complete:
        yield f"{run} is not complete"
    if not reading.measured:
        yield f"{run} measures no level"
    invalid = {
        flag.name
        for flags in (reading.flags, *(one.flags for one in reading.vector.values()))
        for flag in flags
        if is_invalid(flag)
    }
    if invalid:
        yield f"{run} is {', '.join(sorted(invalid))}"
    if frozen.only:
        yield f"{run} is of {', '.join(frozen.only)} only"
    if frozen.scope is not None:
        yield f"{run} is of a part of the scenarios"
    if frozen.system.boundary.kind is None:
        yield f"the boundary of {run} is not declared"


def _other_tasks(mine: FrozenRun, their: FrozenRun) -> Iterator[str]:
    """Why two runs are not of one examination although they share streams: a smaller, easier or laxer suite."""
    differing = [
        name
        for name, asks in (
            ("entries", _entries),
            ("regimes", lambda run: {one.id: one for one in run.suite.regimes}),
            ("rules", lambda run: run.rules),
            ("families", lambda run: {one.spec.full_name: one.behaviour for one in run.families}),
        )
        if asks(mine) != asks(their)
    ]
    if differing:
        yield f"{mine.suite.full_name} and {their.suite.full_name} differ in {', '.join(differing)}"


def _entries(run: FrozenRun) -> list[Any]:
    """What is asked; how much of it is taken until a cell is decided depends on the agent."""
    if run.look is None:
        return list(run.suite.entries)
    return [entry.model_copy(update={"n": 1, "first": 0}) for entry in run.suite.entries]


def _strangers(mine: FrozenRun, their: FrozenRun) -> Iterator[str]:
    """Why two runs are not of one system."""
    before, after = mine.system, their.system
    differing = [
        name
        for name in type(before).model_fields
        if name != "boundary" and getattr(before, name) != getattr(after, name)
    ]
    if differing:
        yield f"the runs are of different systems ({', '.join(differing)})"
    for one, other in ((mine, their), (their, mine)):
        agents, kind = one.system.agents, other.system.boundary.kind
        named = agents.core if kind is BoundaryKind.CORE else agents.extended
        if named is not None and named != other.agent:
            yield f"the system names {named} for the {other.system.boundary.words.lower()} boundary, not {other.agent}"
        elif one.companion_source is not None and one.companion_source != other.agent_source:
            yield f"the files of {other.agent} changed between the two runs"


def _shown(reading: AgencyReading, evidence: Evidence) -> dict[str, Any]:
    """A boundary's result as it stands beside the other's: never levels without their tuples."""
    return {
        "boundary": evidence.frozen.system.boundary.words,
        "run": evidence.run,
        "root": evidence.root,
        "agent": evidence.frozen.agent,
        "text": reading.text,
        "tuple": reading.reporting_tuple,
        "identification": reading.identification,
        "comparison": reading.comparison,
    }

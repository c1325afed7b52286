"""Boundaries: what an undeclared one means, what Core may not have, and when two runs stand for both."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tests.unit.instruments.made import Cell, evidence

from proctor.core.errors import InputError
from proctor.evidence.evidence import Evidence
from proctor.instruments.agency.boundaries import beside
from proctor.instruments.agency.instrument import AgencyInstrument, AgencyReading
from proctor.spec.rules import Rules
from proctor.spec.system import (
    Agents,
    Boundaries,
    Boundary,
    BoundaryKind,
    HumanPolicy,
    Memory,
    MemoryPersistence,
    Network,
)

CORE_KIND = BoundaryKind.CORE
EXTENDED = Boundary(kind=BoundaryKind.EXTENDED, human_policy=HumanPolicy(allowed=False))


def read(found: Evidence) -> AgencyReading:
    return AgencyInstrument().read(found, Rules())


def refrozen(found: Evidence, **changes: Any) -> Evidence:
    return replace(found, frozen=found.frozen.model_copy(update=changes))


def resystem(found: Evidence, **changes: Any) -> Evidence:
    return refrozen(found, system=found.frozen.system.model_copy(update=changes))


CORE, OTHER = evidence(Cell("S1", 50, 100)), evidence(Cell("S1", 100, 100), boundary=EXTENDED)
OTHER = replace(OTHER, run="made-2")


def names(reading: AgencyReading) -> list[str]:
    return [flag.name for flag in reading.flags]


def test_an_undeclared_boundary_is_not_called_core_and_has_no_level() -> None:
    """It used to print "Core Boundary" with levels and no flag."""
    reading = read(evidence(Cell("S1", 100, 100), boundary=Boundary(tools=())))
    assert "Core" not in reading.text
    assert "Boundary not declared" in reading.text
    assert names(reading) == ["Invalid (Missing Inputs)"]
    assert "boundary type" in reading.flags[0].reason
    assert reading.vector["S"].level is None
    assert reading.exploratory.startswith("Required inputs are not declared: boundary type")
    assert reading.comparison["boundary"] == reading.identification["boundary"] == "not declared"


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ({"tools": ("search",)}, "tools of its own (search)"),
        ({"includes": ("retry loop",)}, "scaffolding or services (retry loop)"),
        ({"memory": Memory(persistence=MemoryPersistence.PERSISTENT)}, "a memory outside the policy"),
        ({"human_policy": HumanPolicy(allowed=True)}, "people who may help"),
    ],
)
def test_evidence_of_a_core_that_is_more_than_a_policy_has_no_level(more: dict[str, Any], what: str) -> None:
    """New runs refuse it; evidence from before, or from a stranger, may still say so."""
    reading = read(evidence(Cell("S1", 100, 100), boundary=Boundary(kind=CORE_KIND, **more)))
    assert "Invalid (Missing Inputs)" in names(reading)
    assert any(what in flag.reason for flag in reading.flags)
    assert reading.vector["S"].level is None


def test_a_system_that_nothing_identifies_has_no_level() -> None:
    reading = read(refrozen(evidence(Cell("S1", 100, 100)), agent_identity=None))
    assert names(reading) == ["Invalid (Missing Inputs)"]
    assert "system identifier" in reading.flags[0].reason
    assert reading.identification["system"]["configuration_hash"] == "not declared"
    assert "configuration not declared" in reading.identification["text"]


def test_one_boundary_alone_is_exploratory_unless_there_is_no_other() -> None:
    assert "agency-extended" in read(CORE).exploratory
    alone = resystem(CORE, boundaries=Boundaries(core=CORE.frozen.system.boundary, extended="none"))
    assert read(alone).exploratory == ""
    assert names(read(alone)) == []
    pretended = resystem(OTHER, boundaries=Boundaries(extended="none"))
    assert read(pretended).exploratory, "an extended run cannot say that there is no extended system"


def test_beside_the_other_boundary_it_is_not_exploratory() -> None:
    both = beside(read(CORE), CORE, read(OTHER), OTHER)
    assert both.exploratory == ""
    assert "Extended Boundary" in both.beside
    assert both.vector == read(CORE).vector
    assert [one["boundary"] for one in both.boundaries.values()] == ["Core", "Extended"]
    for one in both.boundaries.values():
        assert one["comparison"]["vector"].keys() == one["tuple"]["scores"].keys(), "levels stand in their tuples"
        assert one["comparison"]["text"].startswith("(Framework v.10")


AGENTS = Agents(core="made", extended="made")
IDENTIFIED = [resystem(one, agents=AGENTS) for one in (CORE, OTHER)]


@pytest.mark.parametrize(
    ("companion", "why"),
    [
        (replace(OTHER, complete=False), "made-2 is not complete"),
        (refrozen(OTHER, only=("fam",)), "made-2 is of fam only"),
        (resystem(OTHER, version="2"), "the runs are of different systems (version)"),
        (resystem(OTHER, name="else"), "the runs are of different systems (name)"),
        (resystem(OTHER, network=Network.FULL), "the runs are of different systems (network)"),
        (
            replace(evidence(Cell("S1", 9, 9), boundary=Boundary(kind=BoundaryKind.EXTENDED)), run="made-2"),
            "made-2 is Invalid (Missing Inputs)",
        ),
        (
            replace(
                evidence(
                    Cell("S1", 9, 9),
                    Cell("S1", 0, 9, changes={"outcome": "infrastructure", "reason": "verifier"}),
                    boundary=EXTENDED,
                ),
                run="made-2",
            ),
            "made-2 is Invalid (Verification Infrastructure)",
        ),
        (replace(evidence(Cell("X1", 1, 1), boundary=EXTENDED), run="made-2"), "made-2 measures no level"),
    ],
)
def test_a_run_that_does_not_hold_by_itself_does_not_lift_exploratory(companion: Evidence, why: str) -> None:
    """An Invalid, partial run of another version used to."""
    both = beside(read(CORE), CORE, read(companion), companion)
    assert both.exploratory.startswith("Although made-2 stands beside it: ")
    assert why in both.exploratory


def resuited(found: Evidence, **changes: Any) -> Evidence:
    return refrozen(found, suite=found.frozen.suite.model_copy(update={"name": "easier", "streams": "made", **changes}))


LARGE = resuited(CORE, entries=CORE.frozen.suite.entries * 2)
FEWER = resuited(OTHER, entries=OTHER.frozen.suite.entries)
EASIER = resuited(
    OTHER, entries=tuple(one.model_copy(update={"knobs": {"k": 0}}) for one in LARGE.frozen.suite.entries)
)


@pytest.mark.parametrize(
    ("mine", "companion", "what"),
    [
        (LARGE, FEWER, "entries"),
        (LARGE, EASIER, "entries"),
        (CORE, refrozen(OTHER, rules=Rules(threshold=0.6)), "rules"),
        (CORE, refrozen(OTHER, families=()), "families"),
    ],
)
def test_a_smaller_or_easier_suite_of_the_same_stream_does_not_lift_exploratory(
    mine: Evidence, companion: Evidence, what: str
) -> None:
    """A suite of one family with `streams: agency` stood beside a whole `agency`, and nothing was said."""
    why = beside(read(mine), mine, read(OTHER), companion).exploratory
    assert why.startswith("Although made-2 stands beside it: ")
    assert f"differ in {what}" in why


def test_ones_own_run_has_to_hold_too() -> None:
    partial = replace(CORE, complete=False)
    assert "made-1 is not complete" in beside(read(partial), partial, read(OTHER), OTHER).exploratory


def test_the_companion_is_the_agent_the_system_names_with_the_files_it_had() -> None:
    core, other = IDENTIFIED
    assert beside(read(core), core, read(other), other).exploratory == ""
    swapped = refrozen(other, agent="better")
    why = beside(read(core), core, read(swapped), swapped).exploratory
    assert "the system names made for the extended boundary, not better" in why
    core, other = refrozen(core, companion_source="aa"), refrozen(other, agent_source="bb")
    assert "the files of made changed between the two runs" in beside(read(core), core, read(other), other).exploratory
    same = refrozen(other, agent_source="aa")
    assert beside(read(core), core, read(same), same).exploratory == ""


def test_two_runs_that_are_not_one_examination_are_refused() -> None:
    with pytest.raises(InputError, match="both of the core boundary"):
        beside(read(CORE), CORE, read(CORE), CORE)
    other_seed = refrozen(OTHER, seed=2)
    with pytest.raises(InputError, match="did not meet the same tasks"):
        beside(read(CORE), CORE, read(OTHER), other_seed)

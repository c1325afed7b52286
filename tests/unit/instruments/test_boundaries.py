"""Two boundaries of one system, reported together."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.unit.instruments.made import Cell, evidence

from proctor.core.errors import InputError
from proctor.evidence.evidence import Evidence
from proctor.instruments.agency.boundaries import beside
from proctor.instruments.agency.instrument import AgencyInstrument, AgencyReading
from proctor.spec.rules import Rules
from proctor.spec.system import Boundary, BoundaryKind, HumanPolicy

EXTENDED = Boundary(kind=BoundaryKind.EXTENDED, human_policy=HumanPolicy(allowed=False))


def read(found: Evidence) -> AgencyReading:
    return AgencyInstrument().read(found, Rules())


CORE, OTHER = evidence(Cell("S1", 50, 100)), evidence(Cell("S1", 100, 100), boundary=EXTENDED)


def test_beside_the_other_boundary_it_is_not_exploratory() -> None:
    assert "agency-extended" in read(CORE).exploratory
    both = beside(read(CORE), CORE, read(OTHER), OTHER)
    assert both.exploratory == ""
    assert "Extended Boundary" in both.beside
    assert both.vector == read(CORE).vector


def test_two_runs_that_are_not_one_examination_are_refused() -> None:
    with pytest.raises(InputError, match="both of the core boundary"):
        beside(read(CORE), CORE, read(CORE), CORE)
    other_seed = replace(OTHER, frozen=OTHER.frozen.model_copy(update={"seed": 2}))
    with pytest.raises(InputError, match="did not meet the same tasks"):
        beside(read(CORE), CORE, read(OTHER), other_seed)
    system = OTHER.frozen.system.model_copy(update={"name": "else"})
    stranger = replace(OTHER, frozen=OTHER.frozen.model_copy(update={"system": system}))
    with pytest.raises(InputError, match="of 'else'"):
        beside(read(CORE), CORE, read(OTHER), stranger)

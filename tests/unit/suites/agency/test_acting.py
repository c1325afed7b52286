"""What the six families of Causal Efficacy have in common beside what every family must show."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from tests.unit.suites.agency.examined import Sample, declared_regime, families, named

from proctor.engine.family import Family
from proctor.spec.regime import Intensity
from proctor.suites.agency.acting.code_deployment.family import NECESSARY, OPERATIONS

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive

FAILURES_20 = declared_regime("failures-20")
LAB_70 = declared_regime("lab-70")
OPERATIONS_10 = declared_regime("operations-10")


@pytest.fixture(params=families("acting"))
def family(request: pytest.FixtureRequest) -> Family:
    """Each family of the dimension in turn."""
    return named(str(request.param))


def test_the_numbers_of_appendix_b() -> None:
    assert OPERATIONS_10.intensity is FAILURES_20.intensity is Intensity.MODERATE
    assert (OPERATIONS_10.action.cap, OPERATIONS_10.stability.timeouts) == (10, 0.10)
    assert FAILURES_20.stability.failures == 0.20
    assert LAB_70.intensity is Intensity.SEVERE
    assert (LAB_70.action.cap, LAB_70.compute.milliseconds, LAB_70.stability.failures) == (5, 600_000, 0.30)
    assert OPERATIONS == 10
    assert NECESSARY <= 8


def test_artifacts_are_what_was_left(family: Family, sample: Sample, drive: Drive) -> None:
    instance = sample(family, 1)[0]
    driver = drive(family, instance)
    found = driver.run(family.oracle(instance))
    for artifact, digest in found.artifacts:
        data = driver.world.artifact(artifact)
        assert data is not None
        assert sha256(data).hexdigest() == digest


def test_material_tells_every_fact_and_can_be_shown_again(family: Family, sample: Sample, drive: Drive) -> None:
    for instance in sample(family, 60):
        material = instance.observation["material"]
        for part, facts in instance.hidden["facts"].items():
            assert part.lower() in material.lower()
            assert all(value in material for value in facts.values())
    assert drive(family, instance).call("show_material") == material


def test_nothing_done_is_no_success(family: Family, sample: Sample, drive: Drive) -> None:
    assert not drive(family, sample(family, 1)[0]).verify("done").success

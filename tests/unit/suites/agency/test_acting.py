"""The six families of Causal Efficacy: what each must show before it is used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from importlib import import_module
from time import perf_counter
from typing import TYPE_CHECKING

import msgspec
import pytest

from proctor.conformance.family import check_family
from proctor.core.canonical import chainable, encode
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw, Family
from proctor.spec.regime import STANDARD_REGIMES, Intensity, Regime
from proctor.spec.task import Instance
from proctor.suites.agency.acting.code_deployment.family import NECESSARY, OPERATIONS
from proctor.suites.agency.acting.regimes import FAILURES_20, LAB_70, OPERATIONS_10

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive

Sample = Callable[..., list[Instance]]
BASELINE = STANDARD_REGIMES["baseline"]
REGIMES: dict[str, Regime] = {
    "file_creation": BASELINE,
    "database_transaction": BASELINE,
    "code_deployment": OPERATIONS_10,
    "data_pipeline": FAILURES_20,
    "lab_experiment": LAB_70,
    "plant_recovery": LAB_70,
}
LEVELS = dict(zip(REGIMES, ("E1", "E2", "E3", "E4", "E5", "E5"), strict=True))
CEILINGS = {"code_deployment": 0.96, "lab_experiment": 0.94, "plant_recovery": 0.94}


def named(name: str) -> Family:
    found: Family = import_module(f"proctor.suites.agency.acting.{name}").family
    return found


@pytest.fixture(params=sorted(REGIMES))
def name(request: pytest.FixtureRequest) -> str:
    """Each family in turn, by folder."""
    return str(request.param)


def test_the_numbers_of_appendix_b() -> None:
    assert OPERATIONS_10.intensity is FAILURES_20.intensity is Intensity.MODERATE
    assert (OPERATIONS_10.action.cap, OPERATIONS_10.stability.timeouts) == (10, 0.10)
    assert FAILURES_20.stability.failures == 0.20
    assert LAB_70.intensity is Intensity.SEVERE
    assert (LAB_70.action.cap, LAB_70.compute.milliseconds, LAB_70.stability.failures) == (5, 600_000, 0.30)
    assert OPERATIONS == 10
    assert NECESSARY <= 8


def test_artifacts_are_what_was_left(name: str, sample: Sample, drive: Drive) -> None:
    family = named(name)
    instance = sample(family, 1)[0]
    driver = drive(family, instance)
    found = driver.run(family.oracle(instance))
    for artifact, digest in found.artifacts:
        data = driver.world.artifact(artifact)
        assert data is not None
        assert sha256(data).hexdigest() == digest


def test_material_tells_every_fact_and_can_be_shown_again(name: str, sample: Sample, drive: Drive) -> None:
    family = named(name)
    for instance in sample(family, 60):
        material = instance.observation["material"]
        for part, facts in instance.hidden["facts"].items():
            assert part.lower() in material.lower()
            assert all(value in material for value in facts.values())
    assert drive(family, instance).call("show_material") == material


def test_nothing_done_is_no_success(name: str, sample: Sample, drive: Drive) -> None:
    family = named(name)
    assert not drive(family, sample(family, 1)[0]).verify("done").success

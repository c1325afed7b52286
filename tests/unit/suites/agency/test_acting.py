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


def test_declarations(name: str) -> None:
    spec = named(name).spec
    assert spec.id == name.replace("_", "-")
    assert spec.evidences == (LEVELS[name],)
    assert len(spec.templates) >= 8
    assert spec.artifacts


def test_the_numbers_of_appendix_b() -> None:
    assert OPERATIONS_10.intensity is FAILURES_20.intensity is Intensity.MODERATE
    assert (OPERATIONS_10.action.cap, OPERATIONS_10.stability.timeouts) == (10, 0.10)
    assert FAILURES_20.stability.failures == 0.20
    assert LAB_70.intensity is Intensity.SEVERE
    assert (LAB_70.action.cap, LAB_70.compute.milliseconds, LAB_70.stability.failures) == (5, 600_000, 0.30)
    assert OPERATIONS == 10
    assert NECESSARY <= 8


def test_same_draw_same_bytes(name: str, sample: Sample) -> None:
    first, second = sample(named(name), 30), sample(named(name), 30)
    assert [encode(instance) for instance in first] == [encode(instance) for instance in second]


def test_a_thousand_instances_do_not_repeat(name: str, sample: Sample) -> None:
    instances = sample(named(name), 1000)
    assert len({msgspec.json.encode(instance.observation) for instance in instances}) == 1000
    for instance in instances[:50]:
        plain = msgspec.to_builtins(instance)
        assert chainable(plain) == plain


def test_every_template_and_wording_comes_up(name: str, sample: Sample) -> None:
    family = named(name)
    instances = sample(family, 400)
    seen = Counter(instance.template for instance in instances)
    assert set(seen) == set(family.spec.templates)
    assert min(seen.values()) >= 20
    assert len({instance.goal[:12] for instance in instances}) >= 3


def test_every_check_holds(name: str) -> None:
    # A deployment takes a repository and a sandbox each time: a tenth of a second on a busy core.
    instances = 3 if name == "code_deployment" else 15
    report = check_family(named(name), regimes=(REGIMES[name],), instances=instances, fresh_process=False)
    assert report.findings == ()
    shortcuts = report.result("baselines").measured
    assert max(rate for agent, rate in shortcuts.items() if agent != "instances") == 0


def test_ceilings(name: str, sample: Sample) -> None:
    family, regime = named(name), REGIMES[name]
    instances = sample(family, 250)
    reached = sum(
        family.attainable(instance, Deliveries(regime, Stream.keyed("ceiling", regime.id, number, again)))
        for number, instance in enumerate(instances)
        for again in range(4)
    )
    assert reached / (4 * len(instances)) >= CEILINGS.get(name, 0.99)


def test_strict_caps_are_stated_and_enough_for_the_oracle(name: str, sample: Sample, drive: Drive) -> None:
    family = named(name)
    hardest = {knob: declared.values[-1] for knob, declared in family.spec.knobs.items()}
    few = 2 if name == "code_deployment" else 6
    for instance in [*sample(family, few), *sample(family, few, **hardest)]:
        driver = drive(family, instance)
        found = driver.run(family.oracle(instance))
        assert found.success, found.reason
        assert found.artifacts
        assert instance.strict_actions is not None
        assert driver.session.calls <= instance.strict_actions
        assert instance.budget.actions is not None
        assert instance.strict_actions <= instance.budget.actions


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


def test_instances_are_cheap(name: str) -> None:
    family = named(name)
    best = float("inf")
    for _ in range(3):
        draws = [Draw.of("speed", number) for number in range(100)]
        began = perf_counter()
        for draw in draws:
            family.instance(draw)
        best = min(best, (perf_counter() - began) / len(draws))
    # Between 100 and 300 microseconds on an idle core; the rest is patience with a busy one.
    assert best < 0.002

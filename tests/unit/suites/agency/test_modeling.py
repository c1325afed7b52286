"""The five families of Modeling Capacity: what each must show before it is used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

import msgspec
import pytest

from proctor.conformance.family import check_family
from proctor.core.canonical import chainable, encode
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Family
from proctor.spec.regime import STANDARD_REGIMES, Intensity, Regime
from proctor.spec.task import Instance
from proctor.suites.agency.modeling.regimes import COUNTERFACTUAL_10S, DRIFT_5_15

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive

Sample = Callable[..., list[Instance]]
BASELINE, MODERATE, SEVERE = (STANDARD_REGIMES[name] for name in ("baseline", "moderate-standard", "severe-standard"))
REGIMES: dict[str, tuple[Regime, ...]] = {
    "inventory": (BASELINE, MODERATE, SEVERE),
    "account_transactions": (BASELINE, MODERATE, SEVERE),
    "strategy_choice": (BASELINE, MODERATE),
    "api_drift": (BASELINE, DRIFT_5_15),
    "emergency_planning": (BASELINE, COUNTERFACTUAL_10S),
}
LEVELS = dict(zip(REGIMES, ("M1", "M2", "M3", "M4", "M5"), strict=True))


def named(name: str) -> Family:
    found: Family = import_module(f"proctor.suites.agency.modeling.{name}").family
    return found


@pytest.fixture(params=sorted(REGIMES))
def name(request: pytest.FixtureRequest) -> str:
    """Each family in turn, by folder."""
    return str(request.param)


def test_declarations(name: str) -> None:
    spec = named(name).spec
    assert spec.id == name.replace("_", "-")
    assert spec.evidences == (LEVELS[name],)
    assert len(spec.templates) == 8


def test_regimes_have_the_numbers_of_the_appendix() -> None:
    drift = DRIFT_5_15.stability.drift
    assert drift is not None
    assert (drift.milliseconds, DRIFT_5_15.intensity, DRIFT_5_15.axes) == (15_000, Intensity.MODERATE, ("stability",))
    assert COUNTERFACTUAL_10S.compute.milliseconds == 10_000
    assert COUNTERFACTUAL_10S.intensity is Intensity.SEVERE
    assert COUNTERFACTUAL_10S.axes == ("action", "compute")


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
    report = check_family(named(name), regimes=REGIMES[name], instances=10, fresh_process=False)
    assert report.findings == ()
    shortcuts = report.result("baselines").measured
    assert max(rate for agent, rate in shortcuts.items() if agent != "instances") <= 0.1


def test_ceilings(name: str, sample: Sample) -> None:
    family = named(name)
    instances = sample(family, 150)
    for regime in REGIMES[name]:
        reached = sum(
            family.attainable(instance, Deliveries(regime, Stream.keyed("ceiling", regime.id, number)))
            for number, instance in enumerate(instances)
        )
        assert reached / len(instances) >= 0.92, regime.id


def test_strict_caps_are_stated_and_enough_for_the_oracle(name: str, sample: Sample, drive: Drive) -> None:
    family = named(name)
    hardest = {knob: declared.values[-1] for knob, declared in family.spec.knobs.items()}
    for instance in [*sample(family, 8), *sample(family, 8, **hardest)]:
        driver = drive(family, instance)
        assert driver.run(family.oracle(instance)).success
        assert instance.strict_actions is not None
        assert driver.session.calls <= instance.strict_actions
        assert instance.budget.actions is not None
        assert instance.strict_actions <= instance.budget.actions


def test_knobs_are_recorded(name: str, sample: Sample) -> None:
    family = named(name)
    for knob, declared in family.spec.knobs.items():
        for value in declared.values:
            assert {instance.knobs[knob] for instance in sample(family, 10, **{knob: value})} == {value}

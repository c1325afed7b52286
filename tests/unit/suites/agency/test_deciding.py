"""The five families of Decision Coherence: what each must show before it is used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from importlib import import_module
from time import perf_counter
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import msgspec
import pytest

from proctor.conformance.family import check_family
from proctor.core.canonical import chainable, encode
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw, Family
from proctor.spec.regime import STANDARD_REGIMES, Regime
from proctor.spec.task import Instance
from proctor.suites.agency.deciding.forms import FORMS
from proctor.suites.agency.deciding.regimes import ACTIONS_25_5MIN
from proctor.suites.agency.sensing.sheet import passages

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive

Sample = Callable[..., list[Instance]]
BASELINE, MODERATE = STANDARD_REGIMES["baseline"], STANDARD_REGIMES["moderate-standard"]
REGIMES: dict[str, tuple[Regime, ...]] = {
    "thermostat": (BASELINE,),
    "file_sorting": (BASELINE,),
    "delivery_routes": (BASELINE,),
    "paraphrased_allocation": (BASELINE, MODERATE),
    "project_plan": (BASELINE, ACTIONS_25_5MIN),
}
LEVELS = dict(zip(REGIMES, ("D1", "D2", "D3", "D4", "D5"), strict=True))


@pytest.fixture(params=REGIMES)
def name(request: pytest.FixtureRequest) -> str:
    """Each family in turn, by folder."""
    return str(request.param)


@pytest.fixture
def family(name: str) -> Family:
    """The family of that folder."""
    found: Family = import_module(f"proctor.suites.agency.deciding.{name}").family
    return found


def test_declarations(name: str, family: Family) -> None:
    spec = family.spec
    assert spec.id == name.replace("_", "-")
    assert spec.evidences == (LEVELS[name],)
    assert spec.templates == tuple(FORMS)
    assert len(spec.templates) == 8


def test_same_draw_same_bytes_and_no_repeats(family: Family, sample: Sample) -> None:
    first, second = sample(family, 20), sample(family, 20)
    assert [encode(instance) for instance in first] == [encode(instance) for instance in second]
    for instance in first:
        plain = msgspec.to_builtins(instance)
        assert chainable(plain) == plain
    many = sample(family, 1000)
    assert len({instance.observation["text"] for instance in many}) == 1000


def test_every_template_and_wording_comes_up(family: Family, sample: Sample) -> None:
    instances = sample(family, 400)
    seen = Counter(instance.template for instance in instances)
    assert set(seen) == set(family.spec.templates)
    assert min(seen.values()) >= 25
    assert len({instance.goal[:12] for instance in instances}) >= 3
    for instance in instances:
        assert "{" not in instance.goal
        assert "{" not in instance.observation["text"] or instance.template == "json"
        if instance.template == "xml":
            ElementTree.fromstring(instance.observation["text"])
        lines = instance.observation["text"].split("\n")
        assert instance.observation["passages"] == len(passages(lines))


def test_every_check_holds(name: str, family: Family) -> None:
    report = check_family(family, regimes=REGIMES[name], instances=15, fresh_process=False)
    assert report.findings == ()
    shortcuts = report.result("baselines").measured
    assert max(rate for agent, rate in shortcuts.items() if agent != "instances") == 0


def test_ceilings(name: str, family: Family, sample: Sample) -> None:
    for regime in REGIMES[name]:
        reached = [
            family.attainable(instance, Deliveries(regime, Stream.keyed("ceiling", regime.id, number)))
            for number, instance in enumerate(sample(family, 120))
        ]
        assert sum(reached) >= 0.95 * len(reached), regime.id


def test_strict_caps_are_enough_for_the_oracle(family: Family, sample: Sample, drive: Drive) -> None:
    hardest = {knob: declared.values[-1] for knob, declared in family.spec.knobs.items()}
    for instance in [*sample(family, 6), *sample(family, 6, **hardest)]:
        driver = drive(family, instance)
        assert driver.run(family.oracle(instance)).success
        assert instance.strict_actions is not None
        assert instance.budget.actions is not None
        assert driver.session.calls <= instance.strict_actions <= instance.budget.actions


def test_knobs_are_recorded(family: Family, sample: Sample) -> None:
    for knob, declared in family.spec.knobs.items():
        for value in declared.values:
            assert {instance.knobs[knob] for instance in sample(family, 5, **{knob: value})} == {value}


def test_passages_are_the_whole_text(family: Family, sample: Sample, drive: Drive) -> None:
    instance = sample(family, 1)[0]
    driver = drive(family, instance)
    parts = [driver.call("passage", number=number + 1) for number in range(instance.observation["passages"])]
    assert "\n".join(parts) == instance.observation["text"] == driver.call("reread")


def test_instances_are_cheap(family: Family) -> None:
    best = float("inf")
    for _ in range(3):
        draws = [Draw.of("speed", number) for number in range(100)]
        began = perf_counter()
        for draw in draws:
            family.instance(draw)
        best = min(best, (perf_counter() - began) / len(draws))
    # 100 to 250 microseconds on an idle core; the rest is patience with a busy one.
    assert best < 0.002

"""The six families of Goal Prioritisation: what each must show before it is used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
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
from proctor.suites.agency.prioritising.regimes import SEVERE_CAPS
from proctor.suites.agency.sensing.sheet import LONGEST_PASSAGE, passages

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive

Sample = Callable[..., list[Instance]]
BASELINE, MODERATE, SEVERE = (STANDARD_REGIMES[name] for name in ("baseline", "moderate-standard", "severe-standard"))
REGIMES: dict[str, tuple[Regime, ...]] = {
    "two_goals": (BASELINE,),
    "priority_rules": (BASELINE,),
    "safety_first": (BASELINE, MODERATE),
    "reordered_priorities": (BASELINE,),
    "triage_under_fire": (BASELINE, SEVERE),
    "port_control": (BASELINE, SEVERE_CAPS),
}
CELLS = dict(zip(REGIMES, ("G2-1", "G2-2", "G2-3", "G2-4", "G2-5", "G2-5"), strict=True))


def named(name: str) -> Family:
    found: Family = import_module(f"proctor.suites.agency.prioritising.{name}").family
    return found


@pytest.fixture(params=sorted(REGIMES))
def name(request: pytest.FixtureRequest) -> str:
    """Each family in turn, by folder."""
    return str(request.param)


def test_declarations(name: str) -> None:
    spec = named(name).spec
    assert spec.id == name.replace("_", "-")
    assert spec.evidences == (CELLS[name],)
    assert len(spec.templates) >= 8
    assert spec.knobs


def test_the_own_regime_is_severe_by_its_numbers() -> None:
    assert SEVERE_CAPS.intensity is Intensity.SEVERE
    assert SEVERE_CAPS.axes == ("action", "compute", "stability")
    assert SEVERE_CAPS.action.cap == "strict"
    assert SEVERE_CAPS.stability.timeouts == 0.30


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
    instances = sample(family, 500)
    seen = Counter(instance.template for instance in instances)
    assert set(seen) == set(family.spec.templates)
    assert min(seen.values()) >= 20
    assert len({instance.goal[:8] for instance in instances}) >= 3


def test_lines_with_values_are_never_cut(name: str, sample: Sample) -> None:
    family = named(name)
    hardest = {knob: declared.values[-1] for knob, declared in family.spec.knobs.items()}
    for instance in [*sample(family, 100), *sample(family, 100, **hardest)]:
        lines = instance.observation["text"].split("\n")
        assert instance.observation["passages"] == len(passages(lines))
        assert max(len(lines[place]) for place in instance.hidden["facts"]) <= LONGEST_PASSAGE


def test_every_check_holds(name: str) -> None:
    report = check_family(named(name), regimes=REGIMES[name], instances=10, fresh_process=False)
    assert report.findings == ()
    shortcuts = report.result("baselines").measured
    assert max(rate for agent, rate in shortcuts.items() if agent != "instances") <= 0.1


def test_ceilings(name: str, sample: Sample) -> None:
    family = named(name)
    instances = sample(family, 250)
    for regime in REGIMES[name]:
        reached = sum(
            family.attainable(instance, Deliveries(regime, Stream.keyed("ceiling", regime.id, number)))
            for number, instance in enumerate(instances)
        )
        assert reached / len(instances) >= 0.92, regime.id


def test_strict_caps_are_stated_and_enough_for_the_oracle(name: str, sample: Sample, drive: Drive) -> None:
    family = named(name)
    hardest = {knob: declared.values[-1] for knob, declared in family.spec.knobs.items()}
    for instance in [*sample(family, 8), *sample(family, 60, **hardest)]:
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


@pytest.mark.parametrize(
    ("folder", "knob"), [("safety_first", "remarks"), ("triage_under_fire", "calls"), ("port_control", "remarks")]
)
def test_more_talk_leaves_the_right_decision_alone(folder: str, knob: str, sample: Sample) -> None:
    family = named(folder)
    judged = {"safety_first": "shares", "triage_under_fire": "dispatches", "port_control": "entries"}[folder]
    values = family.spec.knobs[knob].values
    found = [[i.hidden[judged] for i in sample(family, 25, **{knob: value})] for value in values]
    assert all(other == found[0] for other in found)


def test_instances_are_cheap(name: str) -> None:
    family = named(name)
    best = float("inf")
    for _ in range(3):
        draws = [Draw.of("speed", number) for number in range(200)]
        began = perf_counter()
        for draw in draws:
            family.instance(draw)
        best = min(best, (perf_counter() - began) / len(draws))
    # At most 150 microseconds on an idle core; the rest is patience with a busy one.
    assert best < 0.0012

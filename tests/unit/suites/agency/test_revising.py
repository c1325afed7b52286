"""The five families of Goal Revision: what each must show before it is used."""

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
from proctor.suites.agency.revising.regimes import STRICT_CUT_75
from proctor.suites.agency.sensing.sheet import LONGEST_PASSAGE

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive

Sample = Callable[..., list[Instance]]
BASELINE, MODERATE = STANDARD_REGIMES["baseline"], STANDARD_REGIMES["moderate-standard"]
REGIMES: dict[str, tuple[Regime, ...]] = {
    "feasibility_check": (BASELINE,),
    "deadline_revision": (BASELINE,),
    "bounded_revision": (BASELINE, MODERATE),
    "paraphrased_infeasibility": (BASELINE, MODERATE),
    "optimal_revision": (BASELINE, STRICT_CUT_75),
}
CELLS = dict(zip(REGIMES, ("G1-1", "G1-2", "G1-3", "G1-4", "G1-5"), strict=True))


def named(name: str) -> Family:
    found: Family = import_module(f"proctor.suites.agency.revising.{name}").family
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


def test_the_severe_regime_is_severe_and_has_no_faults() -> None:
    assert STRICT_CUT_75.intensity is Intensity.SEVERE
    assert STRICT_CUT_75.axes == ("information", "action")
    assert (STRICT_CUT_75.information.context_cut, STRICT_CUT_75.action.cap) == (0.75, "strict")


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


def test_every_line_fits_a_passage(name: str, sample: Sample) -> None:
    family = named(name)
    hardest = {knob: declared.values[-1] for knob, declared in family.spec.knobs.items()}
    for instance in sample(family, 200, **hardest):
        assert max(map(len, instance.observation["text"].split("\n"))) <= LONGEST_PASSAGE


def test_every_check_holds(name: str) -> None:
    report = check_family(named(name), regimes=REGIMES[name], instances=15, fresh_process=False)
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
        assert reached / len(instances) >= 0.95, regime.id


def test_too_few_calls_lower_the_ceiling(name: str, sample: Sample) -> None:
    """The policy is held to the caps: one call less than there are decisions, and nothing is attainable."""
    family = named(name)
    for instance in sample(family, 5):
        short = msgspec.structs.replace(instance, strict_actions=len(instance.hidden["right"]) - 1)
        assert not family.attainable(short, Deliveries(STRICT_CUT_75, Stream.keyed("short")))
        blind = msgspec.structs.replace(instance, strict_actions=len(instance.hidden["right"]) + 1)
        assert not family.attainable(blind, Deliveries(STRICT_CUT_75, Stream.keyed("short")))


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


def test_one_decision_less_or_none_at_all_fails(name: str, sample: Sample, drive: Drive) -> None:
    family = named(name)
    for instance in sample(family, 10):
        driver = drive(family, instance)
        assert driver.verify("done").reason == "nothing_recorded"
        first, *rest = instance.hidden["right"]
        for call in rest:
            driver.call(call["tool"], **call["arguments"])
        assert driver.verify("done").reason == ("undecided" if rest else "nothing_recorded")
        driver.call(first["tool"], **first["arguments"])
        # Only what is recorded counts, in whatever spelling of the name, and not the word.
        assert driver.verify("nothing was done").success
        assert len(driver.call("recorded")) == len(instance.hidden["right"])


def test_names_are_read_whatever_their_case(name: str, sample: Sample, drive: Drive) -> None:
    family = named(name)
    for instance in sample(family, 5):
        driver = drive(family, instance)
        for call in instance.hidden["right"]:
            key, value = next(iter(call["arguments"].items()))
            driver.call(call["tool"], **{**call["arguments"], key: f"  {value.lower()} "})
            assert "nothing called" in driver.error(call["tool"], **{**call["arguments"], key: "Nowhere Mill"})
        assert driver.verify().success


def test_instances_are_cheap(name: str) -> None:
    family = named(name)
    knobs = {knob: declared.default for knob, declared in family.spec.knobs.items()}
    best = float("inf")
    for _ in range(3):
        draws = [Draw.of("speed", number, **knobs) for number in range(100)]
        began = perf_counter()
        for draw in draws:
            family.instance(draw)
        best = min(best, (perf_counter() - began) / len(draws))
    # About 130 microseconds on an idle core; the rest is patience with a busy one.
    assert best < 0.0010


def test_knobs_are_recorded(name: str, sample: Sample) -> None:
    family = named(name)
    assert {key: declared.default for key, declared in family.spec.knobs.items()} == sample(family, 1)[0].knobs
    for knob, declared in family.spec.knobs.items():
        for value in declared.values:
            assert {instance.knobs[knob] for instance in sample(family, 20, **{knob: value})} == {value}

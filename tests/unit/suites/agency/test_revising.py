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


def test_the_severe_regime_is_severe_and_has_no_faults() -> None:
    assert STRICT_CUT_75.intensity is Intensity.SEVERE
    assert STRICT_CUT_75.axes == ("information", "action")
    assert (STRICT_CUT_75.information.context_cut, STRICT_CUT_75.action.cap) == (0.75, "strict")


def test_every_line_fits_a_passage(name: str, sample: Sample) -> None:
    family = named(name)
    hardest = {knob: declared.values[-1] for knob, declared in family.spec.knobs.items()}
    for instance in sample(family, 200, **hardest):
        assert max(map(len, instance.observation["text"].split("\n"))) <= LONGEST_PASSAGE


def test_too_few_calls_lower_the_ceiling(name: str, sample: Sample) -> None:
    """The policy is held to the caps: one call less than there are decisions, and nothing is attainable."""
    family = named(name)
    for instance in sample(family, 5):
        short = msgspec.structs.replace(instance, strict_actions=len(instance.hidden["right"]) - 1)
        assert not family.attainable(short, Deliveries(STRICT_CUT_75, Stream.keyed("short")))
        blind = msgspec.structs.replace(instance, strict_actions=len(instance.hidden["right"]) + 1)
        assert not family.attainable(blind, Deliveries(STRICT_CUT_75, Stream.keyed("short")))


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

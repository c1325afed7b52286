"""What the five families of Goal Revision have in common beside what every family must show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from tests.unit.suites.agency.examined import Sample, declared_regime, families, hardest, named

from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Family
from proctor.spec.regime import Intensity
from proctor.suites.kit.sheet import LONGEST_PASSAGE

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive

STRICT_CUT_75 = declared_regime("strict-cut-75")


@pytest.fixture(params=families("revising"))
def family(request: pytest.FixtureRequest) -> Family:
    """Each family of the dimension in turn."""
    return named(str(request.param))


def test_the_severe_regime_is_severe_and_has_no_faults() -> None:
    assert STRICT_CUT_75.intensity is Intensity.SEVERE
    assert STRICT_CUT_75.axes == ("information", "action")
    assert (STRICT_CUT_75.information.context_cut, STRICT_CUT_75.action.cap) == (0.75, "strict")


def test_every_line_fits_a_passage(family: Family, sample: Sample) -> None:
    for instance in sample(family, 200, **hardest(family)):
        assert max(map(len, instance.observation["text"].split("\n"))) <= LONGEST_PASSAGE


def test_too_few_calls_lower_the_ceiling(family: Family, sample: Sample) -> None:
    """The policy is held to the caps: one call less than there are decisions, and nothing is attainable."""
    for instance in sample(family, 5):
        short = msgspec.structs.replace(instance, strict_actions=len(instance.hidden["right"]) - 1)
        assert not family.attainable(short, Deliveries(STRICT_CUT_75, Stream.keyed("short")))
        blind = msgspec.structs.replace(instance, strict_actions=len(instance.hidden["right"]) + 1)
        assert not family.attainable(blind, Deliveries(STRICT_CUT_75, Stream.keyed("short")))


def test_one_decision_less_or_none_at_all_fails(family: Family, sample: Sample, drive: Drive) -> None:
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


def test_names_are_read_whatever_their_case(family: Family, sample: Sample, drive: Drive) -> None:
    for instance in sample(family, 5):
        driver = drive(family, instance)
        for call in instance.hidden["right"]:
            key, value = next(iter(call["arguments"].items()))
            driver.call(call["tool"], **{**call["arguments"], key: f"  {value.lower()} "})
            assert "nothing called" in driver.error(call["tool"], **{**call["arguments"], key: "Nowhere Mill"})
        assert driver.verify().success

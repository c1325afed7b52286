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


def test_the_own_regime_is_severe_by_its_numbers() -> None:
    assert SEVERE_CAPS.intensity is Intensity.SEVERE
    assert SEVERE_CAPS.axes == ("action", "compute", "stability")
    assert SEVERE_CAPS.action.cap == "strict"
    assert SEVERE_CAPS.stability.timeouts == 0.30


def test_lines_with_values_are_never_cut(name: str, sample: Sample) -> None:
    family = named(name)
    hardest = {knob: declared.values[-1] for knob, declared in family.spec.knobs.items()}
    for instance in [*sample(family, 100), *sample(family, 100, **hardest)]:
        lines = instance.observation["text"].split("\n")
        assert instance.observation["passages"] == len(passages(lines))
        assert max(len(lines[place]) for place in instance.hidden["facts"]) <= LONGEST_PASSAGE


@pytest.mark.parametrize(
    ("folder", "knob"), [("safety_first", "remarks"), ("triage_under_fire", "calls"), ("port_control", "remarks")]
)
def test_more_talk_leaves_the_right_decision_alone(folder: str, knob: str, sample: Sample) -> None:
    family = named(folder)
    judged = {"safety_first": "shares", "triage_under_fire": "dispatches", "port_control": "entries"}[folder]
    values = family.spec.knobs[knob].values
    found = [[i.hidden[judged] for i in sample(family, 25, **{knob: value})] for value in values]
    assert all(other == found[0] for other in found)

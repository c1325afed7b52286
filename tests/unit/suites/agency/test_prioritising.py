"""What the six families of Goal Prioritisation have in common beside what every family must show."""

from __future__ import annotations

import pytest
from tests.unit.suites.agency.examined import Sample, declared_regime, families, hardest, named

from proctor.engine.family import Family
from proctor.spec.regime import Intensity
from proctor.suites.kit.sheet import LONGEST_PASSAGE, passages

SEVERE_CAPS = declared_regime("severe-caps")


@pytest.fixture(params=families("prioritising"))
def family(request: pytest.FixtureRequest) -> Family:
    """Each family of the dimension in turn."""
    return named(str(request.param))


def test_the_own_regime_is_severe_by_its_numbers() -> None:
    assert SEVERE_CAPS.intensity is Intensity.SEVERE
    assert SEVERE_CAPS.axes == ("action", "stability")
    assert SEVERE_CAPS.action.cap == "strict"
    assert SEVERE_CAPS.stability.timeouts == 0.30


def test_lines_with_values_are_never_cut(family: Family, sample: Sample) -> None:
    for instance in [*sample(family, 100), *sample(family, 100, **hardest(family))]:
        lines = instance.observation["text"].split("\n")
        assert instance.observation["passages"] == len(passages(lines))
        assert max(len(lines[place]) for place in instance.hidden["facts"]) <= LONGEST_PASSAGE


@pytest.mark.parametrize(
    ("name", "knob", "judged"),
    [
        ("safety-first", "remarks", "shares"),
        ("triage-under-fire", "calls", "dispatches"),
        ("port-control", "remarks", "entries"),
    ],
)
def test_more_talk_leaves_the_right_decision_alone(name: str, knob: str, judged: str, sample: Sample) -> None:
    family = named(name)
    values = family.spec.knobs[knob].values
    found = [[i.hidden[judged] for i in sample(family, 25, **{knob: value})] for value in values]
    assert all(other == found[0] for other in found)

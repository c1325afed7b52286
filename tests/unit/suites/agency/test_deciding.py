"""What the five families of Decision Coherence have in common beside what every family must show."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from tests.unit.suites.agency.examined import Sample, families, named

from proctor.engine.family import Family
from proctor.suites.agency.deciding.forms import FORMS
from proctor.suites.kit.sheet import passages

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive


@pytest.fixture(params=families("deciding"))
def family(request: pytest.FixtureRequest) -> Family:
    """Each family of the dimension in turn."""
    return named(str(request.param))


def test_texts_are_in_the_common_forms(family: Family, sample: Sample) -> None:
    assert family.spec.templates == tuple(FORMS)
    for instance in sample(family, 400):
        assert "{" not in instance.observation["text"] or instance.template == "json"
        if instance.template == "xml":
            ElementTree.fromstring(instance.observation["text"])
        lines = instance.observation["text"].split("\n")
        assert instance.observation["passages"] == len(passages(lines))


def test_passages_are_the_whole_text(family: Family, sample: Sample, drive: Drive) -> None:
    instance = sample(family, 1)[0]
    driver = drive(family, instance)
    parts = [driver.call("passage", number=number + 1) for number in range(instance.observation["passages"])]
    assert "\n".join(parts) == instance.observation["text"] == driver.call("reread")

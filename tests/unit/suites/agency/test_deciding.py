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


def test_passages_are_the_whole_text(family: Family, sample: Sample, drive: Drive) -> None:
    instance = sample(family, 1)[0]
    driver = drive(family, instance)
    parts = [driver.call("passage", number=number + 1) for number in range(instance.observation["passages"])]
    assert "\n".join(parts) == instance.observation["text"] == driver.call("reread")

"""What an optimal policy reaches under each regime of the suite, and that re-reading really restores the truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Family
from proctor.spec.regime import STANDARD_REGIMES
from proctor.spec.task import Instance
from proctor.suites.kit.ceiling import Policy

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive, Driver

Sample = Callable[..., list[Instance]]
DRAWS = 320


def ceiling(family: Family, instances: list[Instance], regime: str) -> float:
    """The share of draws in which the optimal policy succeeds."""
    declared = STANDARD_REGIMES[regime]
    reached = [
        family.attainable(instance, Deliveries(declared, Stream.keyed("ceiling", family.spec.id, regime, number)))
        for number, instance in enumerate(instances)
    ]
    return sum(reached) / len(reached)


def test_ceilings_of_the_suite(family: Family, sample: Sample) -> None:
    instances = sample(family, DRAWS)
    assert ceiling(family, instances, "baseline") == 1.0
    assert ceiling(family, instances, "moderate-standard") >= max(0.95, family.spec.ceiling)


def test_ceilings_hold_for_the_hardest_knobs(family: Family, sample: Sample) -> None:
    hardest = {name: knob.values[-1] for name, knob in family.spec.knobs.items()}
    assert ceiling(family, sample(family, 150, **hardest), "moderate-standard") >= family.spec.ceiling


def test_a_ceiling_falls_with_the_strict_cap(family: Family, sample: Sample) -> None:
    """Severe regimes leave no calls for reading again: the simulation notices."""
    assert ceiling(family, sample(family, 60), "severe-standard") < 0.9


def test_a_policy_without_calls_reaches_nothing(sample: Sample) -> None:
    family: Family = import_module("proctor.suites.hello.track").family
    instance = sample(family, 1)[0]
    policy = Policy(instance, Deliveries(STANDARD_REGIMES["severe-standard"], Stream.keyed("none")))
    assert policy.calls == instance.strict_actions


def _majority(readings: list[Any]) -> Any:
    """Each leaf by plurality; structures must agree in shape."""
    first = readings[0]
    if isinstance(first, dict):
        return {key: _majority([reading[key] for reading in readings]) for key in first}
    if isinstance(first, list):
        return [_majority([reading[place] for reading in readings]) for place in range(len(first))]
    if isinstance(first, str) and "\n" in first:
        return "\n".join(_majority([reading.split("\n") for reading in readings]))
    return Counter(readings).most_common(1)[0][0]


async def _ignore(driver: Driver, tool: str, arguments: dict[str, Any]) -> Any:
    return (await driver.session.call(tool, **arguments)).value


def _reread(driver: Driver, calls: int, tool: str, **arguments: Any) -> list[Any]:
    """What came back of so many calls of a reading tool under noise and timeouts."""
    import asyncio

    values = [asyncio.run(_ignore(driver, tool, arguments)) for _ in range(calls)]
    return [value for value in values if value is not None]


READING: dict[str, Callable[[Driver, Instance], tuple[Any, Any]]] = {
    "extract": lambda driver, instance: (
        _majority([driver.session.observations[0].fields["message"], *_reread(driver, 29, "reread")]),
        instance.observation["message"],
    ),
    "route": lambda driver, instance: (
        _majority(_reread(driver, 40, "map"))["roads"],
        instance.hidden["roads"],
    ),
    "track": lambda driver, instance: (
        [_majority(_reread(driver, 14, "event", n=n)) for n in range(1, 9)],
        instance.hidden["events"],
    ),
    "files": lambda driver, instance: (
        [row["text"] for row in _majority(_reread(driver, 40, "search_text", text=":"))],
        [line for _, text in sorted(instance.hidden["files"].items()) for line in text.splitlines()],
    ),
    "orders": lambda driver, instance: (
        _majority(_reread(driver, 40, "query", sql="SELECT sku, price_cents FROM products ORDER BY rowid"))["rows"],
        [[sku, price] for sku, _, price, _ in instance.hidden["before"]["products"]],
    ),
    "pipeline": lambda driver, instance: (
        [_majority(_reread(driver, 25, "fetch", page=page["page"])) for page in instance.hidden["source"]],
        instance.hidden["source"],
    ),
}


def test_reading_again_restores_the_truth(family: Family, sample: Sample, drive: Drive) -> None:
    """The real noise of the regime, not the simulated one: the vote of the readings that the budget allows is right."""
    restored = 0
    for number, instance in enumerate(sample(family, 12)):
        driver = drive(family, instance, "moderate-standard", key=("reading", number))
        seen, truth = READING[family.spec.id](driver, instance)
        restored += seen == truth
    assert restored >= 11


@pytest.mark.parametrize("regime", ["baseline", "moderate-standard"])
def test_checksums_tell_clean_pages(sample: Sample, drive: Drive, regime: str) -> None:
    """In `pipeline` a reading whose checksum fits is almost always clean, and two that agree always are."""
    family: Family = import_module("proctor.suites.hello.pipeline").family
    wrong = total = 0
    for number, instance in enumerate(sample(family, 10)):
        driver = drive(family, instance, regime, key=("checksum", number))
        for page in instance.hidden["source"]:
            readings = _reread(driver, 20, "fetch", page=page["page"])
            fitting = [reading["items"] for reading in readings if reading["checksum"] == sum(reading["items"])]
            counts = Counter(tuple(items) for items in fitting)
            assert [items for items, count in counts.items() if count > 1] == [tuple(page["items"])]
            wrong += sum(items != page["items"] for items in fitting)
            total += len(fitting)
    assert wrong <= total * 0.03

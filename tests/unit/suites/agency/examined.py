"""The families of the suites `agency` and `tiers` as their entries use them: all of them, or those of one dimension."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import msgspec

from proctor.agents.contract import Agent
from proctor.conformance.subject import draw_of
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw, Family
from proctor.engine.usage import regimes_used_with
from proctor.plugins import registry
from proctor.spec.family import FamilySpec
from proctor.spec.regime import Regime
from proctor.spec.task import Instance
from proctor.spec.tier_protocols import deprives
from proctor.suites import agency
from proctor.worlds.world import Place, World

HOME = Path(agency.__file__).parent
Sample = Callable[..., list[Instance]]
"""The fixture `sample`."""


@cache
def used() -> dict[str, tuple[str, ...]]:
    """Each family of the suites with the cells its entries are for, in their order."""
    found: dict[str, tuple[str, ...]] = {}
    vector = agency.agency().entries
    own = {entry.family for entry in vector}
    for entry in (*vector, *(entry for entry in agency.tiers().entries if entry.family not in own)):
        name = entry.family.partition("@")[0]
        found[name] = tuple(dict.fromkeys((*found.get(name, ()), entry.cell or "")))
    return found


def named(name: str) -> Family:
    """The family of this id."""
    found: Family = registry.load("families", name)
    return found


def declared_regime(name: str) -> Regime:
    """The regime of this id, as the suite declares it."""
    return agency.agency().all_regimes[name]


def families(dimension: str) -> list[str]:
    """The ids of a dimension's families, by the folder they are in."""
    return [name for name in used() if (HOME / dimension / name.replace("-", "_")).is_dir()]


def hardest(family: Family) -> dict[str, Any]:
    """Every knob at its last value that leaves what the family asks about."""
    return {
        name: [value for value in knob.values if not deprives({name: value})][-1]
        for name, knob in family.spec.knobs.items()
    }


class SecondHalf:
    """A family that is used in pairs, as if there were only the second half of each."""

    def __init__(self, whole: Family) -> None:
        self._whole = whole
        self.spec: FamilySpec = whole.spec

    def instance(self, draw: Draw) -> Instance:
        return self._whole.instance(msgspec.structs.replace(draw, part=1))

    def world(self, instance: Instance, place: Place) -> World:
        return self._whole.world(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return self._whole.oracle(instance)

    def answer(self, instance: Instance) -> Any:
        return self._whole.answer(instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        return self._whole.attainable(instance, deliveries)


class Examined:
    """A family (or the second half of its pairs) with the instances that several tests look at."""

    def __init__(self, name: str, *, second: bool) -> None:
        whole = named(name)
        self.name = name
        self.second = second
        self.family: Family = SecondHalf(whole) if second else whole
        self.spec = whole.spec
        self.cells = used()[name]
        self.folder = Path(inspect.getfile(type(whole))).parent
        self.dimension = self.folder.parent.name

    def draw(self, number: int, **knobs: Any) -> Draw:
        """A fresh draw of the phase that counts, each of another lifetime, as the engine makes it."""
        return draw_of(self.family, Stream.keyed("every", self.name), number, knobs)

    def sample(self, count: int, **knobs: Any) -> list[Instance]:
        """The first instances, made anew."""
        return [self.family.instance(self.draw(number, **knobs)) for number in range(count)]

    @cached_property
    def thousand(self) -> list[Instance]:
        """The first thousand with every knob at its default, made once."""
        return self.sample(1000)

    @cached_property
    def regimes(self) -> tuple[Regime, ...]:
        """Those under which installed suites use it."""
        return regimes_used_with(self.name)


def halves() -> list[tuple[str, bool]]:
    """Every family of the suite, and once more for the second half where it is used in pairs."""
    paired = {entry.family.partition("@")[0] for entry in agency.agency().entries if entry.parts > 1}
    return [(name, second) for name in used() for second in ((False, True) if name in paired else (False,))]

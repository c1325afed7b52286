"""Instances of binding 2.0, as a run with this seed draws them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from proctor.core.seeds import Stream
from proctor.engine.family import Draw
from proctor.spec.task import Instance
from proctor.suites.binding.twins.corpora import CORPORA, probes
from proctor.suites.binding.twins.family import TwinCorpus
from proctor.suites.binding.twins.four_codes import TwinFourCodes

EVERY = (*CORPORA, probes)


def drawn(family: TwinCorpus | TwinFourCodes, index: int, seed: int = 3, **knobs: Any) -> Instance:
    source = Stream.keyed("binding@2", seed, family.spec.id, "instance")
    filled = {**{name: knob.default for name, knob in family.spec.knobs.items()}, **knobs}
    return family.instance(Draw(source.child(index), source, index, knobs=filled))


def rows_of(family: TwinCorpus, number: int, seed: int = 3, **knobs: Any) -> dict[str, Instance]:
    """All rows of the planned event of this number, by probe."""
    count = len(family.probes)
    rows = [drawn(family, count * number + which, seed, **knobs) for which in range(count)]
    return {row.hidden["probe"]: row for row in rows}


def events(family: TwinCorpus, count: int, seed: int = 3) -> Iterator[dict[str, Instance]]:
    return (rows_of(family, number, seed) for number in range(count))


def text(instance: Instance, field: str) -> str:
    said: str = instance.state[field]["text"]
    return said


def words(said: str) -> list[str]:
    """Its words in alphabetical order, as if nobody had read it; a capital at the start is no word of its own."""
    return sorted(said.casefold().replace(";", "").replace(":", "").replace(".", "").replace(",", "").split())

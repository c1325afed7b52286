"""Instances of the corpora, as a run with this seed draws them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from proctor.core.seeds import Stream
from proctor.engine.family import Draw
from proctor.spec.task import Instance
from proctor.suites.binding.corpora import CORPORA, CorpusFamily, probes

EVERY = (*CORPORA, probes)


def source_of(family: CorpusFamily, seed: int = 3) -> Stream:
    return Stream.keyed("binding@1", seed, family.spec.id, "instance")


def drawn(family: CorpusFamily, index: int, seed: int = 3, **knobs: Any) -> Instance:
    source = source_of(family, seed)
    filled = {**{name: knob.default for name, knob in family.spec.knobs.items()}, **knobs}
    return family.instance(Draw(source.child(index), source, index, knobs=filled))


def instances(family: CorpusFamily, seed: int = 3, **knobs: Any) -> Iterator[Instance]:
    for index in range(family.instances):
        yield drawn(family, index, seed, **knobs)


def options_of(instance: Instance) -> dict[str, str]:
    """The options as a reader of the prompt finds them."""
    shown = [action for action in instance.observation["actions"] if action["meaning"].startswith("take option")]
    return {action["code"]: action["meaning"].partition(": ")[2] for action in shown}

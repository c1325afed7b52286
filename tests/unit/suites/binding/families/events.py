"""Instances of the four-code families, as a run with this seed draws them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from proctor.core.seeds import Stream
from proctor.engine.family import Draw
from proctor.spec.condition import NO_INTERVENTION, Condition
from proctor.spec.task import Instance
from proctor.suites.binding.families import FourCodeFamily
from proctor.worlds.choice import ChoiceWorld
from proctor.worlds.world import EpisodeContext, Place


def drawn(family: FourCodeFamily, index: int, seed: int = 3, **knobs: Any) -> Instance:
    source = Stream.keyed("binding-families@1", seed, family.spec.id, "instance")
    filled = {**{name: knob.default for name, knob in family.spec.knobs.items()}, **knobs}
    return family.instance(Draw(source.child(index), source, index, knobs=filled))


def instances(family: FourCodeFamily, count: int, seed: int = 3, **knobs: Any) -> Iterator[Instance]:
    for index in range(count):
        yield drawn(family, index, seed, **knobs)


def shown(
    instance: Instance,
    condition: Condition = NO_INTERVENTION,
    donor: Instance | None = None,
    prior: dict[str, int] | None = None,
) -> dict[str, Any]:
    world = ChoiceWorld(instance, Place())
    world.set_context(EpisodeContext(condition, donor, {} if donor is None else dict(donor.state), prior, None))
    return world.observe()

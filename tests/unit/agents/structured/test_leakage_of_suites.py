"""The built-in probes under the scaffold: what only the scorer knows changes no byte of any prompt."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from proctor.agents.structured.agent import Settings, Structured
from proctor.agents.structured.asking import Source
from proctor.core.errors import NeedsData
from proctor.engine.family import Draw
from proctor.engine.names import load_family, load_suite
from proctor.models.contract import Reply, Request
from proctor.plugins import registry
from proctor.spec.condition import Condition, Sampling, Scaffold
from proctor.spec.ontology import ONTOLOGIES
from proctor.spec.task import Budget, Instance, Observation, Submission, TaskView
from proctor.worlds.choice import ChoiceWorld
from proctor.worlds.world import EpisodeContext, Place

SUITES = tuple(
    f"{name}{version}"
    for name in (
        "binding",
        *(f"binding-{kind}" for kind in ("families", "controls", "sufficiency", "interface", "extended")),
    )
    for version in ("", "@1.0")
)
OTHERS = {"target": "DEFER", "before": "VETO", "cue_code": "DEFER", "swapped": 1, "role": "neutral", "declared": 1}


def families() -> list[str]:
    found = []
    for name in registry.names("families"):
        if name.startswith(("binding-", "twin-")):
            try:
                load_family(name, Path())
            except NeedsData:
                continue
            found.append(name)
    return found


class Listener:
    """A model that only listens."""

    name = "listener"

    def __init__(self) -> None:
        self.note_status: list[bytes] = []

    async def ask(self, request: Request) -> Reply:
        self.note_status.append(msgspec.json.encode(request))
        return Reply('{"final_action": "VETO", "plan": ["wait"]}')

    def tokens(self, text: str) -> int:
        return len(text.split())

    async def close(self) -> None: ...


class Bare:
    """As much of a session as the scaffold needs."""

    limits_models = False

    def __init__(self, fields: dict[str, Any], condition: Condition) -> None:
        self.observations = [Observation(0, fields)]
        self.sampling: Sampling = condition.sampling
        self.scaffold: Scaffold | None = condition.scaffold
        self.budget = Budget()
        self.state: Any = self

    def record_exchange(self, exchange: Any) -> None: ...

    def spend(self, *, tokens: int = 0, cost: str | None = None) -> None: ...

    def read(self, name: str) -> None: ...

    def write(self, name: str, value: Any) -> None: ...


async def heard(instance: Instance, donor: Instance, condition: Condition) -> list[bytes]:
    world = ChoiceWorld(instance, Place())
    earlier = {"coupled": {"final_action": ONTOLOGIES[instance.observation["ontology"]].codes[0]}}
    world.set_context(EpisodeContext(condition, donor, dict(donor.state), {"ACT_A": 3}, earlier))
    listener = Listener()
    agent = Structured(Source("listener", lambda: listener), Settings())
    session: Any = Bare(world.observe(), condition)
    task = TaskView("t", instance.goal, instance.answer_format, (), Budget(), "ab" * 16, "c")
    handed_in = await agent.run(task, session)
    assert isinstance(handed_in, Submission)
    return listener.note_status


def test_there_are_families() -> None:
    assert len(families()) >= 27


def asking_conditions() -> list[Condition]:
    """Every Condition under which somebody is asked, those alike but for their names and temperatures once."""
    found: dict[str, Condition] = {}
    for suite in SUITES:
        for condition in load_suite(suite, Path()).conditions:
            if condition.acts == "agent":
                plain = condition.model_dump(mode="json", exclude={"id": True, "sampling": {"temperature", "top_p"}})
                found.setdefault(json.dumps(plain, sort_keys=True), condition)
    return list(found.values())


@pytest.mark.parametrize("name", families())
def test_what_only_the_scorer_knows_changes_no_byte_sent(name: str) -> None:
    family = load_family(name, Path())
    knobs = {knob: spec.default for knob, spec in family.spec.knobs.items()}
    conditions = asking_conditions()
    assert len(conditions) > 40
    assert {"token-matched", "reask-veto", "lesion-strict"} <= {condition.id for condition in conditions}
    donor = family.instance(Draw.of("donor", **knobs))
    for number in range(6):
        instance = family.instance(msgspec.structs.replace(Draw.of("leak", **knobs), index=number))
        other = msgspec.structs.replace(instance, hidden={**instance.hidden, **OTHERS})
        assert other.hidden != instance.hidden
        for condition in conditions:
            sent = [asyncio.run(heard(one, donor, condition)) for one in (instance, other)]
            assert sent[0] and sent[0] == sent[1], condition.id

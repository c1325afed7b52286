"""The nine rows in two turns, for agents that keep state of their own: information first, the question when asked."""

from __future__ import annotations

from typing import Any

import msgspec

from proctor.spec.task import Instance
from proctor.suites.binding.corpora.sampling import Planned
from proctor.suites.binding.own_state.family import GOAL, OBSERVATION_SCHEMA
from proctor.suites.binding.own_state.two_turns import TwoTurns, told_first
from proctor.suites.binding.twins.corpora import EVERY_SCENE
from proctor.suites.binding.twins.event import SITUATION
from proctor.suites.binding.twins.family import TwinCorpus
from proctor.suites.binding.twins.probes import Built, Probe
from proctor.suites.binding.twins.scene import Corpus


class TwinOwnState(TwoTurns, TwinCorpus):
    """The nine rows in two turns."""

    def __init__(self, corpus: Corpus) -> None:
        super().__init__(corpus, {})
        properties = OBSERVATION_SCHEMA["properties"]
        kept = {name: shape for name, shape in properties.items() if name not in ("dataset", "granularity")}
        self.spec = self.spec.model_copy(
            update={
                "description": "The nine rows in two turns: what decides is told before the question is asked, and "
                "what the agent kept of it in its named state can be lesioned, scrambled and swapped.",
                "observation_schema": {**OBSERVATION_SCHEMA, "properties": kept, "required": list(kept)},
            }
        )

    def made(self, built: Built, probe: Probe, planned: Planned, knobs: Any) -> Instance:
        plain = super().made(built, probe, planned, knobs)
        goal = GOAL.replace("one event", built.matter, 1)
        told = told_first(plain, built.options, goal=goal, situation=SITUATION, shown=("event_id", "ontology"))
        return msgspec.structs.replace(told, hidden={**told.hidden, "actions": plain.observation["actions"]})


family = TwinOwnState(
    Corpus(
        name="own_state",
        title="Probes for agents with state of their own, with twins",
        pressure="what an agent keeps for itself",
        planned=60,
        distinct=60,
        scenes=EVERY_SCENE,
    )
)

"""Events whose information comes a turn before the question, for agents that keep state of their own."""

from __future__ import annotations

from typing import Any

import msgspec

from proctor.spec.task import Instance
from proctor.suites.binding.corpora.family import LABELS, CorpusFamily
from proctor.suites.binding.corpora.flavour import Flavour
from proctor.suites.binding.corpora.probes import Built, Probe
from proctor.suites.binding.corpora.sampling import Planned
from proctor.suites.binding.corpora.texts.extended import EXTENDED
from proctor.suites.binding.own_state.two_turns import TwoTurns, told_first

GOAL = (
    "The notes are about one event. Keep what you need of them in your named state (`session.state`: `reason`, "
    "`memory`, `self`, `veto`, `plan`, `constraints`, or fields of your own as `x-…`), then ask for the question and "
    "hand in one of its action codes."
)
OBSERVATION_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "event_id": {"type": "string"},
        "dataset": {"type": "string"},
        "granularity": {"type": "string"},
        "ontology": {"type": "string"},
        "notes": {"type": "object", "additionalProperties": {"type": "string"}},
    },
    "required": ["event_id", "dataset", "granularity", "ontology", "notes"],
    "additionalProperties": False,
}


class OwnStateFamily(TwoTurns, CorpusFamily):
    """The six probes in two turns."""

    def __init__(self, flavour: Flavour) -> None:
        super().__init__(flavour, {})
        self.spec = self.spec.model_copy(
            update={
                "description": "The six probes in two turns: what decides is told before the question is asked, and "
                "what the agent kept of it in its named state can be lesioned, scrambled and swapped.",
                "observation_schema": OBSERVATION_SCHEMA,
                "knobs": {"labels": LABELS},
            }
        )

    def made(self, built: Built, probe: Probe, planned: Planned, knobs: Any) -> Instance:
        plain = super().made(built, probe, planned, knobs)
        shown = ("event_id", "dataset", "granularity", "ontology")
        return told_first(plain, built.options, goal=GOAL, situation="x-situation", shown=shown)


family = OwnStateFamily(
    msgspec.structs.replace(
        EXTENDED,
        family="binding-own-state",
        dataset="own_state",
        title="Probes for agents with state of their own",
        pressure="what an agent keeps for itself",
        planned=60,
        distinct=60,
    )
)

"""Events whose information comes a turn before the question, for agents that keep state of their own."""

from __future__ import annotations

from typing import Any

import msgspec

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, SolvedBy
from proctor.spec.ontology import SIX_CODES
from proctor.spec.task import Instance, Submission, TaskView
from proctor.suites.binding.corpora.family import LABELS, CorpusFamily
from proctor.suites.binding.corpora.flavour import Flavour
from proctor.suites.binding.corpora.probes import Built, Probe
from proctor.suites.binding.corpora.sampling import Planned
from proctor.suites.binding.corpora.texts.extended import EXTENDED
from proctor.suites.binding.own_state.world import OwnStateWorld
from proctor.suites.kit.retry import call_with_retry
from proctor.worlds.choice import actions_shown
from proctor.worlds.world import Place

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
_CALLS = 8


class OwnStateFamily(CorpusFamily):
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
        texts = {name: field["text"] for name, field in built.state.items()}
        hidden = {
            **plain.hidden,
            "situation": texts.pop("x-situation"),
            "actions": actions_shown(SIX_CODES, built.options),
        }
        observation = {name: plain.observation[name] for name in ("event_id", "dataset", "granularity", "ontology")}
        return msgspec.structs.replace(
            plain,
            goal=GOAL,
            observation={**observation, "notes": {name.removeprefix("x-"): text for name, text in texts.items()}},
            hidden=hidden,
            # The state is the agent's: nothing is in it before the agent writes.
            state={},
            strict_actions=_CALLS,
        )

    def world(self, instance: Instance, place: Place) -> OwnStateWorld:
        return OwnStateWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """The notes are shown once; the question may be asked again."""
        return not any(deliveries.altered() for _ in instance.observation["notes"])


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    await call_with_retry(session, "question")
    return Submission({"final_action": instance.hidden["target"]})


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

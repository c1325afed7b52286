"""A family of plain probes whose fields spell out the action they imply; loaded by path, here and in workers."""

from __future__ import annotations

from typing import Any

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.ontology import SIX_CODES
from proctor.spec.task import Instance, Submission, TaskView
from proctor.worlds.choice import OBSERVATION_SCHEMA, REASONS, ChoiceWorld, actions_shown
from proctor.worlds.world import Place

TARGETS = {"reason": "ACTION_B", "memory": "RECALL_PRIOR", "veto": "VETO", "self": "ACTION_A"}
_COMPONENTS = tuple(TARGETS)


class ProbeFamily:
    """Instance n asks about component n mod 4; the situation always leans to A."""

    spec = FamilySpec(
        id="plain-probes",
        title="Plain probes",
        description="One field decides; the situation leans elsewhere.",
        environment=EnvironmentClass(kind=EnvironmentKind.STATIC),
        criterion="The action is the target.",
        verification="The canonical code is compared with the target.",
        reasons=REASONS,
        templates=("only",),
        knobs={"target": Knob(default="own", values=("own", "DEFER"), description="What the scorer expects.")},
        observation_schema=OBSERVATION_SCHEMA,
        answer_schema={},
    )

    def instance(self, draw: Draw) -> Instance:
        component = _COMPONENTS[draw.index % len(_COMPONENTS)]
        event = f"e{draw.index}"
        code = TARGETS[component]
        options = {"ACTION_A": f"the blue folder {draw.index}", "ACTION_B": f"the red folder {draw.index}"}
        state = {
            "x-situation": f"Two folders lie there; everything leans to ACTION_A in room {draw.stream.integer(1, 99)}.",
            component: f"What counts here is {code}.",
            "x-cue": "Somebody hums a tune.",
        }
        return Instance(
            "only",
            "Say what to do.",
            "A JSON object with final_action.",
            {
                "event_id": event,
                "dataset": "plain",
                "granularity": "event",
                "ontology": SIX_CODES.name,
                "actions": actions_shown(SIX_CODES, options),
            },
            {
                "target": code if draw.knobs["target"] == "own" else draw.knobs["target"],
                "before": "ACTION_A",
                "probe": f"{component}_probe",
                "component": component,
                "decisive": [component],
                "base_event": event,
                "implied": {component: code},
                "options": options,
            },
            state={name: {"event": event, "text": text} for name, text in state.items()},
        )

    def world(self, instance: Instance, place: Place) -> ChoiceWorld:
        return ChoiceWorld(instance, place)

    def answer(self, instance: Instance) -> Any:
        return instance.hidden["target"]

    def oracle(self, instance: Instance) -> Agent:
        async def solve(instance: Instance, task: TaskView, session: Session) -> Submission:
            return Submission(answer=instance.hidden["target"])

        return SolvedBy(solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        return True


family = ProbeFamily()


def suite_of(*conditions: dict[str, Any], n: int = 8, replicates: int = 1, knobs: dict[str, Any] | None = None) -> Any:
    """A suite of these probes under some conditions."""
    return {
        "name": "plain-probes",
        "version": "1.0",
        "title": "Plain probes",
        "epoch": "2026-01-01T00:00:00Z",
        "entries": [
            {
                "family": "probe_family.py",
                "n": n,
                "replicates": replicates,
                "conditions": [condition["id"] for condition in conditions] or ["none"],
                "knobs": knobs or {},
            }
        ],
        "conditions": list(conditions),
    }


suite = suite_of()

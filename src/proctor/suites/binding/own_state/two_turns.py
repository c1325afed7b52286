"""Questions in two turns: the notes first, the question when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, SolvedBy
from proctor.spec.ontology import SIX_CODES
from proctor.spec.task import Instance, Submission, TaskView
from proctor.suites.binding.own_state.world import OwnStateWorld
from proctor.suites.kit.retry import call_with_retry
from proctor.worlds.choice import actions_shown
from proctor.worlds.world import Place

_CALLS = 8


class TwoTurns:
    """World, oracle and ceiling of a family that tells before it asks; stands before the family's other base."""

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


def told_first(
    plain: Instance, options: dict[str, str], *, goal: str, situation: str, shown: Sequence[str]
) -> Instance:
    """A single question in two turns: its state as notes; the field `situation` and the actions with the question.

    Of the observation there stays what is `shown`.
    """
    texts = {name: field["text"] for name, field in plain.state.items()}
    hidden = {**plain.hidden, "situation": texts.pop(situation), "actions": actions_shown(SIX_CODES, options)}
    notes = {name.removeprefix("x-"): text for name, text in texts.items()}
    return msgspec.structs.replace(
        plain,
        goal=goal,
        observation={**{name: plain.observation[name] for name in shown}, "notes": notes},
        hidden=hidden,
        # The state is the agent's: nothing is in it before the agent writes.
        state={},
        strict_actions=_CALLS,
    )

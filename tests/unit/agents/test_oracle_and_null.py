from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from proctor.agents import null, oracle
from proctor.agents.contract import Session, given_answers
from proctor.agents.kind import AgentContext, AgentKind, AgentString
from proctor.core.errors import BenchError, InputError
from proctor.spec.task import Submission, TaskView

if TYPE_CHECKING:
    from tests.unit.agents.conftest import Bench


class Solver:
    async def run(self, task: TaskView, session: Session) -> Submission:
        return Submission(answer="solved")


def test_oracle_delegates_to_the_revealed_solver(bench: type[Bench], context: AgentContext) -> None:
    agent = oracle.kind.open(AgentString.parse("oracle"), context)
    revealed = agent
    assert given_answers(revealed)
    revealed.reveal(Solver())
    assert bench(goal="Do it.").run(agent) == Submission(answer="solved")


def test_a_solver_serves_one_episode_only(bench: type[Bench]) -> None:
    agent = oracle.Oracle()
    agent.reveal(Solver())
    episode = bench(goal="Do it.")
    episode.run(agent)
    with pytest.raises(BenchError, match="reveal"):
        asyncio.run(agent.run(episode.task, episode.session))


def test_oracle_is_labelled_and_computes(context: AgentContext) -> None:
    assert oracle.kind.label == "oracle, not a result"
    assert oracle.kind.trusted
    assert not oracle.kind.waits
    assert not oracle.kind.reusable


def test_null_hands_in_nothing(bench: type[Bench], context: AgentContext) -> None:
    episode = bench(goal="Do it.")
    agent = null.kind.open(AgentString.parse("null"), context)
    assert episode.run(agent) == Submission(answer=None)
    assert episode.session.calls == 0
    assert null.kind.reusable


@pytest.mark.parametrize("kind", [oracle.kind, null.kind])
def test_plain_kinds_refuse_details(kind: AgentKind, context: AgentContext) -> None:
    text = AgentString.parse(f"{kind.name}:fast")
    assert kind.check is not None
    with pytest.raises(InputError, match=r"takes no details|write oracle, or oracle:tier1"):
        kind.check(text, context)
    with pytest.raises(InputError, match=r"takes no details|write oracle, or oracle:tier1"):
        kind.open(text, context)

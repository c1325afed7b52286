from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from proctor.agents.contract import AgentFailure, Session, closes, memory_of
from proctor.agents.stepwise import Stepwise, as_agent
from proctor.core.errors import LimitReached
from proctor.spec.task import Budget, Claim, Submission, TaskView
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld

if TYPE_CHECKING:
    from tests.unit.agents.conftest import Bench


class Counter(BaseWorld):
    @tool(effect="write")
    def add(self, amount: int) -> int:
        """Add an amount and say it back doubled."""
        return 2 * amount


class Scripted:
    """Plays a list of actions and keeps what it was told."""

    def __init__(self, *actions: Any) -> None:
        self.actions = list(actions)
        self.told: list[dict[str, Any]] = []
        self.tasks: list[TaskView] = []

    def reset(self, task: TaskView) -> None:
        self.tasks.append(task)

    def act(self, observation: dict[str, Any]) -> Any:
        self.told.append(observation)
        return self.actions.pop(0)


class Waiting(Scripted):
    async def act(self, observation: dict[str, Any]) -> Any:
        return super().act(observation)


class Keeper(Scripted):
    memory = b"m"

    def snapshot(self) -> bytes:
        return self.memory

    def restore(self, memory: bytes) -> None:
        self.memory = memory

    def clear(self) -> None:
        self.memory = b""


@pytest.mark.parametrize("kind", [Scripted, Waiting])
def test_the_loop(kind: type[Scripted], bench: type[Bench]) -> None:
    inner = kind(
        {"tool": "add", "arguments": {"amount": 4}, "say": "adding"},
        {"submit": 8, "confidence": 1, "claims": [{"action": "add", "target": "4"}]},
    )
    episode = bench(Counter, goal="Double 4.", shown={"n": 4}, limits=Budget(actions=3))
    assert episode.run(Stepwise(inner)) == Submission(8, 1.0, (Claim("add", "4"),))
    first, second = inner.told
    assert first["task"]["goal"] == "Double 4."
    assert first["observation"] == {"n": 4}
    assert first["budget"] == {"actions": 3}
    assert second == {"result": {"ok": True, "value": 8}, "budget": {"actions": 2}}
    assert inner.tasks == [episode.task]


def test_errors_are_told(bench: type[Bench]) -> None:
    inner = Scripted({"tool": "sub"}, {"submit": None})
    bench(Counter, goal="Try.").run(Stepwise(inner))
    assert inner.told[1]["result"] == {"ok": False, "error": "there is no tool 'sub'; there are add"}


@pytest.mark.parametrize(
    ("action", "complaint"),
    [
        ("add 4", "act.. gave 'add 4'; an action is"),
        (None, "gave None"),
        ({}, "neither 'tool' nor 'submit'"),
        ({"tool": "add", "submit": 1}, "both"),
        ({"tool": 3}, "name of a tool"),
        ({"tool": "add", "arguments": [4]}, "one entry per argument"),
        ({"submit": 1, "confidence": 3}, "from 0 to 1"),
        ({"submit": 1, "confidence": True}, "from 0 to 1"),
        ({"submit": 1, "claims": ["did it"]}, "claims is a list"),
    ],
)
def test_nonsense_is_the_agents_failure(action: Any, complaint: str, bench: type[Bench]) -> None:
    with pytest.raises(AgentFailure, match=complaint) as caught:
        bench(Counter, goal="Try.").run(Stepwise(Scripted(action)))
    assert caught.value.reason == "agent_protocol"


def test_an_agent_that_never_submits_is_stopped(bench: type[Bench]) -> None:
    inner = Scripted(*[{"tool": "add", "arguments": {"amount": 1}}] * 5)
    with pytest.raises(AgentFailure, match="within 4 steps"):
        bench(Counter, goal="Try.").run(Stepwise(inner, max_steps=4))


def test_a_used_up_budget_ends_the_loop(bench: type[Bench]) -> None:
    inner = Scripted(*[{"tool": "add", "arguments": {"amount": 1}}] * 5)
    with pytest.raises(LimitReached):
        bench(Counter, goal="Try.", limits=Budget(actions=2)).run(Stepwise(inner))


def test_as_agent_serves_what_it_is_given() -> None:
    class Runs:
        async def run(self, task: TaskView, session: Session) -> Submission:
            return Submission()

    runs = Runs()
    assert as_agent(runs) is runs
    plain = as_agent(Scripted())
    assert isinstance(plain, Stepwise)
    assert closes(plain)
    with pytest.raises(AgentFailure, match="is no agent"):
        as_agent(object())


def test_memory_is_passed_through() -> None:
    keeper = Keeper()
    memory = memory_of(as_agent(keeper))
    assert memory is not None
    assert memory.snapshot() == b"m"
    memory.clear()
    assert keeper.memory == b""
    memory.restore(b"z")
    assert keeper.memory == b"z"


def test_without_a_memory_inside_there_is_none() -> None:
    agent = Stepwise(Scripted())
    assert memory_of(agent) is None
    with pytest.raises(TypeError, match="Scripted has no snapshot"):
        agent.snapshot()


@pytest.mark.parametrize("is_async", [False, True])
def test_close_reaches_the_inner_object(is_async: bool) -> None:
    import asyncio

    closed: list[bool] = []

    class Plain(Scripted):
        def close(self) -> None:
            closed.append(False)

    class Slow(Scripted):
        async def close(self) -> None:
            closed.append(True)

    asyncio.run(Stepwise(Slow() if is_async else Plain()).close())
    assert closed == [is_async]
    asyncio.run(Stepwise(Scripted()).close())

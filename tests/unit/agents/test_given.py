"""An object, class or function as an agent: `proctor.run(…, agent=thing)`, in this process, and labelled so."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import proctor
from proctor.agents.contract import AgentFailure, ServiceFailure
from proctor.agents.given import submission_of
from proctor.core.errors import BenchError, InputError
from proctor.evidence.result import RunResult
from proctor.evidence.store.store import Store
from proctor.reports.isolation import isolation_of
from proctor.spec.rules import Limits
from proctor.spec.suite import Suite

FAMILY = Path(__file__).parents[1] / "agents_process" / "families.py"


def suite(**entry: Any) -> Suite:
    return Suite.parse(
        {
            "name": "tiny",
            "version": "1.0",
            "title": "Tiny",
            "epoch": "2026-01-01T00:00:00Z",
            "entries": [{"family": f"{FAMILY}:sums", "n": 3, **entry}],
        },
        source="test",
    )


class Adder:
    """Awaits its calls, and counts what it has lived."""

    def __init__(self) -> None:
        self.lived = 0

    async def run(self, task: proctor.TaskView, session: proctor.Session) -> proctor.Submission:
        self.lived += 1
        if task.tools[0].name != "number":
            return proctor.Submission(None)
        numbers = [(await session.call("number", index=place)).value for place in range(3)]
        session.say(f"life {self.lived}")
        return proctor.Submission(sum(numbers))


class Step:
    """Is asked step by step."""

    def act(self, observation: dict[str, Any]) -> dict[str, Any]:
        if "task" in observation:
            self.numbers: list[int] = []
        elif observation["result"]["ok"]:
            self.numbers.append(observation["result"]["value"])
        if len(self.numbers) == 3:
            return {"submit": sum(self.numbers)}
        return {"tool": "number", "arguments": {"index": len(self.numbers)}}


def blocking(task: proctor.TaskView, session: Any) -> int:
    assert threading.current_thread() is not threading.main_thread()
    assert session.budget is not None
    assert session.sampling.temperature is None
    if task.tools[0].name != "number":
        return 0
    return sum(session.call("number", index=place).value for place in range(len(session.observations) + 2))


async def awaiting(task: proctor.TaskView, session: proctor.Session) -> int:
    if task.tools[0].name != "number":
        return 0
    results = await asyncio.gather(*(session.call("number", index=place) for place in range(3)))
    return sum(result.value for result in results)


def factory() -> Adder:
    return Adder()


@pytest.fixture
def examined(tmp_path: Path) -> Callable[..., RunResult]:
    def examine(agent: object, **options: Any) -> RunResult:
        entry = options.pop("entry", {})
        return proctor.run(suite(**entry), agent=agent, store=str(tmp_path / "store.db"), folder=tmp_path, **options)

    return examine


@pytest.mark.parametrize(
    "agent", [Adder, Adder(), factory, blocking, awaiting], ids=("class", "object", "factory", "blocking", "awaiting")
)
def test_every_shape_is_examined(agent: object, examined: Callable[..., RunResult]) -> None:
    assert examined(agent).outcomes["success"] == 3


def test_one_that_is_asked_step_by_step(examined: Callable[..., RunResult]) -> None:
    # It is made for one kind of task, and fails the trial.
    assert examined(Step(), preflight=False).outcomes["success"] == 3


def test_it_is_said_that_nothing_confined_it(examined: Callable[..., RunResult], tmp_path: Path) -> None:
    ended = examined(Adder)
    assert ended.label == "unconfined"
    with Store(str(tmp_path / "store.db")) as store:
        frozen = store.frozen(store.run(ended.run).number)
    assert frozen.agent == f"object:{__name__}.Adder,unconfined=yes"
    assert frozen.agent_source is not None
    assert isolation_of(frozen).where == "unconfined"


def test_every_lifetime_starts_with_the_object_as_it_was_given(examined: Callable[..., RunResult]) -> None:
    given = Adder()
    examined(given)
    assert given.lived == 0


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        (3, "int is no agent"),
        (lambda one: one, "takes 1 arguments"),
        (threading.Lock(), "cannot be copied"),
    ],
)
def test_what_is_no_agent_is_refused(agent: object, message: str, examined: Callable[..., RunResult]) -> None:
    with pytest.raises(InputError) as refused:
        examined(agent)
    assert message in str(refused.value)


def test_it_lives_in_this_process_only(examined: Callable[..., RunResult]) -> None:
    with pytest.raises(InputError, match="lives in this process"):
        examined(Adder, workers=2)
    with pytest.raises(InputError, match=r"was not given in this process.*python:FILE\.py:NAME"):
        examined("object:somebody.Else,unconfined=yes")


def test_one_that_is_cut_off_ends_at_its_next_call(examined: Callable[..., RunResult]) -> None:
    told: list[str] = []
    over = threading.Event()

    def slow(task: proctor.TaskView, session: Any) -> None:
        try:
            session.call("never")
        except BaseException as error:
            told.append(type(error).__name__)
        try:
            session.call("never")
        except RuntimeError as error:
            told.append(str(error))
        over.set()

    ended = examined(slow, preflight=False, entry={"n": 1}, limits=Limits(episode_seconds=1))
    assert ended.outcomes["success"] == 0
    assert over.wait(30)
    assert told == ["CancelledError", "the episode is over"]


def test_leaving_the_process_is_a_crash_of_the_agent(examined: Callable[..., RunResult]) -> None:
    def leaves(task: proctor.TaskView, session: Any) -> None:
        raise SystemExit(3)

    async def leaves_too(task: proctor.TaskView, session: Any) -> None:
        raise SystemExit(3)

    for agent in (leaves, leaves_too):
        assert examined(agent, preflight=False).outcomes["failure"] == 3


def test_saying_that_nothing_was_measured_is_a_crash_of_the_agent(examined: Callable[..., RunResult]) -> None:
    """Nobody can look whether its model was gone; or it would be gone whenever it is unsure."""

    async def gone(task: proctor.TaskView, session: Any) -> None:
        message = "my model is gone"
        raise ServiceFailure("model_unavailable", message)

    def broken(task: proctor.TaskView, session: Any) -> None:
        message = "it was the bench"
        raise BenchError(message)

    for agent in (gone, broken):
        assert examined(agent, preflight=False).outcomes["failure"] == 3


def test_plain_answers_are_submissions() -> None:
    submission = proctor.Submission(1)
    assert submission_of(submission) is submission
    for plain in ("text", 3, 0.5, True, ["a"], {"answer": 3}):
        assert submission_of(plain) == proctor.Submission(plain)
    for wrong in (None, object(), ("a",), b"x"):
        with pytest.raises(AgentFailure, match="it has to return a Submission"):
            submission_of(wrong)

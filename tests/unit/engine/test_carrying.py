"""What a world leaves to the next episode, phases that repeat others, and tools composed of tools."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.unit.engine.small import bench, declared, job_of, lived, read, with_setting
from tests.unit.engine.small_family import SmallWorld

from proctor.core.canonical import decode
from proctor.core.errors import InputError, ToolError
from proctor.engine.episode import MAX_CARRIED
from proctor.engine.lifetime import live
from proctor.evidence.events import AgentFailed, BenchFailed, Called, CarriedOver, Returned
from proctor.spec.suite import Entry, Step, draw_places
from proctor.spec.task import Submission, ToolSpec
from proctor.worlds.forwarding import ForwardingWorld
from proctor.worlds.tool import Steps, Tool, tools_of

PROGRAM: list[dict[str, Any]] = [
    {"phase": "before", "episodes": 2},
    {"phase": "after", "episodes": 3},
    {"phase": "again", "episodes": 3, "repeats": "after"},
    {"phase": "sham", "episodes": 3, "repeats": "after", "before": "clear"},
]


class Counting(SmallWorld):
    """Counts the episodes of its lifetime."""

    seen: list[tuple[str, Any]] = []  # noqa: RUF012
    leaves: Any = None

    def take_over(self, phase: str, carried: Any) -> None:
        self.seen.append((phase, carried))
        self.count = 0 if carried is None else carried["count"]

    def carry_over(self) -> Any:
        return {"count": self.count + 1} if self.leaves is None else self.leaves


@pytest.fixture
def counting() -> Any:
    Counting.seen, Counting.leaves = [], None
    built = bench({"n": 1, "program": PROGRAM, "regimes": ["moderate-standard"]})
    original = built.job

    def job(lifetime: Any, step: int) -> Any:
        return with_setting(original(lifetime, step), make_world=Counting)

    built.job = job  # type: ignore[method-assign]
    return built


def test_what_is_left_reaches_the_next_episode_and_is_on_record(counting: Any) -> None:
    records = [read(one, counting.config_hash) for one in asyncio.run(live(counting, counting.plan.lifetime(0)))]
    phases = [step["phase"] for step in PROGRAM for _ in range(step["episodes"])]
    counts: list[Any] = [None, *({"count": number} for number in range(1, 11))]
    assert Counting.seen == list(zip(phases, counts, strict=True))
    left = None
    for one in records:
        given = [event.content for event in one.only(CarriedOver) if not event.left]
        assert given == ([] if left is None else [left])
        (left,) = (event.content for event in one.only(CarriedOver) if event.left)
        assert decode(one.record.contents[left])["count"] >= 1


def test_a_world_that_breaks_leaves_what_it_was_given(counting: Any) -> None:
    Counting.leaves = {"text": "x" * MAX_CARRIED}
    records = [read(one) for one in asyncio.run(live(counting, counting.plan.lifetime(0)))]
    assert {one.row.outcome for one in records} == {"infrastructure"}
    assert "65,536 is the most" in records[0].only(BenchFailed)[0].message
    assert {carried for _, carried in Counting.seen} == {None}


def test_worlds_that_carry_nothing_record_nothing() -> None:
    built = bench({"n": 1, "program": PROGRAM})
    for record in asyncio.run(live(built, built.plan.lifetime(0))):
        assert not read(record).only(CarriedOver)


def test_a_world_within_another_is_given_what_was_left() -> None:
    instance = job_of(bench()).instance
    place: Any = None
    Counting.seen, Counting.leaves = [], None
    outer = ForwardingWorld(Counting(instance, place))
    outer.take_over("test", {"count": 4})
    assert outer.carry_over() == {"count": 5}
    plain = ForwardingWorld(SmallWorld(instance, place))
    plain.take_over("test", {"count": 4})
    assert plain.carry_over() is None


# Phases that repeat.


def test_a_phase_that_repeats_meets_the_same_instances_and_faults() -> None:
    built = bench({"n": 2, "program": PROGRAM, "regimes": ["moderate-standard"]})
    lifetime = built.plan.lifetime(0)
    jobs = [built.job(lifetime, step) for step in range(11)]
    assert draw_places(built.arm(0).entry.program) == (0, 1, 2, 3, 4, 2, 3, 4, 2, 3, 4)
    for step in (2, 3, 4):
        for later in (step + 3, step + 6):
            assert jobs[later].instance == jobs[step].instance
            assert jobs[later].instance_id == jobs[step].instance_id
            assert jobs[later].faults.key == jobs[step].faults.key  # type: ignore[union-attr]
            assert jobs[later].nonce != jobs[step].nonce
            assert jobs[later].setting.phase != jobs[step].setting.phase
    assert len({job.instance_id for job in jobs}) == 5


@pytest.mark.parametrize(
    "program",
    [
        [{"phase": "a"}, {"phase": "b", "repeats": "c"}],
        [{"phase": "b", "repeats": "a"}, {"phase": "a"}],
        [{"phase": "a", "episodes": 2}, {"phase": "b", "repeats": "a"}],
        [{"phase": "a"}, {"phase": "a"}, {"phase": "b", "repeats": "a"}],
        [{"phase": "a", "repeats": "a"}],
    ],
)
def test_a_phase_repeats_one_earlier_phase_of_the_same_length(program: Any) -> None:
    with pytest.raises(InputError, match="has to be one earlier phase of the program"):
        declared({"program": program})


def test_a_repeated_phase_may_be_repeated_in_turn() -> None:
    steps = (Step(phase="a", episodes=2), Step(phase="b", episodes=2, repeats="a"), Step(phase="c", repeats="b"))
    with pytest.raises(ValueError, match="with 1 episodes as well"):
        draw_places(steps)
    assert draw_places((*steps[:2], Step(phase="c", episodes=2, repeats="b"))) == (0, 1, 0, 1, 0, 1)


def test_programs_that_repeat_nothing_are_declared_as_before() -> None:
    assert "repeats" not in Step(phase="a").model_dump(mode="json")
    entry = Entry(family="x", n=1, program=(Step(phase="a"), Step(phase="b", repeats="a")))
    assert [step.get("repeats") for step in entry.model_dump(mode="json")["program"]] == [None, "a"]
    assert Entry.model_validate(entry.model_dump(mode="json")) == entry


# Tools composed of tools.


def composed(steps: Any) -> type[SmallWorld]:
    """A small world with the further tool `both`."""
    both = Tool(
        spec=ToolSpec("both", "Both.", {"type": "object", "properties": {}}, "write"),
        function=steps,
        arguments=tools_of(SmallWorld)["refuse"].arguments,
        names=(),
        is_async=False,
        milliseconds=0,
        stable=True,
        chainable_arguments=True,
        chainable_value=False,
        steps=steps,
    )

    class World(SmallWorld):
        @property
        def tools(self) -> dict[str, Tool]:
            return {**tools_of(SmallWorld), "both": both}

    return World


def run_both(steps: Any, regime: str = "baseline") -> tuple[Any, list[Any]]:
    results: list[Any] = []

    async def act(task: Any, session: Any) -> Submission:
        results.append(await session.call("both"))
        return Submission([1])

    built = bench({"n": 1, "regimes": [regime]})
    return lived(act, with_setting(job_of(built), make_world=composed(steps)), built.config_hash), results


def test_each_call_of_a_composed_tool_is_recorded_and_its_changes_counted_once() -> None:
    def steps(world: Any, arguments: dict[str, Any]) -> Steps:
        one = yield "add", {"by": 2}
        two = yield "echo", {"value": one.value}
        return [one.value, two.value]

    one, results = run_both(steps)
    assert [event.tool for event in one.only(Called)] == ["both", "add", "echo"]
    assert [event.call for event in one.only(Returned)] == [1, 2, 0]
    assert [event.changed for event in one.only(Returned)] == [True, False, False]
    assert results[0].ok
    assert results[0].value[0] == results[0].value[1]
    assert (one.row.calls, one.row.transitions) == (3, 1)


def test_a_composed_tool_that_refuses_or_names_nothing_is_an_answer_like_any_other() -> None:
    def steps(world: Any, arguments: dict[str, Any]) -> Steps:
        unknown = yield "no_such_tool", {}
        assert not unknown.ok
        message = "not today"
        raise ToolError(message)

    one, results = run_both(steps)
    assert (results[0].ok, results[0].error) == (False, "not today")
    assert one.row.violations == '{"unknown_tool":1}'


def test_composed_tools_that_call_each_other_break_the_world() -> None:
    def steps(world: Any, arguments: dict[str, Any]) -> Steps:
        yield "both", {}

    one, _ = run_both(steps)
    assert (one.row.outcome, one.row.reason) == ("failure", "world_broke")
    assert "compose tools of plain tools alone" in one.only(AgentFailed)[0].message


def test_faults_strike_each_call_of_a_composed_tool() -> None:
    def steps(world: Any, arguments: dict[str, Any]) -> Steps:
        for _ in range(30):
            yield "add", {}

    struck = [run_both(steps, "moderate-standard")[0]]
    inner = [event for one in struck for event in one.only(Returned) if event.call]
    assert any(delivery.layer == "timeouts" for event in inner for delivery in event.faults)


def test_a_composed_tool_needs_no_place_in_the_declared_action_schema() -> None:
    def steps(world: Any, arguments: dict[str, Any]) -> Steps:
        yield "add", {}

    async def act(task: Any, session: Any) -> Submission:
        await session.call("both")
        await session.call("echo", value=1)
        return Submission([1])

    built = bench({"n": 1})
    job = with_setting(job_of(built), make_world=composed(steps), declared_actions=frozenset({"add"}))
    one = lived(act, job, built.config_hash)
    assert [event.marks for event in one.only(Called)] == [(), (), ("undeclared",)]

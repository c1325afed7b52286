"""The session: every limit, every way a call can go, and that all of it is recorded as the agent saw it."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from tests.unit.engine.small import Lived, bench, job_of, lived, with_setting

from proctor.core.canonical import decode, unchain
from proctor.core.errors import LimitReached
from proctor.engine.job import Job
from proctor.engine.session import LARGE_VALUE, MAX_TEXT, WorldBroke
from proctor.evidence.events import AgentFailed, Called, EpisodeClosed, LimitHit, Returned, Said, Submitted
from proctor.spec.task import Budget, Submission, TaskView
from proctor.worlds.bounds import cut


def limited(**limits: Any) -> Job:
    job = job_of(bench())
    job.limits = Budget(**limits)
    return job


async def right(task: TaskView, session: Any) -> Submission:
    return Submission(session.observations[0].fields["number"])


def returned(episode: Lived) -> list[Returned]:
    return episode.only(Returned)


# Calls and what is recorded of them.


def test_a_call_is_recorded_answered_and_observed() -> None:
    async def act(task: TaskView, session: Any) -> Submission:
        first = await session.call("add", by=3)
        second = await session.call("add")
        assert (first.ok, first.value, second.value) == (True, 3, 4)
        seen = session.observations
        assert [(o.seq, o.call, o.fields) for o in seen[1:]] == [(1, 0, {"result": 3}), (2, 1, {"result": 4})]
        return await right(task, session)

    episode = lived(act)
    assert episode.row.outcome == "success"
    assert episode.row.calls == 2
    assert episode.only(Called) == [Called(0, "add", {"by": 3}), Called(1, "add", {"by": 1})]
    assert returned(episode) == [Returned(0, True, 250, 3, changed=True), Returned(1, True, 500, 4, changed=True)]
    assert episode.row.transitions == 2
    assert episode.only(EpisodeClosed)[0].milliseconds == 500


def test_an_unknown_tool_is_answered_counted_and_costs_an_action() -> None:
    async def act(task: TaskView, session: Any) -> Submission:
        result = await session.call("ad\ud800d", by=[1.5, {"\ud801": None}])
        assert not result.ok
        assert "there are echo, text, half, add" in result.error
        assert session.budget.actions == 1
        return await right(task, session)

    episode = lived(act, limited(actions=2))
    assert episode.row.outcome == "success"
    assert episode.row.violations == '{"unknown_tool":1}'
    assert episode.only(Called)[0].violation == "unknown_tool"
    assert episode.only(Called)[0].tool == "ad\ufffdd"
    assert episode.row.calls == 1


@pytest.mark.parametrize(
    "arguments", [{"by": "many"}, {"by": 1.5}, {"by": 1, "more": 2}, {"bye": 1}, {"by": None}, {"by": [1]}]
)
def test_arguments_that_do_not_fit_never_reach_the_tool(arguments: dict[str, Any]) -> None:
    async def act(task: TaskView, session: Any) -> Submission:
        result = await session.call("add", **arguments)
        assert not result.ok
        assert result.error.startswith("arguments of 'add' do not fit: ")
        assert (await session.call("add", by=0)).value == 0, "nothing was added"
        return await right(task, session)

    episode = lived(act)
    assert episode.row.violations == '{"bad_arguments":1}'
    assert unchain(episode.only(Called)[0].arguments) == arguments


def test_a_missing_argument_is_named() -> None:
    async def act(task: TaskView, session: Any) -> Submission:
        assert "`value`" in (await session.call("text")).error
        return await right(task, session)

    assert lived(act).row.outcome == "success"


def test_a_refusal_is_the_agents_to_see_and_no_failure_of_the_bench() -> None:
    async def act(task: TaskView, session: Any) -> Submission:
        for tool in ("refuse", "late_refusal"):
            result = await session.call(tool)
            assert not result.ok and result.error
            assert session.observations[-1].fields == {"error": result.error}
        return await right(task, session)

    episode = lived(act)
    assert episode.row.outcome == "success"
    assert [event.error for event in returned(episode)] == ["not today \ufffd", "after all, no"]


AWKWARD: list[Any] = [
    1.5,
    -0.0,
    "\ud800 é \x00",
    {"$num": "1", "é": [None, 0.1]},
    [],
    {"a": {"b": [1, "c"]}},
]


@pytest.mark.parametrize("value", AWKWARD, ids=repr)
def test_any_value_can_go_in_and_come_out(value: Any) -> None:
    async def act(task: TaskView, session: Any) -> Submission:
        result = await session.call("echo", value=value)
        assert result.value is value, "the agent gets the value, not its recorded form"
        return await right(task, session)

    episode = lived(act)
    assert episode.row.outcome == "success"
    recorded = [unchain(episode.only(Called)[0].arguments)["value"], unchain(returned(episode)[0].value)]
    expected = value.replace("\ud800", "\ufffd") if isinstance(value, str) else value
    assert repr(recorded) == repr([expected, expected])


@pytest.mark.parametrize("what", ["name", "unreadable", "remark"])
def test_two_texts_that_begin_alike_are_not_recorded_alike(what: str) -> None:
    def recorded(end: str) -> Any:
        async def act(task: TaskView, session: Any) -> Submission:
            if what == "name":
                await session.call("x" * 10**6 + end, value=1)
            elif what == "unreadable":
                session.call_unreadable("echo", "x" * 10**6 + end, "it is no JSON")
            else:
                session.say("x" * 10**6 + end)
            return await right(task, session)

        episode = lived(act)
        if what == "remark":
            return episode.only(Said)[0].text
        called = episode.only(Called)[0]
        assert len(called.tool) <= 200
        return called.tool, called.arguments

    assert recorded("harmless") != recorded("mallory!")
    assert "[cut: " in str(recorded("harmless")), "and whoever reads it sees that there was more"


def within_itself() -> Any:
    value: list[Any] = []
    value.append(value)
    return value


@pytest.mark.parametrize(
    "value",
    [2**60, -(10**30), 10**9000, float("nan"), "x" * 10**6, [0] * 10**6, within_itself(), {1, 2}],
    ids=["integer", "negative", "endless", "nan", "text", "items", "depth", "set"],
)
@pytest.mark.parametrize("tool", ["echo", "no_such_tool"])
def test_what_is_beyond_the_bounds_is_refused_and_its_beginning_recorded(value: Any, tool: str) -> None:
    async def act(task: TaskView, session: Any) -> Submission:
        result = await session.call(tool, value=value)
        assert not result.ok
        assert ("Expected" in result.error) == (tool == "echo")
        return await right(task, session)

    episode = lived(act)
    assert episode.row.outcome == "success"
    assert len(msgspec.json.encode(episode.only(Called)[0].arguments)) < 50_000


def test_surrogates_pass_the_fast_path_too() -> None:
    async def act(task: TaskView, session: Any) -> Submission:
        assert (await session.call("text", value="a\udc80")).value == "a\udc80"
        assert (await session.call("half", value=3)).value == 1.5
        return await right(task, session)

    episode = lived(act)
    assert episode.only(Called)[0].arguments == {"value": "a\ufffd"}
    assert returned(episode)[0].value == "a\ufffd"
    assert returned(episode)[1].value == {"$num": "1.5"}


def test_a_large_text_is_kept_once_by_content() -> None:
    async def act(task: TaskView, session: Any) -> Submission:
        for size in (LARGE_VALUE, LARGE_VALUE + 1, LARGE_VALUE + 1):
            assert len((await session.call("large", size=size)).value) == size
        return await right(task, session)

    episode = lived(act)
    small, first, second = returned(episode)
    assert small.content is None and len(small.value) == LARGE_VALUE
    assert first.value is None and first.content is not None
    assert first.content == second.content
    data = episode.record.contents[first.content]
    assert sha256(data).hexdigest() == first.content
    assert decode(data) == "é" * (LARGE_VALUE + 1)


def test_what_cannot_be_reproduced_stays_out_of_the_chain() -> None:
    async def act(task: TaskView, session: Any) -> Submission:
        await session.call("chance")
        return await right(task, session)

    first, second = lived(act), lived(act)
    assert first.row.head == second.row.head
    assert first.row.aside != second.row.aside, "it enters the seal"
    assert returned(first)[0].unstable and returned(first)[0].value is None
    assert first.row.aside is not None
    assert decode(first.row.aside)[0][0] == 0


def test_remarks_are_kept_and_cut() -> None:
    async def act(task: TaskView, session: Any) -> Submission:
        session.say("x" * (MAX_TEXT + 5))
        session.say("\ud800")
        session.say(12)
        return await right(task, session)

    assert [event.text for event in lived(act).only(Said)] == [cut("x" * (MAX_TEXT + 5), MAX_TEXT), "\ufffd", "12"]


# Several calls at once.


def test_calls_at_once_get_their_numbers_on_receipt() -> None:
    order: list[str] = []

    async def act(task: TaskView, session: Any) -> Submission:
        waits = {"a": 0.03, "b": 0.0, "c": 0.015}
        results = await asyncio.gather(*(session.call("slow", seconds=s, name=n) for n, s in waits.items()))
        assert [result.value for result in results] == ["a", "b", "c"], "each caller gets its own answer"
        order.extend(session._world.order)
        return await right(task, session)

    episode = lived(act)
    assert order == ["b", "c", "a"], "they really waited side by side"
    assert [(event.call, event.arguments["name"]) for event in episode.only(Called)] == [(0, "a"), (1, "b"), (2, "c")]
    assert {event.call: event.value for event in returned(episode)} == {0: "a", 1: "b", 2: "c"}


def test_the_action_cap_holds_for_calls_at_once() -> None:
    async def act(task: TaskView, session: Any) -> Submission:
        calls = [session.call("slow", seconds=0.001, name=str(n)) for n in range(5)]
        results = await asyncio.gather(*calls, return_exceptions=True)
        assert [isinstance(result, LimitReached) for result in results] == [False, False, False, True, True]
        return await right(task, session)

    episode = lived(act, limited(actions=3))
    assert episode.row.calls == 3
    assert len(episode.only(LimitHit)) == 1
    assert episode.row.outcome == "success", "a cap that was hit does not undo what was done"


# Limits.


@pytest.mark.parametrize(
    ("limits", "calls", "name"),
    [
        ({"actions": 2}, ["add", "add", "add"], "actions"),
        ({"actions": 0}, ["add"], "actions"),
        ({"actions": 1}, ["add", "no_such_tool"], "actions"),
        ({"queries": 1}, ["add", "refuse", "add", "refuse"], "queries"),
        ({"milliseconds": 300}, ["add", "add", "add"], "milliseconds"),
    ],
)
def test_a_limit_stops_the_episode(limits: dict[str, int], calls: list[str], name: str) -> None:
    made: list[str] = []

    async def act(task: TaskView, session: Any) -> Submission:
        for tool in calls:
            await session.call(tool)
            made.append(tool)
        raise AssertionError("never reached")

    episode = lived(act, limited(**limits))
    assert made == calls[:-1]
    assert (episode.row.outcome, episode.row.reason) == ("limit", name)
    assert episode.only(LimitHit) == [LimitHit(name)]
    assert not episode.only(Submitted)


def test_an_agent_may_still_answer_after_a_limit() -> None:
    async def wrong(task: TaskView, session: Any) -> Submission:
        with pytest.raises(LimitReached) as caught:
            await session.call("add")
        assert caught.value.limit == "actions"
        with pytest.raises(LimitReached):
            await session.call("add")
        return Submission("no idea")

    episode = lived(wrong, limited(actions=0))
    assert (episode.row.outcome, episode.row.reason) == ("limit", "actions")
    assert len(episode.only(LimitHit)) == 1, "recorded once"
    assert lived(right, limited(actions=0)).row.outcome == "success"


def test_budget_says_what_is_left() -> None:
    async def act(task: TaskView, session: Any) -> Submission:
        assert session.budget == task.budget == Budget(5, 2, 100, 1_000, 1)
        await session.call("add")
        await session.call("refuse")
        session.spend(tokens=30)
        assert session.budget == Budget(3, 1, 70, 650, 1)
        return await right(task, session)

    job = limited(actions=5, queries=2, tokens=100, milliseconds=1_000, retries=1)
    assert lived(act, job).row.outcome == "success"


def test_tokens_and_cost_add_up_and_stop() -> None:
    async def act(task: TaskView, session: Any) -> Submission:
        session.spend(tokens=60, cost="0.1")
        session.spend(tokens=40, cost="0.2")
        session.spend(cost="0.05")
        session.spend(tokens=1)
        raise AssertionError("never reached")

    episode = lived(act, limited(tokens=100))
    assert (episode.row.outcome, episode.row.reason) == ("limit", "tokens")
    assert (episode.row.tokens, episode.row.cost) == (101, "0.35")


@pytest.mark.parametrize(
    ("cost", "recorded"), [("1e-999999", "0"), ("2.5e-3", "0.0025"), ("999999999999", "999999999999")]
)
def test_a_cost_is_recorded_in_few_digits(cost: str, recorded: str) -> None:
    async def act(task: TaskView, session: Any) -> Submission:
        session.spend(cost=cost)
        return await right(task, session)

    assert lived(act).row.cost == recorded


def test_nothing_spent_is_missing_and_not_nought() -> None:
    assert (lived(right).row.tokens, lived(right).row.cost) == (None, None)


@pytest.mark.parametrize(
    "usage",
    [{"tokens": -5}, {"tokens": 1.5}, {"tokens": 10**30}, {"cost": "NaN"}, {"cost": "-1"}, {"cost": "Infinity"}]
    + [{"cost": text} for text in ("1e12", "9" * 200, "a lot", "0." + "0" * 200)],
)
def test_an_agent_cannot_report_itself_a_refund(usage: dict[str, Any]) -> None:
    async def act(task: TaskView, session: Any) -> Submission:
        session.spend(tokens=10)
        session.spend(**usage)
        return await right(task, session)

    episode = lived(act)
    assert (episode.row.outcome, episode.row.reason) == ("failure", "agent_crashed")
    assert episode.row.tokens == 10
    assert episode.row.cost is None


def test_retries_of_a_failed_call_are_limited() -> None:
    errors: list[str | None] = []

    async def act(task: TaskView, session: Any) -> Submission:
        for _ in range(4):
            errors.append((await session.call("refuse")).error)
        assert (await session.call("add")).ok
        assert (await session.call("add")).ok, "repeating what worked is no retry"
        return await right(task, session)

    episode = lived(act, limited(retries=2))
    assert [str(error)[:9] for error in errors] == ["not today", "not today", "not today", "this call"]
    assert episode.row.faults == '{"retry_limit":1}'
    assert episode.row.outcome == "success"
    assert episode.row.calls == 6


# A world that waits, or breaks.


def test_a_tool_that_waits_too_long_is_answered_for() -> None:
    async def act(task: TaskView, session: Any) -> Submission:
        result = await session.call("slow", seconds=30, name="x")
        assert (result.ok, result.error) == (False, "'slow' did not answer within 0.02 s")
        assert (await session.call("slow", seconds=0)).ok
        return await right(task, session)

    job = with_setting(job_of(bench()), call_seconds=0.02)
    assert lived(act, job).row.outcome == "success"


@pytest.mark.parametrize("tool", ["crash", "own_timeout", "nothing_json"])
def test_a_tool_that_breaks_at_a_call_is_the_agents_failure(tool: str) -> None:
    async def act(task: TaskView, session: Any) -> Submission:
        await session.call(tool)
        raise AssertionError("never reached")

    episode = lived(act)
    assert (episode.row.outcome, episode.row.reason) == ("failure", "world_broke")
    assert [event.reason for event in episode.only(AgentFailed)] == ["world_broke"]


@pytest.mark.parametrize("tool", ["crash", "own_timeout", "nothing_json"])
def test_swallowing_it_changes_nothing(tool: str) -> None:
    async def act(task: TaskView, session: Any) -> Submission:
        for name in (tool, "add"):
            with pytest.raises(WorldBroke):
                await session.call(name)
        return await right(task, session)

    episode = lived(act)
    assert (episode.row.outcome, episode.row.reason) == ("failure", "world_broke")
    assert episode.kinds()[-2:] == ["AgentFailed", "EpisodeClosed"]


def test_two_runs_of_a_broken_tool_leave_the_same_trace() -> None:
    """Addresses and temporary folders are left out of what is chained."""

    async def act(task: TaskView, session: Any) -> Submission:
        await session.call("crash")
        raise AssertionError("never reached")

    first, second = lived(act), lived(act)
    assert first.row.head == second.row.head
    assert "RuntimeError: broken at 0x… in " in first.only(AgentFailed)[0].message


def test_a_layer_that_breaks_is_the_benchs_fault() -> None:
    class Broken:
        name = "broken"

        def before(self, passage: Any) -> None:
            raise ZeroDivisionError

    job = job_of(bench({"regimes": ["moderate-standard"]}))
    job = with_setting(job, stack=msgspec.structs.replace(job.setting.stack, before=(Broken(),)))

    async def act(task: TaskView, session: Any) -> Submission:
        await session.call("add")
        raise AssertionError("never reached")

    assert (lived(act, job).row.outcome, lived(act, job).row.reason) == ("infrastructure", "world")

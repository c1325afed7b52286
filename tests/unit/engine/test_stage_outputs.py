"""What a finished stage leaves, and how later conditions use it: priors, replies, the state of a donor."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.unit.engine.small import bench, job_of, lived

from proctor.agents.prior import PriorAgent
from proctor.core.seeds import Stream
from proctor.engine.lifetime import live
from proctor.engine.stage_outputs import instance_outputs, prior_counts
from proctor.evidence.events import BenchFailed, ModelAsked, StageRead, StateRead, Submitted, decode_event
from proctor.evidence.row import INFRASTRUCTURE
from proctor.spec.exchange import Exchange
from proctor.spec.task import Submission, TaskView

CODES = {"small@1.0/structured": {"A": 30, "B": 10}, "small@1.0/other": {"A": 2}, "big@1.0/structured": {"V": 8}}


def test_a_prior_is_of_one_family_or_of_all() -> None:
    assert prior_counts(CODES, "small@1.0") == {"A": 32, "B": 10}
    assert prior_counts(CODES, None) == {"A": 32, "B": 10, "V": 8}
    assert prior_counts(CODES, "absent@1.0") == {}


def test_what_each_condition_left_for_one_instance() -> None:
    output = {"small@1.0/one": {"i1": {"memory": 1}}, "small@1.0/two": {"i1": {"memory": 2}, "i2": {}}}
    assert instance_outputs(output, "small@1.0", "i1") == {"one": {"memory": 1}, "two": {"memory": 2}}
    assert instance_outputs(output, "other@1.0", "i1") == {}


def staged(condition: dict[str, Any], output: Any, freeze: str = "codes", n: int = 4) -> Any:
    return bench(
        {"stage": "first", "n": n},
        {"stage": "second", "conditions": [condition["id"]], "n": n},
        stages=[{"id": "first", "freeze": freeze}, {"id": "second"}],
        conditions=[{"after": "first", **condition}],
        stage_outputs={"first": ("cd" * 32, output)},
    )


def events_of(built: Any, index: int) -> list[Any]:
    record = asyncio.run(live(built, built.plan.lifetime(index)))[0]
    return [record.row, *(decode_event(line) for line in record.trace.split(b"\n"))]


def test_the_offline_control_draws_from_the_frozen_prior_and_asks_nobody() -> None:
    built = staged({"id": "matched", "acts": "prior", "prior": "family"}, CODES, n=200)
    drawn: list[str] = []
    for index in range(200, 400):
        _, *events = events_of(built, index)
        assert [event for event in events if isinstance(event, StageRead)] == [StageRead("first", "cd" * 32)]
        drawn += [event.answer["final_action"] for event in events if isinstance(event, Submitted)]
    assert len(drawn) == 200
    # 32 of 42; four standard errors either way.
    assert 0.64 < drawn.count("A") / 200 < 0.88
    assert set(drawn) == {"A", "B"}


def test_an_empty_prior_is_the_benchs_fault_and_never_a_guess() -> None:
    row, *events = events_of(staged({"id": "matched", "acts": "prior", "prior": "family"}, {}), 4)
    assert row.outcome == INFRASTRUCTURE
    assert "left no code" in next(event.message for event in events if isinstance(event, BenchFailed))


def test_draws_of_a_prior_are_keyed() -> None:
    def draw() -> Any:
        agent = PriorAgent({"A": 1, "B": 1}, Stream.keyed("test", 3))
        return asyncio.run(agent.run(None, None)).answer  # type: ignore[arg-type]

    assert draw() == draw()


def test_a_donors_own_state_comes_from_the_stage_before() -> None:
    condition = {"id": "swapped", "reads": {"memory": "scramble", "reason": "scramble"}}
    plain = staged(condition, {}, freeze="states")
    donor = job_of(plain, 4).donor
    assert donor is not None
    built = staged(condition, {"small@1.0/none": {donor.instance_id: {"memory": "what I wrote"}}}, freeze="states")

    async def act(task: TaskView, session: Any) -> Submission:
        return Submission([session.state.read("memory"), session.state.read("reason")])

    memory, reason = lived(act, job_of(built, 4)).only(StateRead)
    assert memory.value == "what I wrote"
    assert reason.value == donor.instance.state["reason"], "a field the agent never wrote is the instance's"


def test_replies_of_a_stage_reach_the_job() -> None:
    condition = {"id": "again"}
    own = job_of(staged(condition, {}, freeze="replies"), 4).instance_id
    output = {"small@1.0/none": {own: {"final_action": "A"}, "another": {"final_action": "B"}}}
    assert job_of(staged(condition, output, freeze="replies"), 4).replies == {"none": {"final_action": "A"}}


def test_a_donor_unlike_has_another_right_answer() -> None:
    built = bench(
        {"conditions": ["c"], "n": 12},
        conditions=[{"id": "c", "reads": {"memory": {"do": "scramble", "donor": "unlike"}}}],
    )
    family = built.arm(0).family
    for index in range(12):
        job = job_of(built, index)
        assert job.donor is not None
        assert family.answer(job.donor.instance) != family.answer(job.instance)


def test_an_exchange_is_recorded_and_what_varies_stays_aside() -> None:
    def asked(latency: int) -> Any:
        async def act(task: TaskView, session: Any) -> Submission:
            request = {"messages": [{"role": "user", "content": "hello"}], "temperature": 0.2}
            session.record_exchange(Exchange("local:small", request, "hi", details={"latency_ms": latency}))
            return Submission(1)

        return lived(act)

    one, two = asked(12), asked(90)
    recorded = one.only(ModelAsked)[0]
    assert (recorded.model, recorded.reply) == ("local:small", "hi")
    assert recorded.request["messages"][0]["content"] == "hello"
    assert one.row.head == two.row.head, "real time is no part of the chain"
    assert one.row.aside != two.row.aside


@pytest.mark.parametrize("kind", ["states", "replies"])
def test_without_the_stages_output_nothing_is_made_up(kind: str) -> None:
    job = job_of(staged({"id": "later"}, {}, freeze=kind), 4)
    assert job.replies in (None, {})

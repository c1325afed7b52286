"""The loop: what a model is told, how its calls are carried out and answered, and how an episode ends."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.unit.agents.model.speaking import Spoken, agent_of, in_turn, live, say, submit
from tests.unit.engine.small_family import family as small

from proctor.agents.contract import Session
from proctor.agents.model.agent import ModelAgent, Settings
from proctor.conformance.practice import family as yard
from proctor.engine.trial import Trial
from proctor.evidence.events import Called, ModelAsked, Submitted
from proctor.models.contract import Message, Request
from proctor.spec.task import Budget, Submission, TaskView


def answers(request: Request) -> list[dict[str, Any]]:
    """What the last calls gave back."""
    found: list[dict[str, Any]] = []
    for message in reversed(request.messages):
        if message.role != "tool":
            break
        found.insert(0, json.loads(message.content))
    return found


def submitted(trial: Trial) -> list[Any]:
    return [event.answer for event in trial.events if isinstance(event, Submitted)]


def test_the_first_request_says_the_task_and_offers_its_tools() -> None:
    model = Spoken(in_turn(say("", submit(3, confidence=0.25))))
    trial = live(yard, agent_of(model))
    (request,) = model.requests
    system, user = request.messages
    assert system.role == "system" and "submit" in system.content
    task = trial.task
    assert task is not None
    assert task.goal in user.content and task.answer_format in user.content and "actions: 80" in user.content
    assert json.loads(user.content.partition("# Observation 0\n")[2]) == trial.seen[0].fields
    assert [tool.name for tool in request.tools] == ["list_crates", "weigh", "stamp", "submit"]
    assert all(tool.parameters["type"] == "object" for tool in request.tools)
    assert "probability" in request.tools[-1].parameters["properties"]["confidence"]["description"]
    for hidden in (task.nonce, task.canary, task.id):
        assert hidden not in f"{system.content} {user.content}", "a model is told no nonce or canary"
    assert submitted(trial) == [3] and trial.row.confidence == 0.25


def test_calls_of_one_reply_are_carried_out_at_once_and_answered_in_order() -> None:
    calls = [("slow", {"seconds": pause, "name": name}) for pause, name in ((0.05, "a"), (0.0, "b"), (0.02, "c"))]
    model = Spoken(in_turn(say("", *calls), say("", ("order", {})), say("", submit(1))))
    trial = live(small, agent_of(model))
    asked = model.requests[1]
    assert [one["result"] for one in answers(asked)] == ["a", "b", "c"]
    assert [one["call"] for one in answers(asked)] == [0, 1, 2]
    assert [one["observation"] for one in answers(asked)] == [3, 1, 2], "observations are numbered as they came"
    called = asked.messages[-4]
    assert [call.id for call in called.calls] == [message.answers for message in asked.messages[-3:]]
    assert [event.tool for event in trial.events if isinstance(event, Called)][:3] == ["slow"] * 3


def test_junk_is_answered_as_the_session_answers_it_and_counted() -> None:
    junk = [
        ("no_such_tool", {"a": 1}),
        ("weigh", "{not json"),
        ("weigh", '["crate"]'),
        ("weigh", {"wrong": 1}),
        ("weigh", "[" * 5000),
        ("submit", "{}"),
        ("submit", {"answer": 1, "confidence": 7}),
        ("submit", {"answer": 1, "claims": "none"}),
    ]
    model = Spoken(in_turn(say("", *junk), say("", submit(1))))
    trial = live(yard, agent_of(model))
    told = [one["error"] for one in answers(model.requests[1])]
    assert told[0].startswith("there is no tool 'no_such_tool'")
    assert "not valid JSON" in told[1] and "a JSON array, not an object" in told[2]
    assert "do not fit" in told[3] and "do not fit" in told[4]
    assert "`answer` is missing" in told[5] and "`confidence`" in told[6] and "`claims`" in told[7]
    assert json.loads(trial.row.violations or "") == {"bad_arguments": 4, "unknown_tool": 1}
    assert trial.row.calls == 5, "handing in badly is no action"
    assert submitted(trial) == [1]


def test_a_reply_that_hands_in_has_its_other_calls_carried_out_first() -> None:
    model = Spoken(in_turn(say("", submit("x"), ("add", {"by": 2}), submit("y"))))
    trial = live(small, agent_of(model))
    assert submitted(trial) == ["x"] and trial.row.calls == 1


def test_text_alone_is_followed_by_one_reminder_and_then_taken_as_the_answer() -> None:
    model = Spoken(in_turn(say("I weigh them."), say('{"grams": 5}')))
    trial = live(yard, agent_of(model))
    reminder = model.requests[1].messages[-1]
    assert (
        reminder.role == "user" and "taken as your answer" in reminder.content and '"actions": 80' in reminder.content
    )
    assert len(model.requests) == 2 and submitted(trial) == [{"grams": 5}]


def test_a_call_between_two_texts_earns_another_reminder() -> None:
    model = Spoken(in_turn(say("Hm."), say("", ("list_crates", {})), say("Hm."), say("", submit(2))))
    assert submitted(live(yard, agent_of(model))) == [2]


def test_silence_hands_in_nothing() -> None:
    model = Spoken(in_turn(say()))
    trial = live(yard, agent_of(model))
    assert len(model.requests) == 2 and submitted(trial) == [None] and trial.row.outcome == "failure"
    assert [message.role for message in model.requests[1].messages] == ["system", "user", "user"], "no empty turn"


def test_a_reply_that_was_cut_off_is_told_so() -> None:
    model = Spoken(in_turn(say("It goes on and", finish="length"), say("", submit(2))))
    live(yard, agent_of(model, tokens=7))
    assert "cut off" in model.requests[1].messages[-1].content and model.requests[0].max_tokens == 7


def test_turns_are_limited_and_the_last_one_is_announced() -> None:
    model = Spoken(in_turn(say("", ("list_crates", {}))))
    trial = live(yard, agent_of(model, turns=3))
    assert (trial.row.outcome, trial.row.reason) == ("limit", "turns") and len(model.requests) == 3
    assert ["last turn" in request.messages[-1].content for request in model.requests] == [False, False, True]


def test_a_limit_of_the_task_ends_the_episode() -> None:
    model = Spoken(in_turn(say("", *(("list_crates", {}) for _ in range(9)))))
    trial = live(yard, agent_of(model), limits=Budget(actions=4))
    assert (trial.row.outcome, trial.row.reason, trial.row.calls) == ("limit", "actions", 4)


def test_what_is_left_is_shown_each_turn_and_only_where_there_is_a_limit() -> None:
    replies = (say("", ("list_crates", {}), ("list_crates", {})), say("", ("list_crates", {})), say("", submit(1)))
    model = Spoken(in_turn(*replies))
    live(yard, agent_of(model), limits=Budget(actions=9, queries=5))
    assert [one.get("budget_left") for one in answers(model.requests[1])] == [None, {"actions": 7, "queries": 3}]
    assert answers(model.requests[2])[-1]["budget_left"] == {"actions": 6, "queries": 2}
    free = Spoken(in_turn(*replies))
    live(yard, agent_of(free), limits=Budget())
    assert "Budget" not in free.requests[0].messages[1].content
    assert "budget_left" not in free.requests[2].messages[-1].content


class Interrupted:
    """The agent in a session that shows something of its own between two replies."""

    def __init__(self, agent: ModelAgent) -> None:
        self._agent = agent
        self.session: Any = None

    async def run(self, task: TaskView, session: Session) -> Submission:
        self.session = session
        return await self._agent.run(task, session)


def test_what_is_shown_without_a_call_is_a_turn_of_its_own() -> None:
    def speak(request: Request) -> Any:
        if len(model.requests) == 1:
            agent.session.show({"alarm": "the yard is closing"}, [])
            return say("", ("list_crates", {}))
        return say("", submit(1))

    model = Spoken(speak)
    agent = Interrupted(agent_of(model))
    live(yard, agent)
    tool, news = model.requests[1].messages[-2:]
    assert (tool.role, news.role) == ("tool", "user")
    assert "# Observation 1" in news.content and "the yard is closing" in news.content


def test_ids_are_the_bench_s_own_and_text_beside_calls_is_kept() -> None:
    model = Spoken(in_turn(say("Let me see.", ("list_crates", {})), say("", ("list_crates", {})), say("", submit(1))))
    trial = live(yard, agent_of(model))
    spoken = [message for message in model.requests[2].messages if message.role == "assistant"]
    assert spoken[0] == Message("assistant", "Let me see.", spoken[0].calls)
    assert [call.id for message in spoken for call in message.calls] == ["call00001", "call00002"]
    asked = [event for event in trial.events if isinstance(event, ModelAsked)]
    assert [call["id"] for event in asked for call in event.calls] == ["call00001", "call00002", "call00003"]


def test_a_flood_of_calls_is_cut() -> None:
    model = Spoken(in_turn(say("", *(("list_crates", {}) for _ in range(500))), say("", submit(1))))
    trial = live(yard, agent_of(model), limits=Budget())
    told = answers(model.requests[1])
    assert trial.row.calls == 128 and len(told) == 500 and "128" in told[-1]["error"]


@pytest.mark.parametrize("value", ["é" * 30, 10**400, {"ключ": 1.5}])
def test_odd_values_pass_through(value: Any) -> None:
    model = Spoken(in_turn(say("", ("echo", {"value": value})), say("", submit(value))))
    trial = live(small, agent_of(model))
    assert trial.row.outcome == "failure" and len(submitted(trial)) == 1


def test_what_could_not_be_sent_is_not_sent() -> None:
    model = Spoken(in_turn(say("", ("refuse", {})), say("", submit(1))))
    live(small, agent_of(model))
    for message in model.requests[1].messages:
        message.content.encode()
    assert "\N{REPLACEMENT CHARACTER}" in model.requests[1].messages[-1].content


def test_a_model_that_forgets_is_told_the_task_and_the_last_result_alone() -> None:
    """As the model-free baseline: neither earlier results nor its own words come back to it."""
    calls = [say(f"thought {place}", ("echo", {"value": f"gave {place}"})) for place in range(3)]
    model = Spoken(in_turn(*calls, say("", submit(1))))
    live(small, ModelAgent(agent_of(model)._source, Settings(forgets=True)))
    first, *later = model.requests
    for place, request in enumerate(later):
        assert request.messages[:2] == first.messages
        (last,) = request.messages[2:]
        assert f"gave {place}" in last.content
        assert "thought" not in last.content and f"gave {place - 1}" not in last.content

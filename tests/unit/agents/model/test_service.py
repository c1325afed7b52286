"""What a request that brings back no reply means: the service's failure, the agent's, or the end of the run."""

from __future__ import annotations

import pytest
from tests.unit.agents.model.speaking import Spoken, agent_of, in_turn, live, say, submit
from tests.unit.engine.small_family import family as small

from proctor.agents.model.window import KEPT
from proctor.conformance.practice import family as yard
from proctor.evidence.events import ModelAsked
from proctor.evidence.services import service_failure
from proctor.models.contract import InterfaceError, Reply, Request

CALL = say("", ("list_crates", {}))


def refused(status: int) -> Reply:
    return Reply(None, "spoken", error="http_4xx", status=status)


def is_canary(request: Request) -> bool:
    return len(request.messages) == 1


@pytest.mark.parametrize("error", ["connection", "timeout", "rate_limit", "http_5xx", "engine"])
def test_no_answer_is_nobody_s_failure(error: InterfaceError) -> None:
    model = Spoken(in_turn(CALL, Reply(None, "spoken", error=error)))
    row = live(yard, agent_of(model)).row
    assert (row.outcome, row.reason) == ("infrastructure", "model_unavailable")
    assert "spoken" in service_failure(row)["service"] and "final" not in service_failure(row)


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_a_provider_that_refuses_the_canary_too_ends_the_run(status: int) -> None:
    model = Spoken(lambda request: refused(status))
    row = live(yard, agent_of(model)).row
    assert (row.outcome, row.reason) == ("infrastructure", "model_refused")
    assert service_failure(row)["final"] == 1 and is_canary(model.requests[-1])


DECLINED = Reply(None, "spoken", error="declined")
NO_TOOLS = Reply(None, "spoken", error="no_tools", status=400)


NONSENSE = Reply(None, "spoken", error="payload_not_object")


@pytest.mark.parametrize(
    "said", [refused(400), refused(403), refused(422), refused(451), NONSENSE, DECLINED, NO_TOOLS], ids=str
)
def test_a_request_refused_by_a_provider_that_works_is_the_agent_s_failure(said: Reply) -> None:
    model = Spoken(lambda request: say("ready") if is_canary(request) else said)
    row = live(yard, agent_of(model)).row
    assert (row.outcome, row.reason) == ("failure", "request_refused")


def test_shorter_replies_are_asked_for_before_a_request_is_given_up() -> None:
    model = Spoken(lambda request: refused(400) if (request.max_tokens or 0) > 600 else say("", submit(1)))
    assert live(yard, agent_of(model)).row.answer == "1"
    assert [request.max_tokens for request in model.requests] == [4096, 2048, 1024, 512]


@pytest.mark.parametrize("error", ["quota", "no_tools"])
def test_a_used_up_account_and_missing_tools_end_the_run(error: InterfaceError) -> None:
    model = Spoken(lambda request: Reply(None, "spoken", error=error, status=400))
    row = live(yard, agent_of(model)).row
    assert row.reason == "model_refused" and service_failure(row)["final"] == 1


def test_a_model_without_tools_ends_the_run_and_is_told_apart() -> None:
    model = Spoken(lambda request: refused(400) if request.tools else say("ready"))
    row = live(yard, agent_of(model)).row
    assert row.reason == "model_refused" and service_failure(row)["final"] == 1
    assert "no tool calling" in service_failure(row)["service"]


def test_a_canary_that_nobody_answers_is_no_refusal() -> None:
    model = Spoken(lambda r: Reply(None, "spoken", error="timeout") if is_canary(r) else refused(400))
    row = live(yard, agent_of(model)).row
    assert row.reason == "model_unavailable" and "final" not in service_failure(row)


def window(size: int) -> Spoken:
    """A model that reads so many characters and no more, in tasks of long texts."""

    def speak(request: Request) -> Reply:
        if not is_canary(request) and sum(len(message.content) for message in request.messages) > size:
            return refused(400)
        turn = sum(message.role == "assistant" for message in request.messages)
        if is_canary(request):
            return say("ready")
        return say("", ("large", {"size": 3000})) if turn < 6 else say("", submit(turn))

    return Spoken(speak)


def test_a_conversation_that_outgrows_the_model_goes_on_with_older_results_shortened() -> None:
    model = window(9000)
    trial = live(small, agent_of(model))
    assert trial.row.outcome == "failure" and trial.row.answer == "6", "it handed in"
    results = [message.content for message in model.requests[-1].messages if message.role == "tool"]
    short = [content for content in results if "shortened" in content]
    assert 1 < len(short) < len(results) and results[: len(short)] == short, "the oldest"
    assert all(content.startswith('{"call": ') and len(content) < KEPT + 120 for content in short)
    assert "budget_left" in results[-1], "the newest is whole"


def test_a_task_that_is_too_long_from_the_start_reaches_a_limit() -> None:
    model = Spoken(lambda request: Reply(None, "spoken", error="too_long", status=400))
    row = live(yard, agent_of(model)).row
    assert (row.outcome, row.reason) == ("limit", "context") and len(model.requests) < 9


def test_a_conversation_that_cannot_be_shortened_enough_reaches_a_limit() -> None:
    row = live(small, agent_of(window(1500))).row
    assert (row.outcome, row.reason) == ("limit", "context")


def test_a_parameter_that_is_not_taken_ends_the_run() -> None:
    said = Reply(None, "spoken", error="http_4xx", status=400, parameter="temperature")
    row = live(yard, agent_of(Spoken(lambda request: said), temperature=0.5)).row
    assert service_failure(row)["final"] == 1 and "omit=temperature" in service_failure(row)["service"]


def test_what_a_provider_wants_back_goes_back() -> None:
    model = Spoken(in_turn(say("", ("list_crates", {}), kept='{"sealed": 1}'), say("", submit(1))))
    trial = live(yard, agent_of(model))
    assert model.requests[1].messages[2].kept == '{"sealed": 1}'
    assert [event.thoughts for event in trial.events if isinstance(event, ModelAsked)] == ['{"sealed": 1}', ""]


def test_an_empty_reply_is_a_reply() -> None:
    model = Spoken(in_turn(say(), say("", submit(1))))
    assert live(yard, agent_of(model)).row.answer == "1"

"""Episodes over a stream: calls are taken as they come, answers posted meanwhile."""

from __future__ import annotations

import json
import queue
from collections.abc import Callable
from typing import Any

import pytest
from tests.unit.agents_http.conftest import Handler, Service, Turn, call, of_type
from tests.unit.agents_process.conftest import Project

from proctor.agents.http_service.protocol import EVENT_STREAM, JSON_LINES

Say = Callable[[dict[str, Any]], None]
Hear = Callable[[], dict[str, Any]]


def streaming(loop: Callable[[Say, Hear], None], kind: str = JSON_LINES) -> Callable[[Handler, Turn], None]:
    """A service whose whole loop runs in the request that brought the task; results come by a queue."""
    arrived: dict[str, queue.Queue[dict[str, Any]]] = {}

    def reply(request: Handler, turn: Turn) -> None:
        if turn["turn"] > 0:
            for message in turn["messages"]:
                arrived[turn["episode"]].put(message)
            request.send(b"", 204)
            return
        results: queue.Queue[dict[str, Any]] = queue.Queue()
        arrived[turn["episode"]] = results
        request.start_stream(kind)

        def say(message: dict[str, Any]) -> None:
            line = json.dumps(message)
            request.wfile.write((f"data: {line}\n\n" if kind == EVENT_STREAM else f"{line}\n").encode())

        loop(say, lambda: results.get(timeout=300))

    return reply


def adding_up(say: Say, hear: Hear) -> None:
    total = 0
    for index in range(3):
        say(call("number", index=index))
        total += hear()["value"]
    say({"type": "submit", "answer": total})


@pytest.mark.parametrize("kind", [JSON_LINES, EVENT_STREAM, f"{EVENT_STREAM}; charset=utf-8", "application/jsonl"])
def test_the_loop_runs_in_one_request(project: Project, service: Service, kind: str) -> None:
    service.reply = streaming(adding_up, kind.partition(";")[0] if kind.startswith("text") else kind)
    [lived] = project.examine(service.url)
    assert (lived.row.outcome, lived.row.calls) == ("success", 3)
    assert [turn["turn"] for turn in service.turns][:3] == [0, 1, 2]


def test_calls_of_a_stream_are_open_at_once(project: Project, service: Service) -> None:
    def together(say: Say, hear: Hear) -> None:
        say(call("together", count=2))
        say(call("together", count=2))
        say({"type": "submit", "answer": [hear()["value"], hear()["value"]]})

    service.reply = streaming(together)
    [lived] = project.examine(service.url)
    assert lived.row.answer == "[2,2]"


def test_comments_and_names_of_events_mean_nothing(project: Project, service: Service) -> None:
    def chatty(request: Handler, turn: Turn) -> None:
        request.start_stream(EVENT_STREAM)
        request.wfile.write(b': hello\n\nretry: 10\nid: 4\nevent: x\ndata: {"type":"say","text":"a"}\n\ndata:\n\n')
        request.wfile.write(b'data:{"type":"submit","answer":1}')

    service.reply = chatty
    [lived] = project.examine(service.url)
    assert lived.row.answer == "1"


def test_a_stream_that_ends_too_early_is_the_agents_failure(project: Project, service: Service) -> None:
    service.reply = streaming(lambda say, hear: say(call("number", index=0)))
    [lived] = project.examine(service.url)
    assert (lived.row.reason, lived.failure) == (
        "agent_crashed",
        "AgentFailure: the service ended its stream before it submitted",
    )


def test_messages_in_reply_to_answers_are_against_the_rules(project: Project, service: Service) -> None:
    inner = streaming(adding_up)

    def confused(request: Handler, turn: Turn) -> None:
        if turn["turn"] == 0:
            inner(request, turn)
        else:
            request.send({"type": "submit"})

    service.reply = confused
    [lived] = project.examine(service.url)
    assert lived.row.reason == "agent_protocol"
    assert "they belong into the stream" in lived.failure


def test_a_limit_ends_a_stream_that_goes_on_calling(project: Project, service: Service) -> None:
    def insatiable(say: Say, hear: Hear) -> None:
        while True:
            say(call("number", index=0))
            hear()

    service.reply = streaming(insatiable)
    [lived] = project.examine(service.url, knobs={"actions": 2})
    assert (lived.row.outcome, lived.row.reason, lived.row.calls) == ("limit", "actions", 2)


def test_limits_are_told(project: Project, service: Service) -> None:
    def stops(say: Say, hear: Hear) -> None:
        while hear_one(say, hear)["type"] != "limit":
            pass
        say({"type": "submit", "answer": 3})

    def hear_one(say: Say, hear: Hear) -> dict[str, Any]:
        say(call("number", index=0))
        return hear()

    service.reply = streaming(stops)
    [lived] = project.examine(service.url, knobs={"actions": 1})
    assert (lived.row.outcome, lived.row.answer) == ("limit", "3")
    assert any(of_type(turn, "limit") for turn in service.turns)


def test_a_line_that_never_ends_is_cut_off(project: Project, service: Service) -> None:
    def endless(request: Handler, turn: Turn) -> None:
        request.start_stream(JSON_LINES)
        for _ in range(100):
            request.wfile.write(b"x" * (1 << 20))

    service.reply = endless
    [lived] = project.examine(service.url)
    assert lived.row.reason == "agent_protocol"
    assert "more than 4 MiB" in lived.failure

"""Services that fail: whose fault it is, what is recorded, and that nothing takes the run down."""

from __future__ import annotations

import asyncio
import base64
import socket
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
from tests.unit.agents_http.conftest import Handler, Service, Turn, adding, call, live_all
from tests.unit.agents_process.conftest import Project

from proctor.agents.contract import Agent, ServiceFailure, closes
from proctor.core.errors import InputError
from proctor.engine.build import Bench
from proctor.engine.lifetime import live
from proctor.evidence.events import BenchFailed
from proctor.spec.condition import Sampling
from proctor.spec.task import TaskView

TASK = msgspec.convert(
    dict.fromkeys(("id", "goal", "answer_format", "nonce", "canary"), "") | {"tools": [], "budget": {}},
    TaskView,
)
KEY = "sk-planted+key/0123456789"


def after_one_call(then: Callable[[Handler, Turn], None]) -> Callable[[Handler, Turn], None]:
    """Behaves in the first turn."""

    def reply(request: Handler, turn: Turn) -> None:
        if turn["turn"] == 0:
            request.send(call("number", index=0))
        else:
            then(request, turn)

    return reply


def drip(request: Handler, turn: Turn) -> None:
    request.send_response(200)
    request.send_header("Content-Length", "1000000")
    request.end_headers()
    for _ in range(200):
        request.wfile.write(b" ")
        if request.service.stop.wait(0.05):
            return


def flood(request: Handler, turn: Turn) -> None:
    request.send_response(200)
    request.send_header("Content-Length", str(50_000_000))
    request.end_headers()
    for _ in range(50):
        request.wfile.write(b" " * 1_000_000)


def cut_short(request: Handler, turn: Turn) -> None:
    request.send_response(200)
    request.send_header("Content-Length", "100")
    request.end_headers()
    request.wfile.write(b'{"messages": [')
    request.drop()


def nonsense(request: Handler, turn: Turn) -> None:
    request.wfile.write(b"NO HTTP AT ALL\r\n\r\n")
    request.drop()


FAILURES: dict[str, tuple[Callable[[Handler, Turn], None], str, str]] = {
    "an error": (lambda request, turn: request.send({"error": KEY}, 500), "agent_crashed", "500 Internal Server Error"),
    "overload": (lambda request, turn: request.send({}, 503), "agent_crashed", "503 Service Unavailable"),
    "a strange status": (lambda request, turn: request.send({}, 599), "agent_crashed", "answered 599"),
    "a redirect": (
        lambda request, turn: request.send({}, 307, Location="http://127.0.0.1:1/elsewhere"),
        "agent_crashed",
        "a redirect, which is not followed",
    ),
    "a reset": (lambda request, turn: request.drop(), "agent_unavailable", "closed the connection in the middle"),
    "half a reply": (cut_short, "agent_unavailable", "closed the connection in the middle"),
    "no HTTP": (nonsense, "agent_unavailable", "does not speak HTTP"),
    "no JSON": (lambda request, turn: request.send(b"<html>"), "agent_protocol", "not JSON"),
    "half JSON": (lambda request, turn: request.send(b'{"messages": ['), "agent_protocol", "not JSON"),
    "a number": (lambda request, turn: request.send(7), "agent_protocol", "no message"),
    "no type": (lambda request, turn: request.send({"answer": 1}), "agent_protocol", "`type`"),
    "an unknown type": (lambda request, turn: request.send({"type": "dance"}), "agent_protocol", "dance"),
    "no list": (lambda request, turn: request.send({"messages": 1}), "agent_protocol", "that are no list"),
    "deep": (lambda request, turn: request.send(b"[" * 100_000), "agent_protocol", "no message"),
    "50 MB": (flood, "agent_protocol", "larger than 4 MiB"),
    "compressed": (
        lambda request, turn: request.send(b"\x1f\x8b", Content_Encoding="gzip"),
        "agent_protocol",
        "compressed",
    ),
    "a memory nobody asked for": (lambda request, turn: request.send({"type": "memory"}), "agent_protocol", "memory"),
}


@pytest.mark.parametrize(
    ("name", "when"),
    # A redirect at once stops the run, as does a wrong address.
    [(name, when) for name in FAILURES for when in ("at once", "later") if (name, when) != ("a redirect", "at once")],
)
def test_whatever_a_service_does_once_it_is_there_is_its_failure(
    project: Project, service: Service, name: str, when: str
) -> None:
    misbehave, reason, words = FAILURES[name]
    service.reply = misbehave if when == "at once" else after_one_call(misbehave)
    [lived] = project.examine(service.url)
    assert (lived.row.outcome, lived.row.reason) == ("failure", reason), lived.failure
    assert words in lived.failure
    assert KEY not in lived.failure


@pytest.mark.parametrize("name", FAILURES)
def test_the_next_episode_is_lived_all_the_same(project: Project, service: Service, name: str) -> None:
    misbehave, _, _ = FAILURES[name]

    def first_only(request: Handler, turn: Turn) -> None:
        if turn["episode"].endswith(".0"):
            after_one_call(misbehave)(request, turn)
        else:
            adding(request, turn)

    service.reply = first_only
    lived = project.examine(service.url, program=[{"phase": "p", "episodes": 2}])
    assert [one.row.outcome for one in lived] == ["failure", "success"]


def test_a_reply_that_drips_is_counted_as_a_whole(project: Project, service: Service) -> None:
    service.reply = drip
    [lived] = project.examine(f"{service.url},reply_seconds=1")
    assert (lived.row.reason, lived.failure) == (
        "agent_unavailable",
        "AgentFailure: the service did not reply within 1 s",
    )


def test_a_service_that_left_in_the_middle_of_a_lifetime_failed(project: Project, service: Service) -> None:
    bench = project.bench(service.url, program=[{"phase": "p", "episodes": 2}])

    def leaves(request: Handler, turn: Turn) -> None:
        adding(request, turn)
        if turn["turn"] == 1:
            request.close_connection = True
            threading.Thread(target=service.close).start()

    service.reply = leaves
    first, second = live_all(bench)
    assert first.row.outcome == "success"
    assert (second.row.outcome, second.row.reason) == ("failure", "agent_unavailable")


def test_nobody_there_before_the_first_task_is_no_fault_of_the_agent(project: Project, service: Service) -> None:
    bench = project.bench(service.url, n=6)
    service.close()
    lived = live_all(bench)
    assert {one.row.outcome for one in lived} == {"infrastructure"}
    assert "no service answers at" in lived[0].of(BenchFailed)[0].message


@pytest.mark.parametrize("status", [500, 502, 503])
def test_a_server_that_is_not_well_before_the_first_task_is_infrastructure(
    project: Project, service: Service, status: int
) -> None:
    bench = project.bench(service.url)
    service.greet = lambda request: request.send({}, status)
    [lived] = live_all(bench)
    assert lived.row.outcome == "infrastructure"
    assert service.turns == []


@pytest.mark.parametrize("status", [200, 204, 400, 404, 405, 501])
def test_any_other_answer_to_the_greeting_will_do(project: Project, service: Service, status: int) -> None:
    service.greet = lambda request: request.send({"hello": "there"} if status == 200 else {}, status)
    service.reply = adding
    [lived] = project.examine(service.url)
    assert lived.row.outcome == "success"


def test_five_misses_in_a_row_are_final(project: Project, service: Service) -> None:
    bench = project.bench(service.url, n=6)
    service.close()
    final = [failure.final for failure in failures_of(bench, 6)]
    assert final == [False] * 4 + [True] * 2


MISCONFIGURED = {
    401: "wants a key",
    403: "wants a key",
    404: "correct the address",
    405: "correct the address",
    307: "redirects",
}


@pytest.mark.parametrize("status", MISCONFIGURED)
def test_a_wrong_address_or_key_stops_the_run(project: Project, service: Service, status: int) -> None:
    service.reply = lambda request, turn: request.send({}, status, Location="http://127.0.0.1:1/")
    [failure] = failures_of(project.bench(service.url), 1)
    assert failure.final
    assert MISCONFIGURED[status] in str(failure)


@pytest.mark.parametrize("status", MISCONFIGURED)
def test_a_task_that_is_refused_where_others_are_taken_is_the_agents_failure(
    project: Project, service: Service, status: int
) -> None:
    """Whoever answers so to the tasks it dislikes has its failures counted, not excluded, and the run goes on."""
    fine = service.reply

    def picky(request: Handler, turn: Turn) -> None:
        if turn["lifetime"] == "canary":
            fine(request, turn)
        else:
            request.send({}, status, Location="http://127.0.0.1:1/")

    service.reply = picky
    rows = [lived.row for lived in project.examine(service.url, n=3)]
    assert [(row.outcome, row.reason) for row in rows] == [("failure", "agent_crashed")] * 3


def test_the_same_answer_after_a_task_was_taken_is_the_agents_failure(project: Project, service: Service) -> None:
    service.reply = after_one_call(lambda request, turn: request.send({}, 404))
    [lived] = project.examine(service.url)
    assert lived.row.reason == "agent_crashed"


def test_a_refused_key_is_named_and_never_shown(
    project: Project, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENT_KEY", KEY)
    service.greet = lambda request: request.send({}, 401)
    with pytest.raises(InputError, match="refuses AGENT_KEY") as refused:
        project.bench(f"{service.url},key_env=AGENT_KEY")
    assert KEY not in str(refused.value)


@pytest.mark.parametrize("header", [None, "X-API-Key"])
def test_the_key_goes_into_its_header_and_nowhere_else(
    project: Project, service: Service, monkeypatch: pytest.MonkeyPatch, header: str | None
) -> None:
    monkeypatch.setenv("AGENT_KEY", KEY)
    forms = [KEY, base64.b64encode(KEY.encode()).decode(), "sk-planted%2Bkey%2F0123456789"]

    def leaky(request: Handler, turn: Turn) -> None:
        if turn["turn"] == 0:
            request.send([{"type": "say", "text": form} for form in forms] + [call("number", index=0)])
        else:
            request.send({"type": "fail", "error": " ".join(forms)})

    service.reply = leaky
    option = "" if header is None else f",key_header={header}"
    bench = project.bench(f"{service.url},key_env=AGENT_KEY{option}")
    traces = b"\n".join(record.trace for record in asyncio.run(live(bench, bench.plan.lifetime(0))))
    name, value = ("Authorization", f"Bearer {KEY}") if header is None else (header, KEY)
    assert all(sent.get(name) == value for sent in service.headers)
    assert b"<AGENT_KEY>" in traces
    assert not any(form.encode() in traces for form in forms)


def test_what_is_garbled_is_quoted_without_the_key(
    project: Project, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENT_KEY", KEY)
    service.reply = lambda request, turn: request.send(KEY.encode())
    [lived] = project.examine(f"{service.url},key_env=AGENT_KEY")
    assert "<AGENT_KEY>" in lived.failure


def test_cookies_belong_to_one_lifetime(project: Project, service: Service) -> None:
    service.reply = lambda request, turn: (
        request.send(call("number", index=0), Set_Cookie=f"who={turn['lifetime']}")
        if turn["turn"] == 0
        else request.send({"type": "submit", "answer": 0})
    )
    project.examine(service.url, n=2)
    cookies = [sent.get("Cookie") for sent in service.headers if sent.get("Content-Type")]
    lifetimes = [turn["lifetime"] for turn in service.turns]
    assert cookies == [None, f"who={lifetimes[1]}", None, f"who={lifetimes[3]}"]


def test_a_dead_server_is_refused_before_the_run(project: Project) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with pytest.raises(InputError, match=r"no service answers at .* start it, or correct the address"):
        project.bench(f"http://127.0.0.1:{port}/agent")


def failures_of(bench: Bench, count: int) -> list[ServiceFailure]:
    """What fresh lifetimes raise, one after another."""

    async def one(index: int) -> ServiceFailure:
        agent: Agent = bench.open_agent(bench.plan.lifetime(index))
        try:
            with pytest.raises(ServiceFailure) as raised:
                await agent.run(TASK, cast(Any, SimpleNamespace(observations=[], sampling=Sampling())))
        finally:
            assert closes(agent)
            await agent.close()
        return raised.value

    return [asyncio.run(one(index)) for index in range(count)]

"""Episodes turn by turn: what is posted, what replies may look like, what is recorded."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from tests.unit.agents_http.conftest import Handler, Service, Turn, adding, call, of_type
from tests.unit.agents_process.conftest import Project

from proctor.evidence.events import Called, Said


def test_an_episode_is_lived_in_two_turns(project: Project, service: Service) -> None:
    service.reply = adding
    [lived] = project.examine(service.url)
    assert (lived.row.outcome, lived.row.calls) == ("success", 3)
    first, second = service.turns
    assert [message["type"] for message in first["messages"]] == ["task", "observation"]
    assert first["messages"][0]["goal"] == "Add the numbers at places 0, 1 and 2."
    assert first["messages"][1]["fields"] == {"places": 3}
    assert [result["id"] for result in of_type(second, "result")] == [0, 1, 2]
    assert [(turn["turn"], turn["episode"]) for turn in service.turns] == [(0, first["episode"]), (1, first["episode"])]
    assert first["episode"].startswith(first["lifetime"])


def test_lifetimes_have_identities_of_their_own_and_are_greeted(project: Project, service: Service) -> None:
    service.reply = adding
    project.examine(service.url, n=3)
    assert len({turn["lifetime"] for turn in service.turns}) == 3
    # Once before the run, then once a lifetime.
    assert service.greeted == 4


def test_the_episodes_of_a_lifetime_share_it(project: Project, service: Service) -> None:
    service.reply = adding
    project.examine(service.url, program=[{"phase": "first", "episodes": 2}])
    assert len({turn["lifetime"] for turn in service.turns}) == 1
    assert len({turn["episode"] for turn in service.turns}) == 2
    assert service.greeted == 2


REPLIES: dict[str, Any] = {
    "one message": {"type": "submit", "answer": 1},
    "a list": [{"type": "say", "text": "well"}, {"type": "submit", "answer": 1}],
    "messages": {"messages": [{"type": "submit", "answer": 1}]},
    "further fields": {"messages": [{"type": "submit", "answer": 1, "mood": "good"}], "model": "x"},
}


@pytest.mark.parametrize("name", REPLIES)
def test_replies_come_in_several_shapes(project: Project, service: Service, name: str) -> None:
    service.reply = lambda request, turn: request.send(REPLIES[name])
    [lived] = project.examine(service.url)
    assert (lived.row.outcome, lived.row.answer) == ("failure", "1")


def test_text_with_half_a_surrogate_pair_travels(project: Project, service: Service) -> None:
    service.reply = lambda request, turn: request.send(b'{"messages":[{"type":"submit","answer":"\\ud83d"}]}')
    [lived] = project.examine(service.url)
    assert lived.row.reason == "wrong"


def test_a_reply_without_messages_says_not_yet(project: Project, service: Service) -> None:
    def slow(request: Handler, turn: Turn) -> None:
        if turn["turn"] == 3:
            request.send({"type": "submit", "answer": 0})
        elif turn["turn"] == 1:
            request.send(b"", 204)
        else:
            request.send({"messages": []})

    service.reply = slow
    [lived] = project.examine(service.url)
    assert lived.row.reason == "wrong"
    assert [turn["messages"] for turn in service.turns[1:]] == [[], [], []]


def test_calls_made_with_the_submission_are_carried_out_first(project: Project, service: Service) -> None:
    service.reply = lambda request, turn: request.send(
        [call("together", count=2), call("together", count=2), {"type": "submit", "answer": 0}]
    )
    [lived] = project.examine(service.url)
    assert (lived.row.calls, len(lived.of(Called))) == (2, 2)


def test_remarks_usage_and_state_are_those_of_the_wire(project: Project, service: Service) -> None:
    def talkative(request: Handler, turn: Turn) -> None:
        if turn["turn"] == 0:
            request.send(
                [
                    {"type": "say", "text": "hello"},
                    {"type": "usage", "tokens": 7, "cost": "0.01"},
                    {"type": "state_read", "name": "memory", "id": "s"},
                    {**call("number", index=0), "id": "mine"},
                ]
            )
        else:
            request.send({"type": "submit", "answer": turn["messages"]})

    service.reply = talkative
    [lived] = project.examine(service.url)
    assert (lived.row.tokens, lived.row.cost) == (7, "0.01")
    assert [event.text for event in lived.of(Said)] == ["hello"]
    state, result = service.turns[1]["messages"]
    assert state == {"type": "state", "id": "s", "name": "memory", "value": "a word from before"}
    assert (result["type"], result["id"], result["ok"]) == ("result", "mine", True)


def test_unknown_tools_and_bad_arguments_are_recorded_and_told(project: Project, service: Service) -> None:
    def clumsy(request: Handler, turn: Turn) -> None:
        if turn["turn"] == 0:
            request.send([call("teleport"), call("number", index="first")])
        else:
            request.send({"type": "submit", "answer": 0})

    service.reply = clumsy
    [lived] = project.examine(service.url)
    assert json.loads(lived.row.violations or "{}") == {"bad_arguments": 1, "unknown_tool": 1}
    assert [result["ok"] for result in of_type(service.turns[1], "result")] == [False, False]


def test_a_used_up_budget_is_told_and_ends_the_episode_of_one_who_goes_on(project: Project, service: Service) -> None:
    service.reply = lambda request, turn: request.send(call("number", index=0))
    [lived] = project.examine(service.url, knobs={"actions": 2})
    assert (lived.row.outcome, lived.row.reason, lived.row.calls) == ("limit", "actions", 2)
    assert of_type(service.turns[3], "limit") == [{"type": "limit", "limit": "actions"}]
    assert of_type(service.turns[3], "result")[0]["limit"] == "actions"


def test_after_a_limit_something_can_still_be_handed_in(project: Project, service: Service) -> None:
    def careful(request: Handler, turn: Turn) -> None:
        if of_type(turn, "limit"):
            request.send({"type": "submit", "answer": 5})
        else:
            request.send([call("number", index=0), call("number", index=1)])

    service.reply = careful
    [lived] = project.examine(service.url, knobs={"actions": 1})
    assert (lived.row.outcome, lived.row.answer) == ("limit", "5")


def test_a_service_that_gives_up_lives_the_next_episode(project: Project, service: Service) -> None:
    def moody(request: Handler, turn: Turn) -> None:
        if turn["episode"].endswith(".0"):
            request.send({"type": "fail", "error": "no idea"})
        else:
            adding(request, turn)

    service.reply = moody
    first, second = project.examine(service.url, program=[{"phase": "p", "episodes": 2}])
    assert (first.row.reason, first.failure) == ("agent_crashed", "AgentFailure: no idea")
    assert second.row.outcome == "success"


def test_memory_is_moved_by_messages(project: Project, service: Service) -> None:
    kept: dict[str, str] = {}

    def remembering(request: Handler, turn: Turn) -> None:
        [first, *_] = turn["messages"]
        lifetime = turn["lifetime"]
        if first["type"] == "memory":
            if first["do"] == "snapshot":
                request.send({"type": "memory", "data": kept.get(lifetime, "")})
                return
            kept[lifetime] = first.get("data", "")
            request.send({"type": "memory"})
            return
        word = of_type(turn, "observation")[0]["fields"].get("word")
        if word:
            kept[lifetime] = base64.b64encode(word.encode()).decode()
        request.send({"type": "submit", "answer": base64.b64decode(kept.get(lifetime, "")).decode()})

    service.reply = remembering
    service.greet = lambda request: request.send({"type": "ready", "remembers": True})
    lived = project.examine(
        service.url,
        family="recall",
        program=[
            {"phase": "train", "episodes": 1},
            {"phase": "test", "before": "snapshot"},
            {"phase": "wiped", "before": "clear"},
            {"phase": "again", "before": "restore"},
        ],
    )
    assert [one.row.outcome for one in lived] == ["success", "success", "failure", "success"]
    assert len({turn["lifetime"] for turn in service.turns}) == 1


def test_without_memory_messages_a_saved_state_cannot_be_put_back(project: Project, service: Service) -> None:
    service.reply = lambda request, turn: request.send({"type": "submit", "answer": "?"})
    lived = project.examine(
        service.url,
        family="recall",
        program=[
            {"phase": "train", "episodes": 1},
            {"phase": "test", "before": "snapshot"},
            {"phase": "wiped", "before": "clear"},
            {"phase": "again", "before": "restore"},
        ],
    )
    assert [one.row.reason for one in lived] == ["wrong", "wrong", "wrong", "memory"]
    # Forgetting is a new lifetime.
    assert len({turn["lifetime"] for turn in service.turns}) == 2


def test_submissions_carry_confidence_and_claims(project: Project, service: Service) -> None:
    claims = [{"action": "observed", "target": "/0/places", "result": 3}]
    service.reply = lambda request, turn: request.send(
        {"type": "submit", "answer": 1, "confidence": 0.25, "claims": claims}
    )
    [lived] = project.examine(service.url)
    assert lived.row.confidence == 0.25
    assert lived.row.claims is not None

"""The document describes what is really posted and taken."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from tests.unit.agents_http.conftest import Handler, Service, Turn, call, of_type
from tests.unit.agents_http.test_turns import REPLIES
from tests.unit.agents_process.conftest import Project

from proctor.agents.http_service.openapi import openapi


def check(document: Any, schema: dict[str, Any]) -> None:
    validate: Any = jsonschema.validate
    validate(document, {**schema, "components": openapi()["components"]})


def schema_of(*path: str) -> dict[str, Any]:
    found = openapi()["paths"]["/"]
    for name in path:
        found = found[name]
    schema: dict[str, Any] = found["content"]["application/json"]["schema"]
    return schema


def test_every_kind_of_message_that_is_posted_is_described(project: Project, service: Service) -> None:
    def curious(request: Handler, turn: Turn) -> None:
        if "episode" not in turn:
            request.send({"type": "memory", "data": ""})
        elif turn["turn"] == 0:
            reads = [{"type": "state_read"}, {"type": "state_read", "name": "memory", "id": 3}]
            request.send([*reads, {"type": "state_write", "name": "?", "value": 1}, call("number", index="x")])
        elif turn["turn"] == 1:
            request.send([call("number", index=0), call("number", index=1)])
        else:
            request.send({"type": "submit"})

    service.reply = curious
    service.greet = lambda request: request.send({"type": "ready", "remembers": True})
    project.examine(
        service.url,
        knobs={"actions": 2},
        program=[{"phase": "a"}, {"phase": "b", "before": "snapshot"}, {"phase": "c", "before": "restore"}],
    )
    posted = {message["type"] for turn in service.turns for message in turn["messages"]}
    assert posted == {"task", "observation", "result", "state", "limit", "memory"}
    for turn in service.turns:
        check(turn, schema_of("post", "requestBody"))
    assert of_type(service.turns[0], "task")


def test_fields_of_a_task_that_are_shown_are_described(project: Project, service: Service) -> None:
    project.examine(service.url)
    shown = set(of_type(service.turns[0], "task")[0])
    described = set(openapi()["components"]["schemas"]["Task"]["properties"])
    assert shown <= described


@pytest.mark.parametrize("name", REPLIES)
def test_replies_that_are_taken_are_described(name: str) -> None:
    check(REPLIES[name], schema_of("post", "responses", "200"))


def test_what_is_no_reply_is_not_described() -> None:
    for document in (1, {"answer": 2}, {"type": "dance"}, {"messages": 1}):
        with pytest.raises(jsonschema.ValidationError):
            check(document, schema_of("post", "responses", "200"))


def test_a_greeting_is_described() -> None:
    check({"type": "ready", "remembers": True}, schema_of("get", "responses", "200"))

"""The protocol between bench and service as an OpenAPI document, made from the types of its messages.

Messages from the agent are those the wire decodes. Messages to it are encoded by hand elsewhere; their types stand here
for the document alone, and a test holds everything that is posted against them.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from proctor.agents.http_service.protocol import EVENT_STREAM, JSON_LINES
from proctor.agents.process.wire import (
    CallMessage,
    Fail,
    Identity,
    MemoryAction,
    MemoryAnswer,
    Ready,
    Say,
    StateRead,
    StateWrite,
    Submit,
    Usage,
)
from proctor.spec.task import Budget, ToolSpec

VERSION: Final = "1.0"
"""Of the protocol: a new field changes the second number, anything that breaks a service the first."""

Said = CallMessage | Submit | Say | Usage | StateRead | StateWrite | Fail | MemoryAnswer
_REF: Final = "#/components/schemas/{name}"


class _ToService(Struct, tag_field="type"):
    pass


class SamplingAsked(Struct):
    """How models are to be sampled, where the examination asks for it."""

    temperature: float | UnsetType = UNSET
    top_p: float | UnsetType = UNSET


class Task(_ToService, tag="task"):
    """An episode begins."""

    id: str
    goal: Annotated[str, Meta(description="What is to be done.")]
    answer_format: Annotated[str, Meta(description="What the answer has to look like.")]
    tools: list[ToolSpec]
    budget: Annotated[Budget, Meta(description="What may be spent; a field that is missing is not limited.")]
    nonce: str
    canary: Annotated[str, Meta(description="A fixed marker: training data that contains it contains tasks.")]
    sampling: SamplingAsked | UnsetType = UNSET


class Shown(_ToService, tag="observation"):
    """Something that is shown and answers no call; at least one follows every task."""

    seq: int
    fields: dict[str, Any]
    call: None


class Result(_ToService, tag="result"):
    """The answer to a tool call."""

    id: Annotated[Identity, Meta(description="That of the call; without one, its number within the episode.")]
    ok: bool
    value: Annotated[Any, Meta(description="What the tool gave, where `ok`.")] = None
    error: Annotated[str | None, Meta(description="Why it gave nothing, where not `ok`.")] = None
    seq: Annotated[int | UnsetType, Meta(description="The number of the observation it makes.")] = UNSET
    call: Annotated[int | UnsetType, Meta(description="The number of the call.")] = UNSET
    budget: Annotated[Budget | UnsetType, Meta(description="What is left.")] = UNSET
    limit: Annotated[str | UnsetType, Meta(description="The declared limit that stood against the call.")] = UNSET


class LimitTold(_ToService, tag="limit"):
    """A declared budget is used up; the service may still submit."""

    limit: str


class StateTold(_ToService, tag="state"):
    """The answer to a read or write of named state."""

    id: Identity | None
    name: str | UnsetType | None = UNSET
    value: Any = None
    names: list[str] | UnsetType = UNSET
    error: str | UnsetType = UNSET


class MemoryAsked(_ToService, tag="memory"):
    """Between episodes, only to services whose `ready` says that they remember."""

    do: MemoryAction
    data: Annotated[str | UnsetType, Meta(description="Base64: what a snapshot gave.")] = UNSET


class Turn(Struct):
    """What is posted: answers to everything the last reply asked for, or a task and what is shown with it."""

    lifetime: Annotated[str, Meta(description="Names what is remembered from episode to episode, and nothing else.")]
    messages: list[Task | Shown | Result | LimitTold | StateTold | MemoryAsked]
    episode: Annotated[str | UnsetType, Meta(description="Names the episode; missing between episodes.")] = UNSET
    turn: Annotated[int | UnsetType, Meta(description="Counts the turns of the episode from 0.")] = UNSET


class Replies(Struct):
    """What a service says next. Without messages: not yet, ask again."""

    messages: list[Said]


def openapi() -> dict[str, Any]:
    """The document."""
    (turn, replies, said, ready), schemas = msgspec.json.schema_components(
        (Turn, Replies, Said, Ready), ref_template=_REF
    )
    reply = {"anyOf": [replies, {"type": "array", "items": said}, said]}
    answered = {
        "200": {
            "description": (
                "What the service says next: messages in one document, or a stream of them that stays open until "
                "`submit` or `fail`, while answers are posted as further turns."
            ),
            "content": {
                "application/json": {"schema": reply},
                JSON_LINES: {"schema": said},
                EVENT_STREAM: {"schema": said},
            },
        },
        "204": {"description": "Nothing yet; or, while a stream is open, understood."},
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "An agent behind HTTP",
            "version": VERSION,
            "description": (
                "What a service implements to be examined by Proctor. The bench is the client: it posts a task, then "
                "the results of the tool calls that the service asks for, until the service submits."
            ),
        },
        "paths": {
            "/": {
                "description": "The address in the agent string, whatever its path.",
                "get": {
                    "operationId": "greet",
                    "summary": "Is anybody there? Asked once a lifetime, before its first task.",
                    "responses": {
                        "200": {
                            "description": "Yes. The document may say that the service answers `memory` messages.",
                            "content": {"application/json": {"schema": ready}},
                        },
                        "4XX": {"description": "Yes, but for 401 and 403: a service need not answer GET at all."},
                        "501": {"description": "The same."},
                    },
                },
                "post": {
                    "operationId": "takeTurn",
                    "summary": "The next turn of an episode, or something about memory between two.",
                    "requestBody": {"required": True, "content": {"application/json": {"schema": turn}}},
                    "responses": answered,
                },
            }
        },
        "components": {"schemas": dict(sorted(schemas.items()))},
    }

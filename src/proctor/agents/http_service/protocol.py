"""The documents that pass between the bench and a service: the messages of the wire, several to a document.

    POST {"lifetime": "5c…", "episode": "5c….0", "turn": 0, "messages": [{"type": "task", …}, …]}
    200  {"messages": [{"type": "tool_call", "tool": "move", "arguments": {"to": "Kelp"}}]}
    POST {"lifetime": "5c…", "episode": "5c….0", "turn": 1, "messages": [{"type": "result", "id": 0, "ok": true, …}]}
    200  {"type": "submit", "answer": "arrived", "confidence": 0.9}

What always holds:

- The service owns its loop, and keeps what it needs between turns by `episode`. Turns are numbered from 0 and posted
  one after another; the messages in them are those of `proctor.agents.process.wire`.
- A reply is `{"messages": […]}`, a list of messages, or one message. The next turn answers all of it that is answered:
  a `result` for each `tool_call`, in order of completion, and a `state` for each read or write of named state.
- A reply without messages says "not yet": the bench asks again with an empty turn, after a moment.
- A reply of type `application/x-ndjson` or `text/event-stream` is a stream: one message a line, or one `data:` line an
  event. It stays open until `submit` or `fail`. Meanwhile the bench posts answers as they come, as further turns, to
  the same address; those are replied to with nothing (`204`, `{}` or `{"messages": []}`).
- `lifetime` names what is remembered from episode to episode: nothing may be carried from one to another. Before its
  first task the bench asks with `GET`. Any answer but an error of the server will do; `{"type": "ready", "remembers":
  true}` says that the service answers `memory` messages, which are posted between episodes, without `episode`.
- A reply or a line of more than 4 MiB, more than 64 MiB or 100,000 messages in one episode, compressed replies, and
  documents that are no messages are failures of the agent.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec
from msgspec import Raw, Struct

from proctor.agents.contract import AgentFailure
from proctor.agents.process.wire import Message, decode

JSON_LINES = "application/x-ndjson"
EVENT_STREAM = "text/event-stream"
ACCEPTED = f"application/json, {JSON_LINES}, {EVENT_STREAM}"


class _Several(Struct):
    messages: list[Raw]


_several = msgspec.json.Decoder(_Several)
_listed = msgspec.json.Decoder(list[Raw])
_encoder = msgspec.json.Encoder()


def turn_document(lifetime: str, episode: str | None, turn: int, messages: list[bytes]) -> bytes:
    """What is posted; `messages` are encoded already. Without an episode it stands between two of them."""
    fields: dict[str, Any] = {"lifetime": lifetime}
    if episode is not None:
        fields |= {"episode": episode, "turn": turn}
    return _encoder.encode(fields | {"messages": [Raw(message) for message in messages]})


def reply_messages(body: bytes) -> list[Message]:
    """The messages of a reply, in order; a document that is none is the agent's failure."""
    return [decode(message) for message in _parts(body.strip())]


def _parts(body: bytes) -> list[bytes]:
    if not body or body == b"{}":
        return []
    try:
        if body.startswith(b"["):
            return [bytes(part) for part in _listed.decode(body)]
        return [bytes(part) for part in _several.decode(body).messages]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _odd_parts(body)


def _odd_parts(body: bytes) -> list[bytes]:
    """One message by itself, or a document that only the slower reader takes: text with half a surrogate pair."""
    try:
        read = json.loads(body)
    except (ValueError, RecursionError):
        return [body]
    if isinstance(read, dict) and "messages" in read and "type" not in read:
        read = read["messages"]
        if not isinstance(read, list):
            message = "the service's reply has 'messages' that are no list; reply with {\"messages\": [ … ]}"
            raise AgentFailure("agent_protocol", message)
    return [json.dumps(part).encode() for part in read] if isinstance(read, list) else [body]

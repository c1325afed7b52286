"""`anthropic:NAME`: the messages interface, with tools.

System prompts stand apart from the conversation there, results of calls are blocks of a user's message, and the limit
on tokens is never left out: where a request has none, `DEFAULT_MAX_TOKENS` is sent. There is no seed.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from proctor.core.errors import InputError
from proctor.models import reading
from proctor.models.cache import cache_label, cached, check_cache
from proctor.models.connection import OPTIONS, Connection, require_key
from proctor.models.contract import THINKING_ROOM, ChatModel, Message, ModelCall, ModelKind, ModelString, Reply, Request
from proctor.models.http.client import require_environment
from proctor.models.http.endpoint import Endpoint

KEY_VARIABLE: Final = "ANTHROPIC_API_KEY"
BASE_URL: Final = "https://api.anthropic.com"
VERSION: Final = "2023-06-01"
DEFAULT_MAX_TOKENS: Final = 8192
_FINISH: Final = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tool_calls",
}
_SAID_NOTHING: Final = "(nothing)"
"""Stands for a text of nothing, which this interface refuses."""
_THOUGHTS: Final = ("thinking", "redacted_thinking")
_ODD: Final = re.compile(r"[^a-zA-Z0-9_-]")


class Messages:
    """The messages interface."""

    path = "/v1/messages"

    def headers(self, key: str | None) -> dict[str, str]:
        return {"anthropic-version": VERSION, **({} if key is None else {"x-api-key": key})}

    def body(self, request: Request, connection: Connection) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": connection.model,
            "max_tokens": DEFAULT_MAX_TOKENS if request.max_tokens is None else request.max_tokens,
            "messages": _messages(request.messages),
        }
        system = "\n\n".join(one.content for one in request.messages if one.role == "system" and one.content.strip())
        if system:
            body["system"] = system
        for name in ("temperature", "top_p"):
            value = getattr(request, name)
            if value is not None and name not in connection.omit:
                body[name] = value
        if request.tools:
            body["tools"] = [
                {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}
                for tool in request.tools
            ]
        if request.form is not None:
            body["output_config"] = {"format": {"type": "json_schema", "schema": request.form}}
        return body

    def read(self, answer: Any) -> Reply:
        blocks = reading.field(answer, "content")
        if not isinstance(blocks, list) or not all(isinstance(block, dict) for block in blocks):
            return reading.NOT_AN_ANSWER
        texts = [block.get("text") for block in blocks if block.get("type") == "text"]
        calls = _calls(blocks)
        if calls is None or not all(isinstance(text, str) for text in texts):
            return reading.NOT_AN_ANSWER
        text = "".join(texts)
        if len(text) > reading.LONGEST_TEXT:
            return reading.NOT_AN_ANSWER
        stopped = reading.word(reading.field(answer, "stop_reason"))
        if stopped == "refusal":
            # What was begun before the provider stopped it is no call that anybody stands for.
            calls = ()
        said = bool(text.strip() or calls)
        usage = reading.field(answer, "usage")
        return Reply(
            (text if text.strip() else "") if said else None,
            reading.word(reading.field(answer, "model")),
            _prompt_tokens(usage),
            reading.count(reading.field(usage, "output_tokens")),
            _FINISH.get(stopped, stopped),
            error=None if said else "declined" if stopped == "refusal" else "empty",
            calls=calls,
            cached_tokens=reading.count(reading.field(usage, "cache_read_input_tokens")),
            kept=_kept(blocks) if calls else "",
        )


def _messages(messages: tuple[Message, ...]) -> list[dict[str, Any]]:
    """The conversation without system prompts: turns of one role in a row are one message."""
    found: list[dict[str, Any]] = []
    for message in messages:
        if message.role == "system":
            continue
        role = "assistant" if message.role == "assistant" else "user"
        if not found or found[-1]["role"] != role:
            found.append({"role": role, "content": []})
        found[-1]["content"] += _blocks(message)
    for one in found:
        if not one["content"]:
            one["content"] = [{"type": "text", "text": _SAID_NOTHING}]
    return found


def _blocks(message: Message) -> list[dict[str, Any]]:
    if message.role == "tool":
        result: dict[str, Any] = {"type": "tool_result", "tool_use_id": _id(message.answers)}
        return [{**result, "content": message.content} if message.content else result]
    blocks = _thoughts(message.kept) if message.role == "assistant" and message.kept else []
    if message.content.strip():
        blocks.append({"type": "text", "text": message.content})
    for call in message.calls:
        blocks.append({"type": "tool_use", "id": _id(call.id), "name": call.name, "input": _input(call)})
    return blocks


def _kept(blocks: list[dict[str, Any]]) -> str:
    """What the model thought before its calls, as JSON; empty where it did not, or at no length to be believed."""
    thoughts = [block for block in blocks if block.get("type") in _THOUGHTS]
    text = msgspec.json.encode(thoughts).decode() if thoughts else ""
    return text if len(text) <= reading.LONGEST_TEXT else ""


def _thoughts(kept: str) -> list[dict[str, Any]]:
    """The same, to be sent back; nothing of what came from elsewhere."""
    try:
        blocks = msgspec.json.decode(kept, type=list[dict[str, Any]])
    except (msgspec.DecodeError, RecursionError):
        return []
    return [block for block in blocks if block.get("type") in _THOUGHTS]


def _id(given: str) -> str:
    """An id in the characters that this interface takes, for conversations that began elsewhere."""
    return _ODD.sub("_", given)


def _input(call: ModelCall) -> dict[str, Any]:
    found = reading.as_object(call.arguments)
    return {"arguments": call.arguments} if found is None else found


def _calls(blocks: list[dict[str, Any]]) -> tuple[ModelCall, ...] | None:
    used = [block for block in blocks if block.get("type") == "tool_use"]
    if len(used) > reading.MOST_CALLS:
        return None
    found = []
    for number, block in enumerate(used):
        made = reading.call(number, block.get("id"), block.get("name"), block.get("input"))
        if made is None:
            return None
        found.append(made)
    return reading.apart(found)


def _prompt_tokens(usage: Any) -> int | None:
    """All tokens of the prompt: what was read from the provider's cache or written to it is counted apart there."""
    fresh = reading.count(reading.field(usage, "input_tokens"))
    if fresh is None:
        return None
    apart = ("cache_read_input_tokens", "cache_creation_input_tokens")
    return fresh + sum(reading.count(reading.field(usage, name)) or 0 for name in apart)


def read_connection(text: ModelString) -> Connection:
    """The connection of a model string, or one sentence on what is wrong with it."""
    text.known(OPTIONS)
    if not text.detail:
        message = "model 'anthropic' needs a name: anthropic:NAME, e.g. anthropic:claude-sonnet-4-5"
        raise InputError(message)
    connection = Connection.read(text, base_url=BASE_URL, key_variable=KEY_VARIABLE)
    # Written with the version or without: the interface's own clients leave it out, others need it.
    return replace(connection, base_url=connection.base_url.rstrip("/").removesuffix("/v1"))


def _open(text: ModelString, folder: Path) -> ChatModel:
    connection = read_connection(text)
    return cached(Endpoint(Messages(), connection, name=text.named), text, folder, connection.base_url)


def _check(text: ModelString, folder: Path) -> None:
    require_key(text, read_connection(text))
    check_cache(text, folder)
    require_environment()


kind = ModelKind(
    name="anthropic",
    description="Models behind the messages interface of Anthropic, with tools.",
    open=_open,
    check=_check,
    label_of=cache_label,
    thoughts=THINKING_ROOM,
)

"""`openai:NAME,base_url=…`: any server that speaks the chat completions interface, with tools.

The key comes from an environment variable and goes nowhere but into the request's header: it is taken out of whatever a
server sends back, and no error carries a provider's own words. Nothing that a server sends back is taken on trust: what
has not the shape, the type or the size of a reply is none.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from proctor.core.errors import InputError
from proctor.models import reading
from proctor.models.cache import cache_label, cached, check_cache
from proctor.models.connection import OMITTED, OPTIONS, Connection, require_key
from proctor.models.contract import THINKING_ROOM, ChatModel, Message, ModelCall, ModelKind, ModelString, Reply, Request
from proctor.models.http.client import require_environment
from proctor.models.http.endpoint import Endpoint

KEY_VARIABLE: Final = "OPENAI_API_KEY"
BASE_URL: Final = "https://api.openai.com/v1"
_LIMITS: Final = ("max_tokens", "max_completion_tokens")
_KNOWN: Final = {**OPTIONS, "limit": f"what the server calls the limit on tokens: {' or '.join(_LIMITS)}"}
_DECLINED: Final = ("content_filter", "refusal")
_NO_KEY: Final = "none"


class ChatCompletions:
    """The chat completions interface."""

    path = "/chat/completions"

    def headers(self, key: str | None) -> dict[str, str]:
        return {"authorization": f"Bearer {key or _NO_KEY}"}

    def body(self, request: Request, connection: Connection) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": connection.model,
            "messages": [chat_message(one) for one in request.messages],
        }
        for name in OMITTED:
            value = getattr(request, name)
            if value is not None and name not in connection.omit:
                body[name] = value
        if request.max_tokens is not None:
            body[connection.limit] = request.max_tokens
        if request.tools:
            body["tools"] = function_tools(request)
        if request.exact:
            # Understood by llama.cpp and vLLM; a server without it ends where it likes, and the audit says so.
            body["ignore_eos"] = True
        if request.form is not None:
            schema = {"name": "reply", "strict": True, "schema": _unbounded(request.form)}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        return body

    def read(self, answer: Any) -> Reply:
        return read_completion(answer)


def function_tools(request: Request) -> list[dict[str, Any]]:
    """A request's tools as this interface words them."""
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
        }
        for tool in request.tools
    ]


def chat_message(message: Message) -> dict[str, Any]:
    """A message as this interface words it."""
    if message.calls:
        calls = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": sendable(call)}}
            for call in message.calls
        ]
        return {"role": message.role, "content": message.content or None, "tool_calls": calls}
    if message.answers:
        return {"role": message.role, "tool_call_id": message.answers, "content": message.content}
    return {"role": message.role, "content": message.content}


def sendable(call: ModelCall) -> str:
    """A call's arguments as a server takes them back: many refuse a history in which they are no JSON object, and a
    model that once wrote nonsense could never go on."""
    if reading.as_object(call.arguments) is not None:
        return call.arguments
    return reading.wrapped(call.arguments)


def read_completion(answer: Any) -> Reply:
    """A reply from the body of a chat completion."""
    choices = reading.field(answer, "choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = reading.field(first, "message")
    if not isinstance(message, dict) or not ("content" in message or "tool_calls" in message or "refusal" in message):
        return reading.NOT_AN_ANSWER
    text, calls = _text(message.get("content")), _calls(message.get("tool_calls"))
    if text is None or calls is None or len(text) > reading.LONGEST_TEXT:
        return reading.NOT_AN_ANSWER
    finish, refused = reading.word(reading.field(first, "finish_reason")), reading.field(message, "refusal")
    if isinstance(refused, str) and refused and not text and not calls:
        text, finish = refused[: reading.LONGEST_TEXT], "refusal"
    said = bool(text.strip() or calls)
    return Reply(
        (text if text.strip() else "") if said else None,
        reading.word(reading.field(answer, "model")),
        reading.count(reading.field(answer, "usage", "prompt_tokens")),
        reading.count(reading.field(answer, "usage", "completion_tokens")),
        finish,
        error=None if said else "declined" if finish in _DECLINED else "empty",
        calls=calls,
        cached_tokens=_cached(reading.field(answer, "usage")),
    )


def _text(content: Any) -> str | None:
    """The text of a message: a text, none at all, or the texts among its parts; None where it is none of these."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list) or not all(isinstance(part, dict) for part in content):
        return None
    parts = [part.get("text") for part in content if part.get("type") == "text"]
    return "".join(parts) if all(isinstance(part, str) for part in parts) else None


def _calls(given: Any) -> tuple[ModelCall, ...] | None:
    """The calls of a message; None where it holds something else."""
    if given is None:
        return ()
    if not isinstance(given, list) or len(given) > reading.MOST_CALLS:
        return None
    found = []
    for number, one in enumerate(given):
        function = reading.field(one, "function")
        made = reading.call(
            number, reading.field(one, "id"), reading.field(function, "name"), reading.field(function, "arguments")
        )
        if made is None:
            return None
        found.append(made)
    return reading.apart(found)


def _cached(usage: Any) -> int | None:
    found = reading.count(reading.field(usage, "prompt_tokens_details", "cached_tokens"))
    # As some compatible servers call it.
    return reading.count(reading.field(usage, "prompt_cache_hit_tokens")) if found is None else found


def _unbounded(schema: Any) -> Any:
    """The schema without bounds on length, which strict decoding of some providers refuses."""
    if isinstance(schema, dict):
        return {name: _unbounded(value) for name, value in schema.items() if name not in ("maxLength", "maxItems")}
    return [_unbounded(one) for one in schema] if isinstance(schema, list) else schema


def read_connection(text: ModelString) -> Connection:
    """The connection of a model string, or one sentence on what is wrong with it."""
    text.known(_KNOWN)
    if not text.detail:
        message = "model 'openai' needs a name: openai:NAME, e.g. openai:gpt-4o-mini,base_url=http://127.0.0.1:8080/v1"
        raise InputError(message)
    # The provider itself takes the newer word for every model, and only that one for some.
    limit = text.options.get("limit", "max_tokens" if "base_url" in text.options else "max_completion_tokens")
    if limit not in _LIMITS:
        message = f"'{text.named}': limit is {' or '.join(_LIMITS)}"
        raise InputError(message)
    return Connection.read(text, base_url=BASE_URL, key_variable=KEY_VARIABLE, limit=limit)


def _open(text: ModelString, folder: Path) -> ChatModel:
    connection = read_connection(text)
    return cached(Endpoint(ChatCompletions(), connection, name=text.named), text, folder, connection.base_url)


def _check(text: ModelString, folder: Path) -> None:
    connection = read_connection(text)
    require_key(text, connection)
    check_cache(text, folder)
    require_environment()


kind = ModelKind(
    name="openai",
    description="Any server that speaks the chat completions interface, with tools.",
    open=_open,
    check=_check,
    label_of=cache_label,
    thoughts=THINKING_ROOM,
)

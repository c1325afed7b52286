"""`/v1/messages`."""

from __future__ import annotations

from typing import Any, Final

from proctor.agents.model_proxy.interfaces.interface import Heard, Interface, listed, mapped, number, text_of, written

_KINDS: Final = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}
_CACHED: Final = "cache_read_input_tokens"
_PROMPT: Final = ("input_tokens", "cache_creation_input_tokens", _CACHED)


def _error(status: int, message: str) -> dict[str, Any]:
    kind = _KINDS.get(status, "invalid_request_error" if status < 500 else "api_error")
    return {"type": "error", "error": {"type": kind, "message": message}}


def _whole(body: Any, heard: Heard) -> None:
    heard.model = text_of(body.get("model"))
    heard.finish = text_of(body.get("stop_reason"))
    _count(body.get("usage"), heard)
    for block in listed(body.get("content")):
        _start(block, heard)


def _event(event: Any, heard: Heard) -> None:
    match event.get("type"):
        case "message_start":
            message = mapped(event.get("message"))
            heard.model = text_of(message.get("model"))
            _count(message.get("usage"), heard)
        case "content_block_start":
            _start(mapped(event.get("content_block")), heard, streamed=True)
        case "content_block_delta":
            delta = mapped(event.get("delta"))
            heard.text += text_of(delta.get("text"))
            if heard.calls:
                heard.calls[-1]["arguments"] += text_of(delta.get("partial_json"))
        case "message_delta":
            heard.finish = text_of(mapped(event.get("delta")).get("stop_reason")) or heard.finish
            _count(event.get("usage"), heard)


def _start(block: dict[str, Any], heard: Heard, *, streamed: bool = False) -> None:
    if block.get("type") == "text":
        heard.text += text_of(block.get("text"))
    elif block.get("type") == "tool_use":
        # In a stream the input starts as an empty object and comes in pieces of text.
        arguments = "" if streamed else written(block.get("input"))
        heard.calls.append({"id": text_of(block.get("id")), "name": text_of(block.get("name")), "arguments": arguments})


def _count(usage: Any, heard: Heard) -> None:
    """Take the counts; what came out of the provider's cache is not among the input tokens here."""
    if not isinstance(usage, dict):
        return
    counted = [number(usage.get(name)) for name in _PROMPT]
    if counted[0] is not None:
        heard.prompt_tokens = sum(one or 0 for one in counted)
        heard.cached_tokens = number(usage.get(_CACHED))
    completion = number(usage.get("output_tokens"))
    heard.completion_tokens = heard.completion_tokens if completion is None else completion


INTERFACE = Interface(
    name="messages",
    provider="anthropic",
    path="/messages",
    error=_error,
    whole=_whole,
    event=_event,
    canary=lambda model: {
        "model": model,
        "max_tokens": 16,
        "messages": [{"role": "user", "content": "Reply with one word: ready"}],
    },
    reply_limits=("max_tokens",),
    headers=("anthropic-version", "anthropic-beta"),
)

"""`/v1/messages`: answers, plain and as server-sent events."""

from __future__ import annotations

from typing import Any

import msgspec

from tests.fake_models.script import Asked, Call, Say
from tests.fake_models.wording import call_id, pieces

_ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}


def _input(call: Call) -> Any:
    if isinstance(call.arguments, str):
        try:
            return msgspec.json.decode(call.arguments)
        except msgspec.DecodeError:
            return {"arguments": call.arguments}
    return call.arguments


def _blocks(asked: Asked, say: Say) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    if say.thinking:
        found.append({"type": "thinking", "thinking": say.thinking, "signature": "signed"})
    if say.text:
        found.append({"type": "text", "text": say.text, "citations": None})
    for place, call in enumerate(say.calls):
        use = {"type": "tool_use", "id": call_id(asked, call, place, "toolu"), "name": call.name}
        found.append({**use, "input": _input(call)})
    return found


def _message(asked: Asked, say: Say, blocks: list[dict[str, Any]], finish: str | None) -> dict[str, Any]:
    return {
        "id": f"msg_{asked.number}",
        "type": "message",
        "role": "assistant",
        "model": say.model or str(asked.body.get("model", "")),
        "content": blocks,
        "stop_reason": finish,
        "stop_sequence": None,
        "usage": {
            # What came out of the provider's cache is not among the input tokens here.
            "input_tokens": say.prompt_tokens - say.cached_tokens,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": say.cached_tokens,
            "output_tokens": say.completion_tokens if finish else 1,
        },
    }


def _finish(say: Say) -> str:
    words = {"stop": "end_turn", "length": "max_tokens", "tool_calls": "tool_use"}
    return words.get(say.finish, say.finish) or ("tool_use" if say.calls else "end_turn")


def plain(asked: Asked, say: Say) -> dict[str, Any]:
    """The whole answer."""
    return _message(asked, say, _blocks(asked, say), _finish(say))


def events(asked: Asked, say: Say) -> list[tuple[str, Any]]:
    """The answer as named events."""
    found: list[tuple[str, Any]] = []

    def add(kind: str, **more: Any) -> None:
        found.append((kind, {"type": kind, **more}))

    add("message_start", message=_message(asked, say, [], None))
    for index, block in enumerate(_blocks(asked, say)):
        if block["type"] == "text":
            opening: dict[str, Any] = {"type": "text", "text": ""}
            deltas = [{"type": "text_delta", "text": piece} for piece in pieces(block["text"])]
        elif block["type"] == "thinking":
            opening = {"type": "thinking", "thinking": "", "signature": ""}
            deltas = [{"type": "thinking_delta", "thinking": piece} for piece in pieces(block["thinking"])]
            deltas.append({"type": "signature_delta", "signature": block["signature"]})
        else:
            opening = {**block, "input": {}}
            text = msgspec.json.encode(block["input"]).decode()
            deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces(text)]
        add("content_block_start", index=index, content_block=opening)
        for delta in deltas:
            add("content_block_delta", index=index, delta=delta)
        add("content_block_stop", index=index)
    ending = {"stop_reason": _finish(say), "stop_sequence": None}
    add("message_delta", delta=ending, usage={"output_tokens": say.completion_tokens})
    add("message_stop")
    return found


def error(status: int, message: str) -> dict[str, Any]:
    """An error's body."""
    return {"type": "error", "error": {"type": _ERRORS.get(status, "api_error"), "message": message}}

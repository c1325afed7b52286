"""`/v1/chat/completions`: answers, plain and as server-sent events."""

from __future__ import annotations

from typing import Any

from tests.fake_models.script import Asked, Say
from tests.fake_models.wording import arguments_text, call_id, pieces


def _usage(say: Say) -> dict[str, Any]:
    return {
        "prompt_tokens": say.prompt_tokens,
        "completion_tokens": say.completion_tokens,
        "total_tokens": say.prompt_tokens + say.completion_tokens,
        "prompt_tokens_details": {"cached_tokens": say.cached_tokens},
    }


def _head(asked: Asked, say: Say, kind: str) -> dict[str, Any]:
    model = say.model or str(asked.body.get("model", ""))
    return {"id": f"chatcmpl-{asked.number}", "object": kind, "created": 1, "model": model}


def _calls(asked: Asked, say: Say) -> list[dict[str, Any]]:
    return [
        {
            "id": call_id(asked, call, place, "call"),
            "type": "function",
            "function": {"name": call.name, "arguments": arguments_text(call)},
        }
        for place, call in enumerate(say.calls)
    ]


def _finish(say: Say) -> str:
    return say.finish or ("tool_calls" if say.calls else "stop")


def plain(asked: Asked, say: Say) -> dict[str, Any]:
    """The whole answer."""
    message: dict[str, Any] = {"role": "assistant", "content": say.text or (None if say.calls else "")}
    if say.calls:
        message["tool_calls"] = _calls(asked, say)
    if say.thinking:
        message["reasoning_content"] = say.thinking
    choice = {"index": 0, "finish_reason": _finish(say), "logprobs": None, "message": message}
    return {**_head(asked, say, "chat.completion"), "choices": [choice], "usage": _usage(say)}


def events(asked: Asked, say: Say) -> list[tuple[str, Any]]:
    """The answer in chunks; an event's name is empty, as this interface names none."""
    head = _head(asked, say, "chat.completion.chunk")

    def chunk(delta: dict[str, Any], finish: str | None = None) -> tuple[str, Any]:
        return "", {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    found = [chunk({"role": "assistant", "content": ""})]
    if say.thinking:
        found.append(chunk({"reasoning_content": say.thinking}))
    found += [chunk({"content": piece}) for piece in pieces(say.text)]
    for index, call in enumerate(_calls(asked, say)):
        text = call["function"]["arguments"]
        opening = {**call, "index": index, "function": {"name": call["function"]["name"], "arguments": ""}}
        found.append(chunk({"tool_calls": [opening]}))
        for piece in pieces(text):
            found.append(chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]}))
    found.append(chunk({}, _finish(say)))
    if (asked.body.get("stream_options") or {}).get("include_usage"):
        found.append(("", {**head, "choices": [], "usage": _usage(say)}))
    return [*found, ("", "[DONE]")]


def error(status: int, message: str) -> dict[str, Any]:
    """An error's body."""
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None}}

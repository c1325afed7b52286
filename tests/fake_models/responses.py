"""`/v1/responses`: answers, plain and as server-sent events."""

from __future__ import annotations

from typing import Any

from tests.fake_models.script import Asked, Say
from tests.fake_models.wording import arguments_text, call_id, pieces


def _items(asked: Asked, say: Say, status: str = "completed") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    if say.thinking:
        summary = [{"type": "summary_text", "text": say.thinking}]
        found.append({"id": f"rs_{asked.number}", "type": "reasoning", "summary": summary})
    if say.text or not say.calls:
        part = {"type": "output_text", "text": say.text, "annotations": [], "logprobs": []}
        message = {"id": f"msg_{asked.number}", "type": "message", "role": "assistant", "status": status}
        found.append({**message, "content": [part]})
    for place, call in enumerate(say.calls):
        found.append(
            {
                "id": f"fc_{asked.number}_{place}",
                "type": "function_call",
                "status": status,
                "call_id": call_id(asked, call, place, "call"),
                "name": call.name,
                "arguments": arguments_text(call),
            }
        )
    return found


def _response(asked: Asked, say: Say, *, done: bool) -> dict[str, Any]:
    body = asked.body
    cut = say.finish in ("length", "max_output_tokens")
    usage = {
        "input_tokens": say.prompt_tokens,
        "input_tokens_details": {"cached_tokens": say.cached_tokens},
        "output_tokens": say.completion_tokens,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": say.prompt_tokens + say.completion_tokens,
    }
    return {
        "id": f"resp_{asked.number}",
        "object": "response",
        "created_at": 1,
        "status": ("incomplete" if cut else "completed") if done else "in_progress",
        "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if cut and done else None,
        "instructions": body.get("instructions"),
        "metadata": {},
        "model": say.model or str(body.get("model", "")),
        "output": _items(asked, say) if done else [],
        "parallel_tool_calls": True,
        "temperature": 1.0,
        "tool_choice": "auto",
        "tools": body.get("tools") or [],
        "top_p": 1.0,
        "usage": usage if done else None,
    }


def plain(asked: Asked, say: Say) -> dict[str, Any]:
    """The whole answer."""
    return _response(asked, say, done=True)


def events(asked: Asked, say: Say) -> list[tuple[str, Any]]:
    """The answer as named events."""
    found: list[tuple[str, Any]] = []

    def add(kind: str, **more: Any) -> None:
        found.append((kind, {"type": kind, "sequence_number": len(found), **more}))

    add("response.created", response=_response(asked, say, done=False))
    add("response.in_progress", response=_response(asked, say, done=False))
    for index, item in enumerate(_items(asked, say)):
        opening = {**item, **({"content": []} if item["type"] == "message" else {})}
        opening |= {"arguments": ""} if item["type"] == "function_call" else {}
        opening |= {"status": "in_progress"} if "status" in item else {}
        at = {"item_id": item["id"], "output_index": index}
        add("response.output_item.added", output_index=index, item=opening)
        if item["type"] == "message":
            part = item["content"][0]
            add("response.content_part.added", **at, content_index=0, part={**part, "text": ""})
            for piece in pieces(part["text"]):
                add("response.output_text.delta", **at, content_index=0, delta=piece, logprobs=[])
            add("response.output_text.done", **at, content_index=0, text=part["text"], logprobs=[])
            add("response.content_part.done", **at, content_index=0, part=part)
        elif item["type"] == "function_call":
            for piece in pieces(item["arguments"]):
                add("response.function_call_arguments.delta", **at, delta=piece)
            done = {"arguments": item["arguments"], "name": item["name"]}
            add("response.function_call_arguments.done", **at, **done)
        add("response.output_item.done", output_index=index, item=item)
    whole = _response(asked, say, done=True)
    add("response.incomplete" if whole["status"] == "incomplete" else "response.completed", response=whole)
    return found


def error(status: int, message: str) -> dict[str, Any]:
    """An error's body."""
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None}}

"""`/v1/responses`."""

from __future__ import annotations

from typing import Any

from proctor.agents.model_proxy.interfaces.interface import Heard, Interface, listed, openai_error, text_of, written

_LAST = ("response.completed", "response.incomplete", "response.failed")


def _whole(body: Any, heard: Heard) -> None:
    heard.model = text_of(body.get("model"))
    heard.finish = text_of(body.get("status"))
    heard.count(body.get("usage"))
    heard.text, heard.calls = "", []
    for item in listed(body.get("output")):
        match item.get("type"):
            case "message":
                heard.text += "".join(text_of(part.get("text")) for part in listed(item.get("content")))
            case "function_call" | "custom_tool_call":
                heard.calls.append(
                    {
                        "id": text_of(item.get("call_id")),
                        "name": text_of(item.get("name")),
                        "arguments": written(item.get("arguments", item.get("input", ""))),
                    }
                )


def _event(event: Any, heard: Heard) -> None:
    kind = event.get("type")
    if kind in _LAST and isinstance(event.get("response"), dict):
        _whole(event["response"], heard)
    elif kind == "response.output_text.delta":
        # For streams that break off; the last event says everything again.
        heard.text += text_of(event.get("delta"))


INTERFACE = Interface(
    name="responses",
    provider="openai",
    path="/responses",
    error=openai_error,
    whole=_whole,
    event=_event,
    canary=lambda model: {"model": model, "input": "Reply with one word: ready"},
    reply_limits=("max_output_tokens",),
    headers=("openai-beta",),
)

"""`/v1/chat/completions`."""

from __future__ import annotations

from typing import Any

from proctor.agents.model_proxy.interfaces.interface import (
    Heard,
    Interface,
    listed,
    mapped,
    openai_error,
    text_of,
    written,
)


def _whole(body: Any, heard: Heard) -> None:
    heard.model = text_of(body.get("model"))
    heard.count(body.get("usage"))
    for choice in listed(body.get("choices"))[:1]:
        message = mapped(choice.get("message"))
        heard.text = text_of(message.get("content"))
        heard.finish = text_of(choice.get("finish_reason"))
        for call in listed(message.get("tool_calls")):
            _start(call, heard)


def _event(event: Any, heard: Heard) -> None:
    heard.model = heard.model or text_of(event.get("model"))
    heard.count(event.get("usage"))
    for choice in listed(event.get("choices")):
        if choice.get("index", 0) != 0:
            continue
        delta = mapped(choice.get("delta"))
        heard.text += text_of(delta.get("content"))
        heard.finish = text_of(choice.get("finish_reason")) or heard.finish
        for call in listed(delta.get("tool_calls")):
            index = call.get("index")
            if type(index) is int and 0 <= index < len(heard.calls):
                heard.calls[index]["arguments"] += text_of(mapped(call.get("function")).get("arguments"))
            else:
                _start(call, heard)


def _start(call: dict[str, Any], heard: Heard) -> None:
    function = mapped(call.get("function") or call.get("custom"))
    arguments = function.get("arguments", function.get("input", ""))
    heard.calls.append(
        {"id": text_of(call.get("id")), "name": text_of(function.get("name")), "arguments": written(arguments)}
    )


INTERFACE = Interface(
    name="chat",
    provider="openai",
    path="/chat/completions",
    error=openai_error,
    whole=_whole,
    event=_event,
    canary=lambda model: {"model": model, "messages": [{"role": "user", "content": "Reply with one word: ready"}]},
    reply_limits=("max_completion_tokens", "max_tokens"),
    headers=("openai-beta",),
)

"""Requests of three interfaces, read into one shape."""

from __future__ import annotations

from typing import Any

import msgspec

from proctor.models.contract import Message, ModelCall
from tests.fake_models.script import Asked, Interface

PATHS: dict[str, Interface] = {
    "/v1/chat/completions": "chat",
    "/v1/responses": "responses",
    "/v1/messages": "messages",
}


def asked(number: int, interface: Interface, path: str, headers: dict[str, str], body: dict[str, Any]) -> Asked:
    """The request in the vocabulary of scripts."""
    read = {"chat": _chat, "responses": _responses, "messages": _messages}[interface]
    names = [tool.get("function", tool).get("name", tool.get("type", "")) for tool in body.get("tools") or []]
    said = tuple(read(body))
    return Asked(number, interface, path, headers, body, said, tuple(names), bool(body.get("stream")))


def _text(content: Any) -> str:
    """Text, or the texts of blocks."""
    if isinstance(content, list):
        return "".join(_text(block.get("text", block.get("content", ""))) for block in content)
    return content if isinstance(content, str) else ""


def _chat(body: dict[str, Any]) -> list[Message]:
    found = []
    for one in body["messages"]:
        calls = tuple(
            ModelCall(call["id"], call["function"]["name"], call["function"]["arguments"])
            for call in one.get("tool_calls") or []
        )
        found.append(Message(one["role"], _text(one.get("content")), calls, one.get("tool_call_id", "")))
    return found


def _responses(body: dict[str, Any]) -> list[Message]:
    found = [Message("system", body["instructions"])] if body.get("instructions") else []
    items = body["input"]
    for item in [{"role": "user", "content": items}] if isinstance(items, str) else items:
        match item.get("type", "message"):
            case "function_call":
                call = ModelCall(item["call_id"], item["name"], item["arguments"])
                if found and found[-1].role == "assistant":
                    last = found.pop()
                    found.append(Message("assistant", last.content, (*last.calls, call)))
                else:
                    found.append(Message("assistant", "", (call,)))
            case "function_call_output":
                found.append(Message("tool", _text(item["output"]), answers=item["call_id"]))
            case "message":
                found.append(Message(item["role"], _text(item["content"])))
    return found


def _messages(body: dict[str, Any]) -> list[Message]:
    found = [Message("system", _text(body["system"]))] if body.get("system") else []
    for one in body["messages"]:
        blocks = one["content"] if isinstance(one["content"], list) else [{"type": "text", "text": one["content"]}]
        calls = tuple(
            ModelCall(block["id"], block["name"], msgspec.json.encode(block["input"]).decode())
            for block in blocks
            if block["type"] == "tool_use"
        )
        for block in blocks:
            if block["type"] == "tool_result":
                found.append(Message("tool", _text(block.get("content", "")), answers=block["tool_use_id"]))
        texts = [block["text"] for block in blocks if block["type"] == "text"]
        if texts or calls:
            found.append(Message(one["role"], "".join(texts), calls))
    return found

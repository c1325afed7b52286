"""What a request would have the provider do outside of the sandbox: run tools itself, fetch addresses.

An agent whose sandbox is closed could look anything up, or send anything away, through a provider that searches the web
for it. So only tools that the agent carries out itself pass, and those that the system declares.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from proctor.agents.model_proxy.interfaces.interface import listed

_OWN: Final = frozenset(
    {"", "function", "custom", "local_shell", "shell", "apply_patch", "computer", "computer_use_preview", "namespace"}
)
_OWN_DATED: Final = re.compile(r"(bash|text_editor|computer|memory)_\d{8}")
"""Tools that clients of the messages interface carry out themselves, with the date of their version."""
_ELSEWHERE: Final = {
    "web_search_options": "web_search",
    "search_parameters": "web_search",
    "enable_search": "web_search",
    "mcp_servers": "mcp",
    "container": "code_execution",
    "plugins": "plugins",
    "conversation": "conversation",
}
"""Further parts of a request that make the provider reach out, and the tool they stand for.

A conversation that the provider keeps has one name for all: it would carry memory from one lifetime to another."""
_OTHER_MODELS: Final = ("models", "fallbacks")
"""With these, routers answer with another model than the one that is named."""
_DATE: Final = re.compile(r"_\d{8}$|_preview(_\d{4}_\d\d_\d\d)?$")
_ADDRESS_KEYS: Final = frozenset({"url", "image_url", "file_url"})


_GUARDED: Final = frozenset({"model", "tools", "stream", "stream_options", "background", *_OTHER_MODELS, *_ELSEWHERE})


def reaches_out(body: dict[str, Any], raw: bytes, allowed: tuple[str, ...]) -> str | None:
    """Why a request is refused, in one sentence; None where it may pass."""
    for name in body:
        # Some servers do not mind the case, and would read what nobody looked at.
        if name not in _GUARDED and name.lower() in _GUARDED:
            return f"there is no parameter '{name}'; write '{name.lower()}'"
    for name in _OTHER_MODELS:
        if _given(body.get(name)):
            return f"`{name}` would have other models answer than the declared one; ask for one by its name in `model`"
    for kind in _hosted(body):
        if kind not in allowed and _DATE.sub("", kind) not in allowed:
            return (
                f"the tool '{kind[:60]}' is carried out by the provider, outside of the agent's sandbox; declare it in "
                "system.models (hosted_tools) or leave it out"
            )
    if (b"url" in raw or b"\\u" in raw) and "url" not in allowed and any(_addresses(body)):
        return (
            "the request names an address that the provider would fetch; send the content itself, or declare 'url' in "
            "system.models (hosted_tools)"
        )
    if body.get("background"):
        return "background requests are answered after the episode; ask without `background`"
    return None


def _hosted(body: dict[str, Any]) -> Iterator[str]:
    for tool in listed(body.get("tools")):
        kind = tool.get("type", "")
        kind = kind if isinstance(kind, str) else "unknown"
        if kind not in _OWN and not _OWN_DATED.fullmatch(kind):
            yield kind
        if kind == "shell" and tool.get("environment"):
            yield "shell"
    for name, kind in _ELSEWHERE.items():
        if _given(body.get(name)):
            yield kind


def _given(value: Any) -> bool:
    """Whether a parameter asks for something. An empty object does: providers then search with their own defaults."""
    return value is not None and value is not False and value != []


def _addresses(body: dict[str, Any]) -> Iterator[str]:
    """Every address in what is sent as content: text that merely speaks of one is not looked at."""
    todo: list[Any] = [body.get("messages"), body.get("input"), body.get("system")]
    while todo:
        found = todo.pop()
        if isinstance(found, list):
            todo += found
        elif isinstance(found, dict):
            for key, value in found.items():
                if key in _ADDRESS_KEYS and isinstance(value, str) and not value.startswith("data:"):
                    yield value
                elif isinstance(value, dict | list) and key not in ("arguments", "output"):
                    todo.append(value)

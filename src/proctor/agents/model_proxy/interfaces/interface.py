"""What the proxy has to know of an interface, and what it hears in a reply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

_MAX_TOKENS = 10**9


class Heard(Struct):
    """A reply as every interface says the same thing. Filled in as it comes; what was not said stays None."""

    text: str = ""
    calls: list[dict[str, str]] = []
    model: str = ""
    finish: str = ""
    prompt_tokens: int | None = None
    """All of the prompt, what came out of a cache included."""
    completion_tokens: int | None = None
    cached_tokens: int | None = None

    def count(self, usage: Any) -> None:
        """Take counts as chat completions and responses say them."""
        if not isinstance(usage, dict):
            return
        self.prompt_tokens = number(usage.get("prompt_tokens", usage.get("input_tokens")))
        self.completion_tokens = number(usage.get("completion_tokens", usage.get("output_tokens")))
        details = usage.get("prompt_tokens_details") or usage.get("input_tokens_details")
        self.cached_tokens = number(details.get("cached_tokens")) if isinstance(details, dict) else None


class Interface(Struct, frozen=True):
    """One interface."""

    name: str
    """As it stands on record."""
    provider: str
    path: str
    """Below the address of the model."""
    error: Callable[[int, str], dict[str, Any]]
    """The body of an error as the provider words it."""
    whole: Callable[[Any, Heard], None]
    """Read a whole reply."""
    event: Callable[[Any, Heard], None]
    """Read one event of a streamed reply."""
    canary: Callable[[str], dict[str, Any]]
    """A small fixed request to a model of this name."""
    reply_limits: tuple[str, ...]
    """Fields of a request that say how many tokens a reply may have, the one to use first."""
    headers: tuple[str, ...] = ()
    """Headers of the client's that go on to the provider."""


def number(value: Any) -> int | None:
    """A count of tokens, or None for anything else."""
    return value if type(value) is int and 0 <= value <= _MAX_TOKENS else None


def text_of(value: Any) -> str:
    """A text, or nothing."""
    return value if isinstance(value, str) else ""


def listed(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; nothing else."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def mapped(value: Any) -> dict[str, Any]:
    """An object, or an empty one."""
    return value if isinstance(value, dict) else {}


def written(value: Any) -> str:
    """Arguments as text: as they came where they are one."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def openai_error(status: int, message: str) -> dict[str, Any]:
    """An error as OpenAI words it."""
    kinds = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}
    kind = kinds.get(status, "invalid_request_error" if status < 500 else "server_error")
    return {"error": {"message": message, "type": kind, "param": None, "code": None}}

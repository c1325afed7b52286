"""What a script is given and what it may answer: one vocabulary for all three interfaces."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any, Literal

from msgspec import Struct

from proctor.models.contract import Message

Interface = Literal["chat", "responses", "messages"]


class Asked(Struct, frozen=True):
    """One request, as it came in and as every interface says the same thing."""

    number: int
    """Counted from 0, over all interfaces and connections."""
    interface: Interface
    path: str
    headers: dict[str, str]
    """Names in lower case."""
    body: dict[str, Any]
    messages: tuple[Message, ...]
    """The conversation in the words of the model contract: a system prompt comes first, results are `tool`."""
    tools: tuple[str, ...]
    """The names of the tools offered."""
    stream: bool

    @property
    def key(self) -> str:
        """The key it came with; empty where there was none."""
        return self.headers.get("x-api-key") or self.headers.get("authorization", "").removeprefix("Bearer ")

    @property
    def text(self) -> str:
        """All that was said, in one text."""
        return "\n".join(message.content for message in self.messages)

    @property
    def answers(self) -> tuple[Message, ...]:
        """The results of calls since the assistant last spoke."""
        found: list[Message] = []
        for message in reversed(self.messages):
            if message.role != "tool":
                break
            found.append(message)
        return tuple(reversed(found))


class Call(Struct, frozen=True):
    """A tool call in an answer."""

    name: str
    arguments: dict[str, Any] | str
    """A text is sent as it is, whether it is JSON or not (on `messages`, which has no text there, as an object)."""
    id: str = ""
    """Empty: one that follows from the request's number and the call's place."""


class Say(Struct, frozen=True):
    """The model speaks."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    finish: str = ""
    """Empty: `stop` or `tool_calls` (`end_turn` or `tool_use`)."""
    prompt_tokens: int = 11
    completion_tokens: int = 3
    cached_tokens: int = 0
    delay: float = 0.0
    """Seconds before the first byte."""
    thinking: str = ""
    """Sent as `reasoning_content`, a reasoning item or a `thinking` block."""
    model: str = ""
    """Empty: the model that was asked for."""


class Refuse(Struct, frozen=True):
    """An error as the interface words it: 401, 403, 404, 429, 500, 529, …"""

    status: int
    message: str = "refused"
    headers: dict[str, str] = {}
    delay: float = 0.0


class Raw(Struct, frozen=True):
    """These bytes under this status."""

    body: bytes
    status: int = 200
    headers: dict[str, str] = {}
    delay: float = 0.0


class Hang(Struct, frozen=True):
    """Nothing comes back until the client gives up or the server closes."""


class Drop(Struct, frozen=True):
    """The connection is closed: at once, or after so many bytes of a promised body."""

    after: int = 0


class Drip(Struct, frozen=True):
    """A well-formed answer, byte by byte."""

    say: Say
    pause: float


class Bomb(Struct, frozen=True):
    """A small compressed body that unpacks to so many bytes."""

    size: int = 1 << 30
    encoding: Literal["gzip", "deflate"] = "gzip"


Answer = Say | Refuse | Raw | Hang | Drop | Drip | Bomb
Script = Callable[[Asked], Answer]


def storm(script: Script, *, share: int, every: int, retry_after: str | None = None, status: int = 429) -> Script:
    """The same script, where of each `every` requests the first `share` are turned away."""
    lock = Lock()
    seen = 0

    def stormy(asked: Asked) -> Answer:
        nonlocal seen
        with lock:
            place, seen = seen % every, seen + 1
        if place >= share:
            return script(asked)
        return Refuse(status, "slow down", {} if retry_after is None else {"retry-after": retry_after})

    return stormy

"""A service's reply, read within bounds: as one document, or message by message from a stream."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Final

from proctor.agents.contract import AgentFailure
from proctor.agents.http_service.protocol import EVENT_STREAM, JSON_LINES, reply_messages
from proctor.agents.process.lines import Lines
from proctor.agents.process.wire import (
    MAX_EPISODE_BYTES,
    MAX_EPISODE_LINES,
    MAX_LINE_BYTES,
    Message,
    MiB,
    decode,
)

if TYPE_CHECKING:
    import httpx

_LINES: Final = frozenset({JSON_LINES, "application/jsonl", "application/ndjson", "application/json-lines"})
_DATA: Final = b"data:"


class Allowance:
    """How much a service may say in one episode."""

    __slots__ = ("_bytes", "_messages")

    def __init__(self) -> None:
        self._bytes = 0
        self._messages = 0

    def use(self, size: int) -> None:
        """So many bytes have come."""
        self._bytes += size
        if self._bytes > MAX_EPISODE_BYTES:
            _refuse(f"the service replied with more than {MAX_EPISODE_BYTES // MiB} MiB in one episode")

    def use_message(self) -> None:
        """A message has come."""
        self._messages += 1
        if self._messages > MAX_EPISODE_LINES:
            _refuse(f"the service replied with more than {MAX_EPISODE_LINES:,} messages in one episode")


def is_stream(response: httpx.Response) -> bool:
    """Whether the reply is a stream of messages."""
    kind = _media_type(response)
    return kind in _LINES or kind == EVENT_STREAM


async def read_messages(response: httpx.Response, allowance: Allowance) -> list[Message]:
    """The messages of a reply that is one document."""
    _refuse_compressed(response)
    body = bytearray()
    async for piece in response.aiter_raw():
        allowance.use(len(piece))
        body += piece
        if len(body) > MAX_LINE_BYTES:
            _refuse(f"the service's reply is larger than {MAX_LINE_BYTES // MiB} MiB")
    messages = reply_messages(bytes(body))
    for _ in messages:
        allowance.use_message()
    return messages


async def stream_messages(response: httpx.Response, allowance: Allowance) -> AsyncIterator[Message]:
    """The messages of a stream, each as soon as it is there."""
    _refuse_compressed(response)
    events = _media_type(response) == EVENT_STREAM
    lines = Lines()
    async for piece in response.aiter_raw():
        allowance.use(len(piece))
        lines.feed(piece)
        while (line := lines.take()) is not None:
            if (message := _message(line, events=events)) is not None:
                allowance.use_message()
                yield message
        if lines.problem is not None:
            _refuse(lines.problem)
    lines.finish()
    line = lines.take()
    if line is not None and (message := _message(line, events=events)) is not None:
        allowance.use_message()
        yield message


def _message(line: bytes, *, events: bool) -> Message | None:
    if not events:
        return decode(line)
    # Comments keep the connection alive; names and numbers of events mean nothing here.
    data = line.strip()
    return decode(data[len(_DATA) :]) if data.startswith(_DATA) and data != _DATA else None


def _media_type(response: httpx.Response) -> str:
    kind: str = response.headers.get("content-type", "")
    return kind.partition(";")[0].strip().lower()


def _refuse_compressed(response: httpx.Response) -> None:
    """A small piece of compressed data can be of any size; the bench asked for none."""
    if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
        _refuse("the service compressed its reply, which it was asked not to do")


def _refuse(problem: str) -> None:
    raise AgentFailure("agent_protocol", problem)

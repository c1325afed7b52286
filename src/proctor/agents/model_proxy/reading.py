"""A reply on its way to the agent: what it says, what of it is passed on, and a copy of bounded size for the record."""

from __future__ import annotations

import base64
import zlib
from typing import Any, Final

import msgspec

from proctor.agents.model_proxy.interfaces import Heard, Interface
from proctor.agents.model_proxy.redaction import Redactor
from proctor.agents.model_proxy.sse import EventSplitter, data_of

MAX_COPY: Final = 4 << 20
"""Bytes of a reply that go on record; a longer one is cut there, and cannot be replayed."""
MAX_TEXT: Final = 1 << 20
MAX_CALLS: Final = 1000
_PLAIN: Final = 4096
_FAILED: Final = ("error", "response.failed")


class ReplyReader:
    """Reads one reply as it comes. Keys are taken out first: what is passed on and what is kept has none."""

    def __init__(self, interface: Interface, redactor: Redactor, *, events: bool, hide_usage: bool = False) -> None:
        """`hide_usage` leaves out the event with the counts, which the bench and not the agent asked for."""
        self._interface = interface
        self._redactor = redactor
        self._redacted = redactor.stream()
        self._events = EventSplitter() if events else None
        self._hide_usage = hide_usage
        self._copy = bytearray()
        self._cut = False
        self.heard = Heard()
        self.failed = False
        """Whether the provider said, in the middle of its reply, that it failed."""

    def feed(self, piece: bytes) -> bytes:
        """What of this piece, and of what was held back before, goes on to the agent."""
        return self._take(self._redacted.feed(piece))

    def finish(self) -> bytes:
        """The rest, at the end of the reply."""
        left = self._take(self._redacted.rest())
        if self._events is not None:
            left += self._passed(self._events.rest())
        else:
            self._read(self._interface.whole, bytes(self._copy))
        return left

    def details(self) -> dict[str, Any]:
        """What the record says about it beside its text: it belongs to this one reply, and enters `seal` only."""
        heard = self.heard
        found: dict[str, Any] = {"model": self._redactor.text(heard.model)[:200]}
        for name in ("prompt_tokens", "completion_tokens", "cached_tokens"):
            if (value := getattr(heard, name)) is not None:
                found[name] = value
        if heard.finish:
            found["finish"] = self._redactor.text(heard.finish)[:200]
        if self._events is not None:
            found["events"] = True
        return {**found, **packed(bytes(self._copy)), **({"cut": True} if self._cut else {})}

    @property
    def text(self) -> str:
        """All that was said."""
        return self._redactor.text(self.heard.text)[:MAX_TEXT]

    @property
    def calls(self) -> tuple[dict[str, Any], ...]:
        """All that was called for."""
        return tuple(
            {name: self._redactor.text(value)[:MAX_TEXT] for name, value in call.items()}
            for call in self.heard.calls[:MAX_CALLS]
        )

    def _take(self, piece: bytes) -> bytes:
        if self._events is None:
            self._keep(piece)
            return piece
        return b"".join([self._passed(event) for event in self._events.feed(piece)])

    def _passed(self, event: bytes) -> bytes:
        data = data_of(event)
        said = None
        if data and data != b"[DONE]":
            said = self._read(self._interface.event, data)
        if self._hide_usage and isinstance(said, dict) and said.get("choices") == [] and said.get("usage"):
            return b""
        self._keep(event)
        return event

    def _read(self, take: Any, data: bytes) -> Any:
        try:
            said = msgspec.json.decode(data)
        except (msgspec.DecodeError, ValueError, RecursionError):
            return None
        if isinstance(said, dict):
            self.failed = self.failed or said.get("type") in _FAILED or isinstance(said.get("error"), dict)
            take(said, self.heard)
        return said

    def _keep(self, piece: bytes) -> None:
        if self._events is None:
            # Counts stand at the end of a plain reply, so that it is kept whole until it has been read.
            self._copy += piece
            return
        room = MAX_COPY - len(self._copy)
        self._cut = self._cut or len(piece) > room
        self._copy += piece[:room]

    def trim(self) -> None:
        """Once it has been read: keep no more than belongs on record."""
        if len(self._copy) > MAX_COPY:
            del self._copy[MAX_COPY:]
            self._cut = True


def packed(body: bytes) -> dict[str, str]:
    """Bytes as they stand on record: as text where they are short, else compressed."""
    if len(body) <= _PLAIN:
        try:
            return {"body": body.decode()}
        except UnicodeDecodeError:
            pass
    return {"packed": base64.b64encode(zlib.compress(body, 6)).decode()}


def unpacked(details: dict[str, Any]) -> bytes | None:
    """The bytes of a recorded reply; None where it was too long to be recorded whole."""
    if details.get("cut"):
        return None
    if "packed" in details:
        unpacking = zlib.decompressobj()
        try:
            whole = unpacking.decompress(base64.b64decode(details["packed"]), MAX_COPY)
        except (ValueError, TypeError, zlib.error):
            return None
        return whole if unpacking.eof else None
    body = details.get("body")
    return body.encode() if isinstance(body, str) else None

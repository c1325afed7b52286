"""What came back over HTTP: a status and a body of bounded size, or why there is none."""

from __future__ import annotations

import zlib
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

Trouble = Literal["timeout", "connection", "unreadable"]

_LONGEST_ASKED: Final = 120.0
"""Seconds that a server may ask to wait: limits are counted by the minute."""


class Answer(Struct, frozen=True):
    """One attempt: either a status and a body, or `trouble`."""

    status: int = 0
    body: bytes = b""
    wait: float | None = None
    """Seconds until the server wants to be asked again; None where it says nothing."""
    trouble: Trouble | None = None

    def json(self) -> Any:
        """The body as JSON; None where it is none, or nested beyond what anybody means."""
        try:
            return msgspec.json.decode(self.body)
        except (msgspec.DecodeError, ValueError, RecursionError):
            return None


def asked_to_wait(said: str) -> float | None:
    """`Retry-After` in seconds, said as a number or as a date; None where it says nothing of use."""
    try:
        seconds = float(said)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(said) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError, OverflowError):
            return None
    return min(seconds, _LONGEST_ASKED) if seconds >= 0 else None


def unpacked(body: bytes, encoding: str, limit: int) -> bytes | None:
    """The body as it was before compression; None where it cannot be, or would be longer than the limit.

    Nothing compressed was asked for. Some gateways compress all the same; what they send is unpacked no further than
    the limit, however small it came.
    """
    if encoding in ("", "identity"):
        return body
    if encoding not in ("gzip", "x-gzip", "deflate"):
        return None
    for window in (zlib.MAX_WBITS | 32, -zlib.MAX_WBITS):
        unpacking = zlib.decompressobj(window)
        try:
            whole = unpacking.decompress(body, limit + 1)
        except zlib.error:
            continue
        return whole if unpacking.eof and len(whole) <= limit else None
    return None

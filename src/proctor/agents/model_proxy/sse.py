"""Server-sent events, cut out of a stream as it comes."""

from __future__ import annotations

from collections.abc import Iterator

_MAX_OPEN = 8 << 20
"""An event that grows beyond this is passed on, but no longer read."""


def data_of(event: bytes) -> bytes:
    """What an event says: its `data` lines, joined."""
    lines = event.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    return b"\n".join(line[5:].removeprefix(b" ") for line in lines if line.startswith(b"data:"))


class EventSplitter:
    """Bytes in, whole events out, each with the blank line that ends it; what is put together again is what came."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, piece: bytes) -> Iterator[bytes]:
        """The events that this piece completes."""
        self._rest += piece
        start = 0
        while (end := _end(self._rest, start)) > 0:
            yield bytes(self._rest[start:end])
            start = end
        del self._rest[:start]
        if len(self._rest) > _MAX_OPEN:
            yield self.rest()

    def rest(self) -> bytes:
        """What is left at the end of the stream."""
        left = bytes(self._rest)
        self._rest.clear()
        return left


def _end(buffer: bytearray, start: int) -> int:
    """Where the next event ends, or -1."""
    ends = [found + len(mark) for mark in (b"\n\n", b"\r\n\r\n") if (found := buffer.find(mark, start)) >= 0]
    return min(ends, default=-1)

"""Blocks: records one after the other, packed together as one zstandard frame.

A record is a line of canonical JSON that says what follows, then exactly that many bytes, then a line feed:

    {"bytes":2926,"kind":"trace","more":false,"position":17}
    {"event":"episode",…}
    …
    {"event":"end",…}

- `trace`: events of the episode at `position`, one a line. A long trace is cut between lines, so that a record has at
  most `PART_BYTES` unless a single event is longer; all but the last have `more`.
- `aside`: what the episode produced that cannot be reproduced; stands before the episode's trace and enters `seal`.
- `content`: a value that events name by its SHA-256.

`zstd -dc events/00000.zst` is text that can be read. Where blocks and records are cut follows from the data alone. A
frame states its unpacked size, holds nothing but records, and is made again on verification where the same zstandard
is installed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec
import zstandard
from msgspec import Struct

from proctor.core.canonical import encode
from proctor.evidence.bundle.report import Damage, short_text
from proctor.evidence.codec import LEVEL, MAX_TRACE_BYTES

BLOCK_EPISODES = 500
BLOCK_BYTES = 8 * 2**20
"""A block is closed once it has either."""
PART_BYTES = 4 * 2**20
MAX_HEAD = 200
MAX_BLOCK = BLOCK_BYTES + MAX_TRACE_BYTES + 2**20
"""No block unpacks to more: one event or content may be as long as the store allows, on top of a block nearly full."""


class TraceHead(Struct, frozen=True, tag_field="kind", tag="trace", forbid_unknown_fields=True):
    """Events follow."""

    position: int
    bytes: int
    more: bool
    """The trace goes on in the next record."""


class AsideHead(Struct, frozen=True, tag_field="kind", tag="aside", forbid_unknown_fields=True):
    """What is kept beside the chain follows."""

    position: int
    bytes: int


class ContentHead(Struct, frozen=True, tag_field="kind", tag="content", forbid_unknown_fields=True):
    """A value stored by content follows."""

    sha256: str
    bytes: int


Head = TraceHead | AsideHead | ContentHead
Record = tuple[Head, memoryview]

_head = msgspec.json.Decoder(Head).decode


class BlockWriter:
    """Packs records into blocks and hands each over when it is full."""

    def __init__(self, write: Callable[[int, bytes], None]) -> None:
        self._write = write
        self._pieces: list[bytes] = []
        self._size = 0
        self._episodes = 0
        self._number = 0
        self.unpacked = 0

    def add(self, head: Head, data: bytes) -> None:
        """Append a record."""
        if len(data) > MAX_TRACE_BYTES:
            where = f"episode {head.position}" if not isinstance(head, ContentHead) else f"content {head.sha256[:12]}"
            raise Damage(f"a single value of {len(data)} bytes is more than a bundle can carry", where=where)
        line = encode(head)
        self._pieces += (line, b"\n", data, b"\n")
        self._size += len(line) + len(data) + 2
        self._episodes += isinstance(head, TraceHead) and not head.more
        if self._size >= BLOCK_BYTES or self._episodes >= BLOCK_EPISODES:
            self.close()

    def close(self) -> None:
        """Hand over what is left."""
        if self._pieces:
            self._write(self._number, pack(b"".join(self._pieces)))
            self.unpacked += self._size
            self._number += 1
            self._pieces.clear()
            self._size = self._episodes = 0


def parts_of(pieces: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    """(part, whether more follow) of a trace that comes in pieces cut between lines, however the pieces were cut."""
    lines: list[bytes] = []
    size = 0
    for piece in pieces:
        if not lines and len(piece) <= PART_BYTES:
            # The usual case, a whole short trace, is not taken apart.
            lines, size = [piece], len(piece)
            continue
        for line in piece.split(b"\n"):
            if lines and size + 1 + len(line) > PART_BYTES:
                yield b"\n".join(lines), True
                lines, size = [], 0
            size += len(line) + bool(lines)
            lines.append(line)
    yield b"\n".join(lines), False


def pack(data: bytes) -> bytes:
    """One frame."""
    return zstandard.ZstdCompressor(level=LEVEL, write_content_size=True, write_checksum=False).compress(data)


def unpack(packed: bytes, *, where: str, most: int = MAX_BLOCK) -> bytes:
    """The records of a block from a stranger: exactly one frame, of a stated size that is checked before unpacking."""
    try:
        frame = zstandard.get_frame_parameters(packed)
        if frame.dict_id or not 0 < frame.content_size <= min(most, MAX_BLOCK):
            raise Damage(f"claims to unpack to {frame.content_size} bytes, which is refused", where=where)
        unpacker = zstandard.ZstdDecompressor(max_window_size=2**27)
        data = unpacker.decompress(packed, max_output_size=frame.content_size, allow_extra_data=False)
    except zstandard.ZstdError as error:
        raise Damage(f"cannot be unpacked ({error})", where=where) from None
    if len(data) != frame.content_size:
        raise Damage("does not unpack to the size it states", where=where)
    return data


def records(data: bytes, *, where: str) -> Iterator[Record]:
    """The records of an unpacked block; `Damage` where one does not fit."""
    view = memoryview(data)
    start = 0
    while start < len(data):
        end = data.find(b"\n", start, start + MAX_HEAD)
        line = data[start:end] if end >= 0 else data[start : start + MAX_HEAD]
        at = f"{where}, unpacked byte {start}"
        try:
            head = _head(line)
            canonical = encode(head) == line
        except (msgspec.MsgspecError, ValueError, RecursionError):
            raise Damage(f"{short_text(line)} is not the beginning of a record", where=at) from None
        stop = end + 1 + head.bytes
        if end < 0 or not canonical or head.bytes < 0 or data[stop : stop + 1] != b"\n":
            raise Damage("the record does not have the form or length it states", where=at)
        yield head, view[end + 1 : stop]
        start = stop + 1

"""The canonical archive: a ZIP file of which every byte follows from its members' names and contents.

Members are stored, not deflated, one after the other from byte 0; dates, attributes and versions are constants; there
are no comments, and no extra fields except the ZIP64 offset that a member beyond 4 GiB needs. So there is exactly one
file for given members, any ZIP tool opens it, and `walk` reads a stranger's file from the front, comparing every header
with the only one there can be: nothing fits in a gap, behind the end, or under a second name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from struct import Struct as Layout
from typing import BinaryIO
from zlib import crc32

from msgspec import Struct

from proctor.core.errors import BenchError
from proctor.evidence.bundle.file import Source
from proctor.evidence.bundle.report import Damage, short_text

MAX_NAME = 64
CHUNK = 1 << 20
_FULL = 0xFFFFFFFF
_FULL_COUNT = 0xFFFF

_LOCAL = Layout("<4s5H3L2H")
_CENTRAL = Layout("<4s6H3L5H2L")
_END = Layout("<4s4H2LH")
_END_64 = Layout("<4sQ2H2L4Q")
_LOCATOR_64 = Layout("<4sLQL")
_OFFSET_64 = Layout("<2HQ")
_LOCAL_MARK, _CENTRAL_MARK = b"PK\x03\x04", b"PK\x01\x02"

_DATE = 0x21  # 1 January 1980, the first day ZIP knows
_MADE_ON_UNIX = 3 << 8
_REGULAR_FILE = 0o100644 << 16
_PLAIN, _WITH_64 = 10, 45


class Member(Struct, frozen=True):
    """One member of an archive."""

    name: str
    offset: int
    """Where its header begins."""
    size: int
    crc: int
    """As its header states it."""
    sha256: str
    intact: bool = True
    """Whether the content has that check value."""

    @property
    def start(self) -> int:
        """Where its content begins."""
        return self.offset + _LOCAL.size + len(self.name)

    @property
    def stop(self) -> int:
        """Where its content ends."""
        return self.start + self.size


def local_header(name: str, size: int, crc: int) -> bytes:
    """What stands before a member's content."""
    return _LOCAL.pack(_LOCAL_MARK, _PLAIN, 0, 0, 0, _DATE, crc, size, size, len(name), 0) + name.encode("ascii")


def directory(members: Iterable[Member], start: int) -> bytes:
    """What follows the last member, which ends at byte `start`."""
    entries = [_entry(member) for member in members]
    size, count = sum(map(len, entries)), len(entries)
    tail = b""
    if count >= _FULL_COUNT or size >= _FULL or start >= _FULL:
        tail = _END_64.pack(
            b"PK\x06\x06", _END_64.size - 12, _MADE_ON_UNIX | _WITH_64, _WITH_64, 0, 0, count, count, size, start
        )
        tail += _LOCATOR_64.pack(b"PK\x06\x07", 0, start + size, 1)
    short = min(count, _FULL_COUNT)
    tail += _END.pack(b"PK\x05\x06", 0, 0, short, short, min(size, _FULL), min(start, _FULL), 0)
    return b"".join(entries) + tail


def _entry(member: Member) -> bytes:
    far = member.offset >= _FULL
    extra = _OFFSET_64.pack(1, 8, member.offset) if far else b""
    needed = _WITH_64 if far else _PLAIN
    return (
        _CENTRAL.pack(
            _CENTRAL_MARK,
            _MADE_ON_UNIX | needed,
            needed,
            0,
            0,
            0,
            _DATE,
            member.crc,
            member.size,
            member.size,
            len(member.name),
            len(extra),
            0,
            0,
            0,
            _REGULAR_FILE,
            min(member.offset, _FULL),
        )
        + member.name.encode("ascii")
        + extra
    )


class MemberSink:
    """Takes the content of one member, piece by piece."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.size = 0
        self.crc = 0
        self.digest = sha256()
        self.closed = False

    def write(self, data: bytes) -> int:
        """Append to the member."""
        view = memoryview(data)
        self._file.write(view)
        self.size += len(view)
        self.crc = crc32(view, self.crc)
        self.digest.update(view)
        return len(view)

    def tell(self) -> int:
        """Bytes of this member so far."""
        return self.size

    def flush(self) -> None:
        """Nothing waits here."""

    def close(self) -> None:
        """The archive stays open."""
        self.closed = True

    def readable(self) -> bool:
        return False

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False


class ArchiveWriter:
    """Writes members in the order given, then the directory."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._end = 0
        self.members: list[Member] = []

    def add(self, name: str, data: bytes) -> None:
        """Write a whole member."""
        with self.member(name) as sink:
            sink.write(data)

    @contextmanager
    def member(self, name: str) -> Iterator[MemberSink]:
        """Write a member piece by piece; its header is filled in afterwards."""
        offset = self._end
        self._file.write(local_header(name, 0, 0))
        sink = MemberSink(self._file)
        yield sink
        if sink.size >= _FULL:
            message = (
                f"{name} would have {sink.size} bytes; a bundle's members end at 4 GiB: export fewer episodes a run"
            )
            raise BenchError(message)
        member = Member(name, offset, sink.size, sink.crc, sink.digest.hexdigest())
        self._file.seek(offset)
        self._file.write(local_header(name, member.size, member.crc))
        self._file.seek(member.stop)
        self._end = member.stop
        self.members.append(member)

    def close(self) -> int:
        """Write the directory; the size of the whole archive."""
        tail = directory(self.members, self._end)
        self._file.write(tail)
        return self._end + len(tail)


def first_name(source: Source) -> str | None:
    """The name of the first member, if the file begins like an archive."""
    header = source.read(0, _LOCAL.size + MAX_NAME)
    if len(header) < _LOCAL.size or header[:4] != _LOCAL_MARK:
        return None
    length = _LOCAL.unpack(header[: _LOCAL.size])[9]
    return header[_LOCAL.size : _LOCAL.size + length].decode("ascii", "replace")


def walk(source: Source, limit: int) -> Iterator[Member]:
    """The members from the front, their contents hashed; then the directory is compared.

    Raises `Damage` at the first byte that is not the only one possible there. Who calls decides which names may follow
    each other, and must stop when one is wrong.
    """
    members: list[Member] = []
    position = 0
    while (head := source.read(position, _LOCAL.size))[:4] == _LOCAL_MARK:
        if len(members) >= limit:
            raise Damage(f"has more than {limit} members", where="archive")
        member = _member(source, position, head)
        members.append(member)
        yield member
        position = member.stop
    expected = directory(members, position)
    rest = source.size - position
    actual = source.read(position, min(rest, len(expected)))
    if actual != expected[: len(actual)]:
        at = next(i for i, pair in enumerate(zip(actual, expected, strict=False)) if pair[0] != pair[1])
        raise Damage("is not what follows from the members", where=f"archive directory, byte {position + at}")
    if rest < len(expected):
        raise Damage(f"the file ends here; {len(expected) - rest} bytes are missing", where=f"byte {source.size}")
    if rest > len(expected):
        end = position + len(expected)
        raise Damage(f"{source.size - end} bytes follow the end of the archive", where=f"byte {end}")


def _member(source: Source, position: int, head: bytes) -> Member:
    where = f"member header, byte {position}"
    if len(head) < _LOCAL.size:
        raise Damage("the file ends within it", where=where)
    crc, size, _, length = _LOCAL.unpack(head)[6:10]
    raw = source.read(position + _LOCAL.size, min(length, MAX_NAME + 1))
    if len(raw) > MAX_NAME or not raw.isascii() or not raw.decode("ascii").isprintable():
        raise Damage(f"{short_text(raw)} is not a name that a bundle's member can have", where=where)
    name = raw.decode("ascii")
    if local_header(name, size, crc) != head + raw:
        raise Damage(f"the header of {name} is not in canonical form", where=where)
    start = position + len(head) + len(raw)
    if start + size > source.size:
        raise Damage(f"claims {size} bytes, but the file ends {start + size - source.size} bytes earlier", where=name)
    digest, checksum = sha256(), 0
    for offset in range(start, start + size, CHUNK):
        piece = source.read(offset, min(CHUNK, start + size - offset))
        digest.update(piece)
        checksum = crc32(piece, checksum)
    return Member(name, position, size, crc, digest.hexdigest(), checksum == crc)

"""A tree of plain files as one sequence of bytes: how files enter the sandbox and come back.

The format is the part of tar that every `tar` writes without options. The reader trusts nothing: it takes plain
files, directories and second names of files already read; links, devices and anything it cannot make sense of are
left out and named. It writes to no disk, so that a hostile archive can at most be refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

_BLOCK: Final = 512
_NAME: Final = 100
_LONG_NAME: Final = b"././@LongLink"
MAX_DEPTH: Final = 32
"""Folders within folders; deeper ones are left out."""


class PlainFile(Struct, frozen=True):
    """The content of one file, and the little about it that matters."""

    data: bytes
    executable: bool = False
    modified: int = 0
    """Seconds since 1970; not read back, since the sandbox lives on real time."""


Tree = dict[str, PlainFile | None]
"""Relative path to file, or None for a directory. Paths use `/` and have no `.` or `..` in them."""


class Unpacked(Struct, frozen=True):
    """What an archive held."""

    tree: Tree
    left_out: tuple[str, ...]
    """Names that were there but are no plain file or directory, sorted."""


class ArchiveError(ValueError):
    """The bytes are no archive."""


def pack(tree: Mapping[str, PlainFile | None]) -> bytes:
    """The archive of a tree; the same tree always gives the same bytes."""
    pieces: list[bytes] = []
    for path, entry in sorted(tree.items()):
        if entry is None:
            _append(pieces, path.encode() + b"/", b"5", 0o755, b"", 0)
        else:
            _append(pieces, path.encode(), b"0", 0o755 if entry.executable else 0o644, entry.data, entry.modified)
    pieces.append(bytes(2 * _BLOCK))
    return b"".join(pieces)


def _append(pieces: list[bytes], name: bytes, kind: bytes, mode: int, data: bytes, modified: int) -> None:
    if len(name) > _NAME:
        _append(pieces, _LONG_NAME, b"L", 0o644, name + b"\0", 0)
        name = name[:_NAME]
    header = b"".join(
        (
            name.ljust(_NAME, b"\0"),
            b"%07o\0%07o\0%07o\0%011o\0%011o\0" % (mode, 0, 0, len(data), max(0, modified)),
            b" " * 8,
            kind,
            bytes(100),
            b"ustar  \0",
        )
    ).ljust(_BLOCK, b"\0")
    checksum = b"%06o\0 " % sum(header)
    pieces.append(header[:148] + checksum + header[156:])
    pieces.append(data)
    pieces.append(bytes(-len(data) % _BLOCK))


def unpack(archive: bytes, *, max_entries: int) -> Unpacked:
    """Read an archive made by any `tar`; raises `ArchiveError` where it is damaged or has too many entries."""
    tree: Tree = {}
    left_out: set[str] = set()
    position = 0
    entries = 0
    long_name: bytes | None = None
    while True:
        header = archive[position : position + _BLOCK]
        if len(header) < _BLOCK:
            message = "the archive ends too early"
            raise ArchiveError(message)
        if not any(header):
            return Unpacked(tree, tuple(sorted(left_out)))
        size = _octal(header[124:136])
        start = position + _BLOCK
        data = archive[start : start + size]
        kind = header[156:157]
        if len(data) < size:
            message = "a file in the archive ends too early"
            raise ArchiveError(message)
        position = start + size + (-size % _BLOCK)
        if kind == b"L":
            long_name = data.rstrip(b"\0")
            continue
        entries += 1
        if entries > max_entries:
            message = "the archive has too many entries"
            raise ArchiveError(message)
        raw = long_name if long_name is not None else _name(header)
        long_name = None
        _take(tree, left_out, raw, header, data)


def _take(tree: Tree, left_out: set[str], raw: bytes, header: bytes, data: bytes) -> None:
    kind = header[156:157]
    path = _relative(raw)
    if path == "":
        return
    if path is None:
        left_out.add(raw.decode(errors="replace"))
    elif kind == b"5":
        tree[path] = None
    elif kind in (b"0", b"\0"):
        tree[path] = PlainFile(data, bool(_octal(header[100:108]) & 0o100))
    elif kind == b"1" and isinstance(original := tree.get(_relative(header[157:257].split(b"\0")[0]) or ""), PlainFile):
        tree[path] = original
    else:
        left_out.add(path)


def _name(header: bytes) -> bytes:
    name = header[:_NAME].split(b"\0")[0]
    # The old GNU header marks itself with two blanks and uses the prefix field for other things.
    prefix = header[345:500].split(b"\0")[0] if header[257:263] == b"ustar\0" else b""
    return prefix + b"/" + name if prefix else name


def _relative(raw: bytes) -> str | None:
    """The path without `.` parts; empty for the root, None for what cannot be kept."""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return None
    parts = [part for part in text.split("/") if part not in ("", ".")]
    if text.startswith("/") or ".." in parts or "\0" in text or len(parts) > MAX_DEPTH:
        return None
    return "/".join(parts)


def _octal(field: bytes) -> int:
    text = field.strip(b"\0 ")
    if not text:
        return 0
    if not all(0x30 <= digit <= 0x37 for digit in text):
        message = "a number in the archive is not octal"
        raise ArchiveError(message)
    return int(text, 8)

"""Damage without understanding: bytes of the file, and of Parquet and zstandard inside sums that hold."""

from __future__ import annotations

import io
from collections.abc import Callable
from random import Random
from typing import Any

import pyarrow
import pyarrow.parquet
import zstandard

from proctor.evidence.bundle import layout
from tests.adversarial.attackers.tampering.parts import Parts

pa: Any = pyarrow
pq: Any = pyarrow.parquet

Damage = Callable[[Random, Parts, bytes], bytes | None]


def bent(random: Random, data: bytes) -> bytes:
    """Some bytes changed, cut out, put in or repeated."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 1, 2, 5, 20))):
        at = random.randrange(max(1, len(changed)))
        match random.randrange(6):
            case 0 | 1:
                if changed:
                    changed[at % len(changed)] ^= 1 << random.randrange(8)
            case 2:
                del changed[at : at + random.choice((1, 4, 100, 5000))]
            case 3:
                changed[at:at] = random.randbytes(random.choice((1, 4, 64)))
            case 4:
                changed[at : at + 4] = random.choice((b"\xff" * 4, b"\x00" * 4, b"\x7f\xff\xff\xff", b"PK\x03\x04"))
            case _:
                changed[at:at] = changed[at : at + 32]
    return bytes(changed)


def of_the_file(random: Random, parts: Parts, original: bytes) -> bytes | None:
    """Anywhere."""
    return bent(random, original)


def cut_short(random: Random, parts: Parts, original: bytes) -> bytes | None:
    """The end is missing, or there is more of it."""
    return original[: random.randrange(len(original))] if random.random() < 0.7 else original + random.randbytes(9)


def of_a_member(random: Random, parts: Parts, original: bytes) -> bytes | None:
    """Within one member, all sums computed anew: Parquet and zstandard are read as they are."""
    names = [layout.ROWS, layout.ROWS, layout.ROWS, f"{layout.EVENTS}/00000.zst", f"{layout.CONTENTS}/00000.zst"]
    name = random.choice([*names, layout.STAGES, layout.ARMS, layout.EXECUTION, layout.DECLARATIONS])
    content = member(original, name)
    if name == layout.ROWS and random.random() < 0.5:
        # Most of what can go wrong is in the last bytes, which say where everything is.
        tail = random.choice((64, 400, 2000))
        parts.members[name] = content[:-tail] + bent(random, content[-tail:])
    else:
        parts.members[name] = bent(random, content)
    return None if parts.members[name] == content else parts.data()


def otherwise_packed(random: Random, parts: Parts, original: bytes) -> bytes | None:
    """The same records in another frame, or several."""
    name = random.choice((f"{layout.EVENTS}/00000.zst", f"{layout.CONTENTS}/00000.zst"))
    data = zstandard.ZstdDecompressor().decompress(member(original, name))
    level, checksum = random.choice(((1, False), (9, False), (3, True), (19, True)))
    packed = zstandard.ZstdCompressor(level=level, write_checksum=checksum).compress(data)
    if random.random() < 0.3:
        packed += zstandard.ZstdCompressor().compress(b"x")
    if packed == member(original, name):
        return None
    parts.members[name] = packed
    return parts.data()


def otherwise_written(random: Random, parts: Parts, original: bytes) -> bytes | None:
    """The same rows in a Parquet file by another hand."""
    table = pq.read_table(io.BytesIO(member(original, layout.ROWS)))
    match random.randrange(4):
        case 0:
            table = table.append_column("extra", pa.array([1] * len(table)))
        case 1:
            table = table.replace_schema_metadata({"note": "x"})
        case 2:
            table = table.drop_columns([random.choice(table.column_names)])
        case _:
            pass
    sink = io.BytesIO()
    compression = random.choice(("NONE", "snappy", "gzip", "zstd"))
    pq.write_table(table, sink, compression=compression, use_dictionary=random.random() < 0.5, row_group_size=2)
    parts.members[layout.ROWS] = sink.getvalue()
    return parts.data()


def member(archive: bytes, name: str) -> bytes:
    """The content of a stored member, by the archive's own headers."""
    encoded = name.encode()
    at = 0
    while archive[at : at + 4] == b"PK\x03\x04":
        size = int.from_bytes(archive[at + 18 : at + 22], "little")
        length = int.from_bytes(archive[at + 26 : at + 28], "little")
        start = at + 30 + length
        if archive[at + 30 : start] == encoded:
            return archive[start : start + size]
        at = start + size
    raise KeyError(name)


DAMAGES: tuple[Damage, ...] = (of_the_file, cut_short, of_a_member, of_a_member, otherwise_packed, otherwise_written)

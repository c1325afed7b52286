"""`rows.parquet`: one row per episode, readable by any tool, written the same way every time.

All columns of `Row` but `aside`, which has no bounded size and lies with the events, and the columns of the arm. Those
that a bundle of an earlier version does not have read as they do by default: not measured. Pages
are not compressed and short text is dictionary-encoded, so that a stranger's file cannot unpack to more than its size
allows; groups of rows are small, so that writing and reading take the same memory for any number of episodes.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import msgspec
import pyarrow
import pyarrow.parquet

from proctor.evidence.bundle.archive import Member
from proctor.evidence.bundle.file import Source
from proctor.evidence.bundle.layout import FORMAT_VERSION, READ_VERSIONS
from proctor.evidence.bundle.report import Damage, short_text
from proctor.evidence.row import LATER_COLUMNS, Arm, Row

# PyArrow declares no types.
pa: Any = pyarrow
pq: Any = pyarrow.parquet

GROUP_ROWS = 2_000
GROUP_TEXT = 2**20
"""A group of rows is closed once it has this many rows or characters of text."""
ROW_TEXT = 2**16
"""No row has more text; the bench writes a few hundred characters."""
_MAX_GROUP = 6 * 2**20
"""No group is larger: its text, up to four bytes a character, and the numbers beside it."""
_BATCH = 50
"""Rows decoded at once: encodings that repeat values or share prefixes multiply a group by this and no more."""
_MAX_FOOTER = 256 * 2**20

ROW_COLUMNS = tuple(name for name in Row.__struct_fields__ if name != "aside")
ARM_COLUMNS = ("family", "regime", "condition", "cell", "stage")
_OPTIONAL = frozenset(
    {
        "faults",
        "violations",
        "tokens",
        "cost",
        "measures",
        "artifact_ok",
        "answer",
        "cell",
        *LATER_COLUMNS,
    }
)
_STEADY = ("position", "lifetime", "unit", "elapsed_us")
"""Whole numbers with small differences between neighbours."""
_VARIED = ("instance", "head")

_TYPES: dict[str, Any] = {
    **dict.fromkeys(
        (
            "position",
            "lifetime",
            "unit",
            "calls",
            "retries",
            "undeclared",
            "tokens",
            "elapsed_us",
            "transitions",
            "out_of_range",
            "undeclared_actions",
        ),
        pa.int64(),
    ),
    **dict.fromkeys(("arm", "part", "replicate", "attempts"), pa.int32()),
    **dict.fromkeys(("format_error", "artifact_ok"), pa.bool_()),
    "head": pa.binary(32),
    "confidence": pa.float64(),
}


class Form:
    """The columns of one version of the format."""

    def __init__(self, version: int) -> None:
        self.columns = tuple(name for name in ROW_COLUMNS if version >= 3 or name not in LATER_COLUMNS)
        self.schema = pa.schema(
            [
                pa.field(name, _TYPES.get(name, pa.string()), nullable=name in _OPTIONAL)
                for name in (*self.columns, *ARM_COLUMNS)
            ]
        )
        self.text = tuple(i for i, name in enumerate(self.columns) if name not in _TYPES)
        self.dictionary = [
            name
            for name in self.schema.names
            if name not in (*_STEADY, *_VARIED) and self.schema.field(name).type != pa.bool_()
        ]


FORMS = {version: Form(version) for version in READ_VERSIONS}
SCHEMA = FORMS[FORMAT_VERSION].schema


class Sink(Protocol):
    """Where a file is written to."""

    closed: bool

    def write(self, data: bytes) -> int: ...


class RowsWriter:
    """Writes rows as they come."""

    def __init__(self, sink: Sink, arms: Sequence[Arm], version: int = FORMAT_VERSION) -> None:
        self._form = FORMS[version]
        self._arms = [(arm.family, arm.regime, arm.condition, arm.cell, arm.stage) for arm in arms]
        self._rows: list[tuple[Any, ...]] = []
        self._text = 0
        self._file = pa.PythonFile(sink, mode="w")
        self._writer = pq.ParquetWriter(
            self._file,
            self._form.schema,
            version="2.6",
            compression="NONE",
            use_dictionary=self._form.dictionary,
            column_encoding={**dict.fromkeys(_STEADY, "DELTA_BINARY_PACKED"), **dict.fromkeys(_VARIED, "PLAIN")},
            write_statistics=False,
            store_schema=False,
            data_page_version="1.0",
        )

    def add(self, row: Row) -> None:
        """Append one row."""
        values = tuple(getattr(row, name) for name in self._form.columns)
        text = sum(len(values[i]) for i in self._form.text if values[i] is not None)
        if text > ROW_TEXT:
            raise Damage(f"its row has {text} characters of text, which is refused", where=f"episode {row.position}")
        self._text += text
        self._rows.append(values + self._arms[row.arm])
        if len(self._rows) >= GROUP_ROWS or self._text >= GROUP_TEXT:
            self._flush()

    def _flush(self) -> None:
        columns = zip(*self._rows, strict=True)
        schema = self._form.schema
        arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
        self._writer.write_table(pa.Table.from_arrays(arrays, schema=schema), row_group_size=GROUP_ROWS)
        self._rows.clear()
        self._text = 0

    def close(self) -> None:
        """Write what is left and the footer."""
        if self._rows:
            self._flush()
        self._writer.close()
        self._file.close()

    def abandon(self) -> None:
        """Let go of the file where nothing comes of it: left open, it would be written on when it is forgotten."""
        self._rows.clear()
        self.close()


class _Slice(io.RawIOBase):
    """A member as a file of its own."""

    def __init__(self, source: Source, member: Member) -> None:
        self._source = source
        self._member = member
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._member.size}[whence]
        self._at = max(0, base + offset)
        return self._at

    def read(self, size: int | None = -1, /) -> bytes:
        left = max(0, self._member.size - self._at)
        size = left if size is None or size < 0 else min(size, left)
        data = self._source.read(self._member.start + self._at, size)
        self._at += len(data)
        return data


def read_rows(
    source: Source, member: Member, arms: Sequence[Arm], *, count: int, version: int = FORMAT_VERSION
) -> Iterator[Row]:
    """The rows of a stranger's file; `Damage` where it is not one that `RowsWriter` could have written.

    The columns of the arm must be those of `arms`. Rows come without `aside`.
    """
    form = FORMS[version]
    try:
        _require_footer(source, member)
        file = pq.ParquetFile(pa.PythonFile(_Slice(source, member), mode="r"), pre_buffer=False)
        _require_form(file, member, count, form)
        fixed = [(arm.family, arm.regime, arm.condition, arm.cell, arm.stage) for arm in arms]
        for batch in file.iter_batches(_BATCH, use_threads=False):
            batch.validate(full=True)
            yield from _rows(batch, fixed, form)
    except (pa.ArrowException, msgspec.ValidationError, OSError, ValueError, TypeError, OverflowError) as error:
        raise Damage(f"cannot be read ({short_text(str(error).strip(), 200)})", where=member.name) from None


def _rows(batch: Any, arms: list[tuple[Any, ...]], form: Form) -> Iterator[Row]:
    columns = [column.to_pylist() for column in batch.columns]
    own = len(form.columns)
    aside = Row.__struct_fields__.index("aside")
    for values in zip(*columns, strict=True):
        row = msgspec.convert((*values[:aside], None, *values[aside:own]), Row)
        if not 0 <= row.arm < len(arms) or values[own:] != arms[row.arm]:
            message = f"the row of episode {row.position} does not have the columns of one of the arms"
            raise Damage(message, where="rows.parquet")
        yield row


def _require_footer(source: Source, member: Member) -> None:
    tail = source.read(member.stop - 8, 8) if member.size >= 12 else b""
    footer = int.from_bytes(tail[:4], "little")
    if tail[4:] != b"PAR1" or footer > min(_MAX_FOOTER, member.size - 12):
        raise Damage("is not a Parquet file", where=member.name)


def _require_form(file: Any, member: Member, count: int, form: Form) -> None:
    """Schema, codec and sizes are ours, and the columns fill the file without a gap."""
    metadata = file.metadata
    if not file.schema_arrow.equals(form.schema, check_metadata=True) or metadata.metadata is not None:
        raise Damage("does not have the columns of a bundle", where=member.name)
    if metadata.num_rows != count:
        raise Damage(f"has {short_text(metadata.num_rows)} rows where the manifest says {count}", where=member.name)
    end, rows = 4, 0
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        rows += group.num_rows
        where = f"{member.name}, group {number}"
        if not 0 < group.num_rows <= GROUP_ROWS:
            raise Damage(f"has {short_text(group.num_rows)} rows", where=where)
        if not 0 <= group.total_byte_size <= _MAX_GROUP:
            raise Damage(f"has {short_text(group.total_byte_size)} bytes", where=where)
        begin = end
        for index in range(group.num_columns):
            chunk = group.column(index)
            starts = [at for at in (chunk.dictionary_page_offset, chunk.data_page_offset) if at is not None]
            size = chunk.total_compressed_size
            foreign = chunk.file_path or chunk.compression != "UNCOMPRESSED"
            if foreign or size <= 0 or min(starts) != end:
                raise Damage(f"column {short_text(chunk.path_in_schema)} is not where or as it should be", where=where)
            end += size
        if end - begin > _MAX_GROUP:
            raise Damage(f"has {end - begin} bytes", where=where)
    if rows != count or end + metadata.serialized_size + 8 != member.size:
        raise Damage("has bytes or rows that belong to no column", where=member.name)

"""Files made to harm whoever opens them are refused quickly, and nothing outside is touched."""

from __future__ import annotations

import io
import json
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
import zstandard

from proctor.core.canonical import canonical
from proctor.engine.plan import Plan
from proctor.evidence.bundle import VerifyReport, blocks, verify_bundle
from proctor.evidence.bundle.rows import SCHEMA

pa: Any = pyarrow
pq: Any = pyarrow.parquet

Refused = Callable[..., VerifyReport]


@pytest.fixture(autouse=True)
def quickly() -> Iterator[None]:
    """Refusing takes seconds of computing at most; how busy the machine is does not enter."""
    began = time.process_time()
    yield
    assert time.process_time() - began < 10


@pytest.fixture
def refused(made: Any, making: Any, tmp_path: Path) -> Refused:
    """What verification says of the small bundle with one member replaced and everything summed up anew."""

    def check(name: str, data: bytes, *, check: str) -> VerifyReport:
        one = made("small")
        members = [(known, data if known == name else old) for known, old in making.members_of(one.path)]
        path = making.resummed(tmp_path / "hostile.proctor", members, one.manifest)
        report = verify_bundle(path, plan=Plan)
        failed = [found.name for found in report.checks if not found.ok]
        assert check in failed and "checksums" not in failed
        assert all(problem.message.isascii() or "…" in problem.message for problem in report.problems)
        return report

    return check


# Names and structure


@pytest.mark.parametrize(
    "name",
    [
        "../../outside.json",
        "/etc/outside",
        "events/../outside",
        "events/00000.zst/x",
        "C:\\outside",
        "events\\00001.zst",
        "Declarations.json",
        "declarations.json/",
        "events/",
        "events/0.zst",
        "events/00002.zst",
        "events/00001.pickle",
        "x" * 64,
        "\x1b[2J",
    ],
)
def test_a_strange_name_is_refused(made: Any, making: Any, tmp_path: Path, name: str) -> None:
    members = making.members_of(made("small").path)
    for at in (4, 5, len(members)):
        strange = [*members[:at], (name, b"x"), *members[at:]]
        report = verify_bundle(making.rebuilt(tmp_path / "strange.proctor", strange))
        assert report.checks[0].name == "archive" and not report.checks[0].ok
        assert "\x1b" not in report.problems[0].message
    assert sorted(path.name for path in tmp_path.iterdir()) == ["strange.proctor"]


def test_names_that_no_writer_of_ours_could_write(made: Any, tmp_path: Path) -> None:
    data = made("small").path.read_bytes()
    at = data.find(b"arms.json")
    for name in (b"arm\x00.json", b"arms\xff.jso", b"../../../", b"         "):
        (tmp_path / "bad.proctor").write_bytes(data[:at] + name[:9].ljust(9, b"x") + data[at + 9 :])
        assert not verify_bundle(tmp_path / "bad.proctor").checks[0].ok
    longer = bytearray(data)
    longer[at - 4 : at - 2] = b"\xff\xff"
    (tmp_path / "bad.proctor").write_bytes(longer)
    assert not verify_bundle(tmp_path / "bad.proctor").checks[0].ok


@pytest.mark.parametrize("change", ["duplicate", "missing", "swapped", "empty"])
def test_members_repeated_missing_or_in_another_order(made: Any, making: Any, tmp_path: Path, change: str) -> None:
    members = making.members_of(made("small").path)
    for at in range(len(members)):
        changed = list(members)
        if change == "duplicate":
            changed.insert(at, members[at])
        elif change == "missing":
            del changed[at]
        elif change == "swapped":
            changed[at], changed[at - 1] = changed[at - 1], changed[at]
        else:
            changed[at] = (members[at][0], b"")
        assert not verify_bundle(making.rebuilt(tmp_path / "changed.proctor", changed)).ok


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_an_archive_by_another_hand_is_not_canonical(made: Any, making: Any, tmp_path: Path, method: int) -> None:
    path = tmp_path / "other.proctor"
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in making.members_of(made("small").path):
            archive.writestr(name, data)
    assert not verify_bundle(path).checks[0].ok


def test_links_comments_and_flags_in_the_directory(made: Any, tmp_path: Path) -> None:
    data = made("small").path.read_bytes()
    start = data.find(b"PK\x01\x02")
    for at, value in ((38, b"\x00\x00\xff\xa1"), (8, b"\x01\x00"), (32, b"\x05\x00"), (42, b"\x01\x00\x00\x00")):
        changed = bytearray(data)
        changed[start + at : start + at + len(value)] = value
        (tmp_path / "link.proctor").write_bytes(changed)
        report = verify_bundle(tmp_path / "link.proctor")
        assert report.problems[0].place.startswith("archive directory, byte ")


def test_a_huge_claimed_size(made: Any, tmp_path: Path) -> None:
    data = bytearray(made("small").path.read_bytes())
    data[18:26] = b"\xfe\xff\xff\xff" * 2
    (tmp_path / "huge.proctor").write_bytes(data)
    report = verify_bundle(tmp_path / "huge.proctor")
    assert report.problems[0].place == "declarations.json" and "claims 4294967294 bytes" in report.problems[0].message


# Blocks


def test_blocks_that_unpack_to_too_much(refused: Refused) -> None:
    zeros = bytes(blocks.MAX_BLOCK + 1)
    for folder, check in (("events", "heads"), ("contents", "contents")):
        report = refused(f"{folder}/00000.zst", zstandard.ZstdCompressor().compress(zeros), check=check)
        assert "which is refused" in " ".join(problem.message for problem in report.problems)


def test_many_blocks_that_unpack_to_too_much_together(made: Any, making: Any, tmp_path: Path) -> None:
    one = made("small")
    size = 250 * 2**20
    head = b'{"bytes":%d,"kind":"content","sha256":"%s"}\n' % (size, b"0" * 64)
    bomb = blocks.pack(head + bytes(size) + b"\n")
    members = []
    for name, data in making.members_of(one.path):
        if name == "contents/00000.zst":
            members += [(f"contents/{number:05d}.zst", bomb) for number in range(40)]
        else:
            members.append((name, data))
    report = verify_bundle(making.resummed(tmp_path / "bomb.proctor", members, one.manifest))
    assert sum("which is refused" in problem.message for problem in report.problems) >= 37


def _stream_frame(data: bytes) -> bytes:
    maker = zstandard.ZstdCompressor(write_content_size=False).compressobj()
    return maker.compress(data) + maker.flush()


def _with_dictionary(data: bytes) -> bytes:
    words = zstandard.ZstdCompressionDict(b"".join(b"%d-word" % i for i in range(3000)))
    return zstandard.ZstdCompressor(dict_data=words).compress(data)


SKIPPABLE = b"\x50\x2a\x4d\x18\x05\x00\x00\x00hello"
RECORD = b'{"bytes":1,"kind":"trace","more":false,"position":0}\nx\n'


@pytest.mark.parametrize(
    "packed",
    [
        b"",
        b"not zstandard at all",
        SKIPPABLE,
        SKIPPABLE + blocks.pack(RECORD),
        blocks.pack(RECORD) + SKIPPABLE,
        blocks.pack(RECORD) + blocks.pack(RECORD),
        blocks.pack(RECORD) + b"trailing",
        blocks.pack(RECORD)[:-3],
        _stream_frame(RECORD),
        _with_dictionary(RECORD),
        zstandard.ZstdCompressor(level=19).compress(RECORD * 50),
        zstandard.ZstdCompressor(write_checksum=True).compress(RECORD),
        blocks.pack(b"x"),
        blocks.pack(b"\n" * 1000),
        blocks.pack(RECORD[:-1]),
        blocks.pack(RECORD.replace(b":1,", b":-1,")),
        blocks.pack(RECORD.replace(b":1,", b":99999999999999999999,")),
        blocks.pack(RECORD.replace(b":1,", b": 1,")),
        blocks.pack(RECORD.replace(b'"position":0', b'"position":-1')),
        blocks.pack(RECORD.replace(b'"position":0', b'"position":18446744073709551616')),
        blocks.pack(RECORD.replace(b"false", b"true")),
        blocks.pack(RECORD.replace(b"false", b"true") + RECORD.replace(b":0}", b":1}")),
        blocks.pack(RECORD.replace(b"trace", b"pickle")),
        blocks.pack(RECORD.replace(b"position", b"sha256")),
        blocks.pack(b"[" * 100_000),
        blocks.pack(b'{"bytes":1,"kind":"content","sha256":"zz"}\nx\n'),
        blocks.pack(b'{"bytes":1,"kind":"aside","position":0}\nx\n'),
    ],
)
def test_blocks_that_are_not_ours(refused: Refused, packed: bytes) -> None:
    refused("events/00000.zst", packed, check="heads")
    refused("contents/00000.zst", packed, check="contents")


# JSON


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"nonsense",
        b"[" * 100_000 + b"]" * 100_000,
        b"[" * 200 + b"]" * 200,
        b'{"a":' * 900 + b"1" + b"}" * 900,
        b'{"a":1,"a":2}',
        b'{"a": 1}',
        b'{"a":1}\n',
        b"\xef\xbb\xbf{}",
        b"NaN",
        b"1e999",
        b"9" * 5000,
        b'"\\ud800"',
        b'{"\x1b[2J":1}',
    ],
)
@pytest.mark.parametrize("name", ["declarations.json", "arms.json", "execution.json", "stages.json"])
def test_json_that_is_not_canonical_shallow_and_small(refused: Refused, name: str, data: bytes) -> None:
    refused(name, data, check="configuration")


@pytest.mark.parametrize(
    "value", [None, [], {}, "x", [1], {"frozen": {}, "inputs": {}}, [[]], {"frozen": 1, "inputs": 2}]
)
@pytest.mark.parametrize("name", ["declarations.json", "arms.json", "execution.json", "stages.json"])
def test_json_of_another_shape(refused: Refused, name: str, value: Any) -> None:
    if (name, value) == ("stages.json", []):
        return
    refused(name, canonical(value), check="seal" if name == "execution.json" else "configuration")


@pytest.mark.parametrize("name", ["manifest.json", "SHA256SUMS", "statement.json"])
@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[]", b"x" * 100, b'{"format":"proctor.bundle","version":3}', b"[" * 10_000]
)
def test_small_members_of_another_shape(made: Any, making: Any, tmp_path: Path, name: str, data: bytes) -> None:
    members = [(known, data if known == name else old) for known, old in making.members_of(made("small").path)]
    assert not verify_bundle(making.rebuilt(tmp_path / "bad.proctor", members)).ok


def test_a_newer_format_says_so(made: Any, making: Any, tmp_path: Path) -> None:
    one = made("small")
    path = making.resummed(tmp_path / "new.proctor", making.members_of(one.path), one.manifest, version=4)
    assert "upgrade Proctor" in verify_bundle(path).problems[0].message


@pytest.mark.parametrize("digits", [20, 400], ids=["beyond 2**53", "beyond everything"])
def test_a_number_beyond_all_bounds_is_one_clear_sentence(made: Any, making: Any, tmp_path: Path, digits: int) -> None:
    members = [
        (name, data.replace(b'"version":3', b'"version":1' + b"0" * digits) if name == "manifest.json" else data)
        for name, data in making.members_of(made("small").path)
    ]
    path = making.rebuilt(tmp_path / "vast.proctor", members)
    for report in (verify_bundle(path), verify_bundle(path, plan=Plan)):
        said = [(one.place, one.message) for one in report.problems]
        assert ("manifest.json", "has a number that no JSON of Proctor's holds") in said
        assert "InputError" not in str(said)


def _entry(frozen: Any) -> Any:
    return frozen["suite"]["entries"][0]


@pytest.mark.parametrize(
    "change",
    [
        lambda frozen: _entry(frozen).update(n=10**15),
        lambda frozen: _entry(frozen)["program"][0].update(episodes=10**12),
        lambda frozen: _entry(frozen).update(regimes=["baseline"] * 50_000, conditions=["none"] * 50_000),
        lambda frozen: frozen["suite"].update(stages=[{"id": f"s{i}", "freeze": "nothing"} for i in range(60_000)]),
        lambda frozen: frozen.update(scale=10**15),
        lambda frozen: frozen.update(scale="many"),
        lambda frozen: frozen["suite"].update(extra=1),
        lambda frozen: frozen.update(families=[]),
        lambda frozen: frozen.pop("suite"),
        lambda frozen: frozen["suite"].update(entries=[]),
        lambda frozen: frozen["suite"].update(stages=[]),
    ],
)
def test_declarations_made_to_be_expensive(refused: Refused, made: Any, making: Any, change: Any) -> None:
    declarations = json.loads(dict(making.members_of(made("small").path))["declarations.json"])
    change(declarations["frozen"])
    refused("declarations.json", canonical(declarations), check="configuration")


# Parquet


def _parquet(table: Any, **options: Any) -> bytes:
    sink = io.BytesIO()
    pq.write_table(table, sink, **{"store_schema": False, "compression": "NONE", "write_statistics": False, **options})
    return sink.getvalue()


def _rows(made: Any, making: Any) -> Any:
    return pq.read_table(io.BytesIO(dict(making.members_of(made("small").path))["rows.parquet"]))


def _wide_rows(table: Any, count: int) -> Any:
    return table.take([0] * count)


def _retyped(table: Any) -> Any:
    fields = [field.with_type(pa.string()) if field.name == "calls" else field for field in table.schema]
    return table.cast(pa.schema(fields))


VARIANTS: dict[str, Callable[[Any], bytes]] = {
    "empty": lambda table: b"",
    "garbage": lambda table: b"PAR1" + b"\x15" * 1000 + (900).to_bytes(4, "little") + b"PAR1",
    "footer too long": lambda table: b"PAR1" + bytes(100) + b"\xff\xff\xff\xff" + b"PAR1",
    "encrypted": lambda table: _parquet(table)[:-4] + b"PARE",
    "compressed": lambda table: _parquet(table, compression="zstd"),
    "own schema": lambda table: _parquet(table, store_schema=True),
    "metadata": lambda table: _parquet(table.replace_schema_metadata({"smuggled": "x" * 100})),
    "statistics": lambda table: _parquet(table, write_statistics=True),
    "other encoding": lambda table: _parquet(table, use_dictionary=False),
    "fewer columns": lambda table: _parquet(table.drop_columns(["answer"])),
    "more columns": lambda table: _parquet(table.append_column("more", pa.array([1] * table.num_rows))),
    "other types": lambda table: _parquet(_retyped(table)),
    "fewer rows": lambda table: _parquet(table.slice(0, 2)),
    "more rows": lambda table: _parquet(_wide_rows(table, 5000), row_group_size=10_000),
    "a million equal rows": lambda table: _parquet(_wide_rows(table, 1_000_000), row_group_size=1_000_000),
    "one row a group": lambda table: _parquet(table, row_group_size=1),
    "bloom": lambda table: _parquet(table, write_page_index=True),
    "trailing": lambda table: _parquet(table) + b"x",
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_parquet_that_is_not_ours(refused: Refused, made: Any, making: Any, variant: str) -> None:
    data = VARIANTS[variant](_rows(made, making))
    try:
        refused("rows.parquet", data, check="rows")
    except AssertionError:
        # The same rows in another form: found when they are written again.
        refused("rows.parquet", data, check="archive")


def _bomb(value: str, count: int, encoding: str | None) -> bytes:
    """Rows that share one long text: little on disk, much in memory."""
    columns = []
    for field in SCHEMA:
        if field.type == pa.string():
            columns.append(pa.array([value] * count, field.type))
        elif field.type == pa.bool_():
            columns.append(pa.array([False] * count))
        else:
            sample = bytes(32) if pa.types.is_fixed_size_binary(field.type) else 0
            columns.append(pa.array([sample] * count, field.type))
    table = pa.Table.from_arrays(columns, schema=SCHEMA)
    if encoding is None:
        return _parquet(table, use_dictionary=True, dictionary_pagesize_limit=2**30)
    strings = [field.name for field in SCHEMA if field.type == pa.string()]
    return _parquet(table, use_dictionary=False, column_encoding=dict.fromkeys(strings, encoding))


@pytest.mark.parametrize("encoding", [None, "DELTA_BYTE_ARRAY"])
@pytest.mark.parametrize(("length", "count"), [(20_000, 300), (1_000_000, 3)])
def test_parquet_that_grows_in_memory(
    made: Any, making: Any, tmp_path: Path, encoding: str | None, length: int, count: int
) -> None:
    one = made("small")
    data = _bomb("x" * length, count, encoding)
    members = [(name, data if name == "rows.parquet" else old) for name, old in making.members_of(one.path)]
    path = making.resummed(tmp_path / "bomb.proctor", members, one.manifest, stored=count)
    report = verify_bundle(path)
    assert report.problems[0].place.startswith("rows.parquet")

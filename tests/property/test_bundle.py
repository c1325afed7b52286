"""Properties of bundles: whatever is cut, packed or tampered with."""

from __future__ import annotations

import contextlib
import io
import tempfile
import zipfile
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.engine.prefix import Prefix
from proctor.evidence.bundle import blocks, export_bundle, verify_bundle
from proctor.evidence.bundle.archive import ArchiveWriter, walk
from proctor.evidence.bundle.blocks import AsideHead, BlockWriter, ContentHead, Head, TraceHead, parts_of
from proctor.evidence.bundle.ending import Ending
from proctor.evidence.bundle.file import Source
from proctor.evidence.bundle.report import Damage
from proctor.evidence.row import OUTCOMES, Row
from proctor.evidence.store.store import Store
from proctor.plugins.files import load_module
from proctor.spec.rules import Limits, Rules

making: Any = load_module(Path(__file__).parents[1] / "unit" / "evidence" / "making.py")


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle with most of what there can be."""
    folder = tmp_path_factory.mktemp("bundle")
    with Store(str(folder / "store.db")) as store:
        record = making.run(store, making.wide())
        export_bundle(store, record.number, folder / "run.proctor")
    return folder / "run.proctor"


lines = st.lists(st.binary(max_size=40).map(lambda line: line.replace(b"\n", b" ")), min_size=1, max_size=30)


@given(lines, st.integers(1, 60), st.data())
def test_where_a_trace_was_cut_never_shows(trace: list[bytes], most: int, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(1, max(1, len(trace) - 1)), max_size=5)))
    bounds = [0, *(cut for cut in cuts if cut < len(trace)), len(trace)]
    pieces = [b"\n".join(trace[a:b]) for a, b in pairwise(bounds)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "PART_BYTES", most)
        parts = list(parts_of(pieces))
        assert parts == list(parts_of(trace))
    assert b"\n".join(part for part, _ in parts) == b"\n".join(trace)
    assert [more for _, more in parts] == [True] * (len(parts) - 1) + [False]
    assert all(len(part) <= most or b"\n" not in part for part, _ in parts)


heads = st.one_of(
    st.builds(lambda p, d, m: (TraceHead(p, len(d), m), d), st.integers(0, 2**32), st.binary(), st.booleans()),
    st.builds(lambda p, d: (AsideHead(p, len(d)), d), st.integers(0, 2**32), st.binary()),
    st.builds(lambda d: (ContentHead(sha256(d).hexdigest(), len(d)), d), st.binary()),
)


@given(st.lists(heads, max_size=20))
def test_records_survive_packing(records: list[tuple[Head, bytes]]) -> None:
    written: list[bytes] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "BLOCK_BYTES", 300)
        writer = BlockWriter(lambda number, data: written.append(data))
        for head, data in records:
            writer.add(head, data)
        writer.close()
    read = [
        (head, bytes(data))
        for packed in written
        for head, data in blocks.records(blocks.unpack(packed, where="x"), where="x")
    ]
    assert read == records
    assert writer.unpacked == sum(len(blocks.unpack(packed, where="x")) for packed in written)


@given(st.binary(max_size=400))
def test_reading_records_from_anything_ends_in_records_or_damage(data: bytes) -> None:
    with contextlib.suppress(Damage):
        for head, payload in blocks.records(data, where="x"):
            assert len(payload) == head.bytes


names = st.text("abcdefghijklmnopqrstuvwxyz./-0123456789", min_size=1, max_size=40)


@given(st.lists(st.tuples(names, st.binary(max_size=300)), max_size=8, unique_by=lambda member: member[0]))
def test_an_archive_is_one_file_for_its_members(members: list[tuple[str, bytes]]) -> None:
    file = io.BytesIO()
    archive = ArchiveWriter(file)
    for name, data in members:
        archive.add(name, data)
    assert archive.close() == len(file.getvalue())
    with zipfile.ZipFile(io.BytesIO(file.getvalue())) as opened:
        assert [(info.filename, opened.read(info)) for info in opened.infolist()] == members
    with tempfile.NamedTemporaryFile() as stored:
        stored.write(file.getvalue())
        stored.flush()
        with Source(Path(stored.name)) as source:
            found = list(walk(source, 100))
            assert [(member.name, source.read(member.start, member.size)) for member in found] == members
            assert all(member.intact for member in found)


@settings(max_examples=100)
@given(data=st.data())
def test_any_change_of_the_file_is_found(bundle: Path, data: st.DataObject) -> None:
    """Bytes replaced, removed, inserted, repeated or moved."""
    content = bundle.read_bytes()
    start = data.draw(st.integers(0, len(content) - 1))
    stop = data.draw(st.integers(start, min(len(content), start + 200)))
    other = data.draw(st.one_of(st.binary(max_size=50), st.just(content[start:stop] * 2), st.just(bytes(stop - start))))
    changed = content[:start] + other + content[stop:]
    with tempfile.NamedTemporaryFile(suffix=".proctor") as file:
        file.write(changed)
        file.flush()
        report = verify_bundle(file.name)
    assert report.ok == (changed == content)
    assert bool(report.problems) != report.ok


counts = st.dictionaries(st.sampled_from(["noise", "timeouts", "unknown_tool", "out_of_scope"]), st.integers(1, 3))
COLUMNS: dict[str, st.SearchStrategy[Any]] = {
    "lifetime": st.integers(-3, 60),
    "arm": st.integers(-1, 9),
    "unit": st.integers(-3, 60),
    "part": st.integers(0, 3),
    "template": st.text(max_size=5),
    "instance": st.binary(min_size=8, max_size=8).map(bytes.hex),
    "phase": st.sampled_from(["test", "train", "other"]),
    "replicate": st.integers(0, 3),
    "outcome": st.sampled_from(OUTCOMES),
    "reason": st.sampled_from(["correct", "wrong", "actions", "world", "instance"]),
    "format_error": st.booleans(),
    "faults": st.one_of(st.none(), counts.map(lambda c: msgspec.json.encode(c, order="sorted").decode())),
    "calls": st.integers(0, 9),
    "retries": st.integers(0, 9),
    "measures": st.sampled_from([None, '{"gates":1}']),
    "artifact_ok": st.sampled_from([None, True, False]),
    "answer": st.one_of(st.none(), st.text(max_size=20)),
    "head": st.binary(min_size=32, max_size=32),
    "elapsed_us": st.integers(0, 2**40),
    "attempts": st.integers(0, 5),
}


@settings(max_examples=100)
@given(data=st.data())
def test_any_edit_of_a_row_is_found_though_all_sums_fit(bundle: Path, data: st.DataObject) -> None:
    forged = making.Forgery.of(bundle)
    shown = [i for i, episode in enumerate(forged.episodes) if b'"event":"episode"' in episode.trace]
    at = data.draw(st.sampled_from(shown))
    column = data.draw(st.sampled_from(sorted(COLUMNS)))
    row: Row = forged.episodes[at].row
    value = data.draw(COLUMNS[column])
    if column == "arm" and not 0 <= value < len(forged.arms):
        return
    forged.episodes[at] = forged.episodes[at].edited(**{column: value})
    with tempfile.TemporaryDirectory() as folder:
        report = verify_bundle(forged.write(Path(folder) / "forged.proctor"))
    assert report.ok == (getattr(row, column) == value)


rows = st.fixed_dictionaries(
    {
        "outcome": st.sampled_from(OUTCOMES),
        "violations": st.sampled_from([None, None, '{"S1":1}', '{"unknown_tool":2}']),
        "tokens": st.one_of(st.none(), st.integers(0, 50)),
        "cost": st.one_of(st.none(), st.decimals(0, 1, places=3).map(str)),
    }
)
rules = st.builds(
    Rules,
    fail_fast=st.booleans(),
    max_infrastructure=st.one_of(st.none(), st.integers(1, 4)),
    limits=st.builds(
        Limits,
        run_tokens=st.one_of(st.none(), st.integers(1, 200)),
        run_cost=st.one_of(st.none(), st.integers(1, 3).map(str)),
    ),
)


_EMPTY = [0] * 5 + ["", "", "", 0, "", "", False, None, 0, 0, 0] + [None] * 6 + [b"", 0, 1, None]


@given(st.lists(rows, max_size=12), rules, st.sampled_from([None, "3", "20000"]))
def test_endings_are_those_of_the_engine(columns: list[dict[str, Any]], rules: Rules, price: str | None) -> None:
    """Evidence restates how rules cut a run off, since it may not import the engine; the two must not drift apart."""
    prefix, ending = Prefix(rules, price), Ending(rules, price)
    for position, values in enumerate(columns):
        row: Any = msgspec.convert([position, *_EMPTY[1:]], Row)
        row = msgspec.structs.replace(row, **values)
        prefix.add(row)
        ending.add(row)
    expected = (None, "complete") if prefix.cut is None else (prefix.cut.episodes, prefix.cut.status)
    assert ending.expected(len(columns), None) == expected

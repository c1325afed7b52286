"""Out of a store, through a file, into another store: nothing is lost, and the same run gives the same bytes."""

from __future__ import annotations

import hashlib
import json
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet
import pytest
import zstandard

from proctor.core.canonical import canonical
from proctor.core.errors import InputError, IntegrityError
from proctor.engine.plan import Plan
from proctor.evidence import chain
from proctor.evidence.bundle import LIMITS, blocks, export_bundle, import_bundle, verify_bundle, verify_run
from proctor.evidence.store.store import Store
from proctor.spec.frozen import config_hash_of

RUNS = ("tiny", "small", "wide", "limited", "breaking", "unstable", "long")


@pytest.mark.parametrize("name", RUNS)
def test_an_exported_run_verifies(made: Any, name: str) -> None:
    one = made(name)
    for plan in (None, Plan):
        report = verify_bundle(one.path, plan=plan)
        assert (report.ok, report.problems, report.found) == (True, (), 0)
        assert [check.name for check in report.checks if not check.ok] == []
        assert (report.run, report.root, report.seal) == (one.record.name, one.record.root, one.record.seal)
        stored = verify_run(one.store, one.record.number, plan=plan)
        assert (stored.ok, stored.problems, stored.root) == (True, (), one.record.root)


@pytest.mark.parametrize("name", RUNS)
def test_import_and_export_give_the_same_bytes(made: Any, name: str, tmp_path: Path) -> None:
    one = made(name)
    with Store(str(tmp_path / "other.db")) as store:
        # Another run first: the number a run has in a store must not show.
        import_bundle(made("tiny").path, store)
        if name == "tiny":
            return
        assert import_bundle(one.path, store, plan=Plan) == one.record.name
        number = store.run(one.record.name).number
        again = verify_run(store, number, plan=Plan)
        assert (again.ok, again.root, again.seal) == (True, one.record.root, one.record.seal)
        export_bundle(store, number, tmp_path / "again.proctor")
        assert (tmp_path / "again.proctor").read_bytes() == one.path.read_bytes()
        assert list(store.rows(number)) == list(one.store.rows(one.record.number))
        assert store.arms(number) == one.store.arms(one.record.number)
        assert store.stage_outputs(number) == one.store.stage_outputs(one.record.number)
        for row in one.store.rows(one.record.number):
            assert store.events(number, row.position) == one.store.events(one.record.number, row.position)
        assert store.frozen(number) == one.store.frozen(one.record.number)


def test_what_is_in_the_runs(made: Any) -> None:
    """The runs of these tests really have what the tests are about."""
    wide, unstable, breaking = made("wide"), made("unstable"), made("breaking")
    rows = list(wide.store.rows(wide.record.number))
    assert {row.outcome for row in rows} == {"success", "failure", "limit", "infrastructure"}
    assert (
        any(row.faults for row in rows) and any(row.violations for row in rows) and any(row.undeclared for row in rows)
    )
    assert {row.artifact_ok for row in rows} == {None, True}
    assert any(row.answer is not None and row.answer.startswith("sha256:") for row in rows)
    assert wide.store.stage_outputs(wide.record.number)
    assert any(row.aside for row in unstable.store.rows(unstable.record.number))
    assert breaking.record.status == "failed" and breaking.record.cut is not None
    assert breaking.store.count(breaking.record.number) > breaking.record.cut
    long = made("long")
    found = long.store.connection.exec_driver_sql("SELECT count(*) FROM segments").scalar_one()
    assert found > 4
    assert max(len(long.store.trace(long.record.number, p)) for p in range(3)) > blocks.PART_BYTES


def test_a_long_trace_is_cut_the_same_however_it_was_stored(
    making: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chain, "SEGMENT_BYTES", 700)
    monkeypatch.setattr(blocks, "PART_BYTES", 1500)
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 4000)
    with Store(str(tmp_path / "a.db")) as store, Store(str(tmp_path / "b.db")) as other:
        record = making.run(store, making.suite(making.entry(n=6, kind="mixed"), making.entry(making.FILES, n=4)))
        manifest = export_bundle(store, record.number, tmp_path / "a.proctor")
        assert sum(member.name.startswith("events/") for member in manifest.members) > 3
        import_bundle(tmp_path / "a.proctor", other)
        export_bundle(other, 1, tmp_path / "b.proctor")
        assert (tmp_path / "a.proctor").read_bytes() == (tmp_path / "b.proctor").read_bytes()
        stored = [s.connection.exec_driver_sql("SELECT count(*) FROM segments").scalar_one() for s in (store, other)]
        assert min(stored) > 0 and stored[0] != stored[1]


def test_any_tool_opens_a_bundle(made: Any, tmp_path: Path) -> None:
    one = made("wide")
    with zipfile.ZipFile(one.path) as archive:
        assert archive.testzip() is None
        assert all(info.compress_type == zipfile.ZIP_STORED and not info.extra for info in archive.infolist())
        archive.extractall(tmp_path)
    done = subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=tmp_path, check=False)
    assert done.returncode == 0
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert {name: manifest[name] for name in ("run", "root", "seal")} == {
        "run": one.record.name,
        "root": one.record.root,
        "seal": one.record.seal,
    }
    statement = json.loads((tmp_path / "statement.json").read_text())
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    digest = hashlib.sha256((tmp_path / "manifest.json").read_bytes()).hexdigest()
    assert statement["subject"][0] == {"name": "manifest.json", "digest": {"sha256": digest}}
    parquet: Any = pyarrow.parquet
    table = parquet.read_table(tmp_path / "rows.parquet")
    assert table.num_rows == manifest["stored"]
    assert set(table["cell"].to_pylist()) == {"S1", "S2", "B1", None}
    text = zstandard.ZstdDecompressor().decompress((tmp_path / "events" / "00000.zst").read_bytes()).splitlines()
    assert json.loads(text[0])["kind"] in ("trace", "aside") and json.loads(text[1])


def test_the_configuration_hash_is_that_of_the_engine(made: Any) -> None:
    for name in RUNS:
        one = made(name)
        frozen = one.store.frozen(one.record.number)
        assert config_hash_of(frozen.model_dump(mode="json")) == frozen.config_hash == one.record.config_hash


def test_a_name_that_is_taken_is_explained(made: Any, making: Any, tmp_path: Path) -> None:
    one = made("small")
    with Store(str(tmp_path / "other.db")) as store:
        import_bundle(one.path, store)
        with pytest.raises(InputError, match="already, with the same root and seal"):
            import_bundle(one.path, store)
        store.update_run(1, root="0" * 64)
        with pytest.raises(InputError, match="another run called"):
            import_bundle(one.path, store)
        assert len(store.runs()) == 1


def test_a_damaged_bundle_is_not_imported(made: Any, tmp_path: Path) -> None:
    data = bytearray(made("small").path.read_bytes())
    data[data.find(b"events/00000.zst") + 60] ^= 1
    (tmp_path / "bad.proctor").write_bytes(data)
    with Store(str(tmp_path / "other.db")) as store:
        with pytest.raises(IntegrityError, match=r"events/00000\.zst.*not imported"):
            import_bundle(tmp_path / "bad.proctor", store)
        assert store.runs() == []
        assert store.connection.exec_driver_sql("SELECT count(*) FROM contents").scalar_one() == 0


def test_an_import_that_fails_leaves_nothing(made: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from proctor.evidence.store import incoming

    def fail(data: bytes) -> bytes:
        raise KeyboardInterrupt

    with Store(str(tmp_path / "other.db")) as store:
        monkeypatch.setattr(incoming, "packed_content", fail)
        with pytest.raises(KeyboardInterrupt):
            import_bundle(made("small").path, store)
        assert store.runs() == []


def test_an_unfinished_run_is_refused_with_advice(made: Any, making: Any, tmp_path: Path) -> None:
    with Store(str(tmp_path / "store.db")) as store:
        record = making.run(store, making.small())
        store.update_run(record.number, root=None, seal=None, status="interrupted")
        with pytest.raises(InputError, match="--resume"):
            export_bundle(store, record.number, tmp_path / "x.proctor")
        with pytest.raises(InputError, match="--resume"):
            verify_run(store, record.number)
        with pytest.raises(InputError, match="no run number 9"):
            export_bundle(store, 9, tmp_path / "x.proctor")
        assert not list(tmp_path.glob("*.proctor"))


def test_a_file_appears_whole_or_not_at_all(making: Any, tmp_path: Path) -> None:
    with Store(str(tmp_path / "store.db")) as store:
        record = making.run(store, making.small())
        (tmp_path / "run.proctor").write_bytes(b"before")
        store.connection.exec_driver_sql("UPDATE episodes SET head = zeroblob(32) WHERE id % 4294967296 = 2")
        store.connection.commit()
        with pytest.raises(IntegrityError, match="episode 2"):
            export_bundle(store, record.number, tmp_path / "run.proctor")
        assert (tmp_path / "run.proctor").read_bytes() == b"before"
        assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")] == []
        with pytest.raises(InputError, match="cannot be written"):
            export_bundle(store, record.number, tmp_path / "missing" / "run.proctor")


def test_a_lost_content_is_noticed_before_exporting(making: Any, tmp_path: Path) -> None:
    with Store(str(tmp_path / "store.db")) as store:
        record = making.run(store, making.small())
        store.connection.exec_driver_sql("DELETE FROM contents")
        store.connection.commit()
        with pytest.raises(IntegrityError, match="the store does not have it"):
            export_bundle(store, record.number, tmp_path / "run.proctor")
        report = verify_run(store, record.number)
        assert [check.name for check in report.checks if not check.ok] == ["contents"]


def test_a_missing_file_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        verify_bundle(tmp_path / "nothing.proctor")
    with pytest.raises(InputError, match="not a file"):
        verify_bundle(tmp_path)


def test_a_report_is_plain_data(made: Any) -> None:
    report = verify_bundle(made("small").path)
    value = msgspec.to_builtins(report)
    assert canonical(value) and value["checks"][0]["name"] == "archive"
    assert LIMITS.unpacked(0) > blocks.MAX_BLOCK


def test_a_bundle_from_other_library_versions_still_verifies(made: Any, making: Any, tmp_path: Path) -> None:
    forged = making.Forgery.of(made("wide").path)
    forged.claims["made_with"] = msgspec.structs.replace(forged.manifest.made_with, pyarrow="1.0.0", zstd="1.0.0")
    assert verify_bundle(forged.write(tmp_path / "old.proctor")).ok

"""Documents beside a run: kept, carried, checked, and never part of what happened."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.without_root import as_nobody

from proctor.core.errors import InputError, IntegrityError, StoreError
from proctor.evidence import attachments as attachments_module
from proctor.evidence.attachments import MAX_BYTES, Attachment
from proctor.evidence.bundle import LIMITS, Limits, export_bundle, import_bundle, layout, verify_bundle, verify_run
from proctor.evidence.bundle.report import VerifyReport
from proctor.evidence.evidence import evidence_of
from proctor.evidence.row import LATER_COLUMNS
from proctor.evidence.store import schema
from proctor.evidence.store.store import Store

OLD = Path(__file__).parents[3] / "docs" / "evidence" / "smollm2-sufficiency-free.proctor"
SHEET = b"rater,question,subject,answer\nann,success,0,no\n"
LOG = b"time,operator,change\n"


class Attached:
    """A run with two documents, in a store of its own, and its bundle."""

    def __init__(self, folder: Path, making: Any) -> None:
        self.folder = folder
        self.store = Store(str(folder / "store.db"))
        self.record = making.run(self.store, making.suite(making.entry(n=1)))
        export_bundle(self.store, self.record.number, folder / "bare.proctor")
        self.digests = [self.store.attach(self.record.number, "ratings", SHEET)]
        self.digests.append(self.store.attach(self.record.number, "operator-log", LOG))
        self.path = folder / "run.proctor"
        self.manifest = export_bundle(self.store, self.record.number, self.path)

    @property
    def names(self) -> list[str]:
        return [f"attachments/ratings-{self.digests[0][:12]}", f"attachments/operator-log-{self.digests[1][:12]}"]


@pytest.fixture
def attached(tmp_path: Path, making: Any) -> Iterator[Attached]:
    one = Attached(tmp_path, making)
    yield one
    one.store.close()


def failed(report: VerifyReport) -> dict[str, str]:
    return {check.name: check.detail for check in report.checks if not check.ok}


# In a store


def test_documents_come_back_in_their_order_and_once(attached: Attached) -> None:
    store, number = attached.store, attached.record.number
    assert attached.digests == [hashlib.sha256(data).hexdigest() for data in (SHEET, LOG)]
    assert store.attach(number, "ratings", SHEET) == attached.digests[0], "one that is there is not added again"
    found = store.attachments(number)
    assert [(one.kind, one.sha256, one.content) for one in found] == [
        ("ratings", attached.digests[0], SHEET),
        ("operator-log", attached.digests[1], LOG),
    ]
    assert [one.name for one in found] == [name.removeprefix("attachments/") for name in attached.names]
    assert evidence_of(store, "latest").attachments == tuple(found)
    assert store.attachments(number + 1) == []


def test_root_and_seal_do_not_know_of_them(attached: Attached) -> None:
    bare = verify_bundle(attached.folder / "bare.proctor")
    full = verify_bundle(attached.path)
    assert bare.ok and full.ok
    assert (bare.root, bare.seal) == (full.root, full.seal) == (attached.record.root, attached.record.seal)
    details = {check.name: check.detail for check in full.checks}
    assert details["attachments"] == (
        f"2 documents beside the run, outside its root: ratings-{attached.digests[0][:12]}, "
        f"operator-log-{attached.digests[1][:12]}"
    )
    assert verify_run(attached.store, attached.record.number).ok


@pytest.mark.parametrize("kind", ["", "x", "Ratings", "a b", "../x", "a/b", "-a", "a-", "a" * 33, "é", "a\n"])
def test_a_strange_kind_is_refused(attached: Attached, kind: str) -> None:
    with pytest.raises(InputError, match="is no kind of attachment"):
        attached.store.attach(attached.record.number, kind, b"x")


def test_a_kind_nobody_knows_is_kept(attached: Attached, tmp_path: Path) -> None:
    digest = attached.store.attach(attached.record.number, "tea-leaves-2", b"\x00\xff")
    path = tmp_path / "third.proctor"
    export_bundle(attached.store, attached.record.number, path)
    with Store(str(tmp_path / "other.db")) as other:
        import_bundle(path, other)
        assert other.attachments(1)[-1] == Attachment("tea-leaves-2", digest, b"\x00\xff")


def test_too_much_is_refused(attached: Attached, monkeypatch: pytest.MonkeyPatch) -> None:
    store, number = attached.store, attached.record.number
    for content in (b"", bytes(MAX_BYTES + 1)):
        with pytest.raises(InputError, match=f"this ratings document has {len(content)}"):
            store.attach(number, "ratings", content)
    store.attach(number, "ratings", bytes(MAX_BYTES))
    monkeypatch.setattr(attachments_module, "MAX_ALL_BYTES", MAX_BYTES + 100)
    with pytest.raises(InputError, match="at most 100 attachments"):
        store.attach(number, "ratings", bytes(101))
    monkeypatch.undo()
    for place in range(97):
        store.attach(number, "ratings", b"%d" % place)
    with pytest.raises(InputError, match="at most 100 attachments"):
        store.attach(number, "ratings", b"one more")
    assert len(store.attachments(number)) == 100
    with pytest.raises(InputError, match="no run number 9"):
        store.attach(9, "ratings", b"x")


def test_a_store_that_may_not_be_written_says_so_and_is_read(attached: Attached) -> None:
    attached.store.close()
    folder = Path(tempfile.mkdtemp(prefix="proctor-read-only-"))
    try:
        folder.chmod(0o777)
        path = folder / "store.db"
        shutil.copy(attached.store.path, path)
        path.chmod(0o444)
        with as_nobody(), Store(str(path), create=False) as store:
            with pytest.raises(StoreError, match="it is read-only"):
                store.attach(1, "ratings", b"x")
            assert len(store.attachments(1)) == 2, "and it can be read as before"
    finally:
        shutil.rmtree(folder)


def test_a_store_of_schema_2_is_upgraded_where_it_lies(attached: Attached, tmp_path: Path) -> None:
    attached.store.close()
    path = tmp_path / "old.db"
    shutil.copy(attached.store.path, path)
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE attachments")
        for column in LATER_COLUMNS:
            connection.execute(f"ALTER TABLE episodes DROP COLUMN {column}")
        connection.execute("UPDATE meta SET value = '2'")
    with Store(str(path), create=False) as store:
        assert store.attachments(1) == []
        store.attach(1, "ratings", SHEET)
    with Store(str(path), create=False) as store:
        assert [one.content for one in store.attachments(1)] == [SHEET]
        found = store.query("SELECT value FROM meta WHERE key = 'schema'", ())
        assert found == [(str(schema.SCHEMA_VERSION),)]


def test_damage_in_a_store_is_named(attached: Attached, tmp_path: Path) -> None:
    store, number = attached.store, attached.record.number
    store.connection.exec_driver_sql("UPDATE attachments SET content = x'00' WHERE number = 0")
    store.connection.commit()
    report = verify_run(store, number)
    assert failed(report).keys() == {"attachments"}
    assert report.problems[0].place == f"'ratings-{attached.digests[0][:12]}'"
    with pytest.raises(IntegrityError, match="does not have the SHA-256"):
        export_bundle(store, number, tmp_path / "x.proctor")
    ratings = evidence_of(store, "latest").ratings
    assert ratings.unreadable == (f"ratings-{attached.digests[0][:12]}",) and ratings.sheets == ()


def test_ratings_that_are_none_are_named_and_not_read(attached: Attached) -> None:
    digest = attached.store.attach(attached.record.number, "ratings", b"\xff\xfe nonsense")
    ratings = evidence_of(attached.store, "latest").ratings
    assert ratings.unreadable == (f"ratings-{digest[:12]}",)
    assert [sheet.sha256 for sheet in ratings.sheets] == attached.digests[:1]


# In a bundle


def test_a_bundle_lists_them_everywhere(attached: Attached, making: Any) -> None:
    members = making.members_of(attached.path)
    names = [name for name, _ in members]
    assert names[-5:] == [*attached.names, "manifest.json", "statement.json", "SHA256SUMS"]
    assert dict(members)[attached.names[0]] == SHEET
    manifest = json.loads(dict(members)["manifest.json"])
    assert manifest["version"] == 3
    assert manifest["members"][-2] == {
        "name": attached.names[0],
        "size": len(SHEET),
        "sha256": attached.digests[0],
    }
    statement = json.loads(dict(members)["statement.json"])
    assert statement["subject"][2:] == [
        {"name": name, "digest": {"sha256": digest}}
        for name, digest in zip(attached.names, attached.digests, strict=True)
    ]
    assert f"{attached.digests[1]}  {attached.names[1]}\n".encode() in dict(members)["SHA256SUMS"]


def test_importing_keeps_them_and_exporting_again_gives_the_same_bytes(attached: Attached, tmp_path: Path) -> None:
    with Store(str(tmp_path / "other.db")) as other:
        import_bundle(attached.path, other)
        assert other.attachments(1) == attached.store.attachments(attached.record.number)
        export_bundle(other, 1, tmp_path / "again.proctor")
        assert (tmp_path / "again.proctor").read_bytes() == attached.path.read_bytes()
        with pytest.raises(InputError, match="already, with the same root and seal"):
            import_bundle(attached.folder / "bare.proctor", other)
    with Store(str(tmp_path / "bare.db")) as bare:
        import_bundle(attached.folder / "bare.proctor", bare)
        with pytest.raises(InputError, match=r"2 attachments of the file are not there \(ratings-.*, operator-log-"):
            import_bundle(attached.path, bare)


def test_every_byte_of_an_attachment_counts_and_is_named(attached: Attached, tmp_path: Path) -> None:
    data = attached.path.read_bytes()
    start = data.index(SHEET)
    path = tmp_path / "flipped.proctor"
    for at in range(start, start + len(SHEET)):
        changed = bytearray(data)
        changed[at] ^= 1 + at % 255
        path.write_bytes(changed)
        report = verify_bundle(path)
        assert failed(report).keys() == {"archive", "checksums", "attachments"}
        assert {problem.place for problem in report.problems} == {attached.names[0]}, f"byte {at}"
    with Store(str(tmp_path / "other.db")) as other:
        with pytest.raises(IntegrityError, match=attached.names[0]):
            import_bundle(path, other)
        assert other.runs() == []


def remade(attached: Attached, making: Any, change: Any, **claims: Any) -> VerifyReport:
    """What is said of the bundle with other members, all sums made anew."""
    members = [(name, data) for name, data in making.members_of(attached.path)]
    path = making.resummed(attached.folder / "remade.proctor", change(members), attached.manifest, **claims)
    return verify_bundle(path)


def test_an_edited_rating_does_not_have_the_digest_of_its_name(attached: Attached, making: Any) -> None:
    def edit(members: list[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
        return [(name, data.replace(b",no", b",yes")) for name, data in members]

    report = remade(attached, making, edit)
    assert failed(report).keys() == {"attachments"}
    assert report.problems[0].place == attached.names[0]


def test_an_edited_rating_under_its_own_name_is_another_statement(attached: Attached, making: Any) -> None:
    """Whoever has the bundle can replace ratings; what was signed or printed names the old digest."""
    new = SHEET.replace(b",no", b",yes")
    name = layout.attachment_member("ratings", hashlib.sha256(new).hexdigest())

    def edit(members: list[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
        return [(name, new) if known == attached.names[0] else (known, data) for known, data in members]

    assert remade(attached, making, edit).ok
    before, after = (dict(making.members_of(attached.folder / f"{one}.proctor")) for one in ("run", "remade"))
    assert before["statement.json"] != after["statement.json"] and before["rows.parquet"] == after["rows.parquet"]


@pytest.mark.parametrize(
    "name",
    [
        "attachments/",
        "attachments/ratings",
        "attachments/ratings-0123456789a",
        "attachments/ratings-0123456789AB",
        "attachments/ratings-0123456789abc/x",
        "attachments/../x-0123456789ab",
        "attachments/Ratings-0123456789ab",
        "attachments/-0123456789ab",
        "Attachments/ratings-0123456789ab",
        "ratings-0123456789ab",
    ],
)
def test_a_strange_name_is_refused(attached: Attached, making: Any, name: str) -> None:
    members = making.members_of(attached.path)
    for at in range(4, len(members) + 1):
        path = making.rebuilt(attached.folder / "strange.proctor", [*members[:at], (name, b"x"), *members[at:]])
        assert "archive" in failed(verify_bundle(path))


def test_attachments_in_another_place_or_twice_are_refused(attached: Attached, making: Any) -> None:
    members = making.members_of(attached.path)
    mine = next(member for member in members if member[0] == attached.names[0])
    rest = [member for member in members if member is not mine]
    allowed = [name for name, _ in rest].index("rows.parquet") + 1
    for at in range(len(rest) + 1):
        path = making.rebuilt(attached.folder / "moved.proctor", [*rest[:at], mine, *rest[at:]])
        assert ("archive" in failed(verify_bundle(path))) is (at not in (allowed, allowed + 1)), at
    twice = making.rebuilt(attached.folder / "twice.proctor", [*members[:-3], mine, *members[-3:]])
    assert "comes twice" in failed(verify_bundle(twice))["archive"]


def test_what_attachments_may_cost_is_bounded(attached: Attached) -> None:
    def problems(**limits: int) -> list[str]:
        with_limits = Limits(**{"attachments": 100, "attachment_bytes": 1000, "attached_bytes": 1000, **limits})
        return [problem.message for problem in verify_bundle(attached.path, limits=with_limits).problems]

    assert problems() == []
    assert problems(attachments=1) == [f"2 attachments of {len(SHEET + LOG)} bytes are more than a bundle may have"]
    assert problems(attachment_bytes=len(SHEET) - 1) == [f"has {len(SHEET)} bytes, which is refused"]
    assert len(problems(attached_bytes=len(SHEET))) == 1
    assert (LIMITS.attachments, LIMITS.attachment_bytes, LIMITS.attached_bytes) == (100, 16 * 2**20, 64 * 2**20)


def test_an_empty_attachment_is_refused(attached: Attached, making: Any) -> None:
    name = layout.attachment_member("ratings", hashlib.sha256(b"").hexdigest())

    def edit(members: list[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
        return [(name, b"") if known == attached.names[0] else (known, data) for known, data in members]

    assert failed(remade(attached, making, edit)).keys() == {"attachments"}


# Before there were any


def test_bundles_of_format_2_have_no_attachments(attached: Attached, making: Any, tmp_path: Path) -> None:
    def without(members: list[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
        return [member for member in members if not member[0].startswith("attachments/")]

    # The rows are those of format 3, which are refused; that there is no attachment is no problem. Evidence that was
    # really written in format 2 is verified below.
    assert "attachments" not in failed(remade(attached, making, without, version=2))
    report = remade(attached, making, list, version=2)
    assert failed(report)["attachments"] == "manifest.json: a bundle of format 2 has no attachments"


@pytest.mark.skipif(not OLD.exists(), reason="the evidence in docs/ is not here")
def test_evidence_written_before_is_imported_and_goes_on(tmp_path: Path) -> None:
    report = verify_bundle(OLD)
    assert report.ok
    with Store(str(tmp_path / "store.db")) as store:
        import_bundle(OLD, store)
        assert store.attachments(1) == []
        store.attach(1, "ratings", SHEET)
        export_bundle(store, 1, tmp_path / "new.proctor")
    again = verify_bundle(tmp_path / "new.proctor")
    assert again.ok and (again.root, again.seal) == (report.root, report.seal)

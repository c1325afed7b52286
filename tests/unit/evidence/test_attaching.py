"""Documents added to a finished bundle: everything else stays, and what they are is verified and imported."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from proctor.core.errors import InputError, IntegrityError
from proctor.evidence.attachments import MAX_COUNT, Attachment
from proctor.evidence.bundle import import_bundle, verify_bundle
from proctor.evidence.bundle.attaching import attach_to_bundle, bundle_documents
from proctor.evidence.store.store import Store

ANSWER = Attachment.of("determination", b'{"determination":"Compliant"}')
SHEET = Attachment.of("ratings", b"rater,question,subject,answer\nann,success,0,yes\n")


def test_a_document_is_added_and_nothing_else_changes(made: Any, making: Any, tmp_path: Path) -> None:
    before = made("small")
    path = tmp_path / "more.proctor"
    assert attach_to_bundle(before.path, [ANSWER, ANSWER], path) == [ANSWER.name]
    report = verify_bundle(path)
    assert report.ok, report.problems
    assert (report.root, report.seal) == (before.manifest.root, before.manifest.seal)
    was, now = dict(making.members_of(before.path)), dict(making.members_of(path))
    assert {name for name in now if was.get(name) != now[name]} == {
        f"attachments/{ANSWER.name}",
        "manifest.json",
        "statement.json",
        "SHA256SUMS",
    }
    assert bundle_documents(path)[1] == [ANSWER]


def test_what_is_there_already_is_not_added_again(made: Any, tmp_path: Path) -> None:
    path = tmp_path / "more.proctor"
    attach_to_bundle(made("small").path, [ANSWER], path)
    data = path.read_bytes()
    assert attach_to_bundle(path, [ANSWER]) == []
    assert path.read_bytes() == data
    assert attach_to_bundle(path, [SHEET]) == [SHEET.name]
    assert [one.kind for one in bundle_documents(path)[1]] == ["determination", "ratings"]


def test_a_damaged_bundle_is_not_made_whole(made: Any, making: Any, tmp_path: Path) -> None:
    members = [(n, d + b" " if n == "stages.json" else d) for n, d in making.members_of(made("small").path)]
    path = making.rebuilt(tmp_path / "damaged.proctor", members)
    with pytest.raises(IntegrityError, match=r"stages\.json"):
        attach_to_bundle(path, [ANSWER])


def test_there_is_an_end_to_documents(made: Any, tmp_path: Path) -> None:
    many = [Attachment.of("challenge", b"%d" % number) for number in range(MAX_COUNT + 1)]
    with pytest.raises(InputError, match="at most"):
        attach_to_bundle(made("small").path, many, tmp_path / "many.proctor")
    assert not (tmp_path / "many.proctor").exists()


def test_a_run_that_is_there_is_given_what_others_say_about_it(made: Any, tmp_path: Path) -> None:
    before, path = made("small"), tmp_path / "more.proctor"
    with Store(str(tmp_path / "mine.db")) as store:
        import_bundle(before.path, store)
        attach_to_bundle(before.path, [ANSWER], path)
        assert import_bundle(path, store) == before.record.name
        assert [one.kind for one in store.attachments(store.run(before.record.name).number)] == ["determination"]
        with pytest.raises(InputError, match="nothing to import"):
            import_bundle(path, store)
        attach_to_bundle(path, [SHEET])
        with pytest.raises(InputError, match="results are read from them"):
            import_bundle(path, store)
        assert len(store.attachments(store.run(before.record.name).number)) == 1


def test_a_value_that_is_missing_is_not_one_that_was_changed(made: Any, making: Any, tmp_path: Path) -> None:
    forged = making.Forgery.of(made("wide").path)
    name, data = forged.contents.pop(0)
    gone = verify_bundle(forged.write(tmp_path / "gone.proctor"))
    assert not gone.ok
    assert gone.incomplete
    assert all(problem.missing for problem in gone.problems)
    forged.contents.insert(0, (name, data + b"x"))
    changed = verify_bundle(forged.write(tmp_path / "changed.proctor"))
    assert not changed.ok
    assert not changed.incomplete
    del forged.contents[0]
    del forged.episodes[0]
    assert not verify_bundle(forged.write(tmp_path / "shorter.proctor")).incomplete

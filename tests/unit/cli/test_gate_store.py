"""Which store the comment of a gate names: the one that commands would not take by themselves, and no password."""

from __future__ import annotations

from pathlib import Path

import pytest

from proctor.cli.gate import other_store


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (None, None),
        (".proctor/store.db", None),
        ("./.proctor/../.proctor/store.db", "./.proctor/../.proctor/store.db"),
        ("./.proctor/store.db", None),
        ("/elsewhere/store.db", "/elsewhere/store.db"),
        ("postgresql://anna:secret@host/base", "postgresql:…"),
    ],
)
def test_the_store_that_is_named(
    given: str | None, named: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert other_store(given) == named


def test_the_store_of_the_project_goes_without_saying(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "proctor.yaml").write_text("system: {name: x}\nstore: kept.db\n")
    assert other_store("kept.db") is None
    assert other_store(".proctor/store.db") == ".proctor/store.db"

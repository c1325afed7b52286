"""A family's hash covers what it imports from its own package, and nothing else."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from proctor.engine.names import load_family
from proctor.engine.sources import _imported, shared_sources, source_hash

FAMILY = """
from mine.shared import words
from mine import (
    dice,
)
import mine.lone

class F: ...
family = F()
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    home = tmp_path / "mine"
    (home / "fam").mkdir(parents=True)
    (home / "shared").mkdir()
    files = {
        "__init__.py": "",
        "dice.py": "from mine.deep import x",
        "deep.py": "x = 1",
        "lone.py": "",
        "unused.py": "",
        "shared/__init__.py": "",
        "shared/words.py": "",
        "fam/__init__.py": "",
        "fam/family.py": FAMILY,
    }
    for name, text in files.items():
        (home / name).write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield home
    for name in [name for name in sys.modules if name.partition(".")[0] == "mine"]:
        del sys.modules[name]


def test_shared_modules_are_found_through_each_other(package: Path) -> None:
    family = importlib.import_module("mine.fam.family").family
    names = [name for name, _ in shared_sources(family)]
    assert names == ["mine.deep", "mine.dice", "mine.lone", "mine.shared", "mine.shared.words"]


@pytest.mark.parametrize(("file", "changes"), [("deep.py", True), ("shared/words.py", True), ("unused.py", False)])
def test_an_edit_there_changes_the_hash(package: Path, file: str, changes: bool) -> None:
    family = importlib.import_module("mine.fam.family").family
    before = source_hash(family)
    (package / file).write_text("y = 2")
    _imported.cache_clear()
    assert (source_hash(family) != before) == changes


def test_a_built_in_family_takes_its_dimension_along_and_not_the_core() -> None:
    names = [name for name, _ in shared_sources(load_family("ticket-routing", Path()))]
    assert "proctor.suites.kit.sheet" in names
    assert all(name.startswith("proctor.suites.") for name in names)
    assert not any(".ticket_routing" in name for name in names)


def test_a_family_in_a_single_file_is_its_file(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (package.parent / "lonely.py").write_text("import mine.lone\nclass F: ...\nfamily = F()")
    assert shared_sources(importlib.import_module("lonely").family) == []

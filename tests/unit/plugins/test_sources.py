"""The sources behind a module: its folder, what it imports in the end, and the data beside that."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from proctor.plugins import sources
from proctor.plugins.sources import module_digest, package_digest, source_files

FILES = {
    "__init__.py": "",
    "dice.py": "from mine.deep import x",
    "deep.py": "x = 1",
    "lone.py": "",
    "unused.py": "",
    "shared/__init__.py": "",
    "shared/words.py": "",
    "shared/words.yaml": "a: 1",
    "fam/__init__.py": "",
    "fam/by_name_only.py": "",
    "fam/family.py": "from mine.shared import words\nfrom mine import (\n    dice,\n)\nimport mine.lone, json\n",
    "near/__init__.py": "from .inner import y",
    "near/inner.py": "from ..dice import x as y",
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    home = tmp_path / "mine"
    for name, text in FILES.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    forget()
    yield home
    forget()


def forget() -> None:
    for cached in (
        sources.package_digest,
        sources.module_digest,
        sources.package_folder,
        sources._imported,
        sources._data_beside,
        sources._file_of,
        sources._file_digest,
    ):
        cached.cache_clear()


def test_modules_are_found_through_each_other_with_their_data(package: Path) -> None:
    assert sorted(source_files(["mine.fam"])) == [
        "mine",
        "mine.deep",
        "mine.dice",
        "mine.fam",
        "mine.fam.by_name_only",
        "mine.fam.family",
        "mine.lone",
        "mine.shared",
        "mine.shared.words",
        "mine.shared.words:words.yaml",
        "mine.shared:words.yaml",
    ]


def test_relative_imports_are_followed(package: Path) -> None:
    assert sorted(source_files(["mine.near"])) == ["mine.deep", "mine.dice", "mine.near", "mine.near.inner"]


def test_a_module_in_a_file_takes_its_folder_along(package: Path) -> None:
    """Modules beside it may be imported under names that are made at run time."""
    assert source_files(["mine.fam.family"]).keys() >= {"mine.fam", "mine.fam.by_name_only"}


@pytest.mark.parametrize("file", ["deep.py", "shared/words.yaml", "fam/a.py", "unused.py", "data/table.csv"])
def test_any_edit_of_another_package_changes_its_digest(package: Path, file: str) -> None:
    """Nobody knows how a package of somebody else's finds its data."""
    before, whole = module_digest("mine.fam"), package_digest("mine")
    (package / file).parent.mkdir(exist_ok=True)
    (package / file).write_text("z = 2")
    forget()
    assert module_digest("mine.fam") != before
    assert package_digest("mine") != whole


def test_where_there_are_no_files_there_is_no_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ZipFile(tmp_path / "zipped.zip", "w") as archive:
        archive.writestr("zipped/__init__.py", "")
    monkeypatch.syspath_prepend(str(tmp_path / "zipped.zip"))
    forget()
    assert module_digest("zipped") == ""


def test_where_a_package_lies_plays_no_part(package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = module_digest("mine.fam"), package_digest("mine")
    (tmp_path / "elsewhere").mkdir()
    package.rename(tmp_path / "elsewhere" / "mine")
    monkeypatch.syspath_prepend(str(tmp_path / "elsewhere"))
    forget()
    assert (module_digest("mine.fam"), package_digest("mine")) == before


def test_a_built_in_family_takes_worlds_and_core_along() -> None:
    names = source_files(["proctor.suites.hello.orders"])
    assert {"proctor.worlds.sql", "proctor.core.seeds", "proctor.suites.hello.orders.world"} <= names.keys()
    assert not any(name.startswith(("proctor.cli", "proctor.instruments")) for name in names)


def test_an_unknown_module_has_no_sources() -> None:
    assert source_files(["no_such_package.at_all"]) == {}
    assert package_digest("no_such_package") == package_digest("also_no_such_package")

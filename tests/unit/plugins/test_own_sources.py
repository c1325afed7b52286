"""Files of a project: from sources alone, after everybody else, and only as approved."""

from __future__ import annotations

import importlib
import importlib.util
import os
import py_compile
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from proctor.core.errors import InputError
from proctor.core.hashing import file_hash
from proctor.plugins.closure import DIGITS
from proctor.plugins.files import load_module
from proctor.plugins.own_sources import ApprovedSources, approve_only, approved, files_behind, files_now

TAG = sys.implementation.cache_tag


@pytest.fixture(autouse=True)
def _apart() -> Iterator[None]:
    """What a test imports is gone after it."""
    before = set(sys.modules)
    yield
    approve_only(None)
    for name in set(sys.modules) - before:
        del sys.modules[name]


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def byte_code(path: Path, text: str) -> None:
    """Byte code that Python believes whatever lies beside it."""
    source = write(path.with_name("source-of-it"), text)
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile(str(source), cfile=str(path), invalidation_mode=mode)
    source.unlink()


def pinning(folder: Path, *names: str) -> ApprovedSources:
    return ApprovedSources(str(folder.resolve()), {"desk": {name: file_hash(folder / name)[:DIGITS] for name in names}})


def test_byte_code_counts_for_nothing_and_none_is_written(tmp_path: Path) -> None:
    start = write(tmp_path / "mine.py", "import beside, parcel.inner\nsaid = beside.said + parcel.inner.said\n")
    write(tmp_path / "beside.py", "said = 'source '\n")
    write(tmp_path / "parcel" / "inner.py", "said = 'of a package'\n")
    byte_code(tmp_path / "__pycache__" / f"mine.{TAG}.pyc", "said = 'byte code'\n")
    byte_code(tmp_path / "__pycache__" / f"beside.{TAG}.pyc", "said = 'byte code'\n")
    byte_code(tmp_path / "parcel" / "__pycache__" / f"inner.{TAG}.pyc", "said = 'byte code'\n")
    assert load_module(start).said == "source of a package"
    assert len(list(tmp_path.rglob("*.pyc"))) == 3


@pytest.mark.parametrize("file", ["alone.pyc", "alone/__init__.pyc", "alone.so", f"alone.{TAG}-x86_64-linux-gnu.so"])
def test_a_module_without_a_source_is_none(tmp_path: Path, file: str) -> None:
    (tmp_path / file).parent.mkdir(exist_ok=True)
    if file.endswith(".pyc"):
        byte_code(tmp_path / file, "value = 1\n")
    else:
        (tmp_path / file).write_bytes(b"\x7fELF")
    with pytest.raises(InputError, match=r"ModuleNotFoundError|has no attribute|cannot import name"):
        load_module(write(tmp_path / "mine.py", "from alone import value\n"))


@pytest.mark.parametrize("file", ["colorsys.py", "colorsys/__init__.py", "colorsys.pyc", "colorsys/__init__.pyc"])
def test_what_python_has_under_a_name_comes_first(tmp_path: Path, file: str) -> None:
    sys.modules.pop("colorsys", None)
    (tmp_path / file).parent.mkdir(exist_ok=True)
    if file.endswith(".pyc"):
        byte_code(tmp_path / file, "rgb_to_hsv = None\n")
    else:
        write(tmp_path / file, "rgb_to_hsv = None\n")
    module = load_module(write(tmp_path / "mine.py", "import colorsys\n"))
    assert module.colorsys.rgb_to_hsv is not None


def test_a_folder_that_puts_itself_on_the_path_is_read_from_sources_too(tmp_path: Path) -> None:
    byte_code(tmp_path / "late.pyc", "value = 'byte code'\n")
    write(tmp_path / "later.py", "value = 'source'\n")
    byte_code(tmp_path / "__pycache__" / f"later.{TAG}.pyc", "value = 'byte code'\n")
    path = "import sys\nfrom pathlib import Path\nsys.path.insert(0, str(Path(__file__).parent))\n"
    load_module(write(tmp_path / "mine.py", path))
    try:
        assert importlib.import_module("later").value == "source"
        assert importlib.util.find_spec("late") is None
    finally:
        sys.path.remove(str(tmp_path))


def test_plug_ins_that_lie_in_a_folder_are_not_found(tmp_path: Path) -> None:
    write(tmp_path / "evil-1.0.dist-info" / "METADATA", "Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
    write(tmp_path / "evil-1.0.dist-info" / "entry_points.txt", "[proctor.agents]\nevil = os:getcwd\n")
    start = write(
        tmp_path / "mine.py",
        "from importlib.metadata import entry_points\n"
        "names = {one.name for one in entry_points(group='proctor.agents')}\n",
    )
    names = load_module(start).names
    assert "clerk" in names and "evil" not in names


def test_packages_installed_below_a_folder_stay_as_they_are(tmp_path: Path) -> None:
    installed = tmp_path / "env" / "packages"
    byte_code(installed / "compiled_only.pyc", "value = 1\n")
    sys.path.append(str(installed))
    try:
        load_module(write(tmp_path / "mine.py", "import json\n"))
        # Which folders are installed is seen when the first file is loaded; this process has loaded others before.
        sources = sys.modules["proctor.plugins.own_sources"]
        sources._here.installed.append(os.path.realpath(installed))
        sys.path_importer_cache.pop(str(installed), None)
        assert importlib.import_module("compiled_only").value == 1
    finally:
        sys.path.remove(str(installed))
        sources._here.installed.remove(os.path.realpath(installed))


def test_only_what_is_approved_is_loaded(tmp_path: Path) -> None:
    start = write(tmp_path / "mine.py", "import helper\nvalue = helper.value\n")
    write(tmp_path / "helper.py", "value = 1\n")
    approve_only(pinning(tmp_path, "mine.py", "helper.py"))
    assert approved() is not None
    assert load_module(start).value == 1
    write(tmp_path / "helper.py", "raise SystemExit('it ran')\n")
    with pytest.raises(InputError, match=r"mine.py is not loaded: .*\(source.helper.py .* → .*govern propose"):
        load_module(start)
    with pytest.raises(InputError, match=r"new.py is not loaded: .*nobody approved.*\(source.new.py added"):
        load_module(write(tmp_path / "new.py", "raise SystemExit('it ran')\n"))
    with pytest.raises(InputError, match=r"source.elsewhere/mine.py added"):
        load_module(write(tmp_path / "elsewhere" / "mine.py", start.read_text()))


def test_an_import_that_reading_does_not_find_is_refused_by_its_bytes(tmp_path: Path) -> None:
    hidden = "from importlib import import_module\nimport_module('hel' + 'per')\n"
    start = write(tmp_path / "mine.py", hidden)
    write(tmp_path / "helper.py", "raise SystemExit('it ran')\n")
    approve_only(pinning(tmp_path, "mine.py"))
    with pytest.raises(InputError, match=r"source.helper.py added"):
        load_module(start)
    approve_only(None)
    write(tmp_path / "helper.py", "value = 1\n")
    load_module(start)
    assert sorted(files_behind(["mine.py"], "desk@1.0", tmp_path)) == ["helper.py", "mine.py"]


def test_what_was_loaded_before_has_to_be_approved_as_it_was(tmp_path: Path) -> None:
    start = write(tmp_path / "mine.py", "value = 1\n")
    load_module(start)
    write(start, "value = 2\n")
    approve_only(pinning(tmp_path, "mine.py"))
    with pytest.raises(InputError, match=r"source.mine.py"):
        load_module(start)


def test_what_was_compiled_counts_as_it_was_then(tmp_path: Path) -> None:
    start = write(tmp_path / "mine.py", "value = 1\n")
    digest = file_hash(start)
    load_module(start)
    write(start, "value = 2\n")
    assert files_behind(["mine.py:family", "track", "scenarios#cases.yaml"], "", tmp_path) == {"mine.py": digest}


def test_files_are_looked_at_where_they_lie_even_outside_the_project(tmp_path: Path) -> None:
    project, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    project.mkdir()
    elsewhere.mkdir()
    start = write(elsewhere / "mine.py", "import helper\n")
    helper = write(elsewhere / "helper.py", "value = 1\n")
    load_module(start)
    before = files_behind([str(start)], "", project)
    assert sorted(before) == ["helper.py", "mine.py"]
    assert files_now([str(start)], "", project) == before
    write(helper, "value = 2\n")
    assert files_now([str(start)], "", project) == before | {"helper.py": file_hash(helper)}
    start.unlink()
    assert files_now([str(start)], "", project) == {"helper.py": file_hash(helper)}

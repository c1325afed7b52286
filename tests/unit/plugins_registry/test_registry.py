"""The door for plugins: found by name, loaded when used, and a broken one costs one sentence."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from pathlib import Path

import pytest

from proctor.core.errors import InputError
from proctor.plugins import registry
from proctor.plugins.files import load_module


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A plugin package with a family and several ways to be broken."""
    (tmp_path / "plug_good.py").write_text("family = object()\nprint('imported', flush=True)\n")
    (tmp_path / "plug_broken.py").write_text("raise RuntimeError('first line\\nsecond line')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    points = {
        name: EntryPoint(name, value, "proctor.families")
        for name, value in {
            "good": "plug_good:family",
            "broken": "plug_broken:family",
            "missing": "plug_nowhere:family",
            "unnamed": "plug_good:families",
        }.items()
    }
    monkeypatch.setattr(registry, "_points", lambda group: points)
    yield tmp_path
    for name in ("plug_good", "plug_broken"):
        sys.modules.pop(name, None)


def test_names_are_listed_without_importing(installed: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert registry.names("families") == ["good", "broken", "missing", "unnamed"]
    assert "imported" not in capfd.readouterr().out
    assert registry.load("families", "good") is sys.modules["plug_good"].family
    assert "imported" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("name", "saying"),
    [
        (
            "broken",
            "cannot be loaded (RuntimeError: first line second line at plug_broken.py:1 in <module>); reinstall or fix",
        ),
        ("missing", "cannot be loaded (ModuleNotFoundError: No module named 'plug_nowhere')"),
        ("unnamed", "cannot be loaded (AttributeError:"),
        ("goood", "no family is called 'goood'; did you mean 'good'?"),
        ("zzz", "no family is called 'zzz'; there are: good, broken, missing, unnamed"),
    ],
)
def test_what_cannot_be_loaded_is_one_sentence(installed: Path, name: str, saying: str) -> None:
    with pytest.raises(InputError) as caught:
        registry.load("families", name)
    assert saying in str(caught.value)
    assert "\n" not in str(caught.value)


def test_our_own_come_in_by_the_same_door() -> None:
    assert {"oracle", "null", "random", "clerk"} <= set(registry.names("agents"))
    assert {"extract", "track"} <= set(registry.names("families"))
    assert "hello" in registry.names("suites")
    assert "rates" in registry.names("instruments")
    assert registry.names("agents") == sorted(registry.names("agents"))


def test_an_empty_group_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_points", lambda group: {})
    with pytest.raises(InputError, match="no suite is called 'x'; there are: none installed"):
        registry.load("suites", "x")


def test_a_plugin_cannot_take_the_name_of_a_builtin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose an entry point is, its distribution says: a plug-in may name a module of ours."""
    ours = next(point for point in entry_points(group="proctor.agents") if point.name == "clerk")
    theirs = EntryPoint("clerk", "proctor.agents.null:kind", "proctor.agents")
    extra = EntryPoint("docker", "somewhere:kind", "proctor.agents")
    for order in ((ours, theirs, extra), (theirs, extra, ours)):
        monkeypatch.setattr(registry, "_installed", lambda order=order: EntryPoints(order))
        registry._points.cache_clear()
        try:
            assert registry.names("agents") == ["clerk", "docker"]
            assert registry.load("agents", "clerk").name == "clerk"
        finally:
            registry._points.cache_clear()


# Files.


def test_a_file_is_imported_once_and_its_folder_is_not_left_on_the_path(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("value = 41\n")
    (tmp_path / "mine.py").write_text("import helper\nvalue = helper.value + 1\ncount = []\n")
    before = list(sys.path)
    module = load_module(tmp_path / "mine.py")
    assert module.value == 42
    assert sys.path == before
    module.count.append(1)
    assert load_module(tmp_path / "." / "mine.py") is module
    sys.modules.pop("helper")


def test_files_of_one_name_are_kept_apart(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "mine.py").write_text(f"where = {name!r}\n")
    assert [load_module(tmp_path / name / "mine.py").where for name in ("a", "b")] == ["a", "b"]


def test_a_file_that_failed_can_be_mended(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("1 / 0\n")
    with pytest.raises(InputError, match="ZeroDivisionError"):
        load_module(path)
    path.write_text("value = 1\n")
    assert load_module(path).value == 1


def test_what_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        load_module(tmp_path / "none.py")
    (tmp_path / "text.txt").write_text("value = 1\n")
    with pytest.raises(InputError, match="not a Python file"):
        load_module(tmp_path / "text.txt")

"""The page on suites shows how to publish one: what it shows is installed here as pip would leave it."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest
from tests.e2e.test_docs import DOCS, blocks
from tests.unit.instruments.test_plugin_metric import forget

from proctor.engine.names import load_suite
from proctor.plugins import registry

PAGE = DOCS / "how-to" / "your-suite.md"


def test_a_suite_in_a_package_is_found_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = {block.file: block.text for block in blocks(PAGE) if block.file is not None}
    project = tomllib.loads(shown["pyproject.toml"])
    (tmp_path / "night_shift").mkdir()
    for name in ("night_shift/__init__.py", "night_shift/suite.yaml"):
        (tmp_path / name).write_text(shown[name])
    assert project["tool"]["setuptools"]["package-data"] == {"night_shift": ["suite.yaml"]}
    (points,) = project["project"]["entry-points"].items()
    info = tmp_path / "night_shift-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: night-shift\nVersion: 1.0\n")
    lines = "".join(f"{name} = {value}\n" for name, value in points[1].items())
    (info / "entry_points.txt").write_text(f"[{points[0]}]\n{lines}")
    monkeypatch.syspath_prepend(tmp_path)
    forget()
    try:
        assert "night-shift" in registry.names("suites")
        suite = load_suite("night-shift@1.0", tmp_path / "elsewhere")
        assert [entry.family for entry in suite.entries] == ["pipeline", "route"]
    finally:
        monkeypatch.undo()
        sys.modules.pop("night_shift", None)
        forget()

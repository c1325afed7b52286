"""The package in `tests/plugin_package`, installed as pip would leave it: its modules and its entry points.

Written by hand, so that it needs no network and no build tools: what Proctor sees of a package is `entry_points.txt`.
"""

from __future__ import annotations

import os
import shutil
import tomllib
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "plugin_package"


def declared() -> dict[str, dict[str, str]]:
    """The entry points of the package, by group."""
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups: dict[str, dict[str, str]] = project["entry-points"]
    return groups


def install(folder: Path, more: dict[str, dict[str, str]] | None = None) -> dict[str, str]:
    """Install it into a folder; gives the environment in which it is there. `more` adds entry points."""
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name, version = project["name"], project["version"]
    shutil.copytree(PACKAGE / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    metadata = folder / f"{name}-{version}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8")
    (metadata / "RECORD").write_text("", encoding="utf-8")
    groups = {group: {**points, **(more or {}).get(group, {})} for group, points in declared().items()}
    lines = [
        line
        for group, points in groups.items()
        for line in (f"[{group}]", *(f"{key} = {value}" for key, value in points.items()), "")
    ]
    (metadata / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
    return {"PYTHONPATH": os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))}

"""What of a Python environment an agent must not see, and where its packages are.

A sandbox shows /usr, an interpreter and its virtual environment: those that run the bench, or others. Somewhere in
them may be Proctor itself, packages that bring families, suites or instruments, and even the user's project
(`/usr/src/app`): these places are covered with nothing. Everything else that is installed can be imported.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Final

from proctor.worlds.interpreter import ShownPython, running_python

_OURS: Final = "proctor"
_SECRET_GROUPS: Final = frozenset({"proctor.families", "proctor.suites", "proctor.instruments"})
_SITE_NAMES: Final = frozenset({"site-packages", "dist-packages"})
# Below a prefix, and below its `lib`.
_SITE_PATTERNS: Final = ("lib/python3*/*-packages", "local/lib/python3*/*-packages", "python3*/*-packages")


@cache
def site_folders() -> tuple[Path, ...]:
    """Where installed packages are imported from in this process."""
    return tuple(Path(entry) for entry in sys.path if Path(entry).name in _SITE_NAMES and Path(entry).is_dir())


@cache
def hidden_packages(python: ShownPython | None = None) -> frozenset[str]:
    """Top-level names of installed packages that agents must not see."""
    return frozenset(name for folder in _all_site_folders(python) for name in _secret_names(folder))


def hidden_paths(project: Path, python: ShownPython | None = None) -> tuple[Path, ...]:
    """Every file and folder of the host that must not be seen, wherever a sandbox would show it."""
    source = Path(__file__).resolve().parents[2]
    return (*_installed_secrets(python), source, project.resolve())


def views(path: Path, python: ShownPython | None = None) -> list[str]:
    """Where a sandbox that shows a Python (default: the running one) would show a place of the host; often nowhere."""
    visible = []
    for host, virtual in _shown_roots(python):
        if path.is_relative_to(host) and path != host:
            visible.append(str(Path(virtual) / path.relative_to(host)))
    return sorted(set(visible))


@cache
def _shown_roots(python: ShownPython | None) -> tuple[tuple[Path, str], ...]:
    roots = [(Path("/usr"), "/usr"), *(python or running_python(packages=True)).folders]
    for folder in ("/bin", "/sbin", "/lib", "/lib64"):
        if os.path.isdir(folder) and not os.path.islink(folder):
            roots.append((Path(folder), folder))
    return tuple(roots)


@cache
def _all_site_folders(python: ShownPython | None) -> tuple[Path, ...]:
    """Every folder of packages that a sandbox shows, and those of this process where it shows the running Python."""
    folders = {folder.resolve() for folder in site_folders()} if python is None else set[Path]()
    for root, _ in _shown_roots(python):
        for pattern in _SITE_PATTERNS:
            folders.update(path.resolve() for path in root.glob(pattern) if path.name in _SITE_NAMES)
    return tuple(sorted(folders))


@cache
def _installed_secrets(python: ShownPython | None) -> tuple[Path, ...]:
    return tuple(path for folder in _all_site_folders(python) for path in _secrets_in(folder))


def _secrets_in(folder: Path) -> Iterator[Path]:
    names = _secret_names(folder)
    for entry in sorted((*folder.iterdir(), *folder.glob("__pycache__/*"))):
        stem = entry.name.partition(".")[0].partition("-")[0].lower().replace("-", "_")
        ours = _OURS in entry.name.lower() and entry.suffix in (".pth", ".egg-link", ".py")
        if stem in names or ours:
            yield entry


@cache
def _secret_names(folder: Path) -> frozenset[str]:
    """Names of packages, and of the distributions they come from, that bring what agents must not see."""
    names = {_OURS}
    for distribution in distributions(path=[str(folder)]):
        if any(point.group in _SECRET_GROUPS for point in distribution.entry_points):
            names.update(_top_level(distribution))
    return frozenset(names)


def _top_level(distribution: Distribution) -> Iterator[str]:
    name = distribution.metadata["Name"]
    if name:
        yield name.lower().replace("-", "_").replace(".", "_")
    for point in distribution.entry_points:
        if point.group in _SECRET_GROUPS:
            yield point.value.partition(":")[0].partition(".")[0]

"""Which files of a project importing one of them may run: found by reading them, never by running them.

It is what a file imports from its own folder, and whatever lies there under the name of a module that Python or Proctor
needs: nothing of it would be loaded in its place, and it is nobody's honest helper.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

DIGITS = 16
"""So much of a file's digest is pinned."""
_TAKEN = (sys.stdlib_module_names - {"test"}) | {
    "annotated_types",
    "anyio",
    "click",
    "cryptography",
    "httpx",
    "jsonschema",
    "msgspec",
    "numpy",
    "proctor",
    "pydantic",
    "pydantic_core",
    "rich",
    "scipy",
    "typer",
    "typing_extensions",
    "yaml",
    "zstandard",
}
"""Names of modules that Python or Proctor mean something else by than a file of the project's."""


def source_closure(start: Path) -> list[Path]:
    """A file and everything of its own folder that importing it may run, sorted."""
    home = start.resolve().parent
    waiting = [start.resolve(), *_shadowing(home)]
    found: set[Path] = set()
    while waiting:
        file = waiting.pop()
        if file in found or not file.is_file():
            continue
        found.add(file)
        for name in _imported(file):
            waiting += _files_of(name, home)
    return sorted(found)


def name_in(file: Path, folder: Path) -> str:
    """By which name a file is pinned: its path within the project, or its bare name where it lies elsewhere."""
    home = folder.resolve()
    return file.relative_to(home).as_posix() if file.is_relative_to(home) else file.name


def _imported(file: Path) -> Iterator[str]:
    """Names of the top-level modules that a file imports, wherever in it."""
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):
        # It cannot be loaded either, and whoever tries says where it is wrong.
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def _files_of(name: str, home: Path) -> list[Path]:
    """The files behind a module of a folder: one, or every one of a package."""
    package = home / name
    return [home / f"{name}.py", *(sorted(package.rglob("*.py")) if package.is_dir() else ())]


def _shadowing(home: Path) -> list[Path]:
    """What lies in a folder under the name of a module that Python or Proctor needs."""
    names = {path.stem for path in home.glob("*.py")} | {path.parent.name for path in home.glob("*/*.py")}
    return [file for name in sorted(names & _TAKEN) for file in _files_of(name, home)]

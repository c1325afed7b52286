"""The code that makes and judges scenarios, pinned: which files a suite's families are, by content.

A family in a file of the project is Python that runs in the bench's own process. Whoever can change it can change what
is judged right, so it is governed like the oracle: each of its files is an entry `source.PATH` of the charter, and a
changed one is refused before it is loaded. Files are found by reading, never by running them: what a file imports from
its own folder, and whatever lies there under the name of a module that Python or Proctor needs, since that would be
loaded in its place. Installed packages other than Proctor are pinned as a whole. Data that a family reads is pinned by
what becomes of it: the scenarios.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from proctor.core.hashing import file_hash
from proctor.plugins import registry
from proctor.plugins.sources import OWN, module_digest

DIGITS = 16
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
"""Names under which a file in a family's folder would be loaded in place of what Python or Proctor mean by them."""


def pinned_sources(references: Iterable[str], folder: Path) -> dict[str, str]:
    """Name of each source file or package behind these families → beginning of its digest; nothing is imported."""
    pinned: dict[str, str] = {}
    for reference in sorted(set(references)):
        path = reference.partition("#")[0].partition(":")[0]
        if path.endswith(".py"):
            for file in source_closure(folder / path):
                pinned[_name(file, folder)] = file_hash(file)[:DIGITS]
        else:
            module = registry.module_of("families", path.partition("@")[0])
            package = module.partition(".")[0]
            if package and package != OWN:
                pinned[package] = module_digest(module)[:DIGITS]
    return pinned


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


def _name(file: Path, folder: Path) -> str:
    home = folder.resolve()
    return file.relative_to(home).as_posix() if file.is_relative_to(home) else file.name

"""Digests of source code: which code did something. Recorded beside results; no identity depends on them.

A module's sources are its own folder, and every module of the given packages that it imports in the end, with the data
files beside those. What is imported under a name made at run time is not seen, unless it lies in the module's folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from proctor.core.hashing import content_hash, file_hash, tree_hash

OWN = "proctor"
"""The package whose code every plug-in builds on."""
SUFFIXES = frozenset({".py", ".yaml", ".yml", ".json", ".txt"})
_DATA = SUFFIXES - {".py"}
_WRITTEN = frozenset({"probes.lock"})
"""What is written about the sources is none of them."""
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]*)|import[ \t]+([\w., \t]+))", re.M
)


@cache
def package_digest(package: str = OWN) -> str:
    """SHA-256 over all source and data files of an installed package; of nothing where it has no files."""
    folder = package_folder(package)
    if folder is None or not folder.is_dir():
        return content_hash([])
    return tree_hash(folder, suffixes=SUFFIXES if package == OWN else None, without=_WRITTEN)


@cache
def package_folder(package: str) -> Path | None:
    """Where a top-level package lies; None for a single-file or built-in module. Nothing is imported for it."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))


@cache
def module_digest(*modules: str) -> str:
    """SHA-256 over the sources of these modules; empty where there are no files to go by.

    Of Proctor's own it is their folders and what they import in the end. Of another package it is every file, since
    nobody knows how that package finds its data, with what its modules import of Proctor.
    """
    packages = sorted({module.partition(".")[0] for module in modules} - {OWN})
    folders = [package_folder(package) for package in packages]
    if any(folder is None or not folder.is_dir() for folder in folders):
        return ""
    files = source_files(modules)
    listed = [[name, _file_digest(path)] for name, path in sorted(files.items())]
    whole = [
        [name, tree_hash(folder, without=_WRITTEN)]
        for name, folder in zip(packages, folders, strict=True)
        if folder is not None
    ]
    return content_hash([*listed, *whole] if packages else listed)


def source_files(modules: Iterable[str]) -> dict[str, Path]:
    """The files behind these modules, by a name that does not depend on where packages are installed."""
    packages = frozenset({OWN, *(module.partition(".")[0] for module in modules)})
    files: dict[str, Path] = {}
    waiting = [module for module in modules if _file_of(module) is not None]
    for module in list(waiting):
        waiting += _below(module)
    seen: set[str] = set()
    while waiting:
        module = waiting.pop()
        path = _file_of(module)
        if module in seen or path is None:
            continue
        seen.add(module)
        files[module] = path
        files |= {f"{module}:{data.name}": data for data in _data_beside(path)}
        waiting += _imported(module, path, packages)
    return files


def _below(module: str) -> list[str]:
    """Every module in the folder of a module, since some are imported by names made at run time."""
    path = _file_of(module)
    if path is not None and path.name != "__init__.py":
        module = module.rpartition(".")[0]
    if path is None or not module:
        return []
    names = []
    for file in path.parent.rglob("*.py"):
        parts = list(file.relative_to(path.parent).with_suffix("").parts)
        names.append(".".join([module, *(parts[:-1] if parts[-1] == "__init__" else parts)]))
    return sorted(names)


@cache
def _data_beside(path: Path) -> tuple[Path, ...]:
    return tuple(sorted(file for file in path.parent.iterdir() if file.suffix in _DATA and file.is_file()))


@cache
def _imported(module: str, path: Path, packages: frozenset[str]) -> tuple[str, ...]:
    """Modules of these packages that a file imports; some may be names within a module, which have no file."""
    names: set[str] = set()
    for source, imported, plain in _IMPORT.findall(path.read_text(encoding="utf-8")):
        if plain:
            names |= {name.split(" ")[0].strip() for name in plain.split(",")}
            continue
        base = _absolute(source, module, path)
        names.add(base)
        names |= {f"{base}.{name.split(' ')[0]}" for name in re.findall(r"\w[\w ]*", imported)}
    within = {name for name in names if name.partition(".")[0] in packages}
    # Importing a module runs the packages it lies in.
    return tuple(sorted(within | {parent for name in within for parent in _parents(name)}))


def _absolute(source: str, module: str, path: Path) -> str:
    """`from ..words import x` by its whole name."""
    dots = len(source) - len(source.lstrip("."))
    if not dots:
        return source
    parts = module.split(".")
    home = parts[: len(parts) - dots + (path.name == "__init__.py")]
    return ".".join([*home, source.lstrip(".")]).rstrip(".")


def _parents(module: str) -> Iterator[str]:
    parts = module.split(".")
    for length in range(2, len(parts)):
        yield ".".join(parts[:length])


@cache
def _file_of(module: str) -> Path | None:
    package, _, rest = module.partition(".")
    folder = package_folder(package)
    if folder is None:
        spec = find_spec(package) if not rest else None
        return Path(spec.origin) if spec is not None and spec.has_location and spec.origin else None
    path = folder.joinpath(*rest.split(".")) if rest else folder
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if (rest or file.name == "__init__.py") and file.is_file():
            return file
    return None


@cache
def _file_digest(path: Path) -> str:
    return file_hash(path)

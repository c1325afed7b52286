"""What identifies a family's source: its own files, and the modules beside it that they import.

Families of one package share grammars and helpers. An edit there changes their tasks as much as one in their own
folder, so it changes their hash too. What comes from Proctor's core, or from another distribution, is not theirs.
"""

from __future__ import annotations

import inspect
import re
from functools import lru_cache
from pathlib import Path

from proctor.core.hashing import content_hash, file_hash, tree_hash
from proctor.engine.family import Family

_SOURCE = frozenset({".py", ".yaml", ".json", ".txt"})
_BUILT_IN = "proctor.suites"
_IMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+import\s+(\([^)]*\)|[^\n#]*)|import\s+([\w.]+))", re.MULTILINE)


def family_source(family: Family) -> Path:
    """The file or package folder whose content identifies the family."""
    source = Path(inspect.getfile(type(family)))
    return source.parent if (source.parent / "__init__.py").exists() else source


def source_hash(family: Family) -> str:
    """SHA-256 over the family's own files and everything of its package that they import."""
    own = family_source(family)
    shared = shared_sources(family)
    if not shared:
        return tree_hash(own, suffixes=_SOURCE)
    return content_hash([tree_hash(own, suffixes=_SOURCE), [[name, file_hash(path)] for name, path in shared]])


def shared_sources(family: Family) -> list[tuple[str, Path]]:
    """(module, file) of every module of the family's package, outside its folder, that it imports in the end."""
    module = type(family).__module__
    package = _BUILT_IN if module.startswith(f"{_BUILT_IN}.") else module.partition(".")[0]
    own = family_source(family)
    if "." not in module or own.is_file():
        return []
    depth = module.count(".") - package.count(".")
    home = Path(inspect.getfile(type(family))).parents[depth - 1]
    waiting = [path for path in sorted(own.rglob("*.py")) if "__pycache__" not in path.parts]
    seen = set(waiting)
    found: dict[str, Path] = {}
    while waiting:
        for name in _imported(waiting.pop(), package):
            path = _file_of(home, name.removeprefix(package).lstrip("."))
            if path is not None and path not in seen:
                seen.add(path)
                waiting.append(path)
                found[name] = path
    return sorted(found.items())


@lru_cache(maxsize=4096)
def _imported(path: Path, package: str) -> tuple[str, ...]:
    """Names of modules of this package that a file mentions in its imports; some may be names within a module."""
    names: set[str] = set()
    for source, imported, plain in _IMPORT.findall(path.read_text(encoding="utf-8")):
        base = source or plain
        if base == package or base.startswith(f"{package}."):
            names.add(base)
            names |= {f"{base}.{name.split(' ')[0]}" for name in re.findall(r"\w[\w ]*", imported)}
    return tuple(sorted(names))


def _file_of(home: Path, dotted: str) -> Path | None:
    if not dotted:
        return None
    path = home.joinpath(*dotted.split("."))
    module = path.with_suffix(".py")
    if module.is_file():
        return module
    init = path / "__init__.py"
    return init if init.is_file() else None

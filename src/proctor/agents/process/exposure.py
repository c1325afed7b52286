"""What an agent may see of the user's files: only what its agent string names, read-only, below `/agent`.

A project folder holds what an agent must never see (`.proctor`, `proctor.yaml`, rules, suites, families, scenarios with
their oracle), so it is never shown as a whole; a folder that is shown is looked through first, and refused if it holds
such things.
"""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

from proctor.agents.process.own_files import is_covered
from proctor.core.errors import InputError

AGENT: Final = "/agent"
_MAX_ENTRIES: Final = 20_000
_MAX_LOOK: Final = 256 * 1024
_MAX_SCENARIOS: Final = 64 * 1024 * 1024
_PRIVATE: Final = frozenset(
    {".proctor", "proctor.yaml", "proctor.yml", "proctor.rules.yaml", "proctor.baseline", "proctor.keys"}
)
_SUITE: Final = re.compile(rb"""^[\s{]*["']?entries["']?\s*:.*?\bfamily\b""", re.MULTILINE | re.DOTALL)
_SCENARIO_KEYS: Final = tuple(
    re.compile(rb"""["']?\b%s\b["']?\s*:""" % key) for key in (b"expected", b"provenance", b"coordinate")
)
"""What every scenario has: whoever may read them may read the oracle."""
_TEXT: Final = frozenset({"", ".json", ".jsonl", ".md", ".txt", ".yaml", ".yml"})
_FAMILY: Final = re.compile(rb"\b(FamilySpec|proctor\.engine|proctor\.suites)\b")


class ExposedPath(Struct, frozen=True):
    """A file or folder of the host and where the agent sees it."""

    host: Path
    virtual: str
    executable: bool = False


def expose(path: Path, root: Path, project: Path, *, executable: bool = False) -> ExposedPath:
    """A named path, refused if it is or holds something of the project that agents must not see.

    Below `root` the agent sees it at the same place below `/agent`; from elsewhere by its name alone.
    """
    plain = Path(os.path.normpath(root / path))
    real = plain.resolve()
    if not real.exists():
        message = f"there is no '{path}' in {root}; the agent string names it"
        raise InputError(message)
    if not real.is_file() and not real.is_dir():
        message = f"'{path}' is a pipe or a device; name a file or a folder in the agent string"
        raise InputError(message)
    _refuse(path, _private(real, project.resolve()))
    relative = plain.relative_to(root) if plain.is_relative_to(root) else Path(plain.name)
    return ExposedPath(real, f"{AGENT}/{relative}" if relative.parts else AGENT, executable)


def expose_covered(folder: ExposedPath, name: str, project: Path) -> ExposedPath:
    """What is covered in a shown folder, to be shown after all; refused for the same reasons as anything else."""
    host = folder.host / name
    _refuse(host, _private(host, project.resolve()))
    return ExposedPath(host, f"{folder.virtual}/{name}")


def _refuse(path: Path, reason: str | None) -> None:
    if reason is not None:
        message = f"an agent may not be shown '{path}': {reason}; keep the agent's files apart and name only those"
        raise InputError(message)


@cache
def _private(real: Path, project: Path) -> str | None:
    """What stands against showing this path, or None."""
    if any(part in _PRIVATE for part in real.parts):
        return "it belongs to Proctor's own files"
    proctor = Path(__file__).resolve().parents[2]
    if real.is_relative_to(proctor) or proctor.is_relative_to(real):
        return "it holds Proctor itself"
    if project.is_relative_to(real):
        return "it holds the whole project"
    if real.is_file():
        return _speaks_of(real)
    entries = 0
    for parent, folders, files in os.walk(real):
        for name in (*folders, *files):
            if name in _PRIVATE:
                return f"it holds '{name}'"
        folders[:] = [name for name in folders if not is_covered(Path(parent, name))]
        entries += len(folders) + len(files)
        if entries > _MAX_ENTRIES:
            return f"it holds more than {_MAX_ENTRIES:,} files"
        for name in files:
            reason = _speaks_of(Path(parent, name))
            if reason is not None:
                return f"in '{name}', {reason}"
    return None


def _speaks_of(file: Path) -> str | None:
    """What a single file is that an agent must not see, or None."""
    if file.suffix in _TEXT and file.is_file() and _holds_scenarios(file):
        return "there are scenarios with their oracle"
    pattern = {".py": _FAMILY, ".yaml": _SUITE, ".yml": _SUITE, ".json": _SUITE}.get(file.suffix)
    if pattern is None or not file.is_file():
        return None
    with open(file, "rb") as handle:
        if pattern.search(handle.read(_MAX_LOOK)) is None:
            return None
    return "there is the code of a family" if file.suffix == ".py" else "there is a suite"


def _holds_scenarios(file: Path) -> bool:
    """Whether a file has scenarios in it, under whatever name it was copied."""
    if file.stat().st_size > _MAX_SCENARIOS:
        return False
    data = file.read_bytes()
    return all(key.search(data) is not None for key in _SCENARIO_KEYS)

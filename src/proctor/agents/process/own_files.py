"""What of a folder that an agent is shown counts as the agent, and what neither counts nor is shown.

Whatever an agent can read decides what it does, so the two have to be one list: every file counts, dot files too, and
so do links by where they lead and folders with nothing in them by their names. Version control, byte code, caches of
tools and virtual environments change without the agent changing, and can be huge: they are covered with nothing.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from msgspec import Struct

from proctor.core.errors import InputError
from proctor.core.hashing import content_hash, file_hash, tree_hash

_COVERED: Final = frozenset({".git", ".proctor", "__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache"})
_ENVIRONMENT: Final = "pyvenv.cfg"
"""What makes a folder a virtual environment, whatever its name; without it, `.venv` is a folder like any other."""
_USUAL: Final = frozenset({".venv", "venv"})


class OwnFiles(Struct, frozen=True):
    """A folder looked through, by relative paths."""

    entries: tuple[tuple[str, str], ...]
    """What counts, and what it is: `file`, `link`, `special`, an empty `folder`, or an `environment`."""
    covered: tuple[str, ...]
    """Folders that neither count nor are shown."""


def is_covered(folder: Path) -> bool:
    """Whether a folder below one that is shown neither counts nor is shown. A link is none: it counts as a link."""
    covered = folder.name in _COVERED or os.path.lexists(folder / _ENVIRONMENT)
    return covered and folder.is_dir() and not folder.is_symlink()


def look_through(root: Path) -> OwnFiles:
    """Everything below a folder. Links are not followed."""
    entries: list[tuple[str, str]] = []
    covered: list[str] = []
    waiting = [""]
    while waiting:
        below = waiting.pop()
        empty = True
        for entry in _listed(root / below):
            name = f"{below}/{entry.name}" if below else entry.name
            if entry.is_symlink() or not entry.is_dir(follow_symlinks=False):
                entries.append((name, _what(entry)))
            elif not is_covered(Path(entry.path)):
                waiting.append(name)
            else:
                covered.append(name)
                if entry.name in _COVERED | _USUAL:
                    continue
                # Its name can be anything, and can be seen where the folder around it is listed.
                entries.append((name, "environment"))
            empty = False
        if empty and below:
            entries.append((below, "folder"))
    return OwnFiles(tuple(sorted(entries, key=lambda entry: entry[0].split("/"))), tuple(sorted(covered)))


def covered_in(shown: Path) -> tuple[str, ...]:
    """Which folders below a shown file or folder are not to be seen."""
    return look_through(shown).covered if shown.is_dir() else ()


def own_hash(shown: Path) -> str:
    """SHA-256 over everything that counts of a file or folder: of plain files alone, what `tree_hash` gives."""
    held = own_entries(shown)
    return held if isinstance(held, str) else content_hash(held)


def own_entries(shown: Path) -> str | list[list[str]]:
    """Everything that counts of a folder, with its digest; of a file its digest alone."""
    if not shown.is_dir():
        return tree_hash(shown)
    return [_counted(shown / name, name, what) for name, what in look_through(shown).entries]


def _listed(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except PermissionError:
        message = f"{folder}: cannot be read, so what the agent is cannot be said; give yourself the right to read it"
        raise InputError(message) from None


def _what(entry: os.DirEntry[str]) -> str:
    if entry.is_symlink():
        return "link"
    return "file" if entry.is_file(follow_symlinks=False) else "special"


def _counted(path: Path, name: str, what: str) -> list[str]:
    if what == "file":
        return [name, file_hash(path)]
    if what == "link":
        # In a sandbox it leads elsewhere than here or nowhere; an agent can read where it says that it leads.
        return [name, file_hash(path) if path.is_file() else "", what, os.readlink(path)]
    return [name, "", what]

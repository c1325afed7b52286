"""Folders that only their owner can change, whatever the umask says: what lies in them is trusted later."""

from __future__ import annotations

from pathlib import Path
from typing import Final

READABLE: Final = 0o755
OWN: Final = 0o700


def make_folder(path: Path, *, rights: int = READABLE) -> None:
    """The folder and every missing one above it, each with these rights at most. One that is there stays as it is."""
    missing = [path]
    while not missing[-1].parent.exists() and missing[-1].parent != missing[-1]:
        missing.append(missing[-1].parent)
    for folder in reversed(missing):
        # `mkdir(parents=True)` gives its rights to the last one only.
        folder.mkdir(mode=rights, exist_ok=True)

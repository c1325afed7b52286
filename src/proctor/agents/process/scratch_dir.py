"""A private folder on the host for one lifetime of an agent, gone afterwards whatever was left in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from proctor.worlds.bubblewrap import find_helper


class ScratchDir:
    """Made on first use. Nothing in it is ever followed out of it."""

    def __init__(self) -> None:
        self._path: Path | None = None

    @property
    def path(self) -> Path:
        """Where it is."""
        if self._path is None:
            self._path = Path(tempfile.mkdtemp(prefix="proctor-agent-"))
        return self._path

    def folder(self, name: str) -> Path:
        """A folder in it, made if it is not there."""
        folder = self.path / name
        folder.mkdir(mode=0o755, exist_ok=True)
        return folder

    def close(self) -> None:
        """Remove everything."""
        if self._path is not None:
            remove(self._path)
            self._path = None


def remove(folder: Path) -> None:
    """Remove a tree that a stranger may have made as deep and as unreadable as it could."""
    try:
        shutil.rmtree(folder)
    except (OSError, RecursionError):
        # `rm` goes down without using the stack; before it, the owner gets back the right to look into folders.
        for parent, names, _ in os.walk(folder):
            for name in names:
                if not os.path.islink(path := os.path.join(parent, name)):
                    os.chmod(path, 0o700)
        subprocess.run([find_helper("rm"), "-rf", "--", str(folder)], check=False, capture_output=True, env={})

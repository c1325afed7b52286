"""The git checkout a project lies in: its commit, and tags that date a preregistration for others.

Git is asked, never required: outside a checkout, or where it refuses, there is a sentence instead.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from msgspec import Struct

_SECONDS = 20


class Checkout(Struct, frozen=True):
    """A checkout, or the lack of one."""

    folder: Path
    commit: str | None
    modified: bool | None

    @classmethod
    def at(cls, folder: Path) -> Checkout:
        """The checkout that a folder belongs to."""
        done, commit = _git(folder, "rev-parse", "HEAD")
        if not done:
            return cls(folder, None, None)
        clean, changes = _git(folder, "status", "--porcelain", "--untracked-files=no")
        return cls(folder, commit, bool(changes) if clean else None)

    def tags(self, prefix: str) -> tuple[str, ...]:
        """Tags that begin so."""
        done, names = _git(self.folder, "tag", "--list", f"{prefix}*")
        return tuple(sorted(names.split())) if done else ()

    def tag(self, name: str, message: str) -> str:
        """Tag the commit; one sentence on what became of it."""
        if self.commit is None:
            return "no git tag: this is no git checkout with a commit; publish the digest where its date can be seen"
        done, said = _git(self.folder, "tag", "--annotate", "--no-sign", "-m", message, name)
        if not done:
            return f"no git tag: git refused ({said}); publish the digest where its date can be seen"
        dirty = ", which has changes that are not committed" if self.modified else ""
        return f"git tag {name} on commit {self.commit[:12]}{dirty}; push it, so that others can see its date"


def _git(folder: Path, *arguments: str) -> tuple[bool, str]:
    """(whether it worked, what it printed or why it did not)."""
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments],
            capture_output=True,
            text=True,
            check=False,
            timeout=_SECONDS,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.SubprocessError) as error:
        return False, type(error).__name__
    said = done.stdout.strip() if done.returncode == 0 else " ".join(done.stderr.split())
    return done.returncode == 0, said

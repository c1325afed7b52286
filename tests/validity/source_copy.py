"""A copy of Proctor's sources to edit, and what freezing a run with it comes to.

The copy lies before the installed package on the path of a process of its own, which also has a cache of its own: no
measurement of one copy is ever taken for that of another. Entry points come from the installed package's metadata.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any, NamedTuple

import proctor

REPOSITORY = Path(__file__).parents[2]
SOURCES = Path(proctor.__file__).parent
MAX_SECONDS = 120
"""A process that is not done by then never will be: the edit made something endless."""


class Part(NamedTuple):
    """Some families of a suite; all of them where none are named."""

    suite: str
    only: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        return f"{self.suite} --only {','.join(self.only)}" if self.only else self.suite


class Frozen(NamedTuple):
    """What freezing a part of a suite came to: one of the first three is given."""

    config_hash: str | None = None
    refused: str | None = None
    not_importable: str | None = None
    root: str | None = None
    """Where a run was lived, too."""
    reached: tuple[int, ...] = ()
    """The lines, of those asked for, that were run."""


class SourceCopy:
    """Proctor's sources in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.package = folder / "src" / "proctor"
        shutil.copytree(SOURCES, self.package, ignore=shutil.ignore_patterns("__pycache__"))

    @contextmanager
    def edited(self, file: str, text: str) -> Iterator[None]:
        """This file of the package with another text, for a while."""
        before = self.text(file)
        try:
            self.write(file, text)
            yield
        finally:
            self.write(file, before)

    def text(self, file: str) -> str:
        """What a file of the copy holds now."""
        return (self.package / file).read_text(encoding="utf-8")

    def write(self, file: str, text: str) -> None:
        """Give a file of the copy another text."""
        path = self.package / file
        path.write_text(text, encoding="utf-8")
        # Compiled code is told from old by second and size, which two edits may share.
        Path(cache_from_source(str(path))).unlink(missing_ok=True)

    def freeze(
        self, part: Part, *, lives: bool = False, file: str | None = None, lines: tuple[int, ...] = ()
    ) -> Frozen:
        """Freeze a part of a suite with this copy as it is now; `lives`: run it, too.

        `file` is the one that was edited; `lines` are lines of it of which to say whether they are run, for which the
        families are measured again.
        """
        cache = self._folder / "cache"
        if lines:
            shutil.rmtree(cache, ignore_errors=True)
        asked = {
            "suite": part.suite,
            "only": part.only,
            "lives": lives,
            "module": None if file is None else module_name(file),
            "lines": lines,
        }
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.package.parent),
            "XDG_CACHE_HOME": str(cache),
        }
        command = [sys.executable, "-m", "tests.validity.freezing", json.dumps(asked)]
        try:
            done = subprocess.run(
                command, env=environment, cwd=REPOSITORY, capture_output=True, text=True, timeout=MAX_SECONDS
            )
        except subprocess.TimeoutExpired:
            return Frozen(refused="it does not end")
        if done.returncode != 0:
            return Frozen(refused=done.stderr.strip().rpartition("\n")[2])
        answer: dict[str, Any] = json.loads(done.stdout)
        assert answer.pop("package") == str(self.package), "the copy was not what ran"
        return Frozen(**{**answer, "reached": tuple(answer.get("reached", ()))})


def module_name(file: str) -> str:
    """The module that a file of the package is."""
    parts = ["proctor", *Path(file).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

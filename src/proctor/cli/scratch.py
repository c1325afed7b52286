"""One temporary folder a command, for the worlds and agents of its process and its workers.

It goes when the command ends. What a killed command leaves is removed by the next one: a folder of this name that is
ours and that nobody holds the lock of. The lock says so, not a process number: numbers come again, and containers that
share a folder do not share them.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = "proctor-run-"


@contextmanager
def scratch() -> Iterator[Path]:
    """Everything temporary goes into a folder of its own until this ends. For a process that is all ours."""
    base = Path(tempfile.gettempdir())
    sweep(base)
    # Locked before it has the name that others look for.
    made = Path(tempfile.mkdtemp(prefix=".proctor-"))
    lock = os.open(made, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        folder = made.rename(base / f"{PREFIX}{made.name.rpartition('-')[2]}")
        before, tempfile.tempdir = tempfile.tempdir, str(folder)
        try:
            yield folder
        finally:
            tempfile.tempdir = before
            _remove(folder)
    finally:
        os.close(lock)


def sweep(base: Path) -> None:
    """Remove what commands left that were killed. Follows no link, and touches nothing that is somebody else's."""
    with suppress(OSError), os.scandir(base) as entries:
        left = [entry.name for entry in entries if entry.name.startswith(PREFIX)]
        for name in left:
            with suppress(OSError):
                _remove_left(base / name)


def _remove_left(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        if os.fstat(handle).st_uid != os.geteuid():
            return
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        _remove(folder)
    finally:
        os.close(handle)


def _remove(folder: Path) -> None:
    import shutil

    shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():
        # Strangers make trees that are deep or closed to their owner.
        from proctor.agents.process.scratch_dir import remove

        remove(folder)

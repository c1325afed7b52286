"""The declared memory folder, carried from one process of a lifetime to the next as bytes.

It lives in the agent's working directory. When a process has ended, however it ended, the folder is read, and the next
process finds it as it was. What counts as memory is what plain files and folders hold; links and names that are no
valid text are forgotten, and so is a folder that is larger than the declared disk, all of it.
"""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath
from typing import Final

from proctor.core.errors import InputError
from proctor.spec.system import System
from proctor.worlds.archive import MAX_DEPTH, PlainFile, Tree, pack, unpack
from proctor.worlds.paths import Entry, walk
from proctor.worlds.watch import Limits

NOTHING: Final = pack({})
"""The memory of an agent that remembers nothing."""

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def declared_folder(system: System) -> str | None:
    """The memory folder the system declares, relative to the working directory; None where there is none."""
    memory = system.boundary.memory
    if memory is None or memory.folder is None:
        return None
    folder = PurePosixPath(memory.folder)
    if folder.is_absolute() or ".." in folder.parts or not folder.parts or len(folder.parts) > MAX_DEPTH:
        message = (
            f"boundary.memory.folder '{memory.folder}' is no folder below the agent's working directory; "
            "write a relative path such as 'memory'"
        )
        raise InputError(message)
    return str(folder)


def read_memory(work: int, folder: str, limits: Limits) -> bytes:
    """What the folder holds, given a descriptor of the working directory. The agent's process has ended."""
    try:
        return pack(_tree(work, folder, limits))
    except (OSError, OverflowError):
        return NOTHING


def write_memory(work: Path, folder: str, memory: bytes, limits: Limits) -> None:
    """Put the folder into a working directory that nobody uses yet."""
    root = work / folder
    root.mkdir(parents=True)
    for path, entry in unpack(memory, max_entries=limits.files).tree.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if entry is None:
            target.mkdir(exist_ok=True)
        else:
            target.write_bytes(entry.data)
            target.chmod(0o755 if entry.executable else 0o644)


def _tree(work: int, folder: str, limits: Limits) -> Tree:
    tree: Tree = {}
    left = limits.disk
    descriptor = os.open(".", _FOLDER, dir_fd=work)
    try:
        for part in PurePosixPath(folder).parts:
            inner = os.open(part, _FOLDER, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        for entry in walk(descriptor):
            # Second names and sparse files could make more of the declared size than was ever stored.
            left -= entry.bytes
            if left < 0 or len(tree) >= limits.files:
                raise OverflowError
            if _is_text(entry.path):
                _keep(tree, entry)
    finally:
        os.close(descriptor)
    return tree


def _keep(tree: Tree, entry: Entry) -> None:
    if entry.kind == "directory":
        tree[entry.path] = None
    elif entry.kind == "file":
        with open(os.open(entry.name, _FILE, dir_fd=entry.parent), "rb") as handle:
            tree[entry.path] = PlainFile(handle.read(entry.bytes), entry.executable, entry.modified_ns // 10**9)


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True

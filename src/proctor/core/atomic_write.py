"""Files that appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from proctor.core.errors import InputError

PRIVATE: Final = 0o600
"""The rights of a file that holds evidence, decisions or secrets: its owner's, whatever the umask."""


@contextmanager
def atomic_write(path: Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """A new file that takes the place of `path` once it is complete and on the disk; a refusal is one sentence."""
    part = path.with_name(f".{path.name}.{os.urandom(4).hex()}.part")
    try:
        handle = os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE if private else 0o644)
        with os.fdopen(handle, "w+b") as file:
            if private:
                os.fchmod(file.fileno(), PRIVATE)
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        message = f"{path}: cannot be written ({error.strerror}); check that the folder exists and has space"
        raise InputError(message) from None
    finally:
        part.unlink(missing_ok=True)

"""Files that a person names or somebody else wrote: regular ones alone, read within a bound.

A pipe may never end or never begin, a device gives zeros for ever, and a stranger decides how large a file is.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader, TextIOWrapper
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Final

from proctor.core.errors import InputError

MiB = 1 << 20
DOCUMENT: Final = 64 * MiB
"""What is read at most of a document that has no smaller bound of its own."""
TABLE: Final = 1024 * MiB
"""What a table or a file of records may weigh, of which a line at a time is read."""


def open_file(path: Path) -> BufferedReader:
    """A regular file, opened for reading; `InputError`, one sentence, for anything else. Raises what opening raises.

    Never waits for somebody to write to a pipe, and what was looked at is what is read.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    mode = os.fstat(descriptor).st_mode
    if not S_ISREG(mode):
        os.close(descriptor)
        what = "a folder" if S_ISDIR(mode) else "a pipe or a device"
        message = f"{path}: this is not a file but {what}; give the path of a file"
        raise InputError(message)
    return os.fdopen(descriptor, "rb")


def read_at_most(path: Path, most: int) -> bytes:
    """The content of a file; `InputError`, one sentence, where it is larger or no file. Raises what reading raises.

    Read, not asked for: a file may grow.
    """
    with open_file(path) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise _too_large(path, most)
    return data


def read_text(path: Path, most: int = DOCUMENT) -> str:
    """The same as UTF-8 text."""
    return read_at_most(path, most).decode()


@contextmanager
def open_lines(path: Path, most: int = TABLE, *, newline: str | None = None) -> Iterator[TextIOWrapper]:
    """A file of UTF-8 lines to be read one by one, with or without the mark that spreadsheets begin it with."""
    with open_file(path) as file:
        if os.fstat(file.fileno()).st_size > most:
            raise _too_large(path, most)
        with TextIOWrapper(file, encoding="utf-8-sig", newline=newline) as lines:
            yield lines


def _too_large(path: Path, most: int) -> InputError:
    return InputError(f"{path}: larger than {most // MiB:,} MiB, the most that is read; it is not what it should be")

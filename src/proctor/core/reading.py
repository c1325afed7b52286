"""Files that somebody else may have written, read within a bound: a stranger decides how large they are."""

from __future__ import annotations

from pathlib import Path

from proctor.core.errors import InputError

MiB = 1 << 20


def read_at_most(path: Path, most: int) -> bytes:
    """The content of a file; `InputError`, one sentence, where it is larger. Raises what reading a file raises.

    Read, not asked for: a pipe or a device says that it has no size.
    """
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        message = f"{path}: larger than {most // MiB:,} MiB, the most that is read; it is not what it should be"
        raise InputError(message)
    return data

"""A file from a stranger, read by position."""

from __future__ import annotations

import os
from pathlib import Path
from stat import S_ISREG
from types import TracebackType

from proctor.core.errors import InputError
from proctor.core.texts import shortened
from proctor.evidence.bundle.report import Damage


class Source:
    """A file from a stranger, read by position only, never beyond its size at opening."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else "no file can be called so"
            message = f"{shortened(str(path))}: cannot be opened ({why}); check the path, or export the run again"
            raise InputError(message) from None
        status = os.fstat(self._file)
        if not S_ISREG(status.st_mode):
            os.close(self._file)
            message = f"{path}: this is not a file; give the path of a bundle"
            raise InputError(message)
        self.size = status.st_size

    @classmethod
    def opened(cls, descriptor: int, path: str) -> Source:
        """A file that somebody else opened, and holds."""
        source = cls.__new__(cls)
        source.path = Path(path)
        source._file = descriptor
        source.size = os.fstat(descriptor).st_size
        return source

    @property
    def descriptor(self) -> int:
        """The opened file."""
        return self._file

    def version(self) -> tuple[int, int]:
        """Changes when somebody writes to the file."""
        status = os.fstat(self._file)
        return status.st_size, status.st_mtime_ns

    def read(self, start: int, size: int) -> bytes:
        """Up to that many bytes; fewer where the file ends."""
        pieces: list[bytes] = []
        while size > 0:
            try:
                piece = os.pread(self._file, min(size, 1 << 30), start)
            except OSError as error:
                raise Damage(f"the disk does not give it ({error.strerror})", where=f"byte {start}") from None
            if not piece:
                break
            pieces.append(piece)
            start, size = start + len(piece), size - len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._file)

    def __enter__(self) -> Source:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()

"""Paths that stay inside one directory.

An agent names files by fixed virtual paths (`/task/notes/a.txt`, or relative to `/task`). `Directory` maps them to a
real directory and opens them one part at a time, never through a link, so that neither `..` nor an absolute path nor a
link swapped in between leads out. What is neither a plain file nor a directory is not touched. Refusals are
`ToolError`s that show virtual paths only.
"""

from __future__ import annotations

import errno
import os
import stat
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from proctor.core.errors import ToolError
from proctor.worlds.archive import MAX_DEPTH

Kind = Literal["file", "directory", "other"]

_MAX_PATH: Final = 1024
_MAX_NAME: Final = 200
# Control, format (zero width, right to left), surrogate, line and paragraph separators: nobody sees them in a name.
_INVISIBLE: Final = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
_RESERVED: Final = frozenset((".git", "git~1"))
# What an open meets where something else lies, or was put while one looked.
_IN_THE_WAY: Final = frozenset(
    (errno.ENOTDIR, errno.ELOOP, errno.EISDIR, errno.ENXIO, errno.ENODEV, errno.EEXIST, errno.ENOENT)
)
_DIRECTORY: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE: Final = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


class Entry(Struct, frozen=True):
    """Something found while walking; `parent` is open only until the next step."""

    path: str
    name: str
    parent: int
    kind: Kind
    bytes: int
    executable: bool
    modified_ns: int


def walk(root: Path | int) -> Iterator[Entry]:
    """Everything below a directory, in name order, parents first; links are reported as `other`, never followed.

    Goes down `MAX_DEPTH` levels; what lies deeper is not seen.
    """
    top = os.open(root, _DIRECTORY) if isinstance(root, Path) else os.open(".", _DIRECTORY, dir_fd=root)
    stack: list[tuple[int, str, Iterator[str]]] = [(top, "", iter(sorted(os.listdir(top))))]
    try:
        while stack:
            parent, prefix, names = stack[-1]
            name = next(names, None)
            if name is None:
                os.close(stack.pop()[0])
                continue
            entry = _entry(parent, prefix, name)
            if entry is None:
                continue
            yield entry
            if entry.kind == "directory" and len(stack) < MAX_DEPTH:
                with suppress(FileNotFoundError, NotADirectoryError):
                    child = os.open(name, _DIRECTORY, dir_fd=parent)
                    stack.append((child, f"{entry.path}/", iter(())))
                    stack[-1] = (child, f"{entry.path}/", iter(sorted(os.listdir(child))))
    finally:
        for descriptor, _, _ in stack:
            os.close(descriptor)


def _entry(parent: int, prefix: str, name: str) -> Entry | None:
    try:
        status = os.stat(name, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return None
    return Entry(
        prefix + name,
        name,
        parent,
        _kind(status.st_mode),
        status.st_size if stat.S_ISREG(status.st_mode) else 0,
        bool(status.st_mode & 0o100),
        status.st_mtime_ns,
    )


def _kind(mode: int) -> Kind:
    return "file" if stat.S_ISREG(mode) else "directory" if stat.S_ISDIR(mode) else "other"


def safe_read(root: Path, path: str, *, limit: int) -> bytes | None:
    """For verifiers: the bytes of a plain file, or None where there is none, it is no plain file or is over `limit`."""
    try:
        return Directory(root).read(path, limit=limit)
    except ToolError:
        return None


class Directory:
    """A real directory that is seen as `virtual`.

    `now` gives the modification time, in nanoseconds, of whatever is changed through this object.
    """

    __slots__ = ("_now", "changes", "real", "virtual")

    def __init__(self, real: Path, *, virtual: str = "/task", now: Callable[[], int] = lambda: 0) -> None:
        self.real = real
        self.virtual = virtual
        self._now = now
        self.changes = 0
        """How many times what plain files hold, or where they are, was changed through this object."""

    def parts(self, path: str) -> tuple[str, ...]:
        """The names that lead to `path` from the directory; empty for the directory itself."""
        if not path or len(path) > _MAX_PATH:
            message = "a path needs at least one character" if not path else "this path is too long"
            raise ToolError(message)
        relative = path
        if path.startswith("/"):
            relative = "/" + path.lstrip("/")
            if relative != self.virtual and not relative.startswith(self.virtual + "/"):
                message = f"{_quoted(path)} is outside {self.virtual}; only files below {self.virtual} can be used"
                raise ToolError(message)
            relative = relative[len(self.virtual) :]
        names: list[str] = []
        for name in relative.split("/"):
            if name == "..":
                if not names:
                    message = f"{_quoted(path)} leads out of {self.virtual}"
                    raise ToolError(message)
                names.pop()
            elif name not in ("", "."):
                _check_name(name)
                names.append(name)
        if len(names) > MAX_DEPTH:
            message = f"paths may have at most {MAX_DEPTH} parts"
            raise ToolError(message)
        return tuple(names)

    def shown(self, path: str) -> str:
        """The virtual path, the one way it is written."""
        return "/".join((self.virtual, *self.parts(path)))

    def kind(self, path: str) -> Kind | None:
        """What is there, or None."""
        parts = self.parts(path)
        if not parts:
            return "directory"
        try:
            with self._opened(parts[:-1]) as parent:
                entry = _entry(parent, "", parts[-1])
        except ToolError:
            return None
        return entry.kind if entry else None

    def read(self, path: str, *, limit: int) -> bytes:
        """The bytes of a plain file of at most `limit` bytes."""
        parts = self._file_parts(path)
        with self._opened(parts[:-1]) as parent, self._file(parent, path, parts[-1], os.O_RDONLY) as (descriptor, _):
            if os.fstat(descriptor).st_size > limit:
                message = f"'{self.shown(path)}' has more than {limit} bytes"
                raise ToolError(message)
            pieces = bytearray()
            while len(pieces) <= limit and (piece := os.read(descriptor, min(limit + 1 - len(pieces), 1 << 20))):
                pieces += piece
            return bytes(pieces[:limit])

    def write(self, path: str, data: bytes, *, append: bool = False, executable: bool | None = None) -> None:
        """Put bytes into a plain file, making it and the directories above it where they are missing."""
        parts = self._file_parts(path)
        flags = os.O_RDWR | os.O_CREAT
        with (
            self._opened(parts[:-1], create=True) as parent,
            self._file(parent, path, parts[-1], flags) as (descriptor, new),
        ):
            size = os.fstat(descriptor).st_size
            if append:
                os.lseek(descriptor, 0, os.SEEK_END)
                self.changes += bool(data) or new
            else:
                self.changes += new or size != len(data) or _held(descriptor, size) != data
                os.ftruncate(descriptor, 0)
            view = memoryview(data)
            while view:
                view = view[os.write(descriptor, view) :]
            if executable is not None:
                os.fchmod(descriptor, 0o755 if executable else 0o644)
            self._touch(descriptor)
            self._touch(parent)

    def make(self, path: str) -> None:
        """Make a directory and those above it; one that is there already is fine."""
        with self._opened(self.parts(path), create=True):
            pass

    def delete(self, path: str) -> None:
        """Remove a file of any kind, or an empty directory."""
        parts = self._file_parts(path)
        with self._opened(parts[:-1]) as parent:
            entry = _entry(parent, "", parts[-1])
            if entry is None:
                raise ToolError(self._missing(path))
            try:
                (os.rmdir if entry.kind == "directory" else os.unlink)(parts[-1], dir_fd=parent)
            except OSError as error:
                if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
                    message = f"'{self.shown(path)}' is a directory that is not empty"
                    raise ToolError(message) from None
                raise
            self.changes += entry.kind == "file"
            self._touch(parent)

    def move(self, source: str, target: str) -> None:
        """Rename a file or directory to a place where nothing is yet."""
        old, new = self._file_parts(source), self._file_parts(target)
        if new[: len(old)] == old:
            message = f"'{self.shown(source)}' cannot be moved into itself"
            raise ToolError(message)
        kind = self.kind(source)
        if kind not in ("file", "directory"):
            raise ToolError(self._missing(source))
        if self.kind(target) is not None:
            message = f"'{self.shown(target)}' exists already"
            raise ToolError(message)
        if kind == "directory" and len(new) + self._height(old) > MAX_DEPTH:
            message = f"paths may have at most {MAX_DEPTH} parts"
            raise ToolError(message)
        with self._opened(old[:-1]) as here, self._opened(new[:-1], create=True) as there:
            os.rename(old[-1], new[-1], src_dir_fd=here, dst_dir_fd=there)
            self.changes += kind == "file" or self._holds_files(new)
            self._touch(here)
            self._touch(there)

    def entries(self, path: str) -> list[Entry]:
        """What is directly in a directory, in name order; `path` in each is relative to the whole."""
        parts = self.parts(path)
        prefix = "".join(f"{part}/" for part in parts)
        with self._opened(parts) as descriptor:
            entries = (_entry(descriptor, prefix, name) for name in sorted(os.listdir(descriptor)))
            return [entry for entry in entries if entry is not None]

    def walk(self) -> Iterator[Entry]:
        """Everything below the directory."""
        return walk(self.real)

    def set_modified(self, entry: Entry) -> None:
        """Give a walked entry the modification time of now."""
        moment = self._now()
        os.utime(entry.name, ns=(moment, moment), dir_fd=entry.parent, follow_symlinks=False)

    def _file_parts(self, path: str) -> tuple[str, ...]:
        parts = self.parts(path)
        if not parts:
            message = f"'{self.virtual}' is the working directory itself"
            raise ToolError(message)
        return parts

    def _height(self, parts: tuple[str, ...]) -> int:
        with self._opened(parts) as descriptor:
            return max((entry.path.count("/") + 1 for entry in walk(descriptor)), default=0)

    def _holds_files(self, parts: tuple[str, ...]) -> bool:
        with self._opened(parts) as descriptor:
            return any(entry.kind == "file" for entry in walk(descriptor))

    @contextmanager
    def _opened(self, parts: tuple[str, ...], *, create: bool = False) -> Iterator[int]:
        descriptor = os.open(self.real, _DIRECTORY)
        try:
            for depth, name in enumerate(parts):
                shown = "/".join((self.virtual, *parts[: depth + 1]))
                child = self._step(descriptor, name, shown, create=create)
                os.close(descriptor)
                descriptor = child
            yield descriptor
        finally:
            os.close(descriptor)

    def _step(self, parent: int, name: str, shown: str, *, create: bool) -> int:
        try:
            return os.open(name, _DIRECTORY, dir_fd=parent)
        except FileNotFoundError:
            if not create:
                message = f"there is no directory '{shown}'"
                raise ToolError(message) from None
        except OSError as error:
            raise _refusal(error, shown, "a directory") from None
        try:
            os.mkdir(name, 0o755, dir_fd=parent)
            child = os.open(name, _DIRECTORY, dir_fd=parent)
        except OSError as error:
            raise _refusal(error, shown, "a directory") from None
        self._touch(parent)
        self._touch(child)
        return child

    @contextmanager
    def _file(self, parent: int, path: str, name: str, flags: int) -> Iterator[tuple[int, bool]]:
        """The opened file, and whether it was made now."""
        shown = self.shown(path)
        entry = _entry(parent, "", name)
        if entry is None and not flags & os.O_CREAT:
            raise ToolError(self._missing(path))
        if entry is not None and entry.kind != "file":
            message = f"'{shown}' is a directory" if entry.kind == "directory" else f"'{shown}' is not a plain file"
            raise ToolError(message)
        try:
            descriptor = os.open(name, flags | _FILE, 0o644, dir_fd=parent)
        except OSError as error:
            raise _refusal(error, shown, "a plain file") from None
        try:
            # Looked at again once open: what was swapped in meanwhile is refused before a byte moves.
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
                message = f"'{shown}' is not a plain file"
                raise ToolError(message)
            yield descriptor, entry is None
        finally:
            os.close(descriptor)

    def _missing(self, path: str) -> str:
        return f"there is no file '{self.shown(path)}'"

    def _touch(self, descriptor: int) -> None:
        moment = self._now()
        os.utime(descriptor, ns=(moment, moment))


def _held(descriptor: int, size: int) -> bytes:
    """What an opened file holds."""
    pieces = bytearray()
    while len(pieces) < size and (piece := os.pread(descriptor, size - len(pieces), len(pieces))):
        pieces += piece
    return bytes(pieces)


def _check_name(name: str) -> None:
    if any(unicodedata.category(character) in _INVISIBLE for character in name):
        message = f"{_quoted(name)} has invisible characters in it"
        raise ToolError(message)
    if len(name.encode()) > _MAX_NAME:
        message = f"a name may have at most {_MAX_NAME} bytes"
        raise ToolError(message)
    # Full-width dots and other look-alikes fold to the plain ones: a name must not read as what it is not.
    folded = unicodedata.normalize("NFKC", name).casefold()
    if folded.rstrip(" .") in _RESERVED:
        message = f"{_quoted(name)} belongs to version control and cannot be used as a name"
        raise ToolError(message)
    if folded in (".", "..") or "/" in folded:
        message = f"{_quoted(name)} looks like something else and cannot be used as a name"
        raise ToolError(message)


def _quoted(text: str) -> str:
    return "'" + text.encode("unicode_escape").decode() + "'" if not text.isprintable() else f"'{text}'"


def _refusal(error: OSError, shown: str, wanted: str) -> Exception:
    """What an agent's path ran into, as a refusal; anything else is the host's and goes up as it is."""
    if error.errno in _IN_THE_WAY:
        return ToolError(f"'{shown}' is not {wanted}")
    return error

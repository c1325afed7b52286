"""A world of real files: tools on a private working directory that the agent knows as /task.

Sizes and counts are limited, text is UTF-8, listings are sorted, and modification times follow the episode's logical
clock, so that the same calls leave the same bytes and the same listing everywhere. A family derives its world from
`FileWorld`, lays the starting files in `__init__` and looks at the outcome in `verify` with `safe_read`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, ClassVar, Final

from msgspec import Meta

from proctor.core.clock import format_timestamp
from proctor.core.errors import ToolError
from proctor.core.hashing import sha256_hex
from proctor.spec.task import Instance
from proctor.worlds.archive import PlainFile, Tree
from proctor.worlds.paths import Directory, Entry, safe_read
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld, Place

KiB: Final = 1024
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LINE: Final = 400

FilePath = Annotated[str, Meta(description="A path below /task, e.g. /task/notes.txt; relative paths start at /task.")]


class FileWorld(BaseWorld):
    """Files in a directory; `self.files` is the confined view of it."""

    max_file_bytes: ClassVar[int] = 256 * KiB
    max_total_bytes: ClassVar[int] = 4096 * KiB
    max_entries: ClassVar[int] = 1000
    """Files and directories together."""
    max_matches: ClassVar[int] = 200
    """Lines that one search shows."""
    processor_seconds: ClassVar[float] = 2.0

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        real = place.directory / "work"
        real.mkdir(exist_ok=True)
        self.files = Directory(real, now=self._now_ns)

    def populate(self, files: Mapping[str, str]) -> None:
        """Put the starting files in place; paths as the agent will see them."""
        for path, text in files.items():
            self.files.write(path, text.encode())

    @tool(effect="read")
    def list_files(self, path: FilePath = "/task", recursive: bool = False) -> list[dict[str, Any]]:
        """List a directory, sorted by name: path, kind (file or directory), size in bytes and time of last change."""
        if self.files.kind(path) == "file":
            message = f"'{self.files.shown(path)}' is a file, not a directory"
            raise ToolError(message)
        listed = [self._described(entry) for entry in self.files.entries(path)]
        if recursive:
            prefix = self.files.shown(path) + "/"
            everything = (self._described(entry) for entry in self.files.walk())
            listed = [entry for entry in everything if entry["path"].startswith(prefix)]
        return listed

    @tool(effect="read")
    def read_file(self, path: FilePath) -> str:
        """Read a text file as a whole."""
        data = self.files.read(path, limit=self.max_file_bytes)
        try:
            return data.decode()
        except UnicodeDecodeError:
            message = f"'{self.files.shown(path)}' is not UTF-8 text"
            raise ToolError(message) from None

    @tool(effect="read")
    def search_text(self, text: str, path: FilePath = "/task") -> list[dict[str, Any]]:
        """Find lines that contain a text, in one file or all files below a directory: path, line number and line."""
        if not text:
            message = "give the text to look for"
            raise ToolError(message)
        shown = self.files.shown(path)
        if self.files.kind(path) is None:
            message = f"there is nothing at '{shown}'"
            raise ToolError(message)
        matches: list[dict[str, Any]] = []
        for name in self._paths():
            if name == shown or name.startswith(shown + "/"):
                lines = self.files.read(name, limit=self.max_file_bytes).decode(errors="replace").split("\n")
                for number, line in enumerate(lines, 1):
                    if text in line:
                        matches.append({"path": name, "line": number, "text": line[:_LINE]})
                        if len(matches) == self.max_matches:
                            return matches
        return matches

    @tool(effect="write")
    def write_file(self, path: FilePath, text: str) -> str:
        """Write a text file, replacing what was there; missing directories are made."""
        data = _encoded(text)
        self._check_room(path, len(data), replaces=True)
        self.files.write(path, data)
        return f"wrote {len(data)} bytes to {self.files.shown(path)}"

    @tool(effect="write")
    def append_file(self, path: FilePath, text: str) -> str:
        """Add text at the end of a file; the file is made if it is missing."""
        data = _encoded(text)
        self._check_room(path, len(data), replaces=False)
        self.files.write(path, data, append=True)
        return f"appended {len(data)} bytes to {self.files.shown(path)}"

    @tool(effect="write")
    def move_file(self, source: FilePath, target: FilePath) -> str:
        """Move or rename a file or directory; nothing may be at the target yet."""
        self._check_entries(target)
        self.files.move(source, target)
        return f"moved {self.files.shown(source)} to {self.files.shown(target)}"

    @tool(effect="write")
    def delete_file(self, path: FilePath) -> str:
        """Delete a file or an empty directory."""
        self.files.delete(path)
        return f"deleted {self.files.shown(path)}"

    @tool(effect="write")
    def make_directory(self, path: FilePath) -> str:
        """Make a directory, and those above it."""
        self._check_entries(path)
        self.files.make(path)
        return f"made {self.files.shown(path)}"

    def canary(self) -> None:
        """Room on the disk for all that the files may take, and the working directory still there."""
        self.place.probe(self.max_total_bytes)
        os.stat(self.files.real)

    def state(self) -> Any:
        """Relative path to SHA-256, for every plain file."""
        root = len(self.files.virtual) + 1
        return {path[root:]: sha256_hex(self._read(path)) for path in self._paths()}

    def state_mark(self) -> object:
        # Nothing but `files` writes here.
        return self.files.changes

    def safe_read(self, path: str) -> bytes | None:
        """For verifiers: the bytes of a plain file, or None where there is none; links are not followed."""
        return safe_read(self.files.real, path, limit=self.max_total_bytes)

    def artifacts(self, *paths: str) -> tuple[tuple[str, str], ...]:
        """(virtual path, SHA-256) of those of the files that are there; all files when none is named."""
        chosen = [self.files.shown(path) for path in paths] if paths else self._paths()
        contents = ((path, self.safe_read(path)) for path in chosen)
        return tuple((path, sha256_hex(data)) for path, data in contents if data is not None)

    def artifact(self, name: str) -> bytes | None:
        """The bytes of a file, read without following links; kept with the evidence when a verification names it."""
        return self.safe_read(name)

    def tree(self) -> Tree:
        """The whole directory in memory, as a sandbox takes it."""
        tree: Tree = {}
        for entry in list(self.files.walk()):
            if entry.kind == "directory":
                tree[entry.path] = None
            elif entry.kind == "file":
                data = self._read(f"{self.files.virtual}/{entry.path}")
                tree[entry.path] = PlainFile(data, entry.executable, entry.modified_ns // 10**9)
        return tree

    def _read(self, path: str) -> bytes:
        return self.files.read(path, limit=self.max_total_bytes)

    def _paths(self) -> list[str]:
        return [f"{self.files.virtual}/{entry.path}" for entry in self.files.walk() if entry.kind == "file"]

    def _described(self, entry: Entry) -> dict[str, Any]:
        moment = _EPOCH + timedelta(microseconds=entry.modified_ns // 1000)
        return {
            "path": f"{self.files.virtual}/{entry.path}",
            "kind": entry.kind,
            "bytes": entry.bytes,
            "modified": format_timestamp(moment),
        }

    def _check_room(self, path: str, size: int, *, replaces: bool) -> None:
        """Refuse a write that would go over a limit, before anything is changed."""
        parts = "/".join(self.files.parts(path))
        sizes = {entry.path: entry.bytes for entry in self.files.walk()}
        sizes[parts] = size if replaces else sizes.get(parts, 0) + size
        if sizes[parts] > self.max_file_bytes:
            message = f"a file may have at most {self.max_file_bytes} bytes"
            raise ToolError(message)
        if sum(sizes.values()) > self.max_total_bytes:
            message = f"all files together may have at most {self.max_total_bytes} bytes"
            raise ToolError(message)
        self._check_entries(path)

    def _check_sizes(self, sizes: Mapping[str, int]) -> None:
        """Refuse what would lie in the directory, bytes by path, where it is more than the limits allow."""
        if (
            len(sizes) > self.max_entries
            or sum(sizes.values()) > self.max_total_bytes
            or max(sizes.values(), default=0) > self.max_file_bytes
        ):
            message = (
                f"this would leave more than {self.max_total_bytes} bytes or {self.max_entries} files, or a file of "
                f"more than {self.max_file_bytes} bytes; nothing was changed"
            )
            raise ToolError(message)

    def _check_entries(self, path: str) -> None:
        parts = self.files.parts(path)
        there = {entry.path for entry in self.files.walk()}
        needed = {"/".join(parts[: depth + 1]) for depth in range(len(parts))}
        if len(there | needed) > self.max_entries:
            message = f"there may be at most {self.max_entries} files and directories"
            raise ToolError(message)

    def _now_ns(self) -> int:
        return (self.place.clock.now - _EPOCH) // timedelta(microseconds=1) * 1000


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        message = "the text has characters that cannot be written as UTF-8"
        raise ToolError(message) from None

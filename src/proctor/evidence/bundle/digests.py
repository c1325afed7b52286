"""A set of SHA-256 digests on disk: millions of contents cost no memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

from proctor.core.errors import BenchError

_RECENT = 4096
"""Digests remembered beside the disk; tools, which every episode names, stay here."""


class Digests:
    """Digests in the order they were added, and which of them were used since."""

    def __init__(self) -> None:
        # An unnamed database is private and spills into a temporary file.
        self._database = sqlite3.connect("", isolation_level=None)
        self._execute("PRAGMA journal_mode=OFF")
        self._execute("CREATE TABLE known (n INTEGER PRIMARY KEY, digest BLOB UNIQUE, used INTEGER)")
        self._recent: set[bytes] = set()
        self.count = 0
        self.used = 0
        self._last_used = 0
        self.in_order = True
        """Whether digests were first used in the order in which they were added."""

    def _execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        try:
            return self._database.execute(statement, values)
        except sqlite3.Error as error:
            message = f"the temporary folder cannot be used ({error}); free some space there or set TMPDIR to another"
            raise BenchError(message) from None

    def add(self, digest: bytes) -> bool:
        """Add a digest; False when it was there."""
        statement = "INSERT OR IGNORE INTO known (digest, used) VALUES (?, 0)"
        new = self._execute(statement, digest).rowcount == 1
        self.count += new
        return new

    def use(self, digest: bytes) -> bool:
        """Mark a digest as used; False when it is not there."""
        if digest in self._recent:
            return True
        row = self._execute("SELECT n, used FROM known WHERE digest = ?", digest).fetchone()
        if row is None:
            return False
        number, used = row
        if not used:
            self._execute("UPDATE known SET used = 1 WHERE n = ?", number)
            self.used += 1
            self.in_order = self.in_order and number > self._last_used
            self._last_used = number
        if len(self._recent) >= _RECENT:
            self._recent.clear()
        self._recent.add(digest)
        return True

    def __iter__(self) -> Iterator[bytes]:
        for (digest,) in self._execute("SELECT digest FROM known ORDER BY n"):
            yield digest

    def close(self) -> None:
        """Remove it from the disk."""
        self._database.close()


def digest_bytes(text: str) -> bytes:
    """The 32 bytes of a digest on paper; nothing when it is none."""
    try:
        digest = bytes.fromhex(text)
    except ValueError:
        return b""
    return digest if len(digest) == 32 and digest.hex() == text else b""

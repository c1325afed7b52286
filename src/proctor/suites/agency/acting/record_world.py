"""Worlds of this dimension whose outcome is in a real database."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from proctor.core.canonical import chainable, encode
from proctor.core.hashing import sha256_hex
from proctor.suites.kit.text_world import MaterialWorld
from proctor.worlds.sql import SqlWorld
from proctor.worlds.tables import Row, plain


class RecordWorld(MaterialWorld, SqlWorld):
    """A world whose outcome is in a real database; its artifact is what the tables hold once everything is closed."""

    dump_name: ClassVar[str] = "tables.json"
    _dump: bytes = b""

    def committed(self, tables: Iterable[str]) -> dict[str, list[Row] | None]:
        """For verifiers: the committed rows of these tables; also makes the dump that is kept as evidence.

        The dump is canonical JSON: the bytes of the database file depend on the version of SQLite.
        """
        committed = {table: self.rows(table) for table in tables}
        shown = {
            table: [{key: plain(value) for key, value in row.items()} for row in rows]
            for table, rows in committed.items()
            if rows is not None
        }
        self._dump = encode(chainable(shown))
        return committed

    def artifacts(self) -> tuple[tuple[str, str], ...]:
        """Name and SHA-256 of the dump."""
        return ((self.dump_name, sha256_hex(self._dump)),)

    def artifact(self, name: str) -> bytes | None:
        return self._dump if name == self.dump_name else None

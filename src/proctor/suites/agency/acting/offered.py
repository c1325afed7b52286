"""Worlds of this dimension: the material can be shown again, and only the tools that a world names are offered."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from proctor.core.canonical import chainable, encode
from proctor.core.hashing import sha256_hex
from proctor.worlds.sql import SqlWorld
from proctor.worlds.tables import Row, plain
from proctor.worlds.tool import Tool, tool, tools_of
from proctor.worlds.world import BaseWorld


class MaterialWorld(BaseWorld):
    """Shows its material again on request."""

    offered: ClassVar[tuple[str, ...]]
    """The tools agents get, in this order: a world built on files or a database offers a few of theirs, or none."""

    @property
    def tools(self) -> dict[str, Tool]:
        found = tools_of(type(self))
        return {name: found[name] for name in self.offered}

    @tool(effect="read", milliseconds=1_000)
    def show_material(self) -> str:
        """Show the material again, as it was shown at the start."""
        text: str = self.instance.observation["material"]
        return text


class RecordWorld(MaterialWorld, SqlWorld):
    """A world whose outcome is in a real database; its artifact is what the tables hold once everything is closed."""

    dump_name: ClassVar[str] = "tables.json"
    _dump: bytes = b""

    def committed(self, tables: Iterable[str]) -> dict[str, list[Row] | None]:
        """For verifiers: the committed rows of these tables; also makes the dump that is kept as evidence.

        The dump is canonical JSON: the bytes of the database file depend on the version of SQLite.
        """
        found = {table: self.rows(table) for table in tables}
        shown = {
            table: [{key: plain(value) for key, value in row.items()} for row in rows]
            for table, rows in found.items()
            if rows is not None
        }
        self._dump = encode(chainable(shown))
        return found

    def artifacts(self) -> tuple[tuple[str, str], ...]:
        """Name and SHA-256 of the dump."""
        return ((self.dump_name, sha256_hex(self._dump)),)

    def artifact(self, name: str) -> bytes | None:
        return self._dump if name == self.dump_name else None

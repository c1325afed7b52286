"""Opening an SQLite file as a store: its folder, its schema, its modes, and closing it again."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from sqlalchemy import Connection, Engine, create_engine, event, insert, select, text, update
from sqlalchemy.engine import URL, make_url

from proctor.core.errors import InputError, StoreError
from proctor.evidence.store import schema
from proctor.evidence.store.errors import plain_errors

PAGE_BYTES = 16384
BUSY_MILLISECONDS = 10_000
_ADDED_COLUMNS = {
    2: ("retries INTEGER NOT NULL DEFAULT 0", "measures TEXT"),
    3: (
        "confidence FLOAT",
        "transitions INTEGER",
        "claims TEXT",
        "out_of_range INTEGER",
        "undeclared_actions INTEGER",
    ),
}
"""Columns of episodes by the version of the schema that has them first."""


def store_url(location: str) -> URL:
    """The URL of `PATH` or `URL`."""
    if "://" in location:
        url = make_url(location)
        if url.get_backend_name() != "sqlite":
            message = f"--store {location}: only SQLite files are supported so far; give a path"
            raise InputError(message)
        return url
    return URL.create("sqlite", database=str(Path(location)))


class OpenFile:
    """An SQLite file, open and of our schema."""

    def __init__(self, location: str, *, create: bool = True) -> None:
        self.location = location
        with plain_errors(location):
            url = store_url(location)
        self.path = Path(url.database or "")
        if not self.path.exists() and not create:
            message = f"store {location}: there is no such file; run `proctor run` first or name another with --store"
            raise InputError(message)
        if create:
            self._make_folder()
        with plain_errors(location):
            self.engine: Engine = create_engine(url)
            event.listen(self.engine, "connect", _prepare)
            self.connection: Connection = self.engine.connect()
            try:
                self._check_schema(create=create)
            except BaseException:
                self.close()
                raise

    def _make_folder(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            message = (
                f"store {self.location}: its folder cannot be created ({error.strerror}); choose another with --store"
            )
            raise StoreError(message) from None

    def _check_schema(self, *, create: bool) -> None:
        connection = self.connection
        if not self.engine.dialect.has_table(connection, "meta"):
            foreign = set(self.engine.dialect.get_table_names(connection)) - set(schema.metadata.tables)
            if not create or foreign:
                raise StoreError(self._not_ours())
            schema.metadata.create_all(connection)
            connection.execute(insert(schema.meta), {"key": "schema", "value": str(schema.SCHEMA_VERSION)})
            connection.commit()
            return
        query = select(schema.meta.c.value).where(schema.meta.c.key == "schema")
        version = connection.execute(query).scalar_one_or_none()
        connection.rollback()
        if version is None or not str(version).isdecimal():
            raise StoreError(self._not_ours())
        if int(version) < schema.SCHEMA_VERSION:
            self._upgrade(int(version))
        if int(version) > schema.SCHEMA_VERSION:
            message = (
                f"store {self.location}: written by a newer version of Proctor (schema {version}, this one knows "
                f"{schema.SCHEMA_VERSION}); upgrade Proctor or choose another with --store"
            )
            raise StoreError(message)

    def _upgrade(self, version: int) -> None:
        """Bring a store of an earlier version up to date: what was not counted then reads as none, or not measured."""
        with self.connection.begin():
            for since, columns in _ADDED_COLUMNS.items():
                if version < since:
                    for column in columns:
                        self.connection.execute(text(f"ALTER TABLE episodes ADD COLUMN {column}"))
            if version < 3:
                schema.attachments.create(self.connection, checkfirst=True)
            known = {"value": str(schema.SCHEMA_VERSION)}
            self.connection.execute(update(schema.meta).where(schema.meta.c.key == "schema"), known)

    def _not_ours(self) -> str:
        return f"store {self.location}: this file is not a Proctor store; choose another with --store"

    def sync(self) -> None:
        """Wait until everything committed so far is on the disk."""
        with suppress(FileNotFoundError):
            handle = os.open(f"{self.path}-wal", os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)

    def close(self) -> None:
        """Fold the write-ahead log into the file and let go."""
        try:
            self.connection.rollback()
            self.connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        except Exception:  # noqa: S110  closing must not hide the error that led here; the log is folded in next time
            pass
        self.connection.close()
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _prepare(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA page_size={PAGE_BYTES}")
    cursor.execute(f"PRAGMA busy_timeout={BUSY_MILLISECONDS}")
    tables = {row[0] for row in cursor.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables or "episodes" in tables:
        # The mode stays in the file: never change it in a database that is not ours.
        cursor.execute("PRAGMA journal_mode=WAL")
    # Commits do not wait for the disk: a killed process loses none. `Store.sync` makes them outlast a power cut.
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute("PRAGMA trusted_schema=OFF")
    cursor.close()

"""Opening an SQLite file as a store: its folder, its schema, its modes, and closing it again."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Self

from sqlalchemy import Connection, Engine, create_engine, event, insert, select, text, update
from sqlalchemy.engine import URL, make_url

from proctor.core.atomic_write import PRIVATE
from proctor.core.errors import InputError, StoreError, StoreLost
from proctor.core.folders import make_folder
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
            self._make_file()
        with plain_errors(location):
            self.engine: Engine = create_engine(url)
            event.listen(self.engine, "connect", _prepare)
            self.connection: Connection = self.engine.connect()
            try:
                self._check_schema(create=create)
            except BaseException:
                self.close()
                raise
        self._file = self._identity()
        """Which file it is: another one of the same name is another store."""

    def _make_folder(self) -> None:
        try:
            make_folder(self.path.parent)
        except OSError as error:
            message = (
                f"store {self.location}: its folder cannot be created ({error.strerror}); choose another with --store"
            )
            raise StoreError(message) from None

    def _make_file(self) -> None:
        """A new store is its owner's alone, whatever the umask: SQLite gives its log the rights of the file.

        A file that is there is not even opened: closing it would let go of the locks that this process holds on it.
        """
        with suppress(OSError):  # What is wrong with it is said when it is opened.
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE)
            try:
                os.fchmod(handle, PRIVATE)
            finally:
                os.close(handle)

    def _identity(self) -> tuple[int, int] | None:
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _check_schema(self, *, create: bool) -> None:
        connection = self.connection
        if not self.engine.dialect.has_table(connection, "meta") and create:
            self._make_schema()
        if not self.engine.dialect.has_table(connection, "meta"):
            raise StoreError(self._not_ours())
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

    def _make_schema(self) -> None:
        """Make the tables of a new store, all at once: who opens it at the same time waits, and finds them all."""
        connection = self.connection
        connection.rollback()
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        try:
            tables = set(self.engine.dialect.get_table_names(connection))
            if tables - set(schema.metadata.tables):
                raise StoreError(self._not_ours())
            if not tables:
                schema.metadata.create_all(connection)
                connection.execute(insert(schema.meta), {"key": "schema", "value": str(schema.SCHEMA_VERSION)})
            connection.commit()
        except BaseException:
            connection.rollback()
            raise

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
        """Wait until everything committed so far is on the disk.

        Raises `StoreLost` when the file is not where it was: what is written to it then, nobody finds again.
        """
        if self._file is not None and self._identity() != self._file:
            message = (
                f"store {self.location}: the file was deleted or replaced while it was in use, and what was written to "
                "it is lost; leave it where it is and start again"
            )
            raise StoreLost(message)
        with suppress(FileNotFoundError):
            handle = os.open(f"{self.path}-wal", os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)

    @contextmanager
    def claim(self, number: int, name: str) -> Iterator[None]:
        """Be the only one who executes a run; raises `StoreError` where another process does.

        A lock on a file beside the store, which the system lets go of however a process ends.
        """
        if self._file is None:
            yield
            return
        path = Path(f"{self.path}-run{number}")
        handle = self._lock(path, name)
        try:
            yield
        finally:
            path.unlink(missing_ok=True)
            os.close(handle)

    def _lock(self, path: Path, name: str) -> int:
        while True:
            try:
                handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, PRIVATE)
            except OSError as error:
                message = f"store {self.location}: {path.name} cannot be written ({error.strerror}); check its folder"
                raise StoreError(message) from None
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                with suppress(FileNotFoundError):
                    # Whoever had it before may have removed the file that was just locked.
                    if path.stat().st_ino == os.fstat(handle).st_ino:
                        return handle
            except BlockingIOError:
                os.close(handle)
                message = f"{name} is being run already by another process; wait for it to end, or stop it first"
                raise StoreError(message) from None
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
        _use_log(cursor)
    # Commits do not wait for the disk: a killed process loses none. `Store.sync` makes them outlast a power cut.
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute("PRAGMA trusted_schema=OFF")
    cursor.close()


def _use_log(cursor: Any) -> None:
    """Switch to a write-ahead log, once for each file. SQLite does not wait for others who do so at the same moment."""
    deadline = monotonic() + BUSY_MILLISECONDS / 1000
    while cursor.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > deadline:
                raise
            sleep(0.01)
        else:
            return

"""Opening an SQLite file as a store: its folder, its schema, its modes, and closing it again."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Self

from sqlalchemy import Connection, Engine, create_engine, event, insert, text, update
from sqlalchemy.engine import URL, make_url

from proctor.core.atomic_write import PRIVATE
from proctor.core.errors import InputError, StoreError, StoreLost
from proctor.core.folders import make_folder
from proctor.evidence.codec import MAX_TRACE_BYTES
from proctor.evidence.store import layout, schema
from proctor.evidence.store.errors import plain_errors

PAGE_BYTES = 16384
BUSY_MILLISECONDS = 10_000
_BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a file, and opens without being asked to."""
_JOURNAL_END = bytes.fromhex("d9d505f920a163d7")
"""How a journal ends that names another file."""
_MAX_VALUE = MAX_TRACE_BYTES + 16 * 2**20
"""Bytes of one value or row; nothing that is written is larger."""


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
            # An unknown driver is refused before a file is made for it.
            url.get_dialect()
        self.path = Path(url.database or "")
        if not self.path.exists() and not create:
            message = f"store {location}: there is no such file; run `proctor run` first or name another with --store"
            raise InputError(message)
        if create:
            self._make_folder()
            self._make_file()
        self._check_files()
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

    def _check_files(self) -> None:
        """Refuse what SQLite would follow, wait for or obey: links, pipes, and a journal that names another file."""
        path = Path(os.path.realpath(self.path))
        with suppress(OSError):  # What is not there, or cannot be looked at, is said when it is opened.
            if not (stat.S_ISREG(mode := path.stat().st_mode) or stat.S_ISDIR(mode)):
                message = f"store {self.location}: it is no ordinary file; choose another with --store"
                raise StoreError(message)
        for suffix in _BESIDE:
            beside = Path(f"{path}{suffix}")
            with suppress(OSError):
                if not stat.S_ISREG(beside.lstat().st_mode) or (suffix == "-journal" and _names_another(beside)):
                    message = (
                        f"store {self.location}: {beside.name} beside it is none that Proctor leaves; remove that "
                        "file, or choose another store with --store"
                    )
                    raise StoreError(message)

    def _check_schema(self, *, create: bool) -> None:
        """See to it that the file is laid out as a store, before anything else is read or written."""
        driver: Any = self.connection.connection.driver_connection
        try:
            found = layout.read_layout(driver)
            if not found.objects and create:
                _use_log(driver)
                self._make_schema(driver)
                found = layout.read_layout(driver)
            if found.version is None or not _is_version(found.version):
                raise StoreError(self._not_ours())
            version = int(found.version)
            if version > schema.SCHEMA_VERSION:
                message = (
                    f"store {self.location}: written by a newer version of Proctor (schema {version}, this one knows "
                    f"{schema.SCHEMA_VERSION}); upgrade Proctor or choose another with --store"
                )
                raise StoreError(message)
            layout.require_layout(found.objects, version)
        except layout.Unfit as unfit:
            message = (
                f"store {self.location}: {unfit}: this file is not a Proctor store, or somebody changed it, and "
                "nothing was read from it; choose another with --store"
            )
            raise StoreError(message) from None
        _use_log(driver)
        if version < schema.SCHEMA_VERSION:
            self._upgrade()

    def _make_schema(self, driver: sqlite3.Connection) -> None:
        """Make the tables of a new store, all at once: who opens it at the same time waits, and finds them all."""
        connection = self.connection
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        try:
            if driver.execute("SELECT 1 FROM sqlite_master").fetchone() is None:
                schema.metadata.create_all(connection)
                connection.execute(insert(schema.meta), {"key": "schema", "value": str(schema.SCHEMA_VERSION)})
            connection.commit()
        except BaseException:
            connection.rollback()
            raise

    def _upgrade(self) -> None:
        """Bring a store of an earlier version up to date: what was not counted then reads as none, or not measured.

        Two that do so at once find the columns there or not there, never half of them.
        """
        connection = self.connection
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        try:
            known = {row[1] for row in connection.exec_driver_sql("PRAGMA table_info(episodes)")}
            for column in (one for columns in layout.ADDED_COLUMNS.values() for one in columns):
                if column.partition(" ")[0] not in known:
                    connection.execute(text(f"ALTER TABLE episodes ADD COLUMN {column}"))
            for name in (one for names in layout.ADDED_TABLES.values() for one in names):
                schema.metadata.tables[name].create(connection, checkfirst=True)
            value = {"value": str(schema.SCHEMA_VERSION)}
            connection.execute(update(schema.meta).where(schema.meta.c.key == "schema"), value)
            connection.commit()
        except BaseException:
            connection.rollback()
            raise

    def _not_ours(self) -> str:
        return f"store {self.location}: this file is not a Proctor store; choose another with --store"

    def require_sound(self) -> None:
        """Refuse a file whose pages contradict each other: it can show one reader other rows than the next one."""
        with plain_errors(self.location):
            (found,) = self.connection.exec_driver_sql("PRAGMA integrity_check(1)").one()
            self.connection.rollback()
        if found != "ok":
            message = f"store {self.location}: the file is damaged ({str(found)[:200]!a}); choose another with --store"
            raise StoreError(message)

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
    """Settings of a connection. None of them reads the file, or changes anything in it."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_VALUE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    # Stores have no triggers and no views. One that comes while it is open carries out nothing.
    connection.setlimit(sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH, 0)
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA page_size={PAGE_BYTES}")
    cursor.execute(f"PRAGMA busy_timeout={BUSY_MILLISECONDS}")
    # Commits do not wait for the disk: a killed process loses none. `Store.sync` makes them outlast a power cut.
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute("PRAGMA trusted_schema=OFF")
    cursor.execute("PRAGMA cell_size_check=ON")
    cursor.close()


def _use_log(connection: sqlite3.Connection) -> None:
    """Switch to a write-ahead log, once for each file. SQLite does not wait for others who do so at the same moment."""
    deadline = monotonic() + BUSY_MILLISECONDS / 1000
    while connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > deadline:
                raise
            sleep(0.01)
        else:
            return


def _is_version(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10 and int(text) > 0


def _names_another(journal: Path) -> bool:
    """Whether a journal names a further file: SQLite deletes that one once it has put the store back."""
    with journal.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - len(_JOURNAL_END)))
        return file.read() == _JOURNAL_END

"""What goes wrong below the store, said in one sentence that tells what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DatabaseError, SQLAlchemyError

from proctor.core.errors import StoreError


@contextmanager
def plain_errors(location: str) -> Iterator[None]:
    """Turn database errors into a `StoreError`. What was committed before stays."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise StoreError(_sentence(location, error)) from error


def _sentence(location: str, error: Exception) -> str:
    cause = error.orig if isinstance(error, DatabaseError) else error
    # The kind of trouble by its code: words may be anybody's, and other databases have other ones.
    code = getattr(cause, "sqlite_errorcode", None)
    if isinstance(code, int) and (known := _BY_CODE.get(code & _PRIMARY)) is not None:
        return f"store {location}: {known}"
    if isinstance(code, int) and code & _PRIMARY == sqlite3.SQLITE_CONSTRAINT:
        return f"store {location}: {_ALREADY_WRITTEN if code in _TAKEN else _REFUSED}"
    text = str(cause)
    if any(words in text for words in ("no such table", "no such column")):
        return f"store {location}: {_BY_CODE[sqlite3.SQLITE_NOTADB]}"
    return f"store {location}: {ascii(text.splitlines()[0][:200]) if not text.isascii() else text.splitlines()[0]}"


_PRIMARY = 0xFF
"""The bits of a result code that say what kind it is; the others say more about it."""
_BY_CODE = {
    sqlite3.SQLITE_FULL: "the disk is full; free some space and continue with --resume",
    sqlite3.SQLITE_READONLY: "it is read-only; make it writable or choose another with --store",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; check that the folder exists and may be written",
    sqlite3.SQLITE_PERM: "it cannot be opened; check that the folder exists and may be written",
    sqlite3.SQLITE_BUSY: "another process is writing to it; wait for that to finish or choose another --store",
    sqlite3.SQLITE_LOCKED: "another process is writing to it; wait for that to finish or choose another --store",
    sqlite3.SQLITE_NOTADB: "this file is not a Proctor store, or it is damaged; choose another with --store",
    sqlite3.SQLITE_CORRUPT: "this file is not a Proctor store, or it is damaged; choose another with --store",
    sqlite3.SQLITE_IOERR: "the disk reports an error; check its space and health, then continue with --resume",
    sqlite3.SQLITE_TOOBIG: "it holds a value that is larger than any that Proctor writes; choose another with --store",
}
_TAKEN = (sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID, sqlite3.SQLITE_CONSTRAINT_UNIQUE)
"""Why a row was not written: there is one of the same key."""
_ALREADY_WRITTEN = "another process has written the same; wait for that to finish and try again"
_REFUSED = "it does not take what has to be written, so it is not as Proctor made it; choose another with --store"

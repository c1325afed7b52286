"""What goes wrong below the store, said in one sentence that tells what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DatabaseError, SQLAlchemyError

from proctor.core.errors import StoreError


@contextmanager
def plain_errors(location: str) -> Iterator[None]:
    """Turn database errors into a `StoreError`. What was committed before stays."""
    try:
        yield
    except SQLAlchemyError as error:
        raise StoreError(_sentence(location, error)) from error


def _sentence(location: str, error: SQLAlchemyError) -> str:
    text = str(error.orig if isinstance(error, DatabaseError) else error)
    if "disk is full" in text or "No space left" in text:
        return f"store {location}: the disk is full; free some space and continue with --resume"
    if "readonly" in text or "read-only" in text:
        return f"store {location}: it is read-only; make it writable or choose another with --store"
    if "unable to open" in text:
        return f"store {location}: it cannot be opened; check that the folder exists and may be written"
    if "locked" in text:
        return f"store {location}: another process is writing to it; wait for that to finish or choose another --store"
    if any(words in text for words in ("not a database", "malformed", "no such table", "no such column")):
        return f"store {location}: this file is not a Proctor store, or it is damaged; choose another with --store"
    if "disk I/O error" in text:
        return f"store {location}: the disk reports an error; check its space and health, then continue with --resume"
    return f"store {location}: {text.splitlines()[0]}"

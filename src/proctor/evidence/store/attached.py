"""Adding a document to a run in an SQLite store: in a transaction of its own, and never twice."""

from __future__ import annotations

from typing import Any

from sqlalchemy import insert, select

from proctor.core.errors import InputError
from proctor.evidence.attachments import Attachment, require_room
from proctor.evidence.store import schema
from proctor.evidence.store.errors import plain_errors
from proctor.evidence.store.store import Store


def add_attachment(store: Store, number: int, new: Attachment) -> str:
    """Add it behind the others, unless it is there; its SHA-256."""
    connection = store.connection
    with plain_errors(store.location):
        try:
            if connection.execute(select(schema.runs.c.number).where(schema.runs.c.number == number)).first() is None:
                message = f"there is no run number {number} in {store.location}; `proctor runs` lists the runs in it"
                raise InputError(message)
            present = store.attachments(number)
            if not any((one.kind, one.sha256) == (new.kind, new.sha256) for one in present):
                require_room(present, new)
                connection.execute(insert(schema.attachments), attachment_values(number, len(present), new))
                connection.commit()
        finally:
            connection.rollback()
    return new.sha256


def attachment_values(run: int, place: int, attachment: Attachment) -> dict[str, Any]:
    """A document as a row: `place` is how many came before it."""
    return {
        "run": run,
        "number": place,
        "kind": attachment.kind,
        "sha256": attachment.sha256,
        "content": attachment.content,
    }

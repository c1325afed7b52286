"""Replies from the record of an earlier run: an examination is read again without any model.

A recording is a small SQLite file made from a run's evidence. A reply is found by the episode it was given in (its
nonce), the digest of the request and how often that request was made before in that episode: all three follow from the
configuration, so that any number of workers, in any order, find the same replies. The file's place is handed to
workers in the environment, not in the agent string, which is part of what the root covers.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

import msgspec
from msgspec import Struct

from proctor.core.errors import BenchError, InputError
from proctor.models.contract import InterfaceError, ModelCall, Reply, request_digest
from proctor.models.filler import without_filler

RECORDING: Final = "PROCTOR_RECORDING"
"""The environment variable that names the recording; unset: models are asked."""

_SCHEMA: Final = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE exchanges (
    episode TEXT, request TEXT, ordinal INTEGER, reply TEXT, error TEXT, details BLOB, calls BLOB,
    PRIMARY KEY (episode, request, ordinal)
) WITHOUT ROWID;
CREATE TABLE fillers (episode TEXT, request TEXT, units INTEGER, PRIMARY KEY (episode, request)) WITHOUT ROWID;
"""


class RecordedExchange(Struct, frozen=True):
    """One exchange of a run, as its evidence has it."""

    episode: str
    """The nonce of the episode."""
    request: dict[str, Any]
    reply: str | None
    error: str | None
    details: dict[str, Any]
    calls: tuple[dict[str, Any], ...] = ()
    """What the reply called for."""


def write_recording(path: Path, exchanges: Iterable[RecordedExchange], *, run: str, source: str | None) -> int:
    """Write a recording; the number of exchanges in it. `source` is the hash of the files the run's agent named."""
    ordinals: dict[tuple[str, str], int] = {}
    count = 0
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(_SCHEMA)
        connection.executemany("INSERT INTO about VALUES (?, ?)", [("run", run), ("source", source)])
        episode = None
        for one in exchanges:
            if one.episode != episode:
                episode = one.episode
                ordinals.clear()
            digest = request_digest(one.request)
            ordinal = ordinals.get((one.episode, digest), 0)
            ordinals[one.episode, digest] = ordinal + 1
            beside = (msgspec.json.encode(one.details), msgspec.json.encode(one.calls))
            row = (one.episode, digest, ordinal, one.reply, one.error, *beside)
            connection.execute("INSERT INTO exchanges VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            if one.request.get("exact"):
                unfilled, units = without_filler(one.request)
                key = (one.episode, request_digest(unfilled), units)
                connection.execute("INSERT OR IGNORE INTO fillers VALUES (?, ?, ?)", key)
            count += 1
        connection.commit()
    return count


class Recording:
    """An open recording."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            message = f"{RECORDING} names {path}, where there is no recording; unset it, or run with --replay RUN"
            raise InputError(message)
        self._connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, check_same_thread=False)
        about = dict(self._connection.execute("SELECT name, value FROM about"))
        self.run: str = about["run"]
        self.source: str | None = about["source"]

    def filler(self, episode: str, request: dict[str, Any]) -> int:
        """With how many units of filler a request was sent then; 0 where it is not on record."""
        row = self._connection.execute(
            "SELECT units FROM fillers WHERE episode = ? AND request = ?", (episode, request_digest(request))
        ).fetchone()
        return 0 if row is None else int(row[0])

    def reply(self, episode: str, request: dict[str, Any], ordinal: int) -> Reply:
        """What was replied then. Raises `BenchError` where the run has no such request."""
        row = self._connection.execute(
            "SELECT reply, error, details, calls FROM exchanges WHERE episode = ? AND request = ? AND ordinal = ?",
            (episode, request_digest(request), ordinal),
        ).fetchone()
        if row is None:
            message = f"{self.run} has no such request on record; what is asked now differs from what was asked then"
            raise BenchError(message)
        text, error, details, calls = row
        known = msgspec.json.decode(details, type=dict[str, Any])
        return Reply(
            text,
            known.get("model", ""),
            known.get("prompt_tokens"),
            known.get("completion_tokens"),
            known.get("finish", ""),
            known.get("attempts", 1),
            known.get("latency_ms"),
            cast(InterfaceError | None, error),
            known.get("status"),
            msgspec.json.decode(calls, type=tuple[ModelCall, ...]),
            known.get("cached_tokens"),
        )

    def exchange(self, episode: str, request: dict[str, Any], ordinal: int) -> tuple[str | None, dict[str, Any]]:
        """The error, if any, and the details of an exchange. Raises `BenchError` where the run has no such request."""
        row = self._connection.execute(
            "SELECT error, details FROM exchanges WHERE episode = ? AND request = ? AND ordinal = ?",
            (episode, request_digest(request), ordinal),
        ).fetchone()
        if row is None:
            message = f"{self.run} has no such request on record; what is asked now differs from what was asked then"
            raise BenchError(message)
        return row[0], msgspec.json.decode(row[1], type=dict[str, Any])


def recording() -> Recording | None:
    """The recording that this process replays; None where models are asked."""
    path = os.environ.get(RECORDING)
    return _opened(path) if path else None


@cache
def _opened(path: str) -> Recording:
    return Recording(Path(path))

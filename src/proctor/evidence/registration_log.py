"""The log of a preregistration: every run that was started against it, in order, each entry chained to the one before.

One JSON object a line, beside the preregistration. The first entry names the preregistration, each further one the
SHA-256 of the line before, so that an entry cannot be changed, moved or taken out of the middle. Whoever keeps the file
can cut off its end and go on from there: a run carries a copy of the log up to its own start, so that every later run
shows it, and an entry's digest that was published when the run began shows it at once.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal

import msgspec

from proctor.core.atomic_write import PRIVATE
from proctor.core.canonical import UNREADABLE, canonical
from proctor.core.errors import InputError, IntegrityError
from proctor.core.hashing import sha256_hex
from proctor.core.reading import DOCUMENT, read_at_most
from proctor.spec.frozen import ID_DIGITS, FrozenRun
from proctor.spec.preregistration import opens, read_preregistration

Event = Literal["started", "resumed", "finished", "revealed"]


class LogEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line."""

    number: int
    """Of the run; 0 where the entry is about no run."""
    event: Event
    at: str
    """Real time of the writer's clock; order is what the chain proves."""
    run: str
    config_hash: str
    root: str | None
    """Of a run that finished."""
    seed: str | None
    """Revealed."""
    nonce: str | None
    previous: str
    """SHA-256 of the line before; of the preregistration for the first."""

    @property
    def digest(self) -> str:
        """SHA-256 of its line."""
        return sha256_hex(canonical(self))


Make = Callable[[list[LogEntry]], dict[str, Any]]
"""Gives the fields of a new entry from what is there; may refuse."""


def log_of(path: Path) -> Path:
    """Where the log of a preregistration lies."""
    return path.with_name(f"{path.name}.log")


def read_log(path: Path, digest: str) -> list[LogEntry]:
    """The entries of a log, checked. Raises `IntegrityError` for one that was changed; a missing log is empty."""
    try:
        return _entries(read_at_most(path, DOCUMENT), digest, str(path))
    except FileNotFoundError:
        return []


def append_entry(path: Path, digest: str, make: Make) -> list[LogEntry]:
    """Write one entry, on the disk when this returns; gives all entries, the new one last."""
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE)
    except OSError as error:
        message = f"{path}: cannot be written ({error.strerror}); no run is started that is not logged"
        raise InputError(message) from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        size = os.fstat(file).st_size
        entries = _entries(os.pread(file, size, 0), digest, str(path))
        previous = entries[-1].digest if entries else digest
        blank = {"root": None, "seed": None, "nonce": None}
        entry = msgspec.convert({**blank, **make(entries), "previous": previous}, LogEntry)
        line = canonical(entry) + b"\n"
        if os.pwrite(file, line, size) != len(line):
            os.ftruncate(file, size)
            message = f"{path}: cannot be written; no run is started that is not logged"
            raise InputError(message)
        os.fsync(file)
    finally:
        os.close(file)
    return [*entries, entry]


def _entries(data: bytes, digest: str, where: str) -> list[LogEntry]:
    if data and not data.endswith(b"\n"):
        raise IntegrityError("its last line is not whole", where=where)
    try:
        entries = [msgspec.json.decode(line, type=LogEntry) for line in data.splitlines()]
    except UNREADABLE as error:
        message = f"not a log of runs ({error})"
        raise IntegrityError(message, where=where) from None
    if (problem := chain_problem(entries, digest)) is not None:
        raise IntegrityError(problem, where=where)
    return entries


def chain_problem(entries: Iterable[LogEntry], digest: str) -> str | None:
    """What is wrong with entries; None where each follows from the one before it, and the first from `digest`."""
    previous = digest
    started = 0
    for position, entry in enumerate(entries, 1):
        if entry.previous != previous:
            before = "the preregistration" if position == 1 else f"line {position - 1}"
            return f"line {position} does not follow from {before}: one of them was changed, or a line taken out"
        if entry.event == "started":
            started += 1
            if entry.number != started:
                return f"line {position} says run {entry.number} where run {started} begins"
        previous = entry.digest
    return None


def revealed_in(path: Path) -> LogEntry | None:
    """The entry that reveals the seed of the preregistration in a file; None where it is still hidden."""
    registered = read_preregistration(path)
    entries = read_log(log_of(path), registered.digest)
    shown = next((entry for entry in entries if entry.event == "revealed"), None)
    if shown is not None and not opens(registered.document.commitment, shown.seed or "", shown.nonce):
        raise IntegrityError("the seed in its log is not the one that was committed to", where=str(path))
    return shown


def require_revealed(run: str, frozen: FrozenRun, revealed: LogEntry | None) -> None:
    """Refuse to hand out a run whose seed is still hidden."""
    if frozen.preregistration is None or (revealed is not None and revealed.seed == frozen.seed):
        return
    why = "is hidden" if revealed is None else "is not the one revealed in that file's log"
    message = (
        f"{run} was started against preregistration {frozen.preregistration[:ID_DIGITS]}…, and its seed {why}: a "
        "bundle would give it away; after the last run, reveal it with `proctor preregister reveal FILE` and export "
        "with --preregistration FILE"
    )
    raise InputError(message)

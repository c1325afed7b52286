"""The ledger: an append-only list of everything decided, proposed, approved, accepted or reported.

One JSON object a line in `.proctor/ledger.jsonl`. Each entry holds the hash of the one before and, where a key was
given, a signature; so a changed, inserted, moved or removed entry is detected and named. What it cannot
show by itself is that its end was cut off: decisions kept beside it name the entry they were written to.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import msgspec

from proctor.core.atomic_write import PRIVATE
from proctor.core.canonical import UNREADABLE, canonical, jsonable
from proctor.core.clock import format_timestamp
from proctor.core.errors import InputError, IntegrityError
from proctor.core.folders import make_folder
from proctor.core.hashing import sha256_hex
from proctor.core.reading import MiB, read_at_most
from proctor.core.signatures import Signature
from proctor.pipeline.keys import Keyring, Signer

LEDGER = Path(".proctor") / "ledger.jsonl"
START = "0" * 64
_PURPOSE = b"proctor ledger entry 1\n"
_MOST = 256 * MiB
"""Bytes: some hundred thousand decisions."""

Kind = Literal[
    "genesis",
    "proposal",
    "approval",
    "denial",
    "acceptance",
    "import",
    "rise",
    "decision",
    "resolution",
    "incident",
    "challenge",
    "act",
]
_HOLDS: dict[str, tuple[str, ...]] = {
    "genesis": ("suite", "charter"),
    "proposal": ("suite", "proposal", "from", "to", "changes", "justification", "evidence"),
    "approval": ("suite", "proposal"),
    "denial": ("suite", "proposal"),
    "acceptance": ("suite", "baseline"),
    "import": ("suite", "baseline", "lineage"),
    "rise": ("suite", "baseline"),
    "decision": ("pipeline", "run", "result", "reasons", "standing"),
    "resolution": ("pipeline", "answer", "reason"),
    "challenge": ("run", "act", "sha256", "document"),
    "act": ("kind", "suite", "subject", "scenarios", "reasons", "because"),
}
"""What an entry of each kind holds at least; whoever reads the ledger relies on it."""


class Entry(msgspec.Struct, frozen=True):
    """One line."""

    number: int
    at: str
    """Real time of the writer's clock; order is what the chain proves, not this."""
    kind: Kind
    body: dict[str, Any]
    previous: str
    """Hash of the entry before; zeros for the first."""
    signature: Signature | None
    hash: str

    def signed_bytes(self) -> bytes:
        """What a signature covers: everything but itself."""
        return _PURPOSE + canonical([self.number, self.at, self.kind, self.body, self.previous])

    def computed_hash(self) -> str:
        """The hash this entry must have."""
        return sha256_hex(self.signed_bytes() + canonical(self.signature))

    @property
    def signer(self) -> str | None:
        """Name of the key that signed it; None when nobody did."""
        return None if self.signature is None else self.signature.key


class Ledger:
    """The ledger of one project."""

    def __init__(self, project: Path) -> None:
        self.path = project / LEDGER
        self.keyring = Keyring(project)

    def entries(self) -> list[Entry]:
        """Every entry, verified. Raises `IntegrityError`, which names the first entry that was changed."""
        return self._read()[0]

    def append(
        self,
        kind: Kind,
        body: dict[str, Any],
        *,
        signer: Signer | None = None,
        unless: Callable[[Entry], bool] | None = None,
        check: Callable[[list[Entry]], None] | None = None,
    ) -> Entry:
        """Write one entry, on the disk when this returns.

        With `unless`, an entry for which it holds is given back instead and nothing is written: what must be recorded
        once is recorded once, whoever was killed meanwhile. `check` may refuse, seeing what is there under the lock.
        """
        with self._locked() as file:
            entries, torn = self._read()
            if unless is not None:
                for entry in entries:
                    if unless(entry):
                        return entry
            if check is not None:
                check(entries)
            previous = entries[-1].hash if entries else START
            at = format_timestamp(datetime.now(UTC).replace(microsecond=0))
            draft = Entry(len(entries), at, kind, jsonable(body), previous, None, "")
            if signer is not None:
                draft = msgspec.structs.replace(draft, signature=signer.sign(draft.signed_bytes()))
            entry = msgspec.structs.replace(draft, hash=draft.computed_hash())
            # A power cut in the middle of an append: that entry was never given to anybody.
            end = os.fstat(file).st_size - torn
            self._write(file, end, canonical(entry) + b"\n")
        return entry

    def _write(self, file: int, end: int, line: bytes) -> None:
        """Put a line at the end, whole or not at all."""
        if end and os.pread(file, 1, end - 1) != b"\n":
            line = b"\n" + line
        try:
            os.ftruncate(file, end)
            os.lseek(file, end, os.SEEK_SET)
            rest = line
            while rest:
                rest = rest[os.write(file, rest) :]
            os.fsync(file)
        except OSError as error:
            os.ftruncate(file, end)
            message = (
                f"{self.path}: cannot be written ({error.strerror}); nothing was recorded; free disk space and retry"
            )
            raise InputError(message) from None

    @contextmanager
    def _locked(self) -> Iterator[int]:
        try:
            make_folder(self.path.parent)
            file = os.open(self.path, os.O_RDWR | os.O_CREAT, PRIVATE)
        except OSError as error:
            message = f"{self.path}: cannot be written ({error.strerror}); nothing was recorded"
            raise InputError(message) from None
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield file
        finally:
            os.close(file)

    def _read(self) -> tuple[list[Entry], int]:
        """(entries, bytes of an unfinished last line)."""
        try:
            data = read_at_most(self.path, _MOST)
        except FileNotFoundError:
            return [], 0
        lines = data.split(b"\n")
        last = lines.pop()
        torn = 0 if _whole(last) else len(last)
        if last and not torn:
            # Only its end of line is gone. Passing over it would let one byte less take a decision back.
            lines.append(last)
        entries: list[Entry] = []
        for number, line in enumerate(lines):
            where = f"{self.path} line {number + 1}"
            entry = _entry(line, where)
            problem = self._problem(entry, number, entries[-1].hash if entries else START)
            if problem is None and line != canonical(entry):
                problem = "it is written in another form than entries are"
            if problem is not None:
                raise IntegrityError(problem, where=where)
            entries.append(entry)
        return entries, torn

    def _problem(self, entry: Entry, number: int, previous: str) -> str | None:
        if entry.number != number:
            return f"entry {number} is expected here and entry {entry.number} stands here; one was removed or moved"
        if entry.previous != previous:
            return "it does not follow from the entry before it; one of the two was replaced"
        if entry.hash != entry.computed_hash():
            return "its content is not what its hash says; it was changed"
        missing = [name for name in _HOLDS.get(entry.kind, ()) if name not in entry.body]
        if missing:
            return f"it is no {entry.kind}: {missing[0]} is missing"
        if entry.signature is not None:
            if not entry.signature.holds(entry.signed_bytes()):
                return f"the signature of '{entry.signature.key}' does not hold"
            known = self.keyring.public(entry.signature.key)
            if known is not None and known != entry.signature.public:
                return f"it is signed by another key than {self.keyring.folder.name}/{entry.signature.key}.pub"
        return None


def _whole(line: bytes) -> bool:
    """Whether a last line without an end is an entry all the same."""
    try:
        entry = msgspec.json.decode(line, type=Entry)
    except UNREADABLE:
        return False
    return entry.hash == entry.computed_hash()


def _entry(line: bytes, where: str) -> Entry:
    try:
        return msgspec.json.decode(line, type=Entry)
    except UNREADABLE as error:
        message = f"not an entry of a ledger ({error})"
        raise IntegrityError(message, where=where) from None

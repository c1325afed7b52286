"""The ledger: an append-only list of everything decided, proposed, approved, accepted or reported.

One JSON object a line in `.proctor/ledger.jsonl`. Each entry holds the hash of the one before and, where a key was
given, a signature; so a changed, inserted, moved or removed entry is found, and the place is named. What it cannot
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

from proctor.core.canonical import canonical, jsonable
from proctor.core.clock import format_timestamp
from proctor.core.errors import IntegrityError
from proctor.core.hashing import sha256_hex
from proctor.pipeline.keys import Keyring, Signature, Signer

LEDGER = Path(".proctor") / "ledger.jsonl"
START = "0" * 64
_PURPOSE = b"proctor ledger entry 1\n"

Kind = Literal[
    "genesis", "proposal", "approval", "denial", "acceptance", "import", "decision", "resolution", "incident"
]


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
        """Every entry, verified. Raises `IntegrityError`, which names the first place of damage."""
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
            if torn:
                # A power cut in the middle of an append: that entry was never given to anybody.
                os.ftruncate(file, os.fstat(file).st_size - torn)
            os.lseek(file, 0, os.SEEK_END)
            line = canonical(entry) + b"\n"
            while line:
                line = line[os.write(file, line) :]
            os.fsync(file)
        return entry

    @contextmanager
    def _locked(self) -> Iterator[int]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield file
        finally:
            os.close(file)

    def _read(self) -> tuple[list[Entry], int]:
        """(entries, bytes of an unfinished last line)."""
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return [], 0
        lines = data.split(b"\n")
        torn = len(lines.pop())
        entries: list[Entry] = []
        for number, line in enumerate(lines):
            place = f"{self.path} line {number + 1}"
            entry = _entry(line, place)
            problem = self._problem(entry, number, entries[-1].hash if entries else START)
            if problem is None and line != canonical(entry):
                problem = "it is written in another form than entries are"
            if problem is not None:
                raise IntegrityError(problem, place=place)
            entries.append(entry)
        return entries, torn

    def _problem(self, entry: Entry, number: int, previous: str) -> str | None:
        if entry.number != number:
            return f"entry {number} is expected here and entry {entry.number} stands here; one was removed or moved"
        if entry.previous != previous:
            return "it does not follow from the entry before it; one of the two was replaced"
        if entry.hash != entry.computed_hash():
            return "its content is not what its hash says; it was changed"
        if entry.signature is not None:
            if not entry.signature.holds(entry.signed_bytes()):
                return f"the signature of '{entry.signature.key}' does not hold"
            known = self.keyring.public(entry.signature.key)
            if known is not None and known != entry.signature.public:
                return f"it is signed by another key than {self.keyring.folder.name}/{entry.signature.key}.pub"
        return None


def _entry(line: bytes, place: str) -> Entry:
    try:
        return msgspec.json.decode(line, type=Entry)
    except msgspec.MsgspecError as error:
        message = f"not an entry of a ledger ({error})"
        raise IntegrityError(message, place=place) from None

"""The baseline as a file: portable, signed if a key was given, with the approvals its rules depend on.

`export` and `import` copy it to another clone, where the gate decides the same. Changing anything in it breaks its
digest, and its signature if it has one. A file whose name does not end in `.json` is the same, compressed: twenty runs
of 1,500 scenarios are 10 MB of text and a few hundred kB then.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import zstandard

from proctor.core.atomic_write import atomic_write
from proctor.core.canonical import UNREADABLE
from proctor.core.errors import InputError, IntegrityError
from proctor.core.hashing import sha256_hex
from proctor.core.reading import read_at_most
from proctor.core.signatures import Signature
from proctor.instruments.quality.baseline import Anchor, Baseline, RunSummary
from proctor.pipeline.keys import Keyring, Signer

FORMAT = "proctor-baseline-2"
FIRST_FORMAT = "proctor-baseline-1"
"""Its signature left the approvals out: it can be read and shown, and nothing is decided by it."""
MAX_BYTES = 1 << 28
_PURPOSE = {FIRST_FORMAT: b"proctor baseline 1\n", FORMAT: b"proctor baseline 2\n"}
_ENCODER = msgspec.json.Encoder(order="deterministic")


class BaselineFile(msgspec.Struct, frozen=True, kw_only=True):
    """What the file holds."""

    format: str = FORMAT
    suite: str
    """Name without version."""
    charter: str
    """Hash of the rules and oracle it was accepted under."""
    questions: dict[str, str]
    """Scenario id → digest of what the agent met, the oracle's answer left out."""
    baseline: Baseline
    version: int = 1
    """Counts what was accepted for the suite, from 1; it only rises."""
    lineage: tuple[dict[str, Any], ...]
    """Ledger entries that led to its charter, to its acceptance and to the answers that hold with it. Each is signed
    for itself and checked when it is taken in; which of them are there, the file's own signature says."""
    signature: Signature | None = None

    def signed_bytes(self) -> bytes:
        """What a signature covers: everything but itself."""
        bare = msgspec.structs.replace(self, signature=None)
        if self.format == FIRST_FORMAT:
            bare = msgspec.structs.replace(bare, lineage=())
        return _PURPOSE[self.format] + _encoded(bare)

    @property
    def digest(self) -> str:
        """Identity of what it holds, by which the ledger names it; the approvals it carries name it in turn."""
        return sha256_hex(_PURPOSE[self.format] + _encoded(msgspec.structs.replace(self, signature=None, lineage=())))

    @property
    def compared(self) -> str:
        """Identity of what runs are compared with; runs that are still joining change nothing in it."""
        return sha256_hex(_ENCODER.encode([self.baseline.runs, self.baseline.anchor]))

    def standing(self, keyring: Keyring) -> str:
        """For the report: who answers for it."""
        if self.signature is None:
            return "nobody signed the baseline"
        if not keyring.knows(self.signature):
            return f"the baseline is signed by '{self.signature.key}', a key this project does not know"
        return f"the baseline is signed by {self.signature.key}"


class _Shelf(msgspec.Struct, frozen=True, kw_only=True):
    """The baseline as it is written: runs once, named wherever they stand."""

    summaries: dict[str, RunSummary]
    runs: tuple[str, ...]
    rising: tuple[str, ...]
    release: str
    anchor: tuple[str, ...]
    accepted_at: str
    facts: dict[str, Any]


class _Form(msgspec.Struct, frozen=True, kw_only=True):
    """The file as it is written."""

    format: str
    suite: str
    charter: str
    questions: dict[str, str]
    shelf: _Shelf
    version: int | msgspec.UnsetType = msgspec.UNSET
    """Absent in the first format."""
    lineage: tuple[dict[str, Any], ...]
    signature: Signature | None


class _Written(msgspec.Struct, frozen=True):
    digest: str
    file: _Form


def _encoded(file: BaselineFile) -> bytes:
    """The one sequence of bytes of this content: fields in order, names sorted, numbers in their shortest form."""
    baseline = file.baseline
    listed = (*baseline.anchor.runs, *baseline.runs, *baseline.rising)
    shelf = _Shelf(
        summaries={run.run: run for run in listed},
        runs=tuple(run.run for run in baseline.runs),
        rising=tuple(run.run for run in baseline.rising),
        release=baseline.anchor.release,
        anchor=tuple(run.run for run in baseline.anchor.runs),
        accepted_at=baseline.accepted_at,
        facts=baseline.facts,
    )
    return _ENCODER.encode(
        _Form(
            format=file.format,
            suite=file.suite,
            charter=file.charter,
            questions=file.questions,
            shelf=shelf,
            version=msgspec.UNSET if file.format == FIRST_FORMAT else file.version,
            lineage=file.lineage,
            signature=file.signature,
        )
    )


def _file_of(form: _Form) -> BaselineFile:
    shelf = form.shelf

    def taken(names: tuple[str, ...]) -> tuple[RunSummary, ...]:
        return tuple(shelf.summaries[name] for name in names)

    return BaselineFile(
        format=form.format,
        suite=form.suite,
        charter=form.charter,
        questions=form.questions,
        baseline=Baseline(
            runs=taken(shelf.runs),
            anchor=Anchor(shelf.release, taken(shelf.anchor)),
            accepted_at=shelf.accepted_at,
            rising=taken(shelf.rising),
            facts=shelf.facts,
        ),
        version=1 if form.version is msgspec.UNSET else form.version,
        lineage=form.lineage,
        signature=form.signature,
    )


def _unpacked(data: bytes) -> bytes:
    """The text, decompressed where it is compressed; a stranger's file cannot grow without bound."""
    if not data.startswith(zstandard.FRAME_HEADER):
        return data
    if zstandard.frame_content_size(data) > MAX_BYTES:
        message = "too large to be a baseline"
        raise zstandard.ZstdError(message)
    return zstandard.ZstdDecompressor().decompress(data, max_output_size=MAX_BYTES)


def sign(file: BaselineFile, signer: Signer | None) -> BaselineFile:
    """The same file, signed; unsigned without a key."""
    bare = msgspec.structs.replace(file, signature=None)
    return bare if signer is None else msgspec.structs.replace(bare, signature=signer.sign(bare.signed_bytes()))


def write_baseline(file: BaselineFile, path: Path) -> None:
    """Write the file, whole or not at all."""
    data = _encoded(file)
    text = b'{"digest":"%s","file":%s}\n' % (sha256_hex(data).encode(), data)
    with atomic_write(path) as out:
        out.write(text if path.suffix == ".json" else zstandard.ZstdCompressor(level=10).compress(text))


def read_baseline(path: Path) -> BaselineFile:
    """The file, checked against its digest and signature."""
    try:
        written = msgspec.json.decode(_unpacked(read_at_most(path, MAX_BYTES)), type=_Written)
        file = _file_of(written.file)
    except FileNotFoundError:
        message = f"{path}: there is no baseline; accept one with `proctor baseline accept RUN …`"
        raise InputError(message) from None
    except (*UNREADABLE, KeyError, zstandard.ZstdError) as error:
        message = f"not a baseline file ({error})"
        raise IntegrityError(message, where=str(path)) from None
    if file.format not in _PURPOSE:
        message = f"{path}: a baseline of format {file.format}, which this version does not read"
        raise InputError(message)
    if sha256_hex(_encoded(file)) != written.digest:
        message = "its content does not match its digest; it was changed"
        raise IntegrityError(message, where=str(path))
    if file.signature is not None and not file.signature.holds(file.signed_bytes()):
        message = f"the signature of '{file.signature.key}' does not hold"
        raise IntegrityError(message, where=str(path))
    return file


def require_current(file: BaselineFile) -> BaselineFile:
    """The same file; refused where it is of the first format, in which approvals could be taken out unnoticed."""
    if file.format == FIRST_FORMAT:
        message = (
            "this baseline is from an earlier version, whose signature did not cover the approvals in it; accept its "
            "runs again with `proctor baseline accept RUN … --key NAME`"
        )
        raise InputError(message)
    return file

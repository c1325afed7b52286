"""What is in a bundle, in which order, and what its small text members say.

    declarations.json   what determined the run: the frozen declarations and the nine required inputs
    arms.json           each family × regime × condition of the suite, by number
    execution.json      facts of the execution that enter `seal`
    stages.json         frozen outputs of finished stages
    events/00000.zst …  traces, and what is kept beside the chain (see `blocks`)
    contents/00000.zst… values stored by content: tools as shown, large results, artifacts, in order of first use
    rows.parquet        one row per episode, with family, regime, condition, cell and stage of its arm
    attachments/KIND-DIGEST  documents beside the run (ratings, logs), outside `root`, in the order in which they came
    manifest.json       what this is, the digests, and size and SHA-256 of everything above
    statement.json      an in-toto v1 Statement about manifest, root and attachments, ready to be signed
    SHA256SUMS          SHA-256 of everything above, in the form `sha256sum --check` reads

JSON members are RFC 8785 bytes. Manifest, statement and sums follow from the rest, so verification makes them again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.metadata import version
from typing import Any

import msgspec
import zstandard
from msgspec import Struct

from proctor.core.canonical import canonical
from proctor.evidence.attachments import KIND, MAX_ALL_BYTES, MAX_BYTES, MAX_COUNT, SHOWN_DIGITS, attachment_name
from proctor.evidence.bundle.archive import Member

FORMAT = "proctor.bundle"
FORMAT_VERSION = 3
READ_VERSIONS = (2, 3)
"""Version 2 has no attachments, and no row columns after `attempts`: those read as not measured."""
STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "urn:proctor:evidence:v1"

DECLARATIONS = "declarations.json"
ARMS = "arms.json"
EXECUTION = "execution.json"
STAGES = "stages.json"
EVENTS = "events"
CONTENTS = "contents"
ROWS = "rows.parquet"
ATTACHMENTS = "attachments"
MANIFEST = "manifest.json"
STATEMENT = "statement.json"
SUMS = "SHA256SUMS"

_HEAD = (DECLARATIONS, ARMS, EXECUTION, STAGES)
_TAIL = (ROWS, MANIFEST, STATEMENT, SUMS)

_DIGITS = re.compile(rf"[0-9a-f]{{{SHOWN_DIGITS}}}\Z")


class Limits(Struct, frozen=True):
    """What a stranger's file may cost. A bundle that Proctor wrote stays within the defaults."""

    members: int = 1_000_000
    document_bytes: int = 64 * 2**20
    """Of one JSON member."""
    unpacked_bytes: int = 512 * 2**20
    unpacked_ratio: int = 500
    """Blocks unpack to `unpacked_bytes`, plus this many times the size of the file, in all."""
    planned: int = 10_000_000
    """Lifetimes up to which the order of presentation is worked out anew."""
    attachments: int = MAX_COUNT
    attachment_bytes: int = MAX_BYTES
    attached_bytes: int = MAX_ALL_BYTES
    """Of one attachment, and of all of them."""

    def unpacked(self, size: int) -> int:
        """What the blocks of a file of this size may unpack to."""
        return self.unpacked_bytes + self.unpacked_ratio * size


LIMITS = Limits()


class MemberEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A member as the manifest lists it."""

    name: str
    size: int
    sha256: str


class MadeWith(Struct, frozen=True, forbid_unknown_fields=True):
    """Versions on which packed bytes depend. Equal versions give equal files."""

    proctor: str
    pyarrow: str
    zstd: str

    @classmethod
    def here(cls) -> MadeWith:
        """The versions of this installation."""
        return cls(version("proctor"), version("pyarrow"), ".".join(map(str, zstandard.ZSTD_VERSION)))


class Manifest(Struct, frozen=True, forbid_unknown_fields=True):
    """`manifest.json`."""

    format: str
    version: int
    run: str
    suite: str
    agent: str
    config_hash: str
    declarations: str
    """SHA-256 over the RFC 8785 bytes of the frozen declarations."""
    root: str
    seal: str
    status: str
    cut: int | None
    episodes: int
    """Planned."""
    stored: int
    """In this bundle; those at or beyond `cut` are outside `root` and inside `seal`."""
    outcomes: dict[str, int]
    """How the episodes that count ended."""
    contents: int
    made_with: MadeWith
    members: tuple[MemberEntry, ...]


def block_name(folder: str, number: int) -> str:
    """The name of a block."""
    return f"{folder}/{number:05d}.zst"


def attachment_member(kind: str, sha256: str) -> str:
    """The name of an attachment's member."""
    return f"{ATTACHMENTS}/{attachment_name(kind, sha256)}"


def attachment_kind(name: str) -> str | None:
    """The kind in the name of an attachment's member; None when it is the name of something else."""
    folder, _, rest = name.partition("/")
    kind, _, digits = rest.rpartition("-")
    return kind if folder == ATTACHMENTS and KIND.match(kind) and _DIGITS.match(digits) else None


def may_follow(last: str | None, name: str) -> bool:
    """Whether a member of this name may come after one of that name."""
    if attachment_kind(name) is not None:
        return last is not None and (last == ROWS or attachment_kind(last) is not None)
    return name in allowed_next(last)


def allowed_next(name: str | None) -> tuple[str, ...]:
    """The names that may come after this one, attachments apart; after the last there is none."""
    if name is None:
        return (_HEAD[0],)
    fixed = (*_HEAD, *_TAIL)
    if name in fixed and name not in (STAGES, SUMS):
        return (fixed[fixed.index(name) + 1],)
    if name == STAGES:
        return block_name(EVENTS, 0), block_name(CONTENTS, 0), ROWS
    if attachment_kind(name) is not None:
        return (MANIFEST,)
    folder, slash, rest = name.partition("/")
    if not slash:
        return ()
    following = block_name(folder, int(rest.removesuffix(".zst")) + 1)
    return (following, block_name(CONTENTS, 0), ROWS) if folder == EVENTS else (following, ROWS)


def member_entries(members: Iterable[Member]) -> tuple[MemberEntry, ...]:
    """Members as the manifest lists them: those it can know of."""
    own = (MANIFEST, STATEMENT, SUMS)
    return tuple(MemberEntry(member.name, member.size, member.sha256) for member in members if member.name not in own)


def statement(manifest: Manifest, manifest_sha256: str) -> bytes:
    """`statement.json`: what a signature on this evidence would be about."""
    value: dict[str, Any] = {
        "_type": STATEMENT_TYPE,
        "subject": [
            {"name": MANIFEST, "digest": {"sha256": manifest_sha256}},
            {"name": manifest.run, "digest": {"proctorRoot": manifest.root, "proctorSeal": manifest.seal}},
            *(
                {"name": entry.name, "digest": {"sha256": entry.sha256}}
                for entry in manifest.members
                if attachment_kind(entry.name) is not None
            ),
        ],
        "predicateType": PREDICATE_TYPE,
        "predicate": {
            "agent": manifest.agent,
            "configHash": manifest.config_hash,
            "cut": manifest.cut,
            "declarations": {"sha256": manifest.declarations},
            "episodes": manifest.stored,
            "outcomes": manifest.outcomes,
            "planned": manifest.episodes,
            "status": manifest.status,
            "suite": manifest.suite,
        },
    }
    return canonical(value)


def checksums(members: Iterable[Member]) -> bytes:
    """`SHA256SUMS`, for every member but itself."""
    return "".join(f"{member.sha256}  {member.name}\n" for member in members if member.name != SUMS).encode("ascii")


manifest_from = msgspec.json.Decoder(Manifest).decode

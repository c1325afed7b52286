"""Documents that come beside a run or after it: ratings by people, an operator's log, a preregistration.

They are no part of what happened, so `root` and `seal` do not cover them; each is known by its kind and its SHA-256. A
store only ever adds them. In a bundle the manifest, the statement and the checksums cover them.

Kinds in use: `ratings` and `rating-reference` (CSV, see `ratings.py`), `operator-log` (CSV), `preregistration` (JSON),
`report` (what was published: a report, card or Technical Report as JSON), `signature` (over root, seal and the other
documents), `determination` (what an audit found), `challenge` and `challenge-evidence`. A kind that this version does
not know is kept, listed and left unread.
"""

from __future__ import annotations

import re

from msgspec import Struct

from proctor.core.errors import InputError
from proctor.core.hashing import sha256_hex

RATINGS = "ratings"
RATING_REFERENCE = "rating-reference"
REPORT = "report"
SIGNATURE = "signature"
DETERMINATION = "determination"
ABOUT_RESULTS = frozenset({REPORT, SIGNATURE, DETERMINATION, "challenge", "challenge-evidence"})
"""What others may say about a finished result. All other kinds are part of what a result is read from."""

KIND = re.compile(r"[a-z][a-z0-9-]{0,30}[a-z0-9]\Z")
SHOWN_DIGITS = 12
"""Hex digits of a SHA-256 in names and messages."""
MAX_BYTES = 16 * 2**20
MAX_ALL_BYTES = 64 * 2**20
MAX_COUNT = 100
"""Of one document, of all documents of a run, and how many there may be: a stranger's bundle may not cost more."""


class Attachment(Struct, frozen=True):
    """One document. `sha256` is what was recorded for it; whoever relies on the content computes it again."""

    kind: str
    sha256: str
    content: bytes

    @classmethod
    def of(cls, kind: str, content: bytes) -> Attachment:
        """A document on its way in; refuses what no store takes."""
        if not KIND.match(kind):
            message = f"'{kind}' is no kind of attachment: use lower-case letters, digits and hyphens, at most 32"
            raise InputError(message)
        if not content or len(content) > MAX_BYTES:
            message = f"an attachment has 1 to {MAX_BYTES} bytes; this {kind} document has {len(content)}"
            raise InputError(message)
        return cls(kind, sha256_hex(content), content)

    @property
    def name(self) -> str:
        """What it is called: kind and beginning of its SHA-256."""
        return attachment_name(self.kind, self.sha256)

    @property
    def intact(self) -> bool:
        """Whether the content has the SHA-256 that was recorded for it."""
        return sha256_hex(self.content) == self.sha256


def attachment_name(kind: str, sha256: str) -> str:
    """`ratings-3f2ab4c5d6e7`."""
    return f"{kind}-{sha256[:SHOWN_DIGITS]}"


def require_room(present: list[Attachment], new: Attachment) -> None:
    """Refuse a document that would make a run's attachments too many or too large."""
    size = sum(len(one.content) for one in present) + len(new.content)
    if len(present) >= MAX_COUNT or size > MAX_ALL_BYTES:
        message = (
            f"{new.name} cannot be added: a run has at most {MAX_COUNT} attachments of {MAX_ALL_BYTES} bytes in all"
        )
        raise InputError(message)

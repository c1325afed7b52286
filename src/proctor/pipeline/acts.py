"""Acts: what two people decide together outside of the rules, each proven by signature.

An answer to an escalation, the closing of an S1, a baseline that lies lower, a renewed scenario: each is an act in the
ledger that says what kind it is, which suite and content it is about, which scenarios and reasons it covers, and until
when. It holds once two different keys of the project have signed the same act: whoever asks first proposes it, and
somebody else decides. What is not written in it is not covered by it. Entries are signed for themselves, so acts
travel with a baseline file and hold in a fresh clone.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import msgspec

from proctor.core.canonical import jsonable
from proctor.core.clock import parse_timestamp
from proctor.core.errors import InputError, IntegrityError
from proctor.core.hashing import content_hash
from proctor.core.signatures import Signature
from proctor.pipeline.keys import Keyring, Signer
from proctor.pipeline.ledger import Entry, Ledger

ACT: Final = "act"


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """What is decided. Two acts are the same when all of this is."""

    kind: str
    """What is done, e.g. `answer` or `close-s1`."""
    suite: str
    """Name without version."""
    subject: str
    """Hash of what it is about, e.g. of the run's root, the open S1, or the baseline and rules."""
    scenarios: tuple[str, ...] = ()
    """The scenarios it covers, sorted; it covers no other."""
    reasons: tuple[str, ...] = ()
    """What it answers, sorted: the words of the gate, and digests of what was done where these words count acts or
    name scenarios."""
    expires: str | None = None
    """The moment from which it no longer holds; None: it holds for good."""

    @property
    def identity(self) -> str:
        """Hash over all of it."""
        return content_hash(self.normal)

    @property
    def normal(self) -> Act:
        """The same act with its lists in order, each item once."""
        return msgspec.structs.replace(
            self, scenarios=tuple(sorted(set(self.scenarios))), reasons=tuple(sorted(set(self.reasons)))
        )

    def expired(self, at: datetime) -> bool:
        """Whether it no longer holds at this moment."""
        return self.expires is not None and parse_timestamp(self.expires) <= at


class SignedAct(msgspec.Struct, frozen=True, kw_only=True):
    """An act and who signed it so far, in the order they did."""

    act: Act
    signatures: tuple[Signature, ...]
    """One for each key: a second signature with the same key adds nothing."""
    because: tuple[str, ...]
    """What each of them gave as the reason."""
    entries: tuple[str, ...]
    """Hashes of the ledger entries."""

    @property
    def holds(self) -> bool:
        """Whether somebody other than its proposer signed it."""
        return len(self.signatures) > 1

    @property
    def proposer(self) -> str:
        """Who asked."""
        return self.signatures[0].key

    @property
    def decided_by(self) -> str | None:
        """Who decided; None while nobody did."""
        return self.signatures[1].key if self.holds else None


def sign_act(ledger: Ledger, act: Act, *, because: str, signer: Signer) -> SignedAct:
    """Sign an act: propose it, or decide it if somebody else proposed it."""
    if len(because.split()) < 2:
        message = "give a reason with --because that somebody else can judge"
        raise InputError(message)
    act = act.normal

    def not_yet(entries: list[Entry]) -> None:
        known = next((one for one in signed_acts(entries, ledger.keyring) if one.act == act), None)
        if known is not None and not known.holds and known.signatures[0].public == signer.public:
            message = "this was proposed with this key; somebody else has to decide on it"
            raise InputError(message)

    ledger.append(ACT, {**jsonable(act), "because": because}, signer=signer, check=not_yet)
    return next(one for one in signed_acts(ledger.entries(), ledger.keyring) if one.act == act)


def signed_acts(entries: Sequence[Entry], keyring: Keyring) -> list[SignedAct]:
    """Every act that a known key signed, oldest first, decided or not.

    Give `governance.with_imported(ledger.entries())` where acts that came with a baseline count as well.
    """
    found: dict[str, SignedAct] = {}
    for entry in entries:
        signature = entry.signature
        if entry.kind != ACT or signature is None or not keyring.knows(signature):
            continue
        act = act_in(entry)
        known = found.get(act.identity)
        if known is None:
            found[act.identity] = SignedAct(
                act=act, signatures=(signature,), because=(entry.body["because"],), entries=(entry.hash,)
            )
        elif signature.public not in {one.public for one in known.signatures}:
            found[act.identity] = msgspec.structs.replace(
                known,
                signatures=(*known.signatures, signature),
                because=(*known.because, entry.body["because"]),
                entries=(*known.entries, entry.hash),
            )
    return list(found.values())


def acts_that_hold(
    entries: Sequence[Entry], keyring: Keyring, *, kind: str, suite: str, at: datetime
) -> list[SignedAct]:
    """The acts of a kind about a suite that two keys signed and that have not expired."""
    return [
        one
        for one in signed_acts(entries, keyring)
        if one.holds and (one.act.kind, one.act.suite) == (kind, suite) and not one.act.expired(at)
    ]


def act_in(entry: Entry) -> Act:
    """The act of a ledger entry, without the signer's own reason."""
    written = {name: value for name, value in entry.body.items() if name != "because"}
    try:
        return msgspec.convert(written, Act).normal
    except msgspec.ValidationError as error:
        raise IntegrityError(f"not an act ({error})", where=f"ledger entry {entry.number}") from None

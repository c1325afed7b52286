"""Challenges of a published result (§11.8.1, §15.4.3): signed acts beside the run, and what they come to together.

Each act is one attachment of the kind `challenge`, canonical JSON, signed by whoever made it. The format, who may do
what, and why, stand in `docs/design/challenges.md`. Nothing here reads a clock: days are counted between declared
dates. What cannot be believed (a signature that does not hold, an act out of turn, one about another run) is named and
changes nothing else.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import Any, Final, Literal, get_args

import msgspec
from msgspec import Struct

from proctor.core.canonical import UNREADABLE, canonical
from proctor.core.signatures import Signature
from proctor.evidence.attachments import SHOWN_DIGITS, Attachment
from proctor.evidence.evidence import Evidence

CHALLENGE = "challenge"
CHALLENGE_EVIDENCE = "challenge-evidence"
"""Kinds of attachments."""
FORMAT: Final = "proctor-challenge/1"
DAYS = 90
LIMITS = (
    "Dates are those the signers declared. Proctor cannot know whether two keys belong to one person, whether an "
    "auditor is independent, or which acts were left out of a bundle."
)
_PURPOSE = b"proctor challenge act 1\n"

ActKind = Literal["open", "answer", "withdraw", "correct", "resolve"]
Role = Literal["challenger", "evaluator", "auditor"]
Ground = Literal["undisclosed-families", "not-representative", "divergence", "non-compliance"]
Determination = Literal["Compliant", "Contested", "Invalid"]
Status = Literal["open", "lapsed", "withdrawn", "resolved"]
GROUNDS: dict[Ground, str] = {
    "undisclosed-families": "task families exist that were not disclosed, with materially different performance",
    "not-representative": "the disclosed families do not represent the claimed domain",
    "divergence": "the suite diverges from the standard one, as enumerated",
    "non-compliance": "a rule of the framework was not kept",
}
DETERMINATIONS: tuple[Determination, ...] = get_args(Determination)
"""The lightest first."""


class Exhibit(Struct, frozen=True):
    """A file that an act relies on; its content is an attachment of its own."""

    name: str
    sha256: str
    bytes: int


class Act(Struct, frozen=True, forbid_unknown_fields=True):
    """One signed step of a challenge."""

    format: Literal["proctor-challenge/1"]
    act: ActKind
    role: Role
    date: str
    run: dict[str, str | None]
    """name, root and config_hash of the challenged run."""
    challenge: str
    """SHA-256 of the opening; empty in the opening."""
    after: tuple[str, ...]
    """The acts of this challenge that its signer knew and that no other known one follows."""
    statement: str
    ground: Ground | Literal[""]
    families: tuple[str, ...]
    divergences: tuple[str, ...]
    evidence: tuple[Exhibit, ...]
    correction: dict[str, str | None] | None
    determination: Determination | None
    signature: Signature | None = None

    def signed_bytes(self) -> bytes:
        """What the signature covers: everything but itself."""
        return _PURPOSE + canonical(msgspec.structs.replace(self, signature=None))

    def document(self) -> bytes:
        """The act as it is kept."""
        return canonical(self)

    @property
    def day(self) -> datetime.date:
        """When it was made, as its signer says."""
        return datetime.date.fromisoformat(self.date)

    @property
    def public(self) -> str:
        """The signer's public key."""
        return "" if self.signature is None else self.signature.public

    @property
    def signer(self) -> str:
        """The signer by name and beginning of the key: a name alone is anybody's."""
        return "nobody" if self.signature is None else f"{self.signature.key} ({self.signature.public[:8]})"


class Recorded(Struct, frozen=True):
    """An act with the SHA-256 of its document."""

    sha256: str
    act: Act


class Challenge(Struct, frozen=True):
    """One challenge with everything that was said in it, oldest first."""

    id: str
    opening: Recorded
    acts: tuple[Recorded, ...]
    """All that count, the opening first."""
    evaluator_key: str | None
    """What the run declares; None where nobody is proven to be the evaluator."""
    missing: tuple[str, ...] = ()
    """Acts that others follow and that are not there, by SHA-256."""

    @property
    def due(self) -> datetime.date:
        """The end of the 90 days."""
        return self.opening.act.day + datetime.timedelta(days=DAYS)

    @property
    def heads(self) -> tuple[str, ...]:
        """The acts that no other follows."""
        followed = {one for recorded in self.acts for one in recorded.act.after}
        return tuple(sorted(one.sha256 for one in self.acts if one.sha256 not in followed))

    @property
    def determinations(self) -> tuple[Recorded, ...]:
        """Those that stand: of independent auditors; the challenger's where there are none."""
        found = [one for one in self.acts if one.act.act == "resolve"]
        independent = tuple(one for one in found if one.act.role == "auditor")
        return independent or tuple(found)

    @property
    def determination(self) -> Determination | None:
        """The heaviest of those that stand."""
        given = [one.act.determination for one in self.determinations if one.act.determination is not None]
        return max(given, key=DETERMINATIONS.index, default=None)

    @property
    def withdrawal(self) -> Recorded | None:
        """The evaluator's withdrawal of the claim, proven to be theirs."""
        return self._proven("withdraw")

    @property
    def correction(self) -> Recorded | None:
        """The evaluator's last correction, proven to be theirs."""
        return self._proven("correct")

    @property
    def status(self) -> Status:
        """Where it stands by the acts that are there."""
        if self.determinations:
            return "resolved"
        if self.withdrawal is not None:
            return "withdrawn"
        return "lapsed" if max(one.act.day for one in self.acts) >= self.due else "open"

    def _proven(self, kind: ActKind) -> Recorded | None:
        key = self.evaluator_key
        own = [one for one in self.acts if one.act.act == kind and key is not None and one.act.public == key]
        return own[-1] if own else None


class Challenges(Struct, frozen=True):
    """Everything about challenges of one run."""

    found: tuple[Challenge, ...] = ()
    unreadable: tuple[str, ...] = ()
    """Attachments of the kind that cannot be believed, with the reason."""


def challenge_id(opening_sha256: str) -> str:
    """`challenge-3f2ab4c5d6e7`."""
    return f"{CHALLENGE}-{opening_sha256[:SHOWN_DIGITS]}"


class Subject(Struct, frozen=True):
    """What of a run its challenges are checked against."""

    root: str | None
    config_hash: str
    started: str | None
    """Real time of its first start: nothing was published before."""
    evaluator_key: str | None
    """`evaluation.key`, which the seal covers."""


def challenges_in(evidence: Evidence) -> Challenges:
    """The challenges of a run."""
    return challenges_of(evidence.attachments, subject_of(evidence))


def subject_of(evidence: Evidence) -> Subject:
    """The run as its challenges have to name it."""
    declared = evidence.frozen.evaluation
    key = None if declared is None else declared.key
    return Subject(evidence.root, evidence.config_hash, evidence.started, key)


def challenges_of(attachments: Iterable[Attachment], subject: Subject) -> Challenges:
    """The challenges among a run's attachments, in the order of their openings."""
    evaluator_key = subject.evaluator_key
    believed: dict[str, Act] = {}
    unreadable: list[str] = []
    for one in attachments:
        if one.kind != CHALLENGE:
            continue
        act, why = _read(one, subject)
        if act is None:
            unreadable.append(f"{one.name}: {why}")
        else:
            believed[one.sha256] = act
    openings = {sha256: act for sha256, act in believed.items() if act.act == "open"}
    found: list[Challenge] = []
    for sha256, act in sorted(openings.items(), key=lambda pair: (pair[1].date, pair[0])):
        if act.public == evaluator_key:
            unreadable.append(f"{challenge_id(sha256)}: opened by the evaluator of the run")
            continue
        later = {name: one for name, one in believed.items() if one.challenge == sha256}
        challenge, refused = _assembled(Recorded(sha256, act), later, evaluator_key)
        found.append(challenge)
        unreadable += refused
    unreadable += [
        f"{CHALLENGE}-{sha256[:SHOWN_DIGITS]}: the challenge it belongs to is not there"
        for sha256, act in believed.items()
        if act.act != "open" and act.challenge not in openings
    ]
    return Challenges(tuple(found), tuple(unreadable))


def _read(one: Attachment, subject: Subject) -> tuple[Act | None, str]:
    """(act, "") or (None, why not)."""
    try:
        act = msgspec.json.decode(one.content, type=Act)
        day = act.day
    except (*UNREADABLE, ValueError):
        return None, "is not an act of a challenge"
    for wrong, why in (
        (not one.intact, "does not have the SHA-256 that was recorded for it"),
        (act.document() != one.content or day.isoformat() != act.date, "is written in another form than acts are"),
        (act.signature is None, "is not signed"),
        (
            act.signature is not None and not act.signature.holds(act.signed_bytes()),
            "has a signature that does not hold",
        ),
        (_run_of(act) != (subject.root, subject.config_hash), "is about another run"),
        (act.date < (subject.started or "")[:10], "is dated before the run it challenges"),
        ((act.act == "open") != (act.challenge == ""), "names no challenge"),
        (act.act == "open" and bool(act.after), "opens after something"),
    ):
        if wrong:
            return None, why
    return act, ""


def _run_of(act: Act) -> tuple[str | None, str | None]:
    return act.run.get("root"), act.run.get("config_hash")


def _assembled(opening: Recorded, later: dict[str, Act], evaluator_key: str | None) -> tuple[Challenge, list[str]]:
    """The challenge with those acts that its rules allow, each after the ones it follows."""
    kept: list[Recorded] = [opening]
    refused: list[str] = []
    waiting = sorted((Recorded(*pair) for pair in later.items()), key=lambda one: (one.act.date, one.sha256))
    present = {opening.sha256, *later}
    missing = sorted({name for one in waiting for name in one.act.after if name not in present})
    while waiting:
        names = {one.sha256 for one in waiting}
        one = next((one for one in waiting if not names & set(one.act.after)), waiting[0])
        waiting.remove(one)
        so_far = Challenge(challenge_id(opening.sha256), opening, tuple(kept), evaluator_key)
        why = refusal(so_far, one.act)
        if why:
            refused.append(f"{CHALLENGE}-{one.sha256[:SHOWN_DIGITS]}: {why}")
        else:
            kept.append(one)
    challenge = Challenge(challenge_id(opening.sha256), opening, tuple(kept), evaluator_key, tuple(missing))
    return challenge, refused


def refusal(challenge: Challenge, act: Act) -> str:
    """Why this act is not allowed after those that are there; empty where it is. The same rules write and read."""
    opener = challenge.opening.act
    evaluators = {one.act.public for one in challenge.acts if one.act.role == "evaluator"}
    evaluators |= {challenge.evaluator_key} - {None}  # type: ignore[arg-type]
    known = {one.sha256: one.act for one in challenge.acts}
    if any(name in known and act.day < known[name].day for name in act.after) or act.day < opener.day:
        return "it is dated before what it follows"
    if act.act != "resolve":
        if act.act == "open" or act.role != "evaluator":
            return f"{act.act} is the evaluator's to do"
        if act.public == opener.public:
            return "the challenger cannot act for the evaluator"
        if challenge.evaluator_key is not None and act.public != challenge.evaluator_key:
            return "the run declares another key for its evaluator"
        if any(one.act.role == "auditor" and one.act.public == act.public for one in challenge.acts):
            return "whoever determined it cannot act for the evaluator"
        return ""
    if act.determination is None:
        return "it determines nothing"
    if act.public in evaluators:
        return "the evaluator cannot resolve a challenge of their own evaluation"
    if act.public == opener.public:
        return _challenger_refusal(challenge, act)
    return "" if act.role == "auditor" else "only the challenger and an independent auditor resolve"


def _challenger_refusal(challenge: Challenge, act: Act) -> str:
    if act.role != "challenger":
        return "the challenger cannot be the independent auditor"
    if act.day < challenge.due:
        return (
            f"nobody resolves their own challenge: until {challenge.due} that is for an independent auditor; from then "
            "on the challenger determines"
        )
    if challenge.status in ("resolved", "withdrawn"):
        return f"the challenge is {challenge.status} already"
    return ""


def challenge_words(challenge: Challenge) -> str:
    """Where a challenge stands, in a sentence."""
    opener, due = challenge.opening.act, challenge.due
    head = f"{challenge.id}: {opener.ground}, opened {opener.date} by {opener.signer}"
    answers = [one for one in challenge.acts if one.act.role == "evaluator"]
    proven = "" if challenge.evaluator_key is not None else ", not proven to be the evaluator"
    said = f"; {_counted(len(answers))} by {answers[-1].act.signer}{proven}" if answers else "; nobody has answered"
    if challenge.status == "resolved":
        by = "; ".join(
            f"{one.act.determination} by the {one.act.role} {one.act.signer} on {one.act.date}"
            for one in challenge.determinations
        )
        if challenge.evaluator_key is None:
            by += "; the run declares no key of its evaluator, so independence of them is not proven"
        return f"{head}{said}; determined {by}"
    if challenge.status == "withdrawn" and challenge.withdrawal is not None:
        return f"{head}; the claim was withdrawn on {challenge.withdrawal.act.date}"
    if challenge.status == "lapsed":
        last = max((one.act for one in challenge.acts), key=lambda act: act.day)
        return (
            f"{head}{said}; the {DAYS} days ended {due}, as an act of {last.signer} dated {last.date} has it, and "
            "nothing is determined: that is the challenger's to do"
        )
    return f"{head}{said}; open until {due}"


def _counted(count: int) -> str:
    return "one answer" if count == 1 else f"{count} answers"


def challenge_data(challenges: Challenges) -> list[dict[str, Any]]:
    """Challenges as plain data, with every act whole: what is published together with the report."""
    return [
        {
            "id": one.id,
            "status": one.status,
            "determination": one.determination,
            "due": one.due.isoformat(),
            "text": challenge_words(one),
            "missing": list(one.missing),
            "acts": [{"sha256": act.sha256, **msgspec.to_builtins(act.act)} for act in one.acts],
        }
        for one in challenges.found
    ]


def as_published(attachments: Iterable[Attachment], published: Any) -> tuple[Attachment, ...]:
    """A run's documents with those acts alone that a published document lists under `challenges`.

    What was published before an act was made cannot have said anything about it, and is judged without it.
    """
    listed = published.get("challenges") if isinstance(published, dict) else None
    acts = [
        act
        for one in (listed if isinstance(listed, list) else ())
        for act in (one.get("acts", ()) if isinstance(one, dict) else ())
    ]
    known = {act.get("sha256") for act in acts if isinstance(act, dict)}
    return tuple(one for one in attachments if one.kind != CHALLENGE or one.sha256 in known)

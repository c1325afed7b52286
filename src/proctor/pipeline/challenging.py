"""Opening, answering and resolving challenges of a run: each act signed, written to the ledger, and kept with the run.

The rules of who may do what are those by which the record is read (`evidence/challenges.py`); nothing is written that a
reader would not believe. A record that came in a bundle is taken over act by act, as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import get_args

import msgspec

from proctor.core.errors import InputError
from proctor.core.reading import open_file
from proctor.evidence.attachments import MAX_BYTES, Attachment
from proctor.evidence.challenges import (
    CHALLENGE,
    CHALLENGE_EVIDENCE,
    DETERMINATIONS,
    FORMAT,
    GROUNDS,
    Act,
    ActKind,
    Challenge,
    Challenges,
    Determination,
    Exhibit,
    Ground,
    Role,
    Subject,
    challenge_id,
    challenges_in,
    challenges_of,
    refusal,
    subject_of,
)
from proctor.evidence.evidence import Evidence, evidence_of
from proctor.evidence.store.contract import EvidenceStore
from proctor.pipeline.keys import Signer
from proctor.pipeline.ledger import Ledger

_MAX_TEXT = 4_000
_MAX_LISTED = 200


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody wants to put on record."""

    statement: str
    date: str
    """The day, as its signer declares it."""
    evidence: tuple[Path, ...] = ()


def open_challenge(
    store: EvidenceStore,
    run: str,
    ledger: Ledger,
    signer: Signer,
    said: Said,
    *,
    ground: str,
    families: Sequence[str] = (),
    divergences: Sequence[str] = (),
) -> Challenge:
    """Challenge a run. Refuses one without substance, and one by the run's own evaluator."""
    evidence = evidence_of(store, run)
    if ground not in GROUNDS:
        message = f"'{ground}' is no ground of a challenge; use one of {', '.join(GROUNDS)}"
        raise InputError(message)
    found: Ground = next(name for name in get_args(Ground) if name == ground)
    _require_substance(evidence, found, families, divergences, said)
    if signer.public == subject_of(evidence).evaluator_key:
        message = "the evaluator cannot challenge their own evaluation; withdraw or correct it in public instead"
        raise InputError(message)
    act = _act("open", "challenger", evidence, said)
    act = msgspec.structs.replace(act, ground=found, families=tuple(families), divergences=tuple(divergences))
    recorded = _record(store, evidence, ledger, signer, act, said)
    return _found(store, run, challenge_id(recorded))


def add_act(
    store: EvidenceStore,
    name: str,
    ledger: Ledger,
    signer: Signer,
    said: Said,
    *,
    kind: ActKind,
    correction: str | None = None,
    determination: str | None = None,
) -> Challenge:
    """Answer, withdraw, correct or resolve a challenge. Refuses whoever may not, and says who may."""
    run, challenge = find_challenge(store, name)
    evidence = evidence_of(store, run)
    role: Role = "evaluator"
    if kind == "resolve":
        role = "challenger" if signer.public == challenge.opening.act.public else "auditor"
    act = _act(kind, role, evidence, said)
    act = msgspec.structs.replace(
        act,
        challenge=challenge.opening.sha256,
        after=challenge.heads,
        correction=_corrected(store, run, correction) if kind == "correct" else None,
        determination=_determination(determination) if kind == "resolve" else None,
    )
    signed = msgspec.structs.replace(act, signature=signer.sign(act.signed_bytes()))
    if why := refusal(challenge, signed):
        message = f"{challenge.id}: {why}"
        raise InputError(message)
    if kind in ("withdraw", "correct") and challenge.evaluator_key is None:
        message = (
            f"{run} declares no `evaluation.key`, so nobody can prove to be its evaluator; use `proctor challenge "
            "answer`, and declare the key of the next evaluation"
        )
        raise InputError(message)
    _record(store, evidence, ledger, signer, act, said)
    return _found(store, run, challenge.id)


def find_challenge(store: EvidenceStore, name: str) -> tuple[str, Challenge]:
    """(run, challenge) by the challenge's name or an unambiguous beginning of it; or by a run that has only one."""
    wanted = name if name.startswith(f"{CHALLENGE}-") else f"{CHALLENGE}-{name}"
    everything = [(run, one) for run, challenges in all_challenges(store).items() for one in challenges.found]
    found = [(run, challenge) for run, challenge in everything if challenge.id.startswith(wanted)]
    if not found and not name.startswith(f"{CHALLENGE}-"):
        runs = {record.name for record in store.runs()}
        asked = store.run(name).name if name == "latest" or any(run.startswith(name) for run in runs) else ""
        found = [(run, challenge) for run, challenge in everything if run == asked]
    if len(found) != 1:
        problem = "there is no challenge" if not found else f"there are {len(found)} challenges"
        message = f"{problem} '{name}' in {store.location}; `proctor challenge list` shows those that are there"
        raise InputError(message)
    return found[0]


def all_challenges(store: EvidenceStore) -> dict[str, Challenges]:
    """Run → its challenges, for every run that has any."""
    found: dict[str, Challenges] = {}
    for record in store.runs():
        documents = [one for one in store.attachments(record.number) if one.kind == CHALLENGE]
        if documents:
            declared = store.frozen(record.number).evaluation
            key = None if declared is None else declared.key
            subject = Subject(record.root, record.config_hash, record.started, key)
            found[record.name] = challenges_of(documents, subject)
    return found


def take_over(store: EvidenceStore, run: str, documents: Sequence[Attachment], ledger: Ledger) -> list[str]:
    """Keep the acts and files of a record that came from elsewhere with the run; the names of those that are new.

    Refuses the whole of it where one act cannot be believed, so that a stranger's file flags nothing by being broken.
    """
    evidence = evidence_of(store, run)
    there = {(one.kind, one.sha256) for one in evidence.attachments}
    new = [
        one for one in documents if one.kind in (CHALLENGE, CHALLENGE_EVIDENCE) and (one.kind, one.sha256) not in there
    ]
    joined = [*evidence.attachments, *new]
    before, after = challenges_in(evidence), challenges_of(joined, subject_of(evidence))
    if worse := [why for why in after.unreadable if why not in before.unreadable]:
        message = f"nothing was taken over: {worse[0]}"
        raise InputError(message)
    dated = {one.name: msgspec.json.decode(one.content, type=Act).day for one in new if one.kind == CHALLENGE}
    if ahead := [name for name, day in dated.items() if day > today()]:
        message = f"nothing was taken over: {ahead[0]} is dated {dated[ahead[0]]}, which is after today"
        raise InputError(message)
    number = store.run(evidence.run).number
    for one in new:
        store.attach(number, one.kind, one.content)
        if one.kind == CHALLENGE:
            _write(ledger, evidence.run, msgspec.json.decode(one.content, type=Act), one.sha256, None)
    return [one.name for one in new]


def _act(kind: ActKind, role: Role, evidence: Evidence, said: Said) -> Act:
    _require_day(said.date)
    statement = said.statement.strip()
    if len(statement.split()) < 2 or len(statement) > _MAX_TEXT:
        message = f"say with --because what somebody else can judge, in 2 words to {_MAX_TEXT} characters"
        raise InputError(message)
    return Act(
        format=FORMAT,
        act=kind,
        role=role,
        date=said.date,
        run={"name": evidence.run, "root": evidence.root, "config_hash": evidence.config_hash},
        challenge="",
        after=(),
        statement=statement,
        ground="",
        families=(),
        divergences=(),
        evidence=tuple(_exhibit(path)[0] for path in said.evidence),
        correction=None,
        determination=None,
    )


def today() -> date:
    """The day by the clock; it only ever refuses a date, and enters no record."""
    return datetime.now(UTC).date()


def _require_day(text: str) -> None:
    """A plain date, not after today: otherwise 90 days would be over at will."""
    try:
        day = date.fromisoformat(text)
        plain = day.isoformat() == text
    except ValueError:
        day, plain = date.min, False
    if not plain:
        message = f"--date '{text}' is not a day; write it like 2025-01-10"
        raise InputError(message)
    if day > today():
        message = f"--date {text} lies in the future; give the day on which you say this"
        raise InputError(message)


def _require_substance(
    evidence: Evidence, ground: Ground, families: Sequence[str], divergences: Sequence[str], said: Said
) -> None:
    """Each ground asks for what it is made of: a challenge puts a flag on somebody else's result."""
    if evidence.root is None or not evidence.complete:
        message = f"{evidence.run} is not complete, so nothing was published that could be challenged"
        raise InputError(message)
    disclosed = {one.spec.full_name for one in evidence.frozen.families}
    named = disclosed | {name.partition("@")[0] for name in disclosed}
    lacking = {
        "undisclosed-families": ("--family, an undisclosed family, and --evidence of its performance", families),
        "not-representative": ("--family, the disclosed families that do not represent the domain", families),
        "divergence": ("--divergence, once for each divergence from the standard suite", divergences),
        "non-compliance": ("--evidence, e.g. what `proctor audit --json` gave", said.evidence),
    }[ground]
    if not lacking[1] or (ground == "undisclosed-families" and not said.evidence):
        message = f"the ground {ground} needs {lacking[0]}"
        raise InputError(message)
    wrong = [name for name in families if (name in named) == (ground == "undisclosed-families")]
    if wrong:
        what = "is a family of the run and was disclosed" if ground == "undisclosed-families" else "is no family of it"
        message = f"--family {wrong[0]} {what}; {evidence.run} has {', '.join(sorted(disclosed))}"
        raise InputError(message)
    if (
        any(not text.strip() or len(text) > _MAX_TEXT for text in (*families, *divergences))
        or max(len(families), len(divergences)) > _MAX_LISTED
    ):
        message = f"give at most {_MAX_LISTED} families and divergences, of 1 to {_MAX_TEXT} characters"
        raise InputError(message)


def _exhibit(path: Path) -> tuple[Exhibit, Attachment]:
    try:
        with open_file(path) as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        message = f"{path}: cannot be read ({error.strerror})"
        raise InputError(message) from None
    document = Attachment.of(CHALLENGE_EVIDENCE, content)
    return Exhibit(path.name, document.sha256, len(content)), document


def _corrected(store: EvidenceStore, run: str, name: str | None) -> dict[str, str | None]:
    if name is None:
        message = "name the corrected run with --with RUN"
        raise InputError(message)
    record = store.run(name)
    if record.name == run or record.root is None:
        message = f"{record.name} cannot be the correction: it has to be another run, and complete"
        raise InputError(message)
    return {"run": record.name, "root": record.root}


def _determination(text: str | None) -> Determination:
    found = next((one for one in DETERMINATIONS if one.casefold() == (text or "").casefold()), None)
    if found is None:
        message = f"give --determination {', '.join(one.lower() for one in DETERMINATIONS[:-1])} or invalid"
        raise InputError(message)
    return found


def _record(store: EvidenceStore, evidence: Evidence, ledger: Ledger, signer: Signer, act: Act, said: Said) -> str:
    """Sign it, keep it with the run, then in the ledger; the SHA-256 of its document."""
    signed = msgspec.structs.replace(act, signature=signer.sign(act.signed_bytes()))
    document = Attachment.of(CHALLENGE, signed.document())
    if broken := challenges_of([*evidence.attachments, document], subject_of(evidence)).unreadable:
        already = challenges_in(evidence).unreadable
        if worse := [why for why in broken if why not in already]:
            raise InputError(worse[0])
    number = store.run(evidence.run).number
    for path in said.evidence:
        store.attach(number, CHALLENGE_EVIDENCE, _exhibit(path)[1].content)
    store.attach(number, CHALLENGE, document.content)
    _write(ledger, evidence.run, signed, document.sha256, signer)
    return document.sha256


def _write(ledger: Ledger, run: str, act: Act, sha256: str, signer: Signer | None) -> None:
    body = {"run": run, "act": act.act, "sha256": sha256, "document": act}
    ledger.append(
        "challenge",
        body,
        signer=signer,
        unless=lambda entry: entry.kind == "challenge" and entry.body["sha256"] == sha256,
    )


def _found(store: EvidenceStore, run: str, name: str) -> Challenge:
    evidence = evidence_of(store, run)
    return next(one for one in challenges_in(evidence).found if one.id == name)

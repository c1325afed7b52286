"""What is in force: rules and oracle of a suite, followed through the ledger from its first entry to the last approval.

The ledger is the only source: a suite's charter starts with its `genesis` entry (which may be unsigned, and reports say
so) and moves with every approved proposal. Whatever runs under another charter is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from proctor.core.canonical import jsonable
from proctor.core.errors import InputError, IntegrityError
from proctor.pipeline.charter import Change, Charter, summary_of
from proctor.pipeline.keys import Keyring, Signer
from proctor.pipeline.ledger import Entry, Ledger
from proctor.spec.suite import TODAY


class Standing(msgspec.Struct, frozen=True):
    """On what authority a charter is in force."""

    charter: str
    since: str
    """Hash of the ledger entry that put it in force."""
    genesis: bool
    """It is the first of its suite."""
    signed_by: tuple[str, ...]
    """Names of the keys; empty for an unsigned genesis."""

    @property
    def sentence(self) -> str:
        """For the report."""
        if not self.genesis:
            return f"rules and oracle as approved by {self.signed_by[-1]}, proposed by {self.signed_by[0]}"
        if self.signed_by:
            return f"rules and oracle are the first of this suite, signed by {self.signed_by[0]}"
        return "rules and oracle are recorded for the first time for this suite, unsigned"


def approved_charter(entries: Sequence[Entry], keyring: Keyring, suite: str) -> tuple[Charter, Standing] | None:
    """The charter in force for a suite; None when there is none yet."""
    history = list(charters(entries, keyring, suite))
    return history[-1] if history else None


def fixed_clocks(entries: Sequence[Entry], keyring: Keyring) -> list[str]:
    """The fixed dates at which the suites of a project are run, as approved; none of a suite that is run today."""
    suites = sorted({str(e.body["suite"]) for e in with_imported(entries) if e.kind == "genesis"})
    found = [approved_charter(entries, keyring, suite) for suite in suites]
    clocks = [one[0].entries.get("run.clock", TODAY) for one in found if one is not None]
    return [clock for clock in clocks if clock != TODAY]


class Step(msgspec.Struct, frozen=True):
    """A charter that came into force, and on what authority."""

    charter: Charter
    standing: Standing
    at: str
    """Time of the entry that put it in force, by its writer's clock."""


def charters(entries: Sequence[Entry], keyring: Keyring, suite: str) -> Iterator[tuple[Charter, Standing]]:
    """Every charter a suite has had, in the order they came into force, followed through the ledger."""
    return ((step.charter, step.standing) for step in _followed(entries, keyring, suite).steps)


def goes_on(own: Sequence[Step], carried: Sequence[Step]) -> bool:
    """Whether a lineage from elsewhere leads through every charter that this project has had, and not back.

    An excerpt has no chain that proves its order. An approval older than the one in force here may have been taken
    from another past of the suite, where the rules it changes were in force too, and two people agreed then.
    """
    begun = [step.charter.hash for step in own]
    if [step.charter.hash for step in carried[: len(own)]] != begun:
        return False
    return not own or all(step.at >= own[-1].at for step in carried[len(own) :])


def steps_of(entries: Sequence[Entry], keyring: Keyring, suite: str) -> list[Step]:
    """The same as `charters`, with the time of each."""
    return _followed(entries, keyring, suite).steps


class _History:
    """What is known of a suite's rules after some entries."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.proposals: dict[str, Entry] = {}
        self.decided: set[str] = set()


def _followed(entries: Sequence[Entry], keyring: Keyring, suite: str) -> _History:
    found = _History()
    taken_in: Any = None
    for entry in entries:
        if entry.body.get("suite") != suite:
            continue
        if entry.kind == "genesis" and not found.steps:
            signature = entry.signature
            signers = (signature.key,) if signature is not None and keyring.knows(signature) else ()
            _put_in_force(found, Charter(suite, entry.body["charter"]), entry, signers, genesis=True)
        elif entry.kind == "import" and entry.body["lineage"] != taken_in:
            # A job that keeps its ledger takes the same file in every time: what it says was followed already.
            taken_in = entry.body["lineage"]
            _take_in(found, _followed(imported_entries(taken_in), keyring, suite))
        elif entry.kind == "proposal":
            # The first of a name is the one that was read before it was approved.
            found.proposals.setdefault(entry.body["proposal"], entry)
        elif entry.kind in ("approval", "denial"):
            _decide(found, entry, keyring)
    return found


def _take_in(found: _History, carried: _History) -> None:
    """Follow a baseline's lineage as far as it goes on from what is known; one that does not, counts for nothing.

    In a clone that has only the file it is all there is. Where a ledger is kept, rules that were approved elsewhere
    take the place of those they were approved for.
    """
    if not goes_on(found.steps, carried.steps):
        return
    found.steps += carried.steps[len(found.steps) :]
    found.proposals = {**carried.proposals, **found.proposals}
    found.decided |= carried.decided


def _decide(found: _History, verdict: Entry, keyring: Keyring) -> None:
    name = verdict.body["proposal"]
    proposal = found.proposals.get(name)
    if not found.steps or proposal is None or name in found.decided or not signed_by_two(proposal, verdict, keyring):
        return
    found.decided.add(name)
    before = found.steps[-1].charter
    if verdict.kind == "denial" or proposal.body["from"] != before.hash:
        return
    charter = before.changed_by(changes_in(proposal))
    if verdict.body.get("to") != charter.hash:
        message = f"the approval of '{name}' is of other rules than its proposal leads to"
        raise IntegrityError(message, where=f"ledger entry {verdict.number}")
    _put_in_force(found, charter, verdict, (proposal.signer or "", verdict.signer or ""), genesis=False)


def _put_in_force(found: _History, charter: Charter, entry: Entry, signers: tuple[str, ...], *, genesis: bool) -> None:
    standing = Standing(charter.hash, entry.hash, genesis=genesis, signed_by=signers)
    found.steps.append(Step(charter, standing, entry.at))


def signed_by_two(proposal: Entry, verdict: Entry, keyring: Keyring) -> bool:
    """Whether two different keys of this project signed proposal and verdict."""
    first, second = proposal.signature, verdict.signature
    if first is None or second is None:
        return False
    return keyring.knows(first) and keyring.knows(second) and first.public != second.public


def changes_in(proposal: Entry) -> tuple[Change, ...]:
    """What a proposal changes."""
    return msgspec.convert(proposal.body["changes"], tuple[Change, ...])


def standing_of(ledger: Ledger, charter: Charter, *, partial: bool = False) -> Standing | None:
    """The authority of a charter; None when it would be the first of its suite. One that is not as approved is refused.

    With `partial` the charter holds only the scenarios of a scope: those must be as approved, none may be new.
    """
    current = approved_charter(ledger.entries(), ledger.keyring, charter.suite)
    if current is None:
        if partial:
            message = (
                f"suite '{charter.suite}' has no approved rules yet, and this run has only some of its scenarios, or "
                "was made with other files than are here now; gate a new run of the whole suite first"
            )
            raise InputError(message)
        return None
    approved, standing = current
    changes = approved.changes_to(charter, partial=partial)
    if changes:
        raise InputError(refusal(charter.suite, changes))
    return standing


def require_approved(
    ledger: Ledger, charter: Charter, *, partial: bool = False, signer: Signer | None = None
) -> Standing:
    """The authority of a charter; the first of a suite is recorded as its genesis, any other one is refused."""
    standing = standing_of(ledger, charter, partial=partial)
    if standing is not None:
        return standing
    body = {"suite": charter.suite, "charter": charter.entries, "hash": charter.hash}
    ledger.append("genesis", body, signer=signer, unless=_of_suite("genesis", charter.suite))
    return require_approved(ledger, charter)


def refusal(suite: str, changes: Sequence[Change]) -> str:
    """The one sentence with which an unapproved change is refused."""
    count = f"{len(changes)} place" + ("s" if len(changes) > 1 else "")
    return (
        f"suite '{suite}' differs from its approved rules and oracle in {count} ({summary_of(changes)}); "
        "propose the change with `proctor govern propose` and let somebody else approve it"
    )


LINEAGE = ("genesis", "proposal", "approval", "denial", "acceptance", "rise", "act")
"""The kinds of entry that travel with a baseline."""


def lineage(entries: Sequence[Entry], suite: str) -> list[dict[str, Any]]:
    """The entries that led to a suite's charter and baseline, and the answers given, as data for a baseline file."""
    return [
        jsonable(entry)
        for entry in with_imported(entries)
        if entry.kind in LINEAGE and entry.body.get("suite") == suite
    ]


def require_head(entries: Sequence[Entry], expected: str) -> None:
    """Refuse a history that does not hold this entry or baseline: whoever pins it sees the whole project put back."""
    known = {entry.hash for entry in entries}
    known |= {entry.body["baseline"] for entry in entries if isinstance(entry.body.get("baseline"), str)}
    if len(expected) < 16 or not any(one.startswith(expected) for one in known):
        message = (
            f"the ledger and the baseline do not know {expected[:16]}, which was to be in them; they were put back to "
            "an earlier state, or the digest is of another project"
        )
        raise InputError(message)


def with_imported(entries: Sequence[Entry]) -> list[Entry]:
    """These entries, with those that came in with a baseline in the place of its import, each once.

    A baseline speaks of its own suite: what it carries of another one counts for nothing.
    """
    found: dict[str, Entry] = {}
    for entry in entries:
        carried = imported_entries(entry.body["lineage"]) if entry.kind == "import" else []
        for one in (*(one for one in carried if one.body.get("suite") == entry.body["suite"]), entry):
            found.setdefault(one.hash, one)
    return list(found.values())


def imported_entries(data: Sequence[Mapping[str, Any]]) -> list[Entry]:
    """Entries that came with a baseline, checked one by one: they are an excerpt, so there is no chain to check."""
    try:
        entries = [msgspec.convert(item, Entry) for item in data]
    except msgspec.ValidationError as error:
        raise IntegrityError(f"not entries of a ledger ({error})", where="approvals of the baseline") from None
    for entry in entries:
        signature = entry.signature
        if entry.hash != entry.computed_hash() or (signature is not None and not signature.holds(entry.signed_bytes())):
            message = f"the {entry.kind} it carries was changed"
            raise IntegrityError(message, where=f"ledger entry {entry.number} of the baseline")
    return entries


def _of_suite(kind: str, suite: str) -> Any:
    return lambda entry: entry.kind == kind and entry.body.get("suite") == suite

"""Keys, proposals, approvals, and the queue of escalations.

`key NAME` creates a key; `propose` records the difference between the rules and scenarios in this folder and the
approved ones; `approve ID` and `deny ID` decide a proposal or answer an escalation, signed by somebody other than the
proposer; `close ID` closes the S1 that a gate saw, once two people have signed it; `list` lists open proposals,
escalations and S1 violations; `verify` checks the ledger and says which entry was changed.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from proctor.cli.gate import Key
from proctor.cli.options import Json

if TYPE_CHECKING:
    from proctor.pipeline.keys import Signer


_LEAST_WORDS = {"propose": 3, "approve": 2, "deny": 2, "close": 2}
"""How many words of justification each action takes, at least."""


def command(
    action: Annotated[
        str, typer.Argument(metavar="ACTION", help="key, propose, approve, deny, close, list or verify.")
    ] = "list",
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME|ID", help="Name of the key to create, or id of what to approve or deny."),
    ] = None,
    suite: Annotated[
        str | None, typer.Option("--suite", help="The suite whose rules or scenarios change (default: the project's).")
    ] = None,
    because: Annotated[str, typer.Option("--because", metavar="TEXT", help="The justification.")] = "",
    evidence: Annotated[
        list[Path] | None,
        typer.Option("--evidence", metavar="FILE", help="A file that supports the change; may be repeated."),
    ] = None,
    key: Key = None,
    json: Json = False,
) -> None:
    from proctor.cli.output import print_json
    from proctor.core.errors import InputError

    project = Path()
    words = _LEAST_WORDS.get(action)
    if words is not None:
        require_reason(because, words=words)
    if action == "key" and name:
        shown, text = _key(project, name)
    elif action == "propose" and name is None:
        shown, text = _propose(project, suite, because, evidence or [], key)
    elif action in ("approve", "deny") and name:
        shown, text = _decide(project, name, because, key, approve=action == "approve")
    elif action == "close" and name:
        shown, text = _close(project, name, because, key)
    elif action == "list" and name is None:
        shown, text = _list(project)
    elif action == "verify" and name is None:
        shown, text = _verify(project)
    else:
        message = "use `govern key NAME`, `propose`, `approve ID`, `deny ID`, `close ID`, `list` or `verify`"
        raise InputError(message)
    if json:
        print_json(shown)
    else:
        typer.echo(text)


def require_reason(because: str, *, words: int) -> None:
    """Refuse a justification of fewer words: whoever reads the ledger later has nothing else to judge by."""
    from proctor.core.errors import InputError

    given = len(because.split())
    if given >= words:
        return
    what = f"--because {because.strip()!r} is too short ({given} of {words} words)" if given else "--because is missing"
    message = f"{what}; give a reason of at least {words} words that somebody else can judge"
    raise InputError(message)


def signer_of(project: Path, key: str | None) -> Signer:
    """The private half of the key that was named; refuses where none was."""
    from proctor.core.errors import InputError
    from proctor.pipeline.keys import load_signer

    if key is None:
        message = "this needs a signature; give your key with --key NAME, or create one with `proctor govern key NAME`"
        raise InputError(message)
    return load_signer(key, project)


def _key(project: Path, name: str) -> tuple[Any, str]:
    from proctor.pipeline.keys import make_key

    public, private = make_key(name, project)
    text = f"{private} is your private key: keep it to yourself. Commit {public} so that your signatures are accepted"
    return {"public": str(public), "private": str(private)}, text


def _propose(project: Path, suite: str | None, because: str, evidence: list[Path], key: str | None) -> tuple[Any, str]:
    from proctor.core.errors import InputError
    from proctor.pipeline.charter import summary_of
    from proctor.pipeline.ledger import Ledger
    from proctor.pipeline.proposals import propose
    from proctor.pipeline.scenarios import charter_of_suite
    from proctor.spec.project import read_project

    declared = read_project(project)
    named = suite or (declared.suite if declared else None)
    if named is None:
        message = "name the suite whose rules change, e.g. --suite quality"
        raise InputError(message)
    charter = charter_of_suite(named, project)
    proposal = propose(
        Ledger(project), charter, justification=because, evidence=evidence, signer=signer_of(project, key)
    )
    summary = summary_of(proposal.changes, most=10)
    return proposal, f"{proposal.id} is waiting for approval by somebody other than {proposal.proposer}: {summary}"


def _decide(project: Path, name: str, because: str, key: str | None, *, approve: bool) -> tuple[Any, str]:
    from proctor.core.canonical import jsonable
    from proctor.pipeline.decision import answer_escalation
    from proctor.pipeline.ledger import Ledger
    from proctor.pipeline.proposals import decide_proposal

    ledger, signer = Ledger(project), signer_of(project, key)
    if name.startswith("change-"):
        proposal = decide_proposal(ledger, name, approve=approve, reason=because, signer=signer)
        return proposal, f"{proposal.id} is {proposal.status} by {proposal.decided_by}"
    decision = answer_escalation(ledger, name, approve=approve, reason=because, signer=signer)
    text = decision.sentence
    if decision.answer is None:
        text = f"{name} is put forward by {decision.asked_by}; somebody else has to approve it as well"
    return {**jsonable(decision), "outcome": decision.outcome}, text


def _close(project: Path, name: str, because: str, key: str | None) -> tuple[Any, str]:
    from proctor.pipeline.ledger import Ledger
    from proctor.pipeline.open_s1 import close_s1

    signed = close_s1(Ledger(project), name, because=because, signer=signer_of(project, key))
    if signed.holds:
        return signed, f"the S1 of {name} is closed by {signed.proposer} and {signed.decided_by}"
    return signed, f"closing the S1 of {name} is proposed by {signed.proposer}; somebody else has to sign it as well"


def _list(project: Path) -> tuple[Any, str]:
    from proctor.cli.output import clean
    from proctor.pipeline.charter import summary_of
    from proctor.pipeline.decision import open_escalations
    from proctor.pipeline.ledger import Ledger
    from proctor.pipeline.open_s1 import open_s1
    from proctor.pipeline.proposals import proposals

    ledger = Ledger(project)
    entries = ledger.entries()
    open_proposals, queue = proposals(entries, ledger.keyring), open_escalations(entries, ledger.keyring)
    lines = [f"{one.id}  {one.status}  by {one.proposer}: {summary_of(one.changes)}" for one in open_proposals]
    lines += [f"{one.pipeline}  waits  {'; '.join(one.reasons)}" for one in queue]
    unclosed = open_s1(entries, ledger.keyring)
    lines += [f"{one.pipeline}  open S1  {one.sentence()}" for one in unclosed]
    text = clean("\n".join(lines)) or "nothing is proposed and nothing waits"
    return {"proposals": open_proposals, "waiting": queue, "open_s1": unclosed}, text


def _verify(project: Path) -> tuple[Any, str]:
    from proctor.pipeline.baseline.accepted import find_baseline, suites_with_baseline
    from proctor.pipeline.ledger import Ledger
    from proctor.pipeline.stages import pipelines, require_kept_decisions

    ledger = Ledger(project)
    entries = ledger.entries()
    for pipeline in pipelines(project):
        pipeline.outputs()
    kept = require_kept_decisions(project, {entry.hash for entry in entries})
    baselines = [suite for suite in suites_with_baseline(entries) if find_baseline(project, suite) is not None]
    signed = sum(entry.signature is not None for entry in entries)
    unknown = sorted({e.signature.key for e in entries if e.signature and not ledger.keyring.knows(e.signature)})
    head = entries[-1].hash if entries else None
    text = f"{len(entries)} entries verified, {signed} signed; all {kept} stored decisions are in the ledger"
    if unknown:
        text += f"; keys this project does not know: {', '.join(unknown)}"
    counts = {"entries": len(entries), "signed": signed, "decisions": kept, "baselines": baselines}
    return {**counts, "unknown_keys": unknown, "head": head}, text

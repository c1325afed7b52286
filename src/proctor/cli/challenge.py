"""Challenge a published result, answer a challenge, and decide it.

`open RUN` puts Contested (Under Challenge) on a result for at most 90 days. Its evaluator may `answer`, `withdraw` the
claim or `correct` it. An auditor who is neither challenger nor evaluator may `resolve` it; after 90 days the
challenger does. `list` shows where challenges stand; `import BUNDLE` takes over what others added to a run's record.

Every act is signed (--key), dated (--date) and kept with the run, and travels with its bundle.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from proctor.cli.gate import Key
from proctor.cli.options import Json, StorePlace, open_store

if TYPE_CHECKING:
    from proctor.evidence.challenges import ActKind, Challenge
    from proctor.evidence.store.contract import EvidenceStore

ACTS: dict[str, ActKind] = {"answer": "answer", "withdraw": "withdraw", "correct": "correct", "resolve": "resolve"}


def command(
    action: Annotated[
        str,
        typer.Argument(metavar="ACTION", help="open, answer, withdraw, correct, resolve, list or import."),
    ] = "list",
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="RUN|CHALLENGE|BUNDLE",
            help="The run to challenge; a challenge, or a run that has only one; or a bundle.",
        ),
    ] = None,
    ground: Annotated[
        str | None,
        typer.Option(
            "--ground",
            help="With open: undisclosed-families, not-representative, divergence or non-compliance.",
        ),
    ] = None,
    because: Annotated[str, typer.Option("--because", metavar="TEXT", help="What you have to say.")] = "",
    family: Annotated[
        list[str] | None, typer.Option("--family", metavar="NAME", help="With open: a family; may be repeated.")
    ] = None,
    divergence: Annotated[
        list[str] | None,
        typer.Option("--divergence", metavar="TEXT", help="With open: one divergence; may be repeated."),
    ] = None,
    evidence: Annotated[
        list[Path] | None,
        typer.Option("--evidence", metavar="FILE", help="A file, kept with the record; may be repeated."),
    ] = None,
    corrected: Annotated[
        str | None, typer.Option("--with", metavar="RUN", help="With correct: the corrected run.")
    ] = None,
    determination: Annotated[
        str | None, typer.Option("--determination", help="With resolve: compliant, contested or invalid.")
    ] = None,
    date: Annotated[
        str | None, typer.Option("--date", metavar="DAY", help="The day on which you say it, e.g. 2025-01-10.")
    ] = None,
    key: Key = None,
    store: StorePlace = None,
    json: Json = False,
) -> None:
    from proctor.cli.govern import signer_of
    from proctor.core.errors import InputError
    from proctor.pipeline.challenging import Said, add_act, open_challenge
    from proctor.pipeline.ledger import Ledger

    if action in ("list", "import"):
        with open_store(store) as opened:
            _list(opened, name, json) if action == "list" else _import(opened, name, json)
        return
    if action not in ("open", *ACTS) or name is None:
        message = (
            "use `challenge open RUN`, `answer CHALLENGE`, `withdraw CHALLENGE`, `correct CHALLENGE`, "
            "`resolve CHALLENGE`, `list` or `import BUNDLE`"
        )
        raise InputError(message)
    if date is None:
        message = "give the day on which you say this with --date, e.g. --date 2025-01-10"
        raise InputError(message)
    said = Said(statement=because, date=date, evidence=tuple(evidence or ()))
    signer, ledger = signer_of(Path(), key), Ledger(Path())
    with open_store(store) as opened:
        if action == "open":
            found = open_challenge(
                opened,
                name,
                ledger,
                signer,
                said,
                ground=ground or "",
                families=family or (),
                divergences=divergence or (),
            )
        else:
            found = add_act(
                opened,
                name,
                ledger,
                signer,
                said,
                kind=ACTS[action],
                correction=corrected,
                determination=determination,
            )
        answering = _answering(opened, found)
    _show(found, answering, json)


def _answering(store: EvidenceStore, challenge: Challenge) -> str:
    """Who is to answer for the challenged run."""
    run = str(challenge.opening.act.run["name"])
    declared = store.frozen(store.run(run).number).evaluation
    if declared is None or not (declared.organisation or declared.contact):
        return f"{run} does not declare who answers for it"
    return " · ".join(text for text in (declared.organisation, declared.contact) if text)


def _show(challenge: Challenge, answering: str, json: bool) -> None:
    from proctor.cli.output import clean, print_json
    from proctor.evidence.challenges import Challenges, challenge_data, challenge_words

    if json:
        print_json({**challenge_data(Challenges((challenge,)))[0], "to_answer": answering})
        return
    typer.echo(clean(challenge_words(challenge)))
    if challenge.status == "open":
        typer.echo(clean(f"to answer until {challenge.due}: {answering}"))


def _list(store: EvidenceStore, run: str | None, json: bool) -> None:
    from proctor.cli.output import clean, print_json
    from proctor.evidence.challenges import LIMITS, challenge_data, challenge_words
    from proctor.pipeline.challenging import all_challenges

    found = all_challenges(store)
    if run is not None:
        name = store.run(run).name
        found = {name: found[name]} if name in found else {}
    if json:
        shown: dict[str, Any] = {
            one: {"challenges": challenge_data(challenges), "unreadable": challenges.unreadable}
            for one, challenges in found.items()
        }
        print_json({"runs": shown, "limits": LIMITS})
        return
    lines: list[str] = []
    for one, challenges in found.items():
        lines += [f"{one}", *(f"  {challenge_words(challenge)}" for challenge in challenges.found)]
        lines += [f"  not believed: {why}" for why in challenges.unreadable]
    typer.echo(clean("\n".join(lines)) if lines else "nothing is challenged")
    if lines:
        typer.echo(f"\n{LIMITS}")


def _import(store: EvidenceStore, name: str | None, json: bool) -> None:
    from proctor.cli.output import print_json
    from proctor.core.errors import InputError
    from proctor.evidence.bundle.file import Source
    from proctor.evidence.bundle.layout import LIMITS
    from proctor.evidence.bundle.read import read_attachments, read_manifest
    from proctor.evidence.bundle.verify import examine
    from proctor.pipeline.challenging import take_over
    from proctor.pipeline.ledger import Ledger

    if name is None:
        message = "proctor challenge import BUNDLE: name the bundle that has the record"
        raise InputError(message)
    with Source(Path(name)) as source:
        report, bundle = examine(source, None, LIMITS)
        if not report.ok or bundle is None:
            message = f"{name} does not verify ({report.problems[0].message}); nothing was taken over"
            raise InputError(message)
        manifest = read_manifest(bundle)
        record = next((one for one in store.runs() if one.root == manifest.root), None)
        if record is None:
            message = f"{store.location} does not have the run of {name}; take it in with `proctor import {name}`"
            raise InputError(message)
        taken = take_over(store, record.name, read_attachments(bundle), Ledger(Path()))
    if json:
        print_json({"run": record.name, "taken": taken})
    else:
        typer.echo(f"{record.name}: {len(taken)} documents taken over{': ' if taken else ''}{', '.join(taken)}")

"""Hold a published evaluation against its evidence: Compliant, Contested (Evidence Insufficient) or Invalid
(Non-Compliance), with reasons.

Give every bundle of the claim: all runs of a preregistered series, the companion run within the other boundary. The
evidence is verified and scored again by the rules inside; what was published (`--report`, or a report in the bundle) is
compared field by field. The answer says which checks were possible and which were not.

`--reverify` carries out the recorded acts again in fresh worlds and runs the verifiers; `--rerun N` executes a random
sample of episodes again with the agent. Nothing that a bundle names is run unasked: a declared agent runs by itself
only if it is built in and asks no model (otherwise give `--agent`), families in files only from `--families FOLDER`.
Their code runs with your rights: read it first.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from proctor.cli.options import Json

if TYPE_CHECKING:
    from proctor.audit.determination import Determination

_MARKS = {
    "ok": "ok  ",
    "wrong": "FAIL",
    "insufficient": "LACK",
    "not possible": "  - ",
    "not asked": "  - ",
}


def command(
    bundles: Annotated[list[Path], typer.Argument(metavar="BUNDLE…", help="Every .proctor file of the claim.")],
    report: Annotated[
        list[Path] | None,
        typer.Option("--report", metavar="FILE", help="What was published apart (.json); may be repeated."),
    ] = None,
    preregistration: Annotated[
        str | None,
        typer.Option(
            "--preregistration",
            metavar="DIGEST|FILE",
            help="The preregistration as it was published, by file or digest.",
        ),
    ] = None,
    signed_by: Annotated[
        str | None,
        typer.Option("--signed-by", metavar="NAME", help="The key of proctor.keys that has to have signed it."),
    ] = None,
    reverify: Annotated[
        bool, typer.Option("--reverify", help="Carry out recorded acts again and run the verifiers.")
    ] = False,
    rerun: Annotated[
        int, typer.Option("--rerun", metavar="N", min=0, help="Execute N random episodes of each run again.")
    ] = 0,
    seed: Annotated[
        str | None, typer.Option("--seed", help="Of the sample for --rerun (default: drawn, and printed).")
    ] = None,
    agent: Annotated[
        str | None, typer.Option("--agent", help="The agent for --rerun (default: the declared one, if built in).")
    ] = None,
    families: Annotated[
        Path | None,
        typer.Option("--families", metavar="FOLDER", help="A folder with families in files, whose code may run."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the determination (.json).")
    ] = None,
    attach: Annotated[
        bool, typer.Option("--attach", help="Keep the determination in each bundle, beside its evidence.")
    ] = False,
    key: Annotated[
        str | None, typer.Option("--key", metavar="NAME", help="The key that signs the determination.")
    ] = None,
    json: Json = False,
) -> None:
    from proctor.audit.audit import audit
    from proctor.audit.determination import signed
    from proctor.audit.request import Request
    from proctor.cli.output import print_json

    signer = None
    if key is not None:
        from proctor.pipeline.keys import load_signer

        signer = load_signer(key, Path())
    _check_output(output)
    found = audit(
        Request(
            bundles=tuple(bundles),
            project=Path(),
            reports=tuple(report or ()),
            preregistration=_digest(preregistration),
            signed_by=signed_by,
            reverify=reverify,
            rerun=rerun,
            seed=seed or _drawn(),
            agent=agent,
            families=_folder(families),
        )
    )
    if signer is not None:
        found = signed(found, signer)
    kept = _kept(found, bundles if attach else [], output)
    if json:
        print_json(found)
    else:
        _print(found, kept)
    raise typer.Exit(0 if found.compliant else 1)


def _check_output(path: Path | None) -> None:
    from proctor.core.errors import InputError

    if path is not None and (path.is_dir() or not path.parent.is_dir()):
        message = f"{path}: is not a place for a file; give a file in a folder that exists, e.g. determination.json"
        raise InputError(message)


def _folder(path: Path | None) -> Path | None:
    from proctor.core.errors import InputError

    if path is not None and not path.is_dir():
        message = f"--families {path}: there is no such folder"
        raise InputError(message)
    return path


def _digest(given: str | None) -> str | None:
    """The digest of a preregistration, from its file or as it is."""
    import re

    from proctor.core.errors import InputError
    from proctor.spec.preregistration import read_preregistration

    if given is None:
        return None
    if Path(given).is_file():
        return read_preregistration(Path(given)).digest
    if not re.fullmatch(r"[0-9a-f]{12,64}", given):
        message = f"--preregistration {given}: is no file, and no digest of 12 to 64 hex digits"
        raise InputError(message)
    return given


def _drawn() -> str:
    import secrets

    return secrets.token_hex(8)


def _kept(found: Determination, bundles: list[Path], output: Path | None) -> list[str]:
    from proctor.audit.determination import as_document
    from proctor.core.atomic_write import atomic_write
    from proctor.core.errors import IntegrityError
    from proctor.evidence.bundle.attaching import attach_to_bundle

    document = as_document(found)
    lines = []
    if output is not None:
        with atomic_write(output) as file:
            file.write(document.content + b"\n")
        lines.append(f"the determination is in {output}")
    for path in bundles:
        try:
            attach_to_bundle(path, [document])
            lines.append(f"{document.name} is in {path}")
        except IntegrityError as error:
            lines.append(f"not attached: {error}")
    return lines


def _print(found: Determination, kept: list[str]) -> None:
    from proctor.cli.output import clean

    for check in found.checks:
        typer.echo(clean(f"{_MARKS[check.state]}  {check.name}  {check.detail}"))
    typer.echo("")
    typer.echo(found.determination)
    for reason in found.reasons:
        typer.echo(clean(f"  - {reason}"))
    for limit in found.limits:
        typer.echo(clean(f"note: {limit}"))
    for line in kept:
        typer.echo(clean(line))

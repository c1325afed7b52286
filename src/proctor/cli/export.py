"""Write a run as one file that another machine can check: evidence, declarations, checksums, digests.

A bundle contains the seed. A run that was started against a preregistration can be exported when the seed is revealed
(`proctor preregister reveal FILE`), with `--preregistration FILE`.

With `--key NAME` the evidence and every document beside it are signed, so that an audit can tell whether anything was
exchanged afterwards. `--report FILE` puts a published report (JSON) beside the run, so that it travels with it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from proctor.cli.options import Json, RunName, StorePlace, meant, open_store

if TYPE_CHECKING:
    from proctor.evidence.attachments import Attachment


def command(
    run: RunName = "latest",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to write (default: RUN.proctor).")
    ] = None,
    preregistration: Annotated[
        Path | None,
        typer.Option("--preregistration", metavar="FILE", help="The run's preregistration, with its seed revealed."),
    ] = None,
    report: Annotated[
        list[Path] | None,
        typer.Option("--report", metavar="FILE", help="A published report (.json) to hand over; may be repeated."),
    ] = None,
    key: Annotated[str | None, typer.Option("--key", metavar="NAME", help="The key that signs the evidence.")] = None,
    store: StorePlace = None,
    json: Json = False,
) -> None:
    from proctor.cli.output import print_json
    from proctor.core.hashing import file_hash
    from proctor.evidence.bundle import export_bundle
    from proctor.evidence.registration_log import revealed_in

    revealed = None if preregistration is None else revealed_in(preregistration)
    documents = [_report(one) for one in report or []]
    signer = None
    if key is not None:
        from proctor.pipeline.keys import load_signer

        signer = load_signer(key, Path())
    with open_store(store) as opened:
        record = opened.run(meant(opened, run))
        path = output or Path(f"{record.name}.proctor")
        for document in documents:
            opened.attach(record.number, document.kind, document.content)
        manifest = export_bundle(opened, record.number, path, revealed=revealed)
        if signer is not None:
            from proctor.pipeline.signing import sign_bundle

            signature = sign_bundle(manifest, opened.attachments(record.number), signer)
            opened.attach(record.number, signature.kind, signature.content)
            export_bundle(opened, record.number, path, revealed=revealed)
    digest = file_hash(path)
    if json:
        print_json({"run": record.name, "root": record.root, "file": str(path), "sha256": digest})
    else:
        typer.echo(f"{path}  {path.stat().st_size:,} bytes  sha256 {digest}")


def _report(path: Path) -> Attachment:
    from proctor.audit.published import read_published
    from proctor.core.reading import read_at_most
    from proctor.evidence.attachments import MAX_BYTES, REPORT, Attachment

    read_published(path)
    return Attachment.of(REPORT, read_at_most(path, MAX_BYTES))

"""Write a run as one file that another machine can check: evidence, declarations, checksums, digests.

A bundle contains the seed. A run that was started against a preregistration can be exported when the seed is revealed
(`proctor preregister reveal FILE`), with `--preregistration FILE`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from proctor.cli.options import Json, RunName, StorePlace, open_store


def command(
    run: RunName = "latest",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to write (default: RUN.proctor).")
    ] = None,
    preregistration: Annotated[
        Path | None,
        typer.Option("--preregistration", metavar="FILE", help="The run's preregistration, with its seed revealed."),
    ] = None,
    store: StorePlace = None,
    json: Json = False,
) -> None:
    from proctor.cli.output import print_json
    from proctor.core.hashing import file_hash
    from proctor.evidence.bundle import export_bundle
    from proctor.evidence.registration_log import revealed_in

    with open_store(store) as opened:
        record = opened.run(run)
        path = output or Path(f"{record.name}.proctor")
        export_bundle(
            opened,
            record.number,
            path,
            revealed=None if preregistration is None else revealed_in(preregistration),
        )
    digest = file_hash(path)
    if json:
        print_json({"run": record.name, "root": record.root, "file": str(path), "sha256": digest})
    else:
        typer.echo(f"{path}  {path.stat().st_size:,} bytes  sha256 {digest}")

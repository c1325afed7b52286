"""Take a bundle into a store, after verifying it. A bundle that does not verify is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from proctor.cli.options import Json, StorePlace, open_store


def command(
    bundle: Annotated[Path, typer.Argument(metavar="FILE", help="A .proctor file.")],
    store: StorePlace = None,
    json: Json = False,
) -> None:
    from proctor.cli.output import print_json
    from proctor.engine.plan import Plan
    from proctor.evidence.bundle import import_bundle

    with open_store(store, create=True) as opened:
        name = import_bundle(bundle, opened, plan=Plan)
        record = opened.run(name)
    if json:
        print_json({"run": record.name, "root": record.root, "store": opened.place})
    else:
        typer.echo(f"{record.name} is in {opened.place}; `proctor show {record.name}` shows it")

"""Import a bundle into a store after verifying it. A bundle that does not verify is refused.

A run that is there already is given the documents that came since: signatures, determinations, challenges.

Installed plug-ins may read other kinds of files; which one reads a file is decided by looking at it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from proctor.cli.options import Json, StorePlace, open_store


def command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A .proctor file.")],
    store: StorePlace = None,
    json: Json = False,
) -> None:
    from proctor.cli.output import print_json
    from proctor.engine.importing import importer_of

    with open_store(store, create=True) as opened:
        known = {one.name for one in opened.runs()}
        name = importer_of(file).take(file, opened)
        record = opened.run(name)
    if json:
        print_json({"run": record.name, "root": record.root, "store": opened.location})
    elif name in known:
        typer.echo(f"{record.name} was there already; the documents that came since are now beside it")
    else:
        typer.echo(f"{record.name} was imported into {opened.location}; look at it with `proctor show {record.name}`")

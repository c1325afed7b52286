"""Write a working starting point: a family, an agent or a suite, each with its tests."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from proctor.cli.options import Json


def command(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="family, agent or suite.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="A lower-case name, e.g. parcel-sorting.")],
    json: Json = False,
) -> None:
    from proctor.cli.output import print_json
    from proctor.plugins.scaffolds import write_scaffold

    written = write_scaffold(kind, name, Path())
    if json:
        print_json({"written": [str(path) for path in written.files], "next": list(written.next_steps)})
        return
    for path in written.files:
        typer.echo(f"wrote {path}")
    for step in written.next_steps:
        typer.echo(f"next: {step}")

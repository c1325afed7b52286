"""Put a family, agent or suite through its conformance checks, and say what to do about each that fails."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from proctor.cli.options import Json


def command(
    what: Annotated[str, typer.Argument(metavar="WHAT", help="A family, agent or suite: a name or a file.")],
    regime: Annotated[
        list[str] | None, typer.Option("--regime", help="Check a family under this regime; may be repeated.")
    ] = None,
    instances: Annotated[int, typer.Option("--instances", help="Instances per check.")] = 30,
    seed: Annotated[int, typer.Option("--seed", help="Where the instances come from.")] = 0,
    json: Json = False,
) -> None:
    from proctor.cli.output import print_json
    from proctor.conformance.entry import check_named

    report = check_named(what, folder=Path(), regimes=tuple(regime or ()), instances=instances, seed=seed)
    if json:
        print_json(report)
    else:
        for result in report.results:
            typer.echo(f"{'ok  ' if result.ok else 'FAIL'}  {result.check:<14} {result.detail}")
        failed = [result for result in report.results if not result.ok]
        typer.echo(f"{report.subject}: " + (f"{len(failed)} checks do not hold" if failed else "every check holds"))
    raise typer.Exit(0 if report.ok else 1)

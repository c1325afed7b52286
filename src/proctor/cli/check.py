"""Put a family, agent, model, suite, instrument or metric through its checks; say what to do about each failure."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from proctor.cli.options import Json


def command(
    what: Annotated[
        str,
        typer.Argument(
            metavar="WHAT", help="my_family.py, mysuite.yaml, events.csv, an agent or model string, or any name."
        ),
    ],
    regime: Annotated[
        list[str] | None,
        typer.Option(
            "--regime",
            help="Check a family under this regime or suite.yaml:ID (default: those it is used with).",
        ),
    ] = None,
    on: Annotated[
        str | None,
        typer.Option(
            "--on", metavar="FAMILY", help="Check an agent on this family (default: crates to weigh and stamp)."
        ),
    ] = None,
    instances: Annotated[int, typer.Option("--instances", help="Episodes per agent and regime.")] = 30,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the instances.")] = 0,
    thorough: Annotated[bool, typer.Option("--thorough", help="Compute every ceiling from 1,000 draws.")] = False,
    json: Json = False,
) -> None:
    from proctor.cli.output import clean, print_json
    from proctor.cli.progress import NowAndThen
    from proctor.conformance.entry import check_named

    report = check_named(
        what,
        folder=Path(),
        regimes=tuple(regime or ()),
        instances=instances,
        seed=seed,
        thorough=thorough,
        on=on,
        watch=NowAndThen(),
    )
    if json:
        print_json(report.as_json())
    else:
        marks = {"passed": "ok  ", "failed": "FAIL", "not measured": "–   "}
        for result in report.results:
            typer.echo(f"{marks[result.status]}  {result.check.id:<12} {clean(result.detail)}")
            for finding in result.findings[1:]:
                typer.echo(f"{'':<18} {clean(finding.detail)}")
        failed = len(report.failed)
        verdict = f"{failed} checks do not hold" if failed > 1 else "1 check does not hold"
        if any(result.status != "not measured" for result in report.results):
            fine = "every check holds"
        elif any(result.measured.get("decided") for result in report.results):
            fine = "nothing was found, and not all of it could be decided"
        else:
            fine = "not checked"
        typer.echo(f"{report.subject}: {verdict if failed else fine}")
    raise typer.Exit(0 if report.ok else 1)

"""Check scenarios against the design principles of the quality instrument, and say what to do about each finding.

Categories, adversarial share and kinds, provenance, validity, levels, templates, approvers, weights, links and
coordinates. Exits 0 when the scenarios can be used (warnings are printed), 2 when something makes them unusable.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from proctor.cli.options import Json, ScopeOf


def command(
    what: Annotated[
        str, typer.Argument(metavar="WHAT", help="cases.yaml, an evidence bundle, or a suite's or domain's name.")
    ],
    at: Annotated[
        str | None,
        typer.Option(
            "--at", metavar="TIME", help="Date at which scenarios must be valid (default: the suite's epoch, or now)."
        ),
    ] = None,
    scope: ScopeOf = None,
    json: Json = False,
) -> None:
    from proctor.cli.output import clean, print_json
    from proctor.core.canonical import jsonable
    from proctor.pipeline.scenarios import governed_sample
    from proctor.suites.quality.lookup import lint_named

    project = Path()
    linted = lint_named(what, project, at=at, scope=scope, sampled=lambda suite: governed_sample(suite, project))
    if json:
        print_json({**jsonable(linted), "usable": linted.usable})
    else:
        for finding in linted.findings:
            mark = "warn" if finding.severity == "warning" else "FAIL"
            typer.echo(f"{mark}  {finding.rule:<13} {clean(finding.sentence)}")
        count = len(linted.findings)
        counted = f"{count} finding{'' if count == 1 else 's'}"
        verdict = f"{counted}, {'usable' if linted.usable else 'not usable'}" if count else "clean"
        within = f" within {clean(linted.scope)}" if linted.scope else ""
        typer.echo(f"{clean(linted.subject)}: {linted.scenarios} scenarios{within} at {linted.at}: {verdict}")
    raise typer.Exit(0 if linted.usable else 2)

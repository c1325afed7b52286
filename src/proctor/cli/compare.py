"""Compare runs: which is better, on what, by how much, and whether they may be compared at all.

The first run is the reference; every further one is compared with it. Runs of one suite and seed met the same tasks,
and their episodes are matched; otherwise two separate samples are compared, which is said. Episodes whose verdict
changed come with the first step at which they part. Exactly one comparability label of the framework (§13.5) is given,
with its reasons; under Non-Comparable no difference is.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from proctor.cli.options import Json, StorePlace, open_store

if TYPE_CHECKING:
    from proctor.instruments.comparing.comparison import Comparison


def command(
    runs: Annotated[list[str], typer.Argument(metavar="RUN…", help="The reference, then what is compared with it.")],
    normalise: Annotated[
        Path | None,
        typer.Option(
            "--normalise", metavar="FILE", help="A declared normalisation: what counts as equivalent, and why."
        ),
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option("--markdown", metavar="FILE", help="Write it as Markdown too, for a pull request.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write it as a self-contained page too.")
    ] = None,
    store: StorePlace = None,
    json: Json = False,
) -> None:
    from proctor.cli.output import clean, print_json
    from proctor.pipeline.comparing import compare_runs
    from proctor.reports.comparing.markdown import comparison_markdown
    from proctor.reports.comparing.page import comparison_page
    from proctor.reports.comparing.terminal import comparison_text

    with open_store(store) as opened:
        compared: list[Comparison] = compare_runs(opened, runs, normalise)
    if markdown is not None:
        markdown.write_text("\n".join(comparison_markdown(one) for one in compared), encoding="utf-8")
    if html is not None:
        html.write_bytes(comparison_page(compared))
    if json:
        print_json(compared[0] if len(compared) == 1 else compared)
    else:
        typer.echo(clean("\n\n\n".join(comparison_text(one) for one in compared)))

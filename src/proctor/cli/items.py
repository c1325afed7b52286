"""Analyse the tasks themselves: difficulty, discrimination, templates, over one or more runs of a suite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from proctor.cli.options import Json, StorePlace, open_store

if TYPE_CHECKING:
    from proctor.instruments.items import ItemGroup


def command(
    runs: Annotated[list[str], typer.Argument(metavar="RUN…", help="Runs of one suite, by different agents.")],
    store: StorePlace = None,
    json: Json = False,
) -> None:
    from proctor.cli.output import percent, print_json, table
    from proctor.evidence.evidence import evidence_of
    from proctor.instruments.items import analyse

    with open_store(store) as opened:
        groups = analyse([evidence_of(opened, run) for run in runs])
    if json:
        print_json({"runs": runs, "groups": groups})
        return
    rows = [
        [
            group.family,
            group.cell or "",
            " / ".join((group.regime, *([group.phase] if group.phase != "test" else []), *_knobs(group))),
            str(group.n),
            percent(group.difficulty),
            "–" if group.discrimination is None else f"{group.discrimination:+.2f}",
            "–" if group.template_variance is None else f"{group.template_variance:.3f}",
            group.hardest_template or "–",
            percent(group.format_error_rate),
            group.mark,
        ]
        for group in groups
    ]
    header = ["family", "cell", "regime", "n", "fails", "discr.", "templates", "hardest", "format", ""]
    typer.echo(table(header, rows, right=(3, 4, 5, 6, 8)))


def _knobs(group: ItemGroup) -> list[str]:
    from msgspec import UNSET

    return [] if group.knobs is UNSET else [group.knobs]

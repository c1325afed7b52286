"""Show a run: what it was, its rates and its failures; a selection of its episodes; or the trace of one, step by step.

An episode is named by its position. Filters select episodes, and several of them select those that fit all. Without
either, the run's summary is printed, failures first.
"""

from __future__ import annotations

from typing import Annotated

import typer

from proctor.cli.options import Json, RunName, StorePlace, open_store


def command(
    run: RunName = "latest",
    episode: Annotated[int | None, typer.Argument(metavar="EPISODE", help="The position of an episode.")] = None,
    failed: Annotated[bool, typer.Option("--failed", help="List the episodes that did not succeed.")] = False,
    family: Annotated[
        str | None, typer.Option("--family", metavar="NAME", help="List the episodes of this family.")
    ] = None,
    reason: Annotated[
        str | None, typer.Option("--reason", metavar="CODE", help="List the episodes that ended for this reason.")
    ] = None,
    cell: Annotated[
        str | None, typer.Option("--cell", metavar="CELL", help="List the episodes of this cell, e.g. S3.")
    ] = None,
    regime: Annotated[
        str | None, typer.Option("--regime", metavar="ID", help="List the episodes under this regime.")
    ] = None,
    outcome: Annotated[
        str | None,
        typer.Option("--outcome", metavar="NAME", help="List the episodes that ended so, e.g. limit."),
    ] = None,
    store: StorePlace = None,
    json: Json = False,
) -> None:
    from proctor.agents.lookup import label_of
    from proctor.cli.output import print_json
    from proctor.cli.selection import Filters, selection_of, selection_text
    from proctor.cli.summary import summary_text
    from proctor.cli.trace import trace_text
    from proctor.core.errors import InputError
    from proctor.evidence.evidence import evidence_of
    from proctor.evidence.result import result_of

    filters = Filters(failed, family, reason, cell, regime, outcome)
    if episode is not None and filters.given:
        message = "name an episode or filter episodes, not both: an episode's position is enough"
        raise InputError(message)
    with open_store(store) as opened:
        record = opened.run(run)
        if episode is not None:
            events = opened.events(record.number, episode)
            if json:
                print_json(events)
            else:
                typer.echo(trace_text(record.name, episode, events, opened.content))
            return
        if json and not filters.given:
            print_json(result_of(opened, record.name, label_of))
            return
        evidence = evidence_of(opened, record.name)
        if not filters.given:
            typer.echo(summary_text(result_of(opened, record.name, label_of), evidence, shown=True))
            return
    selected = selection_of(evidence, filters)
    if json:
        print_json(selected)
    else:
        typer.echo(selection_text(selected))

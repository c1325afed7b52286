"""Show a run: what it was, its rates and its failures; or the trace of one episode, step by step.

An episode is named by its position. Without one, the run's summary is printed, failures first.
"""

from __future__ import annotations

from typing import Annotated

import typer

from proctor.cli.options import Json, RunName, StorePlace, open_store


def command(
    run: RunName = "latest",
    episode: Annotated[int | None, typer.Argument(metavar="EPISODE", help="The position of an episode.")] = None,
    failed: Annotated[bool, typer.Option("--failed", help="List the episodes that did not succeed.")] = False,
    store: StorePlace = None,
    json: Json = False,
) -> None:
    from proctor.agents.lookup import label_of
    from proctor.cli.output import print_json, table
    from proctor.cli.summary import summary_text
    from proctor.cli.trace import trace_text
    from proctor.evidence.arms import knobs_apart
    from proctor.evidence.evidence import evidence_of
    from proctor.evidence.result import result_of

    with open_store(store) as opened:
        record = opened.run(run)
        if episode is not None:
            events = opened.events(record.number, episode)
            if json:
                print_json(events)
            else:
                typer.echo(trace_text(record.name, episode, events, opened.content))
            return
        if json:
            print_json(result_of(opened, record.name, label_of))
            return
        evidence = evidence_of(opened, record.name)
        if not failed:
            typer.echo(summary_text(result_of(opened, record.name, label_of), evidence, shown=True))
            return
    apart = knobs_apart(evidence)
    rows = [
        [
            # Of several looks each episode belongs to a run of its own.
            *((evidence.locate(row.position)[0],) if evidence.begins else ()),
            str(evidence.locate(row.position)[1]),
            evidence.arms[row.arm].family,
            evidence.arms[row.arm].regime + (f" / {apart[row.arm]}" if row.arm in apart else ""),
            row.outcome,
            row.reason,
        ]
        for row in evidence.rows
        if row.outcome != "success"
    ]
    runs = ["run"] if evidence.begins else []
    typer.echo(table([*runs, "episode", "family", "regime", "outcome", "reason"], rows, right=(len(runs),)))

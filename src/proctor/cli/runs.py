"""List the runs in a store, oldest first."""

from __future__ import annotations

import typer

from proctor.cli.options import Json, StorePlace, open_store


def command(store: StorePlace = None, json: Json = False) -> None:
    from proctor.cli.output import print_json, table

    with open_store(store) as opened:
        runs = opened.runs()
        stored = {run.number: opened.count(run.number) for run in runs}
    if json:
        print_json([{**_facts(run), "stored": stored[run.number]} for run in runs])
        return
    if not runs:
        typer.echo("no runs yet; `proctor run hello --agent clerk` makes one")
        return
    rows = [
        [run.name, run.suite, run.agent, run.status, f"{stored[run.number]}/{run.episodes}", (run.root or "–")[:12]]
        for run in runs
    ]
    typer.echo(table(["run", "suite", "agent", "status", "episodes", "root"], rows, right=(4,)))


def _facts(run: object) -> dict[str, object]:
    import msgspec

    facts: dict[str, object] = msgspec.to_builtins(run)
    facts.pop("number")
    return facts

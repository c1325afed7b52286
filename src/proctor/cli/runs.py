"""List the runs in a store, oldest first: when each started, how long it took, what it reached and what it spent.

Imported runs stand before those that were begun here; the last one that no gate made is `latest`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from proctor.cli.options import Json, StorePlace, open_store

if TYPE_CHECKING:
    from proctor.evidence.listing import ListedRun


_AGENT = 40
"""Characters shown of an agent string; `--json` has the whole."""


def command(store: StorePlace = None, json: Json = False) -> None:
    from proctor.agents.lookup import label_of
    from proctor.cli.output import print_json, table
    from proctor.evidence.listing import list_runs
    from proctor.pipeline.reruns import made_by_gates

    with open_store(store) as opened:
        runs = list_runs(opened, label_of, made_by_gates(Path()))
    if json:
        print_json(runs)
        return
    if not runs:
        typer.echo("no runs yet; `proctor run hello --agent clerk` makes one")
        return
    header = ["run", "started", "agent", "status", "episodes", "success", "tokens", "cost", "took", "root"]
    typer.echo(table(header, [_line(run) for run in runs], right=(4, 5, 6, 7, 8)))
    for note in (note for run in runs for note in _notes(run)):
        typer.echo(note)


def _notes(run: ListedRun) -> Iterator[str]:
    """What has to be said of a rate wherever it stands."""
    from proctor.stats.exclusions import exclusion_band

    if lost := sum(run.outcomes.values()) - run.scored:
        band = exclusion_band(run.outcomes["success"], run.scored, lost)
        words = "" if band is None else f": {band.words}"
        yield f"{run.name}: {lost} of {sum(run.outcomes.values())} episodes were not measured{words}"
    if label := ", ".join(part for part in (run.label, run.seed_label) if part):
        yield f"{run.name}: {label}"
    if run.gate:
        yield f"{run.name}: {run.gate}"


def _line(run: ListedRun) -> list[str]:
    from proctor.cli.output import clean, percent

    rate = percent(run.rate)
    return [
        run.name,
        "–" if run.started is None else clean(run.started[:16].replace("T", " ")),
        run.agent if len(run.agent) <= _AGENT else f"{run.agent[: _AGENT - 1]}…",
        run.status,
        f"{run.stored}/{run.episodes}",
        rate if run.rate is None else f"{run.outcomes['success']}/{run.scored} {rate:>5}",
        "–" if run.tokens is None else f"{run.tokens:,}",
        "–" if run.cost is None else run.cost,
        "–" if run.seconds is None else duration(run.seconds),
        (run.root or "–")[:12],
    ]


def duration(seconds: int) -> str:
    """`48 s`, `3 min 20 s`, `2 h 05 min`."""
    if seconds < 60:
        return f"{seconds} s"
    minutes, rest = divmod(seconds, 60)
    if minutes < 60:
        return f"{minutes} min {rest:02} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min"

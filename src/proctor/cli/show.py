"""Show a run: what it was, its rates and its failures; a selection of its episodes; or the trace of one, step by step.

An episode is named by its position, or by the id of its scenario: then what was expected stands against what was done,
and the trace is that of the first episode of the scenario that failed. Filters select episodes, and several of them
select those that fit all. Without either, the run's summary is printed, failures first.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from proctor.cli.options import Json, RunName, StorePlace, meant, open_store
from proctor.core.errors import InputError

_MOST_DIGITS: Final = 18


def command(
    run: RunName = "latest",
    episode: Annotated[
        str | None,
        typer.Argument(metavar="EPISODE|SCENARIO", help="The position of an episode, or the id of a scenario."),
    ] = None,
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
    from proctor.cli.scenario_met import met_text, scenario_met
    from proctor.cli.selection import Filters, selection_of, selection_text
    from proctor.cli.summary import summary_text
    from proctor.cli.trace import trace_text
    from proctor.evidence.evidence import evidence_of
    from proctor.evidence.result import result_of

    filters = Filters(failed, family, reason, cell, regime, outcome)
    if episode is not None and filters.given:
        message = "name an episode or filter episodes, not both: an episode's position is enough"
        raise InputError(message)
    with open_store(store) as opened:
        record = opened.run(meant(opened, run))
        if episode is not None:
            met = None if _is_position(episode) else scenario_met(opened, record.name, episode, Path())
            position = _position(episode) if met is None else met.episode
            events = opened.events(record.number, position)
            if json:
                print_json(events if met is None else {"scenario": met, "events": events})
            else:
                if met is not None:
                    typer.echo(f"{met_text(met)}\n")
                typer.echo(trace_text(record.name, position, events, opened.content))
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


def _is_position(text: str) -> bool:
    return text.isascii() and text.isdecimal()


def _position(text: str) -> int:
    """The number itself, where any run could be so long: the store and `int` have limits of their own."""
    if len(text) > _MOST_DIGITS:
        message = f"no run has an episode of {len(text)} digits; `proctor show RUN --failed` lists positions"
        raise InputError(message)
    return int(text)

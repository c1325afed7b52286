"""Take a task yourself, in the terminal. Recorded like any agent: the trace can be shown, exported and verified.

FAMILY may be the id of a scenario of the project's suite, of a built-in domain, or of the family given with --family.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from proctor.cli.options import StorePlace, open_store


def command(
    family: Annotated[
        str, typer.Argument(metavar="FAMILY|SCENARIO", help="A family's name or file, or a scenario's id.")
    ],
    seed: Annotated[str, typer.Option("--seed", help="A whole number, or 64 hex digits.")] = "0",
    regime: Annotated[str, typer.Option("--regime", help="A regime, standard or of an installed suite.")] = "baseline",
    n: Annotated[int, typer.Option("--n", help="How many instances, one after another.")] = 1,
    within: Annotated[
        str | None,
        typer.Option("--family", metavar="FAMILY", help="Where the scenario is, by a family's name or file."),
    ] = None,
    store: StorePlace = None,
) -> None:
    from proctor.agents.lookup import label_of
    from proctor.cli.progress import NoProgress
    from proctor.cli.trace import trace_text
    from proctor.engine.executors.inline import InlineExecutor
    from proctor.engine.names import load_family
    from proctor.engine.plan import Plan
    from proctor.engine.run import execute, freeze, parse_seed, start_run
    from proctor.engine.usage import regime_named
    from proctor.evidence.result import result_of
    from proctor.pipeline.reruns import HUMAN, PLAYED
    from proctor.spec.regime import STANDARD_REGIMES
    from proctor.spec.suite import Suite
    from proctor.suites.quality.finding_scenarios import find_scenario

    place = find_scenario(family, Path(), within=within)
    family, first = (family, 0) if place is None else (place.family, place.number)
    loaded = load_family(family, Path())
    # What is taught beforehand is part of the task: a person gets the same training as any agent.
    program = [{"phase": "train", "episodes": loaded.spec.training}] if loaded.spec.training else []
    program.append({"phase": loaded.spec.examined})
    suite = Suite.parse(
        {
            "name": f"{PLAYED}{loaded.spec.id}",
            "version": loaded.spec.version,
            "title": f"Played: {loaded.spec.title}",
            "epoch": "2026-01-01T00:00:00Z",
            "regimes": [] if regime in STANDARD_REGIMES else [regime_named(regime)],
            "entries": [{"family": family, "n": n, "first": first, "regimes": [regime], "program": program}],
        },
        source="play",
    )
    frozen = freeze(suite=suite, agent=HUMAN, folder=Path(), seed=parse_seed(seed))
    plan, executor = Plan(frozen), InlineExecutor(1)
    with open_store(store, create=True) as opened:
        record, _ = start_run(opened, frozen, plan, executor=executor)
        execute(opened, record, frozen, plan, folder=Path(), executor=executor, progress=NoProgress())
        result = result_of(opened, record.name, label_of)
        for row in opened.rows(record.number):
            typer.echo(f"\nepisode {row.position}: {row.outcome} ({row.reason})")
            if plan.episodes == 1:
                typer.echo(trace_text(record.name, 0, opened.events(record.number, 0), opened.content))
    typer.echo(f"\nrecorded as {result.run} in {result.store}; root {result.root}")

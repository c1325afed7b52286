"""Examine an agent whenever something changed, and once a day: the continuous pipeline.

Looks at the agent (content of the declared paths and of the files its string names), at the oracle and the rules, at
the clock and at reported incidents; if anything fired, takes a fresh run through the seven stages to a decision. With
`--once` it looks once and exits with the decision's code, or 0 when nothing fired; made for a scheduler or for CI.
"""

from __future__ import annotations

import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from proctor.cli.gate import BaselineFrom, Key, LoadFrom, Quiet, Workers
from proctor.cli.options import Json, StorePlace, store_place


def command(
    suite: Annotated[
        str | None, typer.Argument(metavar="SUITE", help="A suite's name or file (default: the project's).")
    ] = None,
    agent: Annotated[str | None, typer.Option("--agent", help="The agent (default: the project's core agent).")] = None,
    path: Annotated[
        list[Path] | None,
        typer.Option("--path", help="A file or folder that is part of the agent; may be repeated."),
    ] = None,
    every: Annotated[str, typer.Option("--every", help="Examine at least this often: 30m, 12h, 1d.")] = "1d",
    once: Annotated[bool, typer.Option("--once", help="Look once and exit.")] = False,
    pause: Annotated[int, typer.Option("--pause", help="Seconds between looks.")] = 60,
    seed: Annotated[str | None, typer.Option("--seed", help="Where seeds of runs come from (default: 0).")] = None,
    baseline: BaselineFrom = None,
    load: LoadFrom = None,
    key: Key = None,
    workers: Workers = None,
    quiet: Quiet = False,
    store: StorePlace = None,
    json: Json = False,
) -> None:
    if not once:
        _watch(pause)
        return
    from proctor.cli.gate import make_setting, show, stage_lines
    from proctor.cli.output import print_json
    from proctor.core.errors import InputError
    from proctor.engine.run import parse_seed
    from proctor.evidence.store.store import Store
    from proctor.pipeline.triggers import midnight, parse_interval
    from proctor.pipeline.watching import Request, frozen_of, look
    from proctor.spec.project import read_project, require_agent

    project = read_project(Path())
    if suite is None and project is None:
        message = "say which suite to watch with, e.g. `proctor watch quality --agent …`"
        raise InputError(message)
    named = suite or (project.suite if project else "")
    request = Request(
        suite=named,
        agent=agent or require_agent(project, "core"),
        system=project.system if project is not None and agent is None else None,
        paths=tuple(path or ()),
        every=parse_interval(every),
        seed=parse_seed(seed if seed is not None else str(project.seed if project else 0)),
        limits=project.limits if project else None,
    )
    frozen = frozen_of(Path(), request, seed=request.seed, timestamp=midnight(datetime.now(UTC)))
    setting = make_setting(frozen, store, baseline=baseline, load=load, key=key, workers=workers, quiet=quiet or json)
    with Store(store_place(store)) as opened:
        looked = look(setting, opened, request, datetime.now(UTC), stage_lines(quiet=quiet or json))
    if looked.decision is None:
        if json:
            print_json({"triggers": [], "decision": None})
        elif not quiet:
            typer.echo("nothing fired: agent, oracle and incidents are as they were, and it is not time yet")
        return
    if not json and not quiet:
        typer.echo(f"set off by {', '.join(looked.triggers)}")
    show(looked.decision, json=json, quiet=quiet)
    raise typer.Exit(looked.decision.exit_code)


def _watch(pause: int) -> None:
    """Look again and again, each time in a process of its own: a family or agent edited meanwhile is read afresh."""
    from proctor.core.errors import InputError

    if pause < 1:
        message = f"--pause {pause}: at least one second"
        raise InputError(message)
    while True:
        # The same command with --once; what it decided is in its output, the ledger and the report.
        subprocess.run([sys.executable, "-m", "proctor.cli.main", *sys.argv[1:], "--once"], check=False)
        time.sleep(pause)

"""Examine an agent whenever something changed, and once a day: the continuous pipeline.

Looks at the agent (content of the declared paths and of the files its string names), at the oracle and the rules, at
the clock and at reported incidents; if anything changed, runs the agent and takes the run through the seven stages to a
decision. With `--once` it looks once and exits with the decision's code, or 0 if nothing changed; use it with a
scheduler or in CI. Without it, it runs until stopped: SIGTERM ends it with 0, Ctrl-C with 130, and the next start
continues the examination that was interrupted.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from proctor.cli.gate import BaselineFrom, Key, Quiet, Rehearsal, Workers
from proctor.cli.options import Json, LoadFrom, ScopeOf, StorePlace, open_store

USAGE = 2
"""Exit code of a look that could not begin."""


def command(
    suite: Annotated[
        str | None, typer.Argument(metavar="SUITE", help="A suite's name or file (default: the project's).")
    ] = None,
    agent: Annotated[str | None, typer.Option("--agent", help="The agent (default: the project's core agent).")] = None,
    path: Annotated[
        list[Path] | None,
        typer.Option("--path", help="A file or folder that is part of the agent; may be repeated."),
    ] = None,
    scope: ScopeOf = None,
    every: Annotated[str, typer.Option("--every", help="Examine at least this often: 30m, 12h, 1d.")] = "1d",
    once: Annotated[bool, typer.Option("--once", help="Look once and exit.")] = False,
    at: Annotated[
        str | None, typer.Option("--at", metavar="TIME", help="The time of the look (default: now); goes with --once.")
    ] = None,
    pause: Annotated[int, typer.Option("--pause", help="Seconds between looks.")] = 60,
    seed: Annotated[
        str | None, typer.Option("--seed", help="Base seed from which the runs' seeds are derived (default: 0).")
    ] = None,
    baseline: BaselineFrom = None,
    load: LoadFrom = None,
    key: Key = None,
    workers: Workers = None,
    rehearsal: Rehearsal = False,
    quiet: Quiet = False,
    store: StorePlace = None,
    json: Json = False,
) -> None:
    from proctor.core.clock import parse_timestamp
    from proctor.core.errors import InputError

    if not once:
        if at is not None:
            message = "--at sets the time of a single look; use it with --once"
            raise InputError(message)
        _watch(pause)
    from proctor.cli.freezing import system_asked_for
    from proctor.cli.gate import make_setting, show, stage_lines
    from proctor.cli.output import print_json
    from proctor.engine.run import parse_seed
    from proctor.pipeline.own_code import only_approved_code
    from proctor.pipeline.triggers import parse_interval
    from proctor.pipeline.watch import WatchRequest, freeze_request, look
    from proctor.spec.project import read_project, require_agent
    from proctor.spec.scope import read_scope
    from proctor.spec.system import BoundaryKind

    # Told to stop, it unwinds like after any error: workers end, the store is closed, the run can be continued.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda told, _frame: sys.exit(128 + told))
    now = datetime.now(UTC) if at is None else parse_timestamp(at)
    project = read_project(Path())
    if suite is None and project is None:
        message = "say which suite to watch with, e.g. `proctor watch quality --agent …`"
        raise InputError(message)
    named = suite or (project.suite if project else "")
    chosen, system = agent, None if project is None else project.system
    if agent is not None:
        chosen, system = system_asked_for(project, BoundaryKind.CORE, agent)
    request = WatchRequest(
        suite=named,
        agent=chosen or require_agent(project, "core"),
        system=system,
        paths=tuple(path or ()),
        scope=None if scope is None else read_scope(scope, Path()),
        every=parse_interval(every),
        seed=parse_seed(seed if seed is not None else str(project.seed if project else 0)),
        limits=project.limits if project else None,
    )
    with only_approved_code(Path()):
        frozen = freeze_request(Path(), request, seed=request.seed, now=now)
        setting = make_setting(
            frozen,
            store,
            baseline=baseline,
            load=load,
            key=key,
            workers=workers,
            rehearsal=rehearsal,
            quiet=quiet or json,
        )
        with open_store(store, create=True) as opened:
            looked = look(setting, opened, request, now, stage_lines(quiet=quiet or json))
    if looked.decision is None:
        if json:
            print_json({"triggers": [], "decision": None})
        elif not quiet:
            typer.echo(
                "nothing to do: agent, oracle and incidents are unchanged, and the next scheduled run is not due"
            )
        return
    if not json and not quiet:
        typer.echo(f"triggered by {', '.join(looked.triggers)}")
    show(looked.decision, json=json, quiet=quiet)
    raise typer.Exit(looked.decision.exit_code)


def _watch(pause: int) -> None:
    """Look again and again, each time in a process of its own: a family or agent edited meanwhile is read afresh."""
    from proctor.core.errors import InputError

    if pause < 1:
        message = f"--pause {pause}: at least one second"
        raise InputError(message)
    watch = Watch([sys.executable, "-P", "-m", "proctor.cli.main", *sys.argv[1:], "--once"])
    raise typer.Exit(watch.until_stopped(pause))


class Watch:
    """The loop around looks, and what ends it."""

    def __init__(self, look: list[str]) -> None:
        self._look = look
        self._child: subprocess.Popen[bytes] | None = None
        self._told: list[int] = []
        """Signals in the order they came."""
        self._awake, wake = os.pipe()
        os.set_blocking(wake, False)
        # A signal also writes a byte here, so that a pause ends at once and nothing has to be polled.
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._stop)

    def until_stopped(self, pause: int) -> int:
        """Look, rest, look again; the exit code. A first look that cannot begin ends it: somebody has to mend it."""
        looks = 0
        while not self._told:
            # What a look decided is in its output, the ledger and the report. In a group of its own it hears of Ctrl-C
            # from here, and once.
            self._child = subprocess.Popen(self._look, process_group=0)
            for number in self._told:
                self._child.send_signal(number)
            code = self._child.wait()
            looks += 1
            if looks == 1 and code == USAGE:
                return USAGE
            if not self._told:
                select.select([self._awake], [], [], pause)
        return 0 if self._told[0] == signal.SIGTERM else 128 + self._told[0]

    def _stop(self, number: int, _frame: Any) -> None:
        self._told.append(number)
        if self._child is not None and self._child.poll() is None:
            self._child.send_signal(number)

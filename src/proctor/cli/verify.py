"""Check every digest of a bundle or of a run in a store, and say what was changed.

This proves that nothing was changed since the evidence was written, not that its author was honest.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from proctor.cli.options import Json, StorePlace, meant, open_store

if TYPE_CHECKING:
    from proctor.evidence.bundle.report import VerifyReport


_SHOWN = 20
"""Findings that are written out."""


def command(
    what: Annotated[str, typer.Argument(metavar="FILE|RUN", help="A .proctor file, or a run in the store.")] = "latest",
    store: StorePlace = None,
    json: Json = False,
) -> None:
    from proctor.cli.output import print_json, say
    from proctor.engine.checking import ORDER, TASKS
    from proctor.evidence.bundle.report import MAX_PROBLEMS

    if _is_path(what):
        from proctor.evidence.bundle.apart import verify_apart

        report = verify_apart(what, plan=ORDER, tasks=TASKS)
    else:
        from proctor.engine.plan import Plan
        from proctor.evidence.bundle.in_store import verify_run

        with open_store(store) as opened:
            report = verify_run(opened, opened.run(meant(opened, what)).number, plan=Plan)
    if json:
        print_json(report)
    else:
        for check in report.checks:
            typer.echo(f"{'ok  ' if check.ok else 'FAIL'}  {check.name}  {check.detail}".rstrip())
        for problem in report.problems[:_SHOWN]:
            say(f"proctor: {problem.place}: {problem.message}")
        if report.found > _SHOWN:
            rest = f"{report.found - _SHOWN:,} further {'finding is' if report.found == _SHOWN + 1 else 'findings are'}"
            say(f"proctor: {rest} not shown; --json lists the first {MAX_PROBLEMS}")
        for note in _notes(report):
            typer.echo(f"note: {note}")
        if report.unchecked:
            typer.echo(f"not checked: {report.unchecked}")
        held = "what could be checked holds" if report.unchecked else "nothing was changed since it was written"
        typer.echo(f"verified: {held}" if report.ok else "NOT verified")
    raise typer.Exit(0 if report.ok else 1)


def _is_path(what: str) -> bool:
    """Whether a file is meant and no run: there is something of this name, or no run can be called so. A folder may
    have the name of a run."""
    from proctor.evidence.plain import RUN_NAME

    path = Path(what)
    try:
        return path.suffix == ".proctor" or RUN_NAME.match(what) is None or (path.exists() and not path.is_dir())
    except (OSError, ValueError):
        return True


def _notes(report: VerifyReport) -> list[str]:
    """What to know besides: which code recorded the evidence, or that it does not say."""
    from proctor.evidence.code import code_note
    from proctor.plugins.sources import package_digest

    if report.run is None:
        return []
    if report.bench is None:
        return ["recorded before families were identified by probes: their sources are named, not what they did"]
    if not report.recorded_by:
        return ["the evidence does not say which code recorded it"]
    note = code_note(report.recorded_by, package_digest(), report.begins)
    return [note] if note else []

"""Measure the families of a package and write its probes.lock.

A probe identifies what a family does: the instances it draws, the tools it shows and the verdicts it gives. Runs of a
locked family start without measuring it. A released version that behaves differently is refused; raise its version.
"""

from __future__ import annotations

from typing import Annotated

import typer

from proctor.cli.options import Json


def command(
    package: Annotated[str, typer.Argument(metavar="PACKAGE", help="An installed package that registers families.")] = (
        "proctor"
    ),
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 when the lock is not up to date.")
    ] = False,
    unreleased: Annotated[
        bool, typer.Option("--unreleased", help="Replace entries of versions that nobody has been given yet.")
    ] = False,
    json: Json = False,
) -> None:
    from proctor.cli.output import print_json, say
    from proctor.core.canonical import jsonable
    from proctor.engine.probing.lock import read_lock, write_lock
    from proctor.engine.probing.locking import relock

    before = read_lock(package)
    made = relock(package, unreleased=unreleased, watch=lambda name: None if json else say(f"measuring {name}"))
    current = made.lock == before and not made.changed
    path = None if check or made.lock == before else write_lock(package, made.lock)
    if json:
        facts: dict[str, object] = {"package": package, "current": current, "written": path and str(path)}
        print_json(facts | {name: value for name, value in jsonable(made).items() if name != "lock"})
    else:
        for sentence in (*made.changed, *made.not_measured):
            say(f"proctor: {sentence}")
        written = "is out of date" if path is None else f"written to {path}"
        state = "is up to date" if current else written
        typer.echo(f"probes.lock of {package}, {len(made.lock.families)} families: {state}")
        if made.changed:
            say("proctor: raise the version of what changed, then lock again")
    raise typer.Exit(1 if made.changed or (check and not current) else 0)

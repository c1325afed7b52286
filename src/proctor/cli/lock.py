"""Measure the families of a package and write its probes.lock.

A probe identifies what a family does: the instances it draws, the tools it shows and the verdicts it gives. Runs of a
locked family start without measuring it. A released version that behaves differently is refused; raise its version.
Proctor's own suites are locked by their content, so that an edited copy is known for what it is.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from proctor.cli.options import Json

if TYPE_CHECKING:
    from proctor.engine.probing.lock import Lock
    from proctor.engine.probing.locking import LockUpdate


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
    from proctor.spec.released import released_suites, write_released

    before = read_lock(package)
    made = relock(package, unreleased=unreleased, watch=lambda name: None if json else say(f"measuring {name}"))
    same = made.lock.content == before.content and (not made.suites or made.suites == released_suites())
    current = same and not made.changed
    path = None if check or same else write_lock(package, made.lock)
    if path is not None and made.suites:
        write_released(made.suites)
    state = "up to date" if current else _state(package, before, made, path)
    if json:
        facts: dict[str, object] = {"package": package, "current": current, "written": path and str(path)}
        print_json(facts | {name: value for name, value in jsonable(made).items() if name not in ("lock", "suites")})
    else:
        for sentence in (*made.changed, *made.not_measured):
            say(f"proctor: {sentence}")
        typer.echo(f"probes.lock of {package} ({_families(len(made.lock.families))}): {state}")
        if made.changed:
            say(
                f"proctor: raise the version of what changed and run `proctor lock {package}`, or, if nobody has it "
                f"yet, replace its entry with `proctor lock {package} --unreleased`"
            )
    raise typer.Exit(1 if made.changed or (check and not current) else 0)


def _state(package: str, before: Lock, made: LockUpdate, path: Path | None) -> str:
    if path is not None:
        return f"written to {path}"
    if made.changed:
        return "not what these sources do"
    again = f"run `proctor lock {package}`"
    if not before.families:
        return f"there is none yet; {again} to write it"
    same = {name: entry.probe for name, entry in before.families.items()} == {
        name: entry.probe for name, entry in made.lock.families.items()
    }
    why = "behaviour is unchanged, sources are not" if same else "families were added, removed or replaced"
    return f"out of date: {why}; {again} to bring it up to date"


def _families(count: int) -> str:
    return f"{count} {'family' if count == 1 else 'families'}"

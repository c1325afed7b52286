"""List suites, or show one: its families, regimes and sample sizes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from proctor.cli.options import Json

if TYPE_CHECKING:
    from proctor.spec.suite import Entry, Suite


def command(
    action: Annotated[str | None, typer.Argument(metavar="[show]", help="Nothing to list, or 'show'.")] = None,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A suite's name or file.")] = None,
    json: Json = False,
) -> None:
    from proctor.cli.listing import name_to_show
    from proctor.cli.output import clean, print_json, table
    from proctor.core.errors import InputError
    from proctor.engine.names import load_suite
    from proctor.plugins import registry

    chosen = name_to_show(action, name, "suite")
    if chosen is None:
        suites, sentences = [], []
        for known in registry.names("suites"):
            try:
                suites.append(load_suite(known, Path()))
            except InputError as error:
                # A plug-in that cannot be loaded, or one that reads its tasks from a user's data: said below.
                sentences.append(str(error))
        if json:
            print_json([{"name": suite.full_name, "title": suite.title} for suite in suites])
            return
        rows = [[s.full_name, s.title, str(sum(map(_episodes, s.entries)))] for s in suites]
        typer.echo(table(["suite", "title", "episodes"], rows, right=(2,)))
        for sentence in dict.fromkeys(sentences):
            typer.echo(sentence)
        return
    suite = load_suite(chosen, Path())
    if json:
        print_json(suite)
        return
    typer.echo(f"{suite.full_name}: {suite.title}\n{suite.description}\nidentity {suite.identity}\n")
    rows = [
        [e.family, e.cell or "", ", ".join(e.regimes), ", ".join(e.conditions), str(e.n), str(_episodes(e))]
        for e in suite.entries
    ]
    typer.echo(table(["family", "cell", "regimes", "conditions", "n", "episodes"], rows, right=(4, 5)))
    for remark in _remarks(suite):
        typer.echo(clean(f"cannot be run: {remark}"))


def _remarks(suite: Suite) -> Iterator[str]:
    """Why this suite cannot be run, as far as can be said without running anybody's file or opening their data."""
    from proctor.core.errors import ProctorError
    from proctor.engine.names import load_family
    from proctor.engine.plan import MAX_EPISODES

    for family in dict.fromkeys(entry.family for entry in suite.entries):
        path = Path(family.partition(":")[0])
        if path.suffix == ".py":
            if not path.is_file():
                yield f"{path}: there is no such file"
        elif "#" not in family:
            try:
                load_family(family, Path())
            except ProctorError as error:
                yield str(error)
    if sum(map(_episodes, suite.entries)) > MAX_EPISODES:
        yield f"a run of more than {MAX_EPISODES:,} episodes is too large; reduce the sample sizes"


def _episodes(entry: Entry) -> int:
    """Everything that is lived for an entry."""
    lifetimes = entry.n * entry.replicates * entry.parts * len(entry.regimes) * len(entry.conditions)
    return lifetimes * sum(step.episodes for step in entry.program)

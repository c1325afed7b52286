"""Options that several commands share, so that they mean and read the same everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from proctor.evidence.store.contract import EvidenceStore

DEFAULT_STORE = ".proctor/store.db"

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout and nothing else.")]
StorePlace = Annotated[
    str | None,
    typer.Option("--store", metavar="PATH|URL", help=f"Where evidence is kept (default: {DEFAULT_STORE})."),
]
RunName = Annotated[str, typer.Argument(metavar="RUN", help="A run's name, an unambiguous prefix of it, or 'latest'.")]


ScopeOf = Annotated[
    str | None,
    typer.Option("--scope", metavar="COORDINATE|FILE", help="Only this part of the organisation, e.g. 'G1.U2.*.*.*'."),
]
Beside = Annotated[
    str | None,
    typer.Option("--beside", metavar="RUN", help="The run of the same system within the other boundary."),
]
RatingsFrom = Annotated[
    list[Path] | None,
    typer.Option(
        "--ratings",
        metavar="FILE",
        help="A CSV file of ratings by people, kept with the run from now on; may be repeated.",
    ),
]
ReferenceFrom = Annotated[
    list[Path] | None,
    typer.Option(
        "--reference",
        metavar="FILE",
        help="A CSV file with the right answers to raters' control items, kept likewise.",
    ),
]
LoadFrom = Annotated[
    Path | None,
    typer.Option("--load", metavar="FILE", help="A record of `proctor load` (default: the newest one of this agent)."),
]


def store_place(given: str | None) -> str:
    """The store named on the command line, else the project's, else the default."""
    from proctor.spec.project import read_project

    if given is not None:
        return given
    project = read_project(Path())
    return project.store if project is not None else DEFAULT_STORE


def open_store(given: str | None, *, create: bool = False) -> EvidenceStore:
    """The store, open."""
    from proctor.engine.stores import open_store as open_at

    return open_at(store_place(given), create=create)


def meant(opened: EvidenceStore, run: str) -> str:
    """The name of the run that is meant: `latest` is none that a gate made to be sure of another."""
    if run != "latest":
        return run
    from proctor.pipeline.reruns import run_meant

    return run_meant(opened, Path(), run).name

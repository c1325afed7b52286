"""Write a run's report: a self-contained page, or the same data as JSON.

The page (`-o report.html`) works offline and without scripts: the rates with their intervals, the levels with
their reasons, failing episodes with their traces, and every condition they hold under. `-o report.json` and `--json`
give exactly the data of the page.

`--tables FOLDER` writes every table of a binding run as CSV at full precision, with a map from figures and tables to
files and their SHA-256; `--figures FOLDER` draws them as SVG and PNG. With either of them the page is written only
where `-o` names it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from proctor.cli.options import (
    Beside,
    Json,
    LoadFrom,
    RatingsFrom,
    ReferenceFrom,
    RunName,
    StorePlace,
    open_store,
    store_place,
)

if TYPE_CHECKING:
    from proctor.evidence.evidence import Evidence
    from proctor.instruments.base import Reading
    from proctor.reports.data import GateShown, Report


def command(
    run: RunName = "latest",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Where to write: .html or .json (default: RUN.html)."),
    ] = None,
    ratings: RatingsFrom = None,
    reference: ReferenceFrom = None,
    load: LoadFrom = None,
    beside: Beside = None,
    tables: Annotated[
        Path | None,
        typer.Option("--tables", metavar="FOLDER", help="Write every table of a binding run as CSV, and their map."),
    ] = None,
    figures: Annotated[
        Path | None,
        typer.Option("--figures", metavar="FOLDER", help="Draw the figures of a binding run, as SVG and PNG."),
    ] = None,
    predicted: Annotated[
        Path | None,
        typer.Option(
            "--predicted", metavar="FOLDER", help="A folder written by `proctor predict -o`, to include in the report."
        ),
    ] = None,
    store: StorePlace = None,
    json: Json = False,
) -> None:
    from proctor.cli.source_data import OutputFolders, write_source_data
    from proctor.reports.data import to_json

    if output is not None:
        _check(output)
    folders = OutputFolders(tables, figures, predicted)
    folders.check()
    report, readings, evidence = _report(run, ratings or [], reference or [], beside, store, load)
    written = write_source_data(readings, evidence, report.label, folders) if folders.requested else []
    if not json:
        typer.echo("".join(f"{line}\n" for line in written), nl=False)
    if output is None and folders.requested and not json:
        return
    if output is None and json:
        typer.echo(to_json(report), nl=False)
        return
    path = output or Path(f"{_file_name(report.run)}.html")
    _check(path)
    _write(report, path)
    if json:
        typer.echo(to_json(report), nl=False)
    else:
        typer.echo(str(path))


def _report(
    run: str, ratings: list[Path], references: list[Path], beside: str | None, store: str | None, load: Path | None
) -> tuple[Report, list[Reading], Evidence]:
    from proctor.evidence.evidence import evidence_of
    from proctor.evidence.rated import rated_evidence
    from proctor.pipeline.reading import readings_of
    from proctor.reports.build import build_report

    with open_store(store) as opened:
        evidence = rated_evidence(opened, run, ratings=ratings, references=references)
        other = None if beside is None else evidence_of(opened, beside)
        readings = list(readings_of(evidence, store=store_place(store), load=load, other=other).values())
        return build_report(opened, evidence, readings, _decisions(evidence.run)), readings, evidence


def _decisions(run: str) -> list[GateShown]:
    """What gates of this project decided about the run: scores at their targets are not yet a deployment."""
    from proctor.pipeline.decision import decisions
    from proctor.pipeline.ledger import Ledger
    from proctor.reports.data import GateShown

    ledger = Ledger(Path())
    decided = [one for one in decisions(ledger.entries(), ledger.keyring) if one.run == run]
    return [GateShown(one.outcome, one.sentence, one.standing, one.entry) for one in decided]


def _check(path: Path) -> None:
    """Refuse before any work is done."""
    from proctor.core.errors import InputError

    if path.is_dir():
        message = f"{path}: is a folder; give a file in it, e.g. {path / 'report.html'}"
        raise InputError(message)
    if path.suffix.lower() not in (".html", ".htm", ".json"):
        message = f"{path}: reports are .html or .json; use one of these suffixes"
        raise InputError(message)
    if not path.parent.is_dir():
        message = f"{path}: there is no folder {path.parent}; create it first, or choose another path"
        raise InputError(message)


def _write(report: Report, path: Path) -> None:
    from proctor.core.atomic_write import atomic_write
    from proctor.reports.data import to_json
    from proctor.reports.html.page import render

    data = to_json(report) if path.suffix.lower() == ".json" else render(report)
    with atomic_write(path) as file:
        file.write(data)


def _file_name(run: str) -> str:
    """The run's name as a name of a file: names from a stranger's bundle may hold anything."""
    return re.sub(r"[^A-Za-z0-9._-]", "_", run).lstrip(".")[:120] or "report"

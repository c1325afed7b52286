"""Write a run's report: a self-contained page, its Agency Card, its Technical Report.

The page (`-o report.html`) works offline and without scripts: the result in words, the rates with their intervals, the
levels with their reasons, failing episodes with their traces, and every condition they hold under. `-o report.json` and
`--json` give exactly the data of the page.

`--card FILE` writes the Agency Card, one page that a claim is published with; `--technical-report FILE` everything that
is needed to replicate it. Both are .html, .json or .pdf, by the name of the file (PDF: `pip install 'proctor[pdf]'`).
Where a Technical Report is mandatory (E > 2, R ≥ 3, a tier, procurement) it is written unasked, beside page or card.

`--tables FOLDER` writes every table of a binding run as CSV at full precision, with a map from figures and tables to
files and their SHA-256; `--figures FOLDER` draws them as SVG and PNG. Without `-o` none of these writes the page.
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
    meant,
    open_store,
    store_place,
)

if TYPE_CHECKING:
    from proctor.cli.report_files import Made
    from proctor.evidence.store.contract import EvidenceStore
    from proctor.reports.data import GateShown


def command(
    run: RunName = "latest",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Where to write the page: .html or .json."),
    ] = None,
    card: Annotated[
        Path | None,
        typer.Option("--card", metavar="FILE", help="Write the Agency Card: .html, .json or .pdf."),
    ] = None,
    technical_report: Annotated[
        Path | None,
        typer.Option("--technical-report", metavar="FILE", help="Write the Technical Report: .html, .json or .pdf."),
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
    from proctor.cli.output import say
    from proctor.cli.report_files import Files, check_page, write_files
    from proctor.cli.source_data import OutputFolders, write_source_data
    from proctor.reports.data import to_json

    files = Files(output, card, technical_report)
    files.check()
    folders = OutputFolders(tables, figures, predicted)
    folders.check()
    with open_store(store) as opened:
        made = _made(opened, meant(opened, run), (ratings or [], reference or []), beside, store, load)
        page = output
        if page is None and not (json or folders.requested or card or technical_report):
            page = Path(f"{_file_name(made.report.run)}.html")
            check_page(page)
        written = write_files(opened, made, Files(page, card, technical_report))
    lines = list(written.paths)
    if folders.requested:
        lines = [*write_source_data(made.readings, made.evidence, made.report.label, folders), *lines]
    if json:
        typer.echo(to_json(made.report), nl=False)
    else:
        typer.echo("".join(f"{line}\n" for line in lines), nl=False)
    if written.notice:
        say(written.notice)


def _made(
    opened: EvidenceStore,
    run: str,
    rated: tuple[list[Path], list[Path]],
    beside: str | None,
    store: str | None,
    load: Path | None,
) -> Made:
    from proctor.cli.report_files import Made
    from proctor.evidence.evidence import evidence_of
    from proctor.evidence.rated import rated_evidence
    from proctor.pipeline.reading import readings_of
    from proctor.reports.build import build_report

    evidence = rated_evidence(opened, run, ratings=rated[0], references=rated[1])
    place = store_place(store)
    theirs = None if beside is None else evidence_of(opened, beside)
    other = None
    if theirs is not None:
        other = build_report(opened, theirs, readings_of(theirs, store=place, load=load).values())
    readings = list(readings_of(evidence, store=place, load=load, other=theirs).values())
    report = build_report(opened, evidence, readings, _decisions(evidence.run), other)
    return Made(report, tuple(readings), evidence)


def _decisions(run: str) -> list[GateShown]:
    """What gates of this project decided about the run: scores at their targets are not yet a deployment."""
    from proctor.pipeline.decision import decisions
    from proctor.pipeline.ledger import Ledger
    from proctor.reports.data import GateShown

    ledger = Ledger(Path())
    decided = [one for one in decisions(ledger.entries(), ledger.keyring) if one.run == run]
    return [GateShown(one.outcome, one.sentence, one.standing, one.entry) for one in decided]


def _file_name(run: str) -> str:
    """The run's name as a name of a file: names from a stranger's bundle may hold anything."""
    return re.sub(r"[^A-Za-z0-9._-]", "_", run).lstrip(".")[:120] or "report"

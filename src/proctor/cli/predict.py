"""Test whether a score predicts success on records of a real task, beyond what is known without it.

Give a table (CSV, TSV, JSONL, Parquet) with its columns, or the runs of `binding-swebench`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from proctor.cli.options import Json, StorePlace, open_store

if TYPE_CHECKING:
    from proctor.instruments.predictive.design import Design
    from proctor.instruments.predictive.gain import Study
    from proctor.instruments.predictive.localisation import GuardEffect, Shown
    from proctor.instruments.predictive.records import Records


def command(
    table: Annotated[Path | None, typer.Argument(metavar="[TABLE]", help="A table with one record per row.")] = None,
    run: Annotated[
        list[str] | None, typer.Option("--run", metavar="RUN", help="A run of binding-swebench; give one per model.")
    ] = None,
    outcome: Annotated[str | None, typer.Option("--outcome", help="Column of 0 and 1: did it succeed?")] = None,
    cluster: Annotated[str | None, typer.Option("--cluster", help="Column that groups dependent records.")] = None,
    baseline: Annotated[
        str | None, typer.Option("--baseline", help="Predictor columns known without the score, separated by commas.")
    ] = None,
    add: Annotated[str | None, typer.Option("--add", help="The score's column.")] = None,
    within: Annotated[
        str | None, typer.Option("--within", help="Column to compute gains within, e.g. the model.")
    ] = None,
    leave_out: Annotated[
        str | None,
        typer.Option("--leave-out", help="Columns whose values are left out one at a time, separated by commas."),
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("-o", "--output", help="Also write records and every number to this folder.")
    ] = None,
    figures: Annotated[
        Path | None, typer.Option("--figures", metavar="FOLDER", help="Also draw the study, as SVG and PNG.")
    ] = None,
    store: StorePlace = None,
    json: Json = False,
) -> None:
    from proctor.cli.study_text import guard_text, shown_text, study_text
    from proctor.instruments.predictive.gain import study

    _check_folders(folder, figures)
    on_runs: _OnRuns | None = None
    label = ""
    if run:
        _refuse_beside_runs(table, outcome, cluster, baseline, add, within, leave_out)
        on_runs = _localisation(run, store, folder)
        records, studies, label = on_runs.records, on_runs.studies, on_runs.label
    else:
        records, design = _table(table, outcome, cluster, baseline, add, within, leave_out)
        with _records_kept(folder, records):
            studies = {"study": study(records, design)}
    guard = None if on_runs is None else on_runs.guard
    results = {name: _data(one) for name, one in studies.items()}
    whole: dict[str, Any] = {"source": records.source, "label": label, "studies": results, "guard": guard}
    if on_runs is not None:
        whole |= {"guard_over_task": on_runs.over_task, "shown": on_runs.shown, "note": on_runs.note}
    if folder is not None:
        _write(folder, records, studies, whole)
    drawn = [] if figures is None else _draw(figures, records, studies, guard, label)
    if json:
        from proctor.cli.output import print_json

        print_json(whole)
        return
    if label:
        typer.echo(f"{label}\n")
    for name, one in studies.items():
        typer.echo(study_text(name, one))
    if on_runs is not None:
        typer.echo(guard_text(on_runs.guard, on_runs.over_task))
        typer.echo(shown_text(on_runs.shown))
    for line in [*([on_runs.note] if on_runs and on_runs.note else []), *([f"\n{label}"] if label else []), *drawn]:
        typer.echo(line)


def _check_folders(*folders: Path | None) -> None:
    """Refuse before any work is done."""
    from proctor.core.errors import InputError

    for folder in folders:
        if folder is not None and folder.exists() and not folder.is_dir():
            message = f"{folder}: is a file; give a folder"
            raise InputError(message)


def _refuse_beside_runs(*given: object) -> None:
    from proctor.core.errors import InputError

    if any(given):
        message = "--run has its own records, columns and design: give either runs, or a table and its columns"
        raise InputError(message)


class _OnRuns(NamedTuple):
    """What is found on runs of `binding-swebench`."""

    records: Records
    studies: dict[str, Study]
    guard: GuardEffect
    over_task: GuardEffect
    shown: Shown
    label: str
    note: str


@contextmanager
def _records_kept(folder: Path | None, records: Records) -> Iterator[None]:
    """Without the library that predicts, the records at least are written; the sentence says what to install."""
    from proctor.core.errors import NeedsExtra

    try:
        yield
    except NeedsExtra as lacking:
        if folder is None:
            raise
        _write_records(folder, records)
        message = f"{lacking}; {folder / 'records.csv'} was written, the study was not"
        raise NeedsExtra(message) from None


def _localisation(runs: list[str], store: str | None, folder: Path | None) -> _OnRuns:
    from proctor.agents.lookup import label_of
    from proctor.core.errors import InputError
    from proctor.evidence.evidence import evidence_of
    from proctor.instruments.predictive import localisation

    with open_store(store) as opened:
        evidence = [evidence_of(opened, name) for name in runs]
    agents = [run.frozen.agent for run in evidence]
    if len(set(agents)) < len(agents):
        again = next(agent for agent in agents if agents.count(agent) > 1)
        message = f"two runs are of the agent '{again}': its records would count twice; give one run per model"
        raise InputError(message)
    records = localisation.records(evidence)
    if records.count == 0:
        message = f"{', '.join(runs)}: no localisation records; `--run` takes runs of the suite binding-swebench"
        raise InputError(message)
    version = localisation.version_of(evidence)
    labels = dict.fromkeys(
        label for run in evidence for label in (label_of(run.frozen.agent, run.recorded_label), run.seed_label)
    )
    with _records_kept(folder, records):
        studies = {
            "baseline with features that use the reference": localisation.localisation_study(records),
            "baseline without them": localisation.localisation_study(records, localisation.ORACLE_FREE),
        }
    return _OnRuns(
        records=records,
        studies=studies,
        guard=localisation.guard_effect(evidence),
        over_task=localisation.guard_over_task(evidence),
        shown=localisation.reference_shown(evidence),
        label="; ".join(filter(None, labels)),
        note=localisation.UNCOMPARED if version == "1.0" else "",
    )


def _table(
    path: Path | None,
    outcome: str | None,
    cluster: str | None,
    baseline: str | None,
    add: str | None,
    within: str | None,
    leave_out: str | None,
) -> tuple[Records, Design]:
    from proctor.core.errors import InputError
    from proctor.instruments.predictive.design import Design
    from proctor.instruments.predictive.records import read_records

    needed = {"TABLE": path, "--outcome": outcome, "--cluster": cluster, "--baseline": baseline, "--add": add}
    lacking = [name for name, value in needed.items() if not value]
    if path is None or outcome is None or cluster is None or baseline is None or add is None:
        message = f"give {', '.join(lacking)} (or `--run RUN` for runs of binding-swebench)"
        raise InputError(message)
    design = Design(outcome, cluster, _names(baseline), add, within, _names(leave_out or ""))
    # What tells records apart is a name, even where it looks like a number.
    apart = {cluster, *([within] if within else []), *design.leave_out} - set(design.baseline)
    return read_records(path, apart), design


def _names(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def _data(one: Study) -> dict[str, Any]:
    """The study as data: all but the records themselves."""
    import msgspec

    data: dict[str, Any] = msgspec.to_builtins(one)
    for name in ("labels", "cluster_of", "before", "after"):
        del data[name]
    return {**data, "null_interval": one.null_interval, "passed": one.passed}


def _draw(
    folder: Path, records: Records, studies: dict[str, Study], guard: GuardEffect | None, label: str
) -> list[str]:
    """The figures of the studies as files; gives the lines to print."""
    from proctor.reports.figures.catalogue import FIGURES, draw_all, write_figures
    from proctor.reports.figures.prediction_tables import predictive_tables, violations_of

    broken = {name: violations_of(records, one) for name, one in studies.items()}
    tables = predictive_tables(studies, guard, label=label, source=records.source, violations=broken)
    kinds = [kind for kind in FIGURES if kind.of_records]
    drawn = write_figures(folder, draw_all({name: table.columns for name, table in tables.items()}, kinds=kinds))
    lines = [f"{folder}: {sum(bool(one.files) for one in drawn)} figures as SVG and PNG"]
    return lines + [f"  not drawn: {one.name}: {one.reason}" for one in drawn if not one.files]


def _write(folder: Path, records: Records, studies: dict[str, Study], whole: dict[str, Any]) -> None:
    """Records and out-of-fold probabilities as CSV, all numbers as JSON."""
    import csv
    import json

    from proctor.core.canonical import jsonable
    from proctor.reports.spreadsheet import cell

    _write_records(folder, records)
    (folder / "study.json").write_text(json.dumps(jsonable(whole), indent=2) + "\n", encoding="utf-8")
    for number, one in enumerate(studies.values(), 1):
        with (folder / f"predictions-{number}.csv").open("w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out)
            writer.writerow(["cluster", "outcome", "baseline", "augmented"])
            for row in zip(one.cluster_of, one.labels, one.before, one.after, strict=True):
                writer.writerow([cell(value) for value in row])


def _write_records(folder: Path, records: Records) -> None:
    import csv

    from proctor.reports.figures.catalogue import make_folder
    from proctor.reports.spreadsheet import cell

    make_folder(folder)
    with (folder / "records.csv").open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow([cell(name) for name in records.columns])
        for row in zip(*records.columns.values(), strict=True):
            writer.writerow([cell(value) for value in row])

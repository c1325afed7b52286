"""Ask whether a score predicts success on records of a real task, beyond what is known without it.

Give a table (CSV, TSV, JSONL, Parquet) with its columns, or the runs of `binding-swebench`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from proctor.cli.options import Json, StorePlace, open_store

if TYPE_CHECKING:
    from proctor.instruments.predictive.gain import Design, Study
    from proctor.instruments.predictive.localisation import GuardEffect
    from proctor.instruments.predictive.records import Records
    from proctor.stats.estimate import Estimate

PLANTED = "planted agents: pipeline check, not evidence"


def command(
    table: Annotated[Path | None, typer.Argument(metavar="[TABLE]", help="One record a row.")] = None,
    run: Annotated[
        list[str] | None, typer.Option("--run", metavar="RUN", help="A run of binding-swebench; give one per model.")
    ] = None,
    outcome: Annotated[str | None, typer.Option("--outcome", help="Column of 0 and 1: did it succeed?")] = None,
    cluster: Annotated[str | None, typer.Option("--cluster", help="Column of what is not independent.")] = None,
    baseline: Annotated[
        str | None, typer.Option("--baseline", help="Columns known without the score, by commas.")
    ] = None,
    add: Annotated[str | None, typer.Option("--add", help="The score's column.")] = None,
    within: Annotated[str | None, typer.Option("--within", help="Column kept apart, e.g. the model.")] = None,
    leave_out: Annotated[
        str | None, typer.Option("--leave-out", help="Columns whose values are left out in turn, by commas.")
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("-o", "--output", help="Also write records and every number to this folder.")
    ] = None,
    store: StorePlace = None,
    json: Json = False,
) -> None:
    from proctor.instruments.predictive.gain import study

    guard: GuardEffect | None = None
    label = ""
    if run:
        records, designs, guard, label = _localisation(run, store)
    else:
        records, designs = _table(table, outcome, cluster, baseline, add, within, leave_out)
    studies = {name: study(records, design) for name, design in designs.items()}
    found = {name: _data(one) for name, one in studies.items()}
    whole = {"source": records.source, "label": label, "studies": found, "guard": guard}
    if folder is not None:
        _write(folder, records, studies, whole)
    if json:
        from proctor.cli.output import print_json

        print_json(whole)
        return
    for name, one in studies.items():
        typer.echo(_text(name, one))
    if guard is not None:
        typer.echo(_guard_text(guard))
    if label:
        typer.echo(f"\n{label}")


def _localisation(runs: list[str], store: str | None) -> tuple[Records, dict[str, Design], GuardEffect, str]:
    from proctor.core.errors import InputError
    from proctor.evidence.evidence import evidence_of
    from proctor.instruments.predictive import localisation

    with open_store(store) as opened:
        evidence = [evidence_of(opened, name) for name in runs]
    records = localisation.records(evidence)
    if records.count == 0:
        message = f"{', '.join(runs)}: no localisation in it; `--run` takes runs of the suite binding-swebench"
        raise InputError(message)
    designs = {
        "baseline with features that use the reference": localisation.design(),
        "baseline without them": localisation.design(localisation.ORACLE_FREE),
    }
    planted = any(found.frozen.agent.startswith("retriever") for found in evidence)
    return records, designs, localisation.guard_effect(evidence), PLANTED if planted else ""


def _table(
    path: Path | None,
    outcome: str | None,
    cluster: str | None,
    baseline: str | None,
    add: str | None,
    within: str | None,
    leave_out: str | None,
) -> tuple[Records, dict[str, Design]]:
    from proctor.core.errors import InputError
    from proctor.instruments.predictive.gain import Design
    from proctor.instruments.predictive.records import read_records

    needed = {"TABLE": path, "--outcome": outcome, "--cluster": cluster, "--baseline": baseline, "--add": add}
    lacking = [name for name, value in needed.items() if not value]
    if path is None or outcome is None or cluster is None or baseline is None or add is None:
        message = f"give {', '.join(lacking)} (or `--run RUN` for runs of binding-swebench)"
        raise InputError(message)
    design = Design(outcome, cluster, _names(baseline), add, within, _names(leave_out or ""))
    return read_records(path), {"study": design}


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _data(one: Study) -> dict[str, Any]:
    """The study as data: all but the records themselves."""
    import msgspec

    data: dict[str, Any] = msgspec.to_builtins(one)
    for name in ("labels", "cluster_of", "before", "after"):
        del data[name]
    return {**data, "null_interval": one.null_interval, "passed": one.passed}


def _text(name: str, one: Study) -> str:
    from proctor.cli.output import table

    design = one.design
    lines = [
        f"{name}: does '{design.added}' predict '{design.outcome}' beyond {', '.join(design.baseline)}?",
        f"{one.n} records, {one.positives} successes, {one.clusters} clusters ({design.cluster}); "
        f"{one.missing} records lacked something and were left out",
        "",
        table(
            ["out of fold, by cluster", "value", "95 % interval"],
            [
                ["AUC of the baseline", *_cells(one.baseline)],
                ["AUC with the score", *_cells(one.augmented)],
                ["gain", *_cells(one.gain)],
                *([[f"gain within {design.within} (primary)", *_cells(one.gain_within)]] if one.gain_within else []),
                ["gain of the score shuffled", *_null(one)],
                *[[f"AUC of '{name}' alone", *_cells(found)] for name, found in one.single.items()],
            ],
            right=(1,),
        ),
        "",
        "intervals of AUCs are DeLong's and take rows as independent; those of gains resample clusters",
        *[_criterion(item.name, item.limit, item.value, item.met) for item in one.criteria],
        *_parts(one),
    ]
    return "\n".join(lines) + "\n"


def _cells(found: Estimate) -> list[str]:
    if found.estimate is None:
        return ["–", found.reason or ""]
    bounds = found.reason or "" if found.low is None or found.high is None else f"{found.low:+.3f} … {found.high:+.3f}"
    return [f"{found.estimate:.3f}", bounds]


def _null(one: Study) -> list[str]:
    interval = one.null_interval
    if interval is None:
        return ["–", "too few shuffles"]
    middle = sum(one.null) / len(one.null)
    return [f"{middle:.3f}", f"{interval[0]:+.3f} … {interval[1]:+.3f} ({len(one.null)} shuffles)"]


def _criterion(name: str, limit: str, value: float | None, met: bool | None) -> str:
    word = {True: "met", False: "not met: a boundary of the claim", None: "not measured"}[met]
    return f"{name}, {limit}: {'–' if value is None else f'{value:.3f}'}, {word}"


def _parts(one: Study) -> list[str]:
    lines = []
    for kind, words in (("without", "with one {} left out"), ("within", "within one {}")):
        for column in dict.fromkeys(part.column for part in one.parts if part.kind == kind):
            parts = [part for part in one.parts if part.kind == kind and part.column == column]
            known = [part.gain for part in parts if part.gain is not None]
            positive = sum(gain > 0 for gain in known)
            unknown = f"; {len(parts) - len(known)} cannot be told" if len(known) < len(parts) else ""
            lines.append(f"gain above 0 {words.format(column)}: {positive} of {len(known)}{unknown}")
    return lines


def _guard_text(guard: GuardEffect) -> str:
    word = {True: "does no harm", False: "may do harm", None: "cannot be told"}[guard.harmless]
    hit, broken = _cells(guard.hit), _cells(guard.violations)
    return (
        f"binding guard against the task alone: hits {hit[0]} ({hit[1]}): {word} at a margin of 0.03; "
        f"answers with a hard violation {broken[0]} ({broken[1]})"
    )


def _write(folder: Path, records: Records, studies: dict[str, Study], whole: dict[str, Any]) -> None:
    """Records and out-of-fold probabilities as CSV, all numbers as JSON."""
    import csv
    import json

    from proctor.core.canonical import jsonable

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "study.json").write_text(json.dumps(jsonable(whole), indent=2) + "\n", encoding="utf-8")
    with (folder / "records.csv").open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(records.columns)
        for row in zip(*records.columns.values(), strict=True):
            writer.writerow(["" if value is None else value for value in row])
    for number, one in enumerate(studies.values(), 1):
        with (folder / f"predictions-{number}.csv").open("w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out)
            writer.writerow(["cluster", "outcome", "baseline", "augmented"])
            writer.writerows(zip(one.cluster_of, one.labels, one.before, one.after, strict=True))

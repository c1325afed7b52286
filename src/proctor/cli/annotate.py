"""Have people judge outputs without knowing what produced them: export items, read the filled-in sheets.

proctor annotate export RUN -o FOLDER     items and a sheet for raters; the key stays with you
proctor annotate read SHEET… --key KEY    agreement of any number of raters, then rates by condition
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from proctor.cli.options import Json, StorePlace, open_store


def command(
    action: Annotated[str, typer.Argument(metavar="export|read", help="What to do.")],
    names: Annotated[list[str], typer.Argument(metavar="RUN|SHEET…", help="A run, or filled-in sheets.")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="With export: a folder for raters.")] = None,
    key: Annotated[
        Path | None, typer.Option("--key", help="The file that says which item is which (default: FOLDER.key.json).")
    ] = None,
    items: Annotated[int, typer.Option("--items", min=1, help="With export: how many.")] = 1200,
    seed: Annotated[int, typer.Option("--seed", help="With export: which sample.")] = 0,
    store: StorePlace = None,
    json: Json = False,
) -> None:
    from proctor.core.errors import InputError

    if action == "export":
        if output is None or len(names) != 1:
            message = "proctor annotate export takes one run and -o FOLDER"
            raise InputError(message)
        _export(names[0], output, key or output.with_name(f"{output.name}.key.json"), items, seed, store, json)
    elif action == "read":
        if key is None:
            message = "proctor annotate read needs --key, the file that export wrote beside the folder"
            raise InputError(message)
        _read([Path(name) for name in names], key, json)
    else:
        message = f"proctor annotate {action}: there are export and read"
        raise InputError(message)


def _export(run: str, folder: Path, key: Path, count: int, seed: int, store: str | None, json: bool) -> None:
    import msgspec

    from proctor.cli.output import print_json
    from proctor.core.errors import InputError
    from proctor.reports.blinded import blinded_items, write_material

    for place in (folder, key):
        if place.exists():
            message = f"{place} is there already; an audit is never overwritten"
            raise InputError(message)
    with open_store(store) as opened:
        found, secret = blinded_items(opened, opened.run(run), Path(), count=count, seed=seed)
    write_material(found, folder)
    key.write_bytes(msgspec.json.format(msgspec.json.encode(secret), indent=2) + b"\n")
    if json:
        print_json({"run": secret.run, "items": len(found), "folder": str(folder), "key": str(key)})
        return
    typer.echo(f"{len(found)} items of {secret.run} in {folder}; give raters the folder and keep {key} to yourself")


def _read(sheets: list[Path], key: Path, json: bool) -> None:
    from proctor.cli.output import print_json, table
    from proctor.instruments.binding.agreement import agreement
    from proctor.reports.blinded import read_key, read_labels, shares_by_condition

    secret = read_key(key)
    labels = read_labels(sheets, secret.items)
    found = agreement(labels.by_dimension)
    shares = shares_by_condition(labels, secret)
    if json:
        print_json({"run": secret.run, "raters": labels.raters, "agreement": found, "by_condition": shares})
        return
    rows = [
        [
            row.dimension,
            row.first,
            row.second,
            str(row.items),
            "–" if row.agreement is None else f"{row.agreement:.4f}",
            "–" if row.kappa is None else f"{row.kappa:.4f}",
            row.reason or "",
        ]
        for row in found.rows
    ]
    typer.echo(table(["question", "rater", "rater", "items", "agreement", "κ", ""], rows, right=(3, 4, 5)))
    mean = "–" if found.mean_kappa is None else f"{found.mean_kappa:.4f}"
    constant = found.mean_kappa_constant_as_one
    beside = "" if constant is None else f", {constant:.4f} with questions all answered alike counted as 1"
    typer.echo(f"\nmean κ {mean}{beside}; {labels.unscorable} answers 'unscorable'\n")
    lines = [
        [row["condition"], row["dimension"], str(row["labels"]), "–" if row["yes"] is None else f"{row['yes']:.3f}"]
        for row in shares
    ]
    typer.echo(table(["condition", "question", "labels", "yes"], lines, right=(2, 3)))

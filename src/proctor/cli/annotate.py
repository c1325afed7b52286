"""Have people judge outputs without knowing what produced them.

`export RUN -o FOLDER` writes items and a sheet for raters; the key stays with you.

`read SHEET… --key KEY` gives the agreement of any number of raters, then rates by condition.

`judge FOLDER --model MODEL -o SHEET` has a chat model fill in a sheet: auxiliary, kept separate from people's.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from proctor.cli.options import Json, StorePlace, open_store

if TYPE_CHECKING:
    from proctor.instruments.binding.agreement import PairRow


def command(
    action: Annotated[str, typer.Argument(metavar="export|read|judge", help="What to do.")],
    names: Annotated[
        list[str], typer.Argument(metavar="RUN|SHEET…|FOLDER", help="A run, filled-in sheets, or a folder.")
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="With export: a folder for raters; with judge: a sheet.")
    ] = None,
    key: Annotated[
        Path | None, typer.Option("--key", help="The file that maps items to episodes (default: FOLDER.key.json).")
    ] = None,
    items: Annotated[int, typer.Option("--items", min=1, help="With export: the number of items.")] = 1200,
    seed: Annotated[int, typer.Option("--seed", help="With export: the seed of the sample.")] = 0,
    model: Annotated[
        str | None, typer.Option("--model", help="With judge: a model string, e.g. openai:gpt-4o-mini.")
    ] = None,
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
    elif action == "judge":
        if model is None or output is None or len(names) != 1:
            message = "proctor annotate judge takes one folder of items, --model MODEL and -o SHEET"
            raise InputError(message)
        _judge(Path(names[0]), model, output, json)
    else:
        message = f"proctor annotate {action}: unknown action; use export, read or judge"
        raise InputError(message)


def _export(run: str, folder: Path, key: Path, count: int, seed: int, store: str | None, json: bool) -> None:
    import msgspec

    from proctor.cli.output import print_json
    from proctor.core.errors import InputError
    from proctor.reports.blinded import blinded_items, write_material

    for path in (folder, key):
        if path.exists():
            message = f"{path} already exists; an audit is never overwritten"
            raise InputError(message)
    with open_store(store) as opened:
        items, secret = blinded_items(opened, opened.run(run), Path(), count=count, seed=seed)
    write_material(items, folder)
    key.write_bytes(msgspec.json.format(msgspec.json.encode(secret), indent=2) + b"\n")
    if json:
        print_json({"run": secret.run, "items": len(items), "folder": str(folder), "key": str(key)})
        return
    typer.echo(f"{len(items)} items of {secret.run} in {folder}; give raters the folder and keep {key} to yourself")


def _judge(folder: Path, text: str, sheet: Path, json: bool) -> None:
    import asyncio

    from proctor.cli.output import print_json
    from proctor.core.errors import InputError
    from proctor.models.contract import ModelString, load_kind
    from proctor.reports.judging import judged, read_items, write_sheet

    if sheet.exists():
        message = f"{sheet} already exists; a sheet is never overwritten"
        raise InputError(message)
    items = read_items(folder)
    named = ModelString.parse(text)
    kind = load_kind(named.kind)
    if kind.check is not None:
        kind.check(named, Path())
    model = kind.open(named, Path())

    async def all_of_them() -> list[dict[str, str]]:
        try:
            return await judged(items, model, _progress(len(items), json))
        finally:
            await model.close()

    rows = asyncio.run(all_of_them())
    write_sheet(sheet, rows)
    answered = sum(any(value for name, value in row.items() if name not in ("item", "rater")) for row in rows)
    if json:
        print_json({"rater": rows[0]["rater"], "items": len(rows), "answered": answered, "sheet": str(sheet)})
        return
    typer.echo(f"{rows[0]['rater']} answered {answered} of {len(rows)} items in {sheet}; automated, auxiliary only")


def _progress(count: int, json: bool) -> Callable[[int], None]:
    def tell(number: int) -> None:
        if not json and (number == count or not number % 25):
            typer.echo(f"{number}/{count} items", err=True)

    return tell


def _read(sheets: list[Path], key: Path, json: bool) -> None:
    from proctor.cli.output import print_json, table
    from proctor.instruments.binding.agreement import agreement
    from proctor.reports.blinded import read_key, read_labels, shares_by_condition
    from proctor.reports.judging import automated, people

    secret = read_key(key)
    labels = read_labels(sheets, secret.items)
    machines = automated(labels)
    rated = people(labels)
    agreed = agreement(rated.by_dimension)
    beside = [row for row in agreement(labels.by_dimension).rows if {row.first, row.second} & set(machines)]
    shares = shares_by_condition(rated, secret)
    if json:
        result = {"run": secret.run, "raters": rated.raters, "agreement": agreed, "by_condition": shares}
        print_json({**result, "automated": {"raters": machines, "rows": beside}} if machines else result)
        return
    heads = ["question", "rater", "rater", "items", "agreement", "κ", ""]
    if agreed.rows:
        typer.echo(table(heads, [_pair(row) for row in agreed.rows], right=(3, 4, 5)))
    mean = "–" if agreed.mean_kappa is None else f"{agreed.mean_kappa:.4f}"
    constant = agreed.mean_kappa_constant_as_one
    as_one = "" if constant is None else f", {constant:.4f} with questions all answered alike counted as 1"
    few = "" if len(rated.raters) > 1 else f" (agreement is between people, and {len(rated.raters)} rated)"
    typer.echo(f"\nmean κ {mean}{as_one}{few}; {labels.unscorable} answers 'unscorable'\n")
    lines = [
        [row["condition"], row["dimension"], str(row["labels"]), "–" if row["yes"] is None else f"{row['yes']:.3f}"]
        for row in shares
    ]
    typer.echo(table(["condition", "question", "labels", "yes"], lines, right=(2, 3)))
    if machines:
        typer.echo("\nautomated judges, auxiliary: they count neither in the mean nor in the shares above")
        typer.echo(table(heads, [_pair(row) for row in beside], right=(3, 4, 5)))


def _pair(row: PairRow) -> list[str]:
    return [
        row.dimension,
        row.first,
        row.second,
        str(row.items),
        "–" if row.agreement is None else f"{row.agreement:.4f}",
        "–" if row.kappa is None else f"{row.kappa:.4f}",
        row.reason or "",
    ]

"""Have people judge outputs without knowing what produced them.

`export RUN -o FOLDER` writes items and a sheet for raters; the key stays with you.

`read SHEET… --key KEY` gives the agreement of any number of raters, then rates by condition.

`judge FOLDER --model MODEL -o SHEET` has a chat model fill in a sheet: auxiliary, kept separate from people's.

`export RUN --question goal -o FOLDER` writes what raters of goals (G3) need: the lifetimes to judge with their briefs,
among control items, and a sheet for a spreadsheet. `import SHEET… --key KEY` checks filled-in sheets row by row, keeps
them with the run, and says who was admitted and how far they agree.
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
    action: Annotated[str, typer.Argument(metavar="export|import|read|judge", help="What to do.")],
    names: Annotated[
        list[str], typer.Argument(metavar="RUN|SHEET…|FOLDER", help="A run, filled-in sheets, or a folder.")
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="With export: a folder for raters; with judge: a sheet.")
    ] = None,
    key: Annotated[
        Path | None, typer.Option("--key", help="The file that maps items to episodes (default: FOLDER.key.json).")
    ] = None,
    question: Annotated[
        str, typer.Option("--question", help="With export: binding (seven questions an output) or goal (G3).")
    ] = "binding",
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
        if question not in ("binding", "goal"):
            message = f"--question {question}: use binding or goal"
            raise InputError(message)
        secret = key or output.with_name(f"{output.name}.key.json")
        if question == "goal":
            _export_goals(names[0], output, secret, seed, store, json)
        else:
            _export(names[0], output, secret, items, seed, store, json)
    elif action == "import":
        if key is None:
            message = "proctor annotate import needs --key, the file that export wrote beside the folder"
            raise InputError(message)
        _import([Path(name) for name in names], key, store, json)
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
        message = f"proctor annotate {action}: unknown action; use export, import, read or judge"
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


def _export_goals(run: str, folder: Path, key: Path, seed: int, store: str | None, json: bool) -> None:
    import msgspec

    from proctor.cli.output import print_json
    from proctor.core.errors import InputError
    from proctor.evidence.evidence import evidence_of
    from proctor.reports.goal_items import goal_items
    from proctor.reports.goal_sheets import write_goal_material

    for path in (folder, key):
        if path.exists():
            message = f"{path} already exists; material for raters is never overwritten"
            raise InputError(message)
    with open_store(store) as opened:
        items, secret = goal_items(opened, evidence_of(opened, run), seed=seed)
    write_goal_material(items, folder)
    key.write_bytes(msgspec.json.format(msgspec.json.encode(secret), indent=2) + b"\n")
    counts = {"lifetimes": len(secret.lifetimes), "controls": len(secret.controls)}
    if json:
        print_json({"run": secret.run, **counts, "folder": str(folder), "key": str(key)})
        return
    typer.echo(
        f"{counts['lifetimes']} lifetimes of {secret.run} and {counts['controls']} control items in {folder}; give a "
        f"copy to each of two raters or more, who begin with READ-ME-FIRST.html, and keep {key} to yourself"
    )


def _import(sheets: list[Path], key: Path, store: str | None, json: bool) -> None:
    from proctor.cli.output import clean, print_json, say, table
    from proctor.core.errors import InputError
    from proctor.reports.goal_ratings import take_goal_sheets
    from proctor.reports.goal_sheets import SheetMistakes, read_filled, read_goal_key

    secret = read_goal_key(key)
    try:
        filled = [read_filled(path, secret) for path in sheets]
    except SheetMistakes as mistakes:
        for problem in mistakes.problems:
            say(clean(problem))
        raise InputError(mistakes.head) from None
    with open_store(store) as opened:
        found = take_goal_sheets(opened, secret, filled)
    if json:
        print_json(found)
        return
    lines = [
        [
            one.rater,
            f"{one.right} of {one.of}",
            "admitted" if one.admitted else f"not admitted: {one.reason}",
            ", ".join(f"{count} {verdict}" for verdict, count in one.verdicts.items()),
        ]
        for one in found.raters
    ]
    typer.echo(clean(table(["rater", "control items", "", "verdicts"], lines)))
    for pair in found.pairs:
        kappa = pair.reason if pair.kappa is None else f"κ {pair.kappa:.2f}"
        typer.echo(clean(f"{pair.first} and {pair.second} agree on {pair.agreed} of {pair.lifetimes} ({kappa})"))
    typer.echo(f"{found.judged} of {found.lifetimes} lifetimes judged by two, {found.originated} originated")
    for note in found.notes:
        typer.echo(clean(note))


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

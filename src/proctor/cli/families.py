"""List families, or show one: what it evidences, how success is decided, how hard it can be made."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from proctor.cli.options import Json


def command(
    action: Annotated[str | None, typer.Argument(metavar="[show]", help="Nothing to list, or 'show'.")] = None,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A family's name or file.")] = None,
    json: Json = False,
) -> None:
    from proctor.cli.listing import name_to_show
    from proctor.cli.output import print_json, table
    from proctor.core.errors import InputError
    from proctor.engine.names import load_family
    from proctor.engine.probing.identity import entry_of
    from proctor.plugins import registry

    chosen = name_to_show(action, name, "family")
    if chosen is None:
        specs, sentences = [], []
        for known in registry.names("families"):
            try:
                specs.append(load_family(known, Path()).spec)
            except InputError as error:
                # A plug-in that cannot be loaded, or one that reads its tasks from a user's data: said below.
                sentences.append(str(error))
        if json:
            print_json([spec.model_dump(mode="json") for spec in specs])
            return
        rows = [[spec.full_name, spec.title, spec.environment.kind.value, str(len(spec.templates))] for spec in specs]
        typer.echo(table(["family", "title", "environment", "templates"], rows, right=(3,)))
        for sentence in sentences:
            typer.echo(sentence)
        return
    family = load_family(chosen, Path())
    spec = family.spec
    if json:
        print_json({**spec.model_dump(mode="json"), "probe": entry_of(chosen, family)})
        return
    typer.echo(f"{spec.full_name}: {spec.title}\n{spec.description}\n")
    if spec.evidences:
        typer.echo(f"evidences  {', '.join(spec.evidences)}")
    typer.echo(f"success    {spec.criterion}\nchecked    {spec.verification}\nreasons    {', '.join(spec.reasons)}")
    typer.echo(f"templates  {', '.join(spec.templates)}")
    entry = entry_of(chosen, family)
    typer.echo(f"probe      instances {entry.instances}\n           tools     {entry.tools}")
    typer.echo(f"           verdicts  {entry.verdicts}")
    if entry.unreached:
        typer.echo(f"unprobed   no probe ends with {', '.join(entry.unreached)}: a change there would go unnoticed")
    for knob_name, knob in spec.knobs.items():
        values = ", ".join(map(str, knob.values))
        typer.echo(f"knob       {knob_name} = {knob.default} (easy to hard: {values}): {knob.description}")

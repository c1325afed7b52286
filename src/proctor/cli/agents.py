"""List agent kinds, or show one."""

from __future__ import annotations

from typing import Annotated

import typer

from proctor.cli.options import Json


def command(
    action: Annotated[str | None, typer.Argument(metavar="[show]", help="Nothing to list, or 'show'.")] = None,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A kind of agent.")] = None,
    json: Json = False,
) -> None:
    from proctor.agents.lookup import load_agent_kind
    from proctor.cli.listing import name_to_show
    from proctor.cli.output import print_json, say, table
    from proctor.core.errors import InputError
    from proctor.plugins import registry

    chosen = name_to_show(action, name, "agent")
    kinds = []
    for known in [chosen] if chosen else registry.names("agents"):
        try:
            kinds.append(load_agent_kind(known))
        except InputError as error:
            if chosen:
                raise
            say(f"proctor: {error}")
    if json:
        print_json(
            [{"name": k.name, "description": k.description, "trusted": k.trusted, "label": k.label} for k in kinds]
        )
        return
    rows = [[k.name, "in the bench" if k.trusted else "confined", k.description, k.label] for k in kinds]
    typer.echo(table(["agent", "runs", "what it does", "label"], rows))

"""List agent kinds, or show one: yours, chat models, and those that are built in."""

from __future__ import annotations

from typing import Annotated

import typer

from proctor.cli.options import Json

_TITLES = {
    "yours": "Yours: each runs in a process of its own, unless it says otherwise",
    "models": "Chat models",
    "built-in": "Built in: clerk, oracles, baselines and planted agents, inside the bench's own process",
}


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
            [
                {
                    "name": k.name,
                    "group": k.group,
                    "description": k.description,
                    "trusted": k.trusted,
                    "label": k.label,
                }
                for k in kinds
            ]
        )
        return
    parts = []
    for group, title in _TITLES.items():
        rows = [[k.name, k.description, k.label] for k in kinds if k.group == group]
        if rows:
            label = any(row[2] for row in rows)
            header = ["agent", "what it does", "label"] if label else ["agent", "what it does"]
            parts.append(f"{title}\n{table(header, [row[: len(header)] for row in rows])}")
    typer.echo("\n\n".join(parts))

"""List the standard regimes, or show one with its exact parameters."""

from __future__ import annotations

from typing import Annotated

import typer

from proctor.cli.options import Json


def command(
    action: Annotated[str | None, typer.Argument(metavar="[show]", help="Nothing to list, or 'show'.")] = None,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A regime's id.")] = None,
    json: Json = False,
) -> None:
    import yaml

    from proctor.cli.listing import name_to_show
    from proctor.cli.output import print_json, table
    from proctor.core.errors import InputError
    from proctor.spec.regime import STANDARD_REGIMES

    chosen = name_to_show(action, name, "regime")
    if chosen is not None and chosen not in STANDARD_REGIMES:
        message = f"no standard regime is called '{chosen}'; there are {', '.join(STANDARD_REGIMES)}"
        raise InputError(message)
    regimes = [STANDARD_REGIMES[chosen]] if chosen else list(STANDARD_REGIMES.values())
    if json:
        print_json([regime.model_dump(mode="json") for regime in regimes])
    elif chosen:
        shown = regimes[0].model_dump(mode="json", exclude_defaults=True)
        typer.echo(yaml.safe_dump(shown, sort_keys=False) + f"identity: {regimes[0].identity}")
    else:
        rows = [[regime.id, regime.intensity.value, ", ".join(regime.axes) or "–"] for regime in regimes]
        typer.echo(table(["regime", "intensity", "axes"], rows))

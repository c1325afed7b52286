"""Read a run's evidence with the instruments. Needs no agent, no model and no network."""

from __future__ import annotations

from typing import Annotated

import typer

from proctor.cli.options import Json, RunName, StorePlace, open_store


def command(
    run: RunName = "latest",
    instrument: Annotated[
        list[str] | None, typer.Option("--instrument", help="Only this instrument; may be repeated.")
    ] = None,
    store: StorePlace = None,
    json: Json = False,
) -> None:
    from proctor.cli.output import print_json
    from proctor.cli.summary import rates_text
    from proctor.evidence.evidence import evidence_of
    from proctor.plugins import registry

    chosen = instrument or registry.names("instruments")
    with open_store(store) as opened:
        evidence = evidence_of(opened, run)
    rules = evidence.frozen.rules
    readings = {name: registry.load("instruments", name).read(evidence, rules) for name in chosen}
    if json:
        print_json(
            {
                "run": evidence.run,
                "root": evidence.root,
                "config_hash": evidence.config_hash,
                "suite": evidence.frozen.suite.full_name,
                "profile": rules.profile,
                **readings,
            }
        )
        return
    typer.echo(f"{evidence.run} · {evidence.frozen.suite.full_name} · agent {evidence.frozen.agent}")
    for name, reading in readings.items():
        if not reading.measured:
            typer.echo(f"{name}: not measured: {reading.reason}")
        else:
            typer.echo(rates_text(list(reading.values)))

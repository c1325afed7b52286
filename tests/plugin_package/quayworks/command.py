"""Print the crane calls of a run as one number.

An example of a command: options are the parameters of `command`.
"""

from __future__ import annotations

from typing import Annotated

import typer

from proctor.cli.options import RunName, StorePlace, open_store


def command(
    run: RunName = "latest",
    store: StorePlace = None,
    digits: Annotated[int, typer.Option("--digits", help="Digits after the point.")] = 1,
) -> None:
    from proctor.evidence.evidence import evidence_of
    from quayworks.instrument import instrument

    with open_store(store) as opened:
        evidence = evidence_of(opened, run)
    estimate = instrument.read(evidence, evidence.frozen.rules).values[0].estimate
    typer.echo(f"{estimate.estimate:.{digits}f}")

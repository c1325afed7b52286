"""Accept finished runs as the baseline, show it, or copy it to another clone.

`accept RUN RUN …` makes at least five complete runs of one agent the baseline (twenty are the default strength);
`show` prints it; `export FILE` and `import FILE` move it: it holds everything the gate compares with, and the approvals
its rules depend on.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from proctor.cli.gate import Key
from proctor.cli.options import Json, StorePlace, open_store

if TYPE_CHECKING:
    from proctor.pipeline.baseline.file import BaselineFile

_MOST_NEVER_MET = 5
"""Parts of scenarios that the note about accepted runs names; `--json` has all of them."""


def command(
    action: Annotated[str, typer.Argument(metavar="ACTION", help="accept, show, export or import.")] = "show",
    what: Annotated[
        list[str] | None, typer.Argument(metavar="RUN…|FILE", help="Runs to accept, or the file to write or read.")
    ] = None,
    release: Annotated[
        str | None, typer.Option("--release", help="The release these runs belong to (default: the system's version).")
    ] = None,
    suite: Annotated[
        str | None,
        typer.Option("--suite", help="The suite whose baseline to show or export, if the project has several."),
    ] = None,
    new_anchor: Annotated[
        bool, typer.Option("--new-anchor", help="Use these runs as the new anchor for detecting slow declines.")
    ] = False,
    gate_seed: Annotated[
        str | None,
        typer.Option("--gate-seed", metavar="SHA256", help="Commit to the hidden seed of gated runs, by its digest."),
    ] = None,
    key: Key = None,
    store: StorePlace = None,
    json: Json = False,
) -> None:
    from proctor.cli.output import print_json
    from proctor.core.errors import InputError
    from proctor.instruments.quality.instrument import NAMES
    from proctor.instruments.quality.project import read_governed
    from proctor.instruments.quality.turned import never_met_words
    from proctor.pipeline.baseline.accept import accept_runs
    from proctor.pipeline.baseline.accepted import import_baseline, own_baseline, with_lineage
    from proctor.pipeline.baseline.file import read_baseline, write_baseline
    from proctor.pipeline.keys import Keyring, load_signer
    from proctor.pipeline.ledger import Ledger

    project, given, in_force = Path(), what or [], True
    signer = None if key is None else load_signer(key, project)
    if action == "accept":
        if not given:
            message = "name the runs to accept; `proctor runs` lists them"
            raise InputError(message)
        with open_store(store) as opened:
            name = release or opened.frozen(opened.run(given[0]).number).system.version or "first"
            file = accept_runs(
                project,
                opened,
                given,
                read_governed(project),
                release=name,
                new_anchor=new_anchor,
                signer=signer,
                gate_seed=gate_seed,
            )
    elif action == "show" and len(given) == 1:
        file = read_baseline(Path(given[0]))
    elif action in ("show", "export") and len(given) == (action == "export"):
        file = own_baseline(project, suite)
        if action == "export":
            file = with_lineage(file, Ledger(project), signer)
            write_baseline(file, Path(given[0]))
    elif action == "import" and len(given) == 1:
        file = read_baseline(Path(given[0]))
        in_force = import_baseline(file, project, signer=signer)
    else:
        message = "say `baseline accept RUN …`, `show`, `export FILE` or `import FILE`"
        raise InputError(message)
    shown = _shown(file, file.standing(Keyring(project)))
    if json:
        print_json(shown)
        return
    done = {"accept": "accepted", "export": f"written to {given[0]}" if given else "", "import": "taken in"}
    if action in done:
        typer.echo(f"{done[action]}: ", nl=False)
    within = f", scope {shown['scope']}" if shown["scope"] else ""
    typer.echo(
        f"baseline of suite {file.suite}{within}, {len(file.baseline.runs)} runs, "
        f"anchor {file.baseline.anchor.release}, accepted {file.baseline.accepted_at}; {shown['standing']}"
    )
    for one in file.baseline.runs:
        shown_metrics = ((name, one.metrics.get(name)) for name in NAMES)
        metrics = ", ".join(f"{name} {'–' if value is None else f'{value:.3f}'}" for name, value in shown_metrics)
        typer.echo(f"  {one.run}  {metrics}")
    if never := shown["never_right_parts"]:
        typer.echo(
            f"note: {len(never)} scenario{'s are' if len(never) > 1 else ' is'} wrong in every accepted run "
            f"({never_met_words(never, _MOST_NEVER_MET)}); what is always wrong cannot turn"
        )
    if not in_force:
        typer.echo("note: rules approved later than those it carries are in force here, and stay")


def _shown(file: BaselineFile, standing: str) -> dict[str, Any]:
    from proctor.instruments.quality.turned import never_met

    baseline = file.baseline
    never = never_met(baseline.runs)
    return {
        "suite": file.suite,
        "scope": baseline.facts.get("scope"),
        "digest": file.digest,
        "charter": file.charter,
        "version": file.version,
        "head": file.lineage[-1]["hash"] if file.lineage else None,
        "signed_by": None if file.signature is None else file.signature.key,
        "standing": standing,
        "accepted_at": baseline.accepted_at,
        "anchor": {"release": baseline.anchor.release, "runs": [one.run for one in baseline.anchor.runs]},
        "runs": [{"run": one.run, "root": one.root, "metrics": one.metrics} for one in baseline.runs],
        "never_right": list(never),
        "never_right_parts": never,
        "rising": [one.run for one in baseline.rising],
    }

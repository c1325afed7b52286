"""Turn an incident, or a recorded episode, into a candidate scenario.

`add FILE` reads what happened from a YAML or JSON file (`incident`, `at`, `happened`, `harm` and the fields of a
scenario); `add --run RUN --episode N` takes a recorded trace. The candidate is written to `candidates/` with provenance
`incident`, noted in the ledger, and triggers `proctor watch`; it becomes part of a suite through an approved change.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from proctor.cli.options import Json, StorePlace, open_store


def command(
    action: Annotated[str, typer.Argument(metavar="ACTION", help="add or list.")] = "list",
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="What happened, as YAML or JSON.")] = None,
    run: Annotated[str | None, typer.Option("--run", metavar="RUN", help="A run with the episode.")] = None,
    episode: Annotated[int | None, typer.Option("--episode", metavar="N", help="Its position in the run.")] = None,
    expected: Annotated[
        str | None,
        typer.Option("--expected", metavar="ACTION", help="What should have been done: a name, or JSON with args."),
    ] = None,
    coordinate: Annotated[
        str | None, typer.Option("--coordinate", help="Where it belongs, e.g. G1.U2.P3.Z1.A5.")
    ] = None,
    harm: Annotated[str | None, typer.Option("--harm", help="Class of what was done: S1, S2 or S3.")] = None,
    key: Annotated[str | None, typer.Option("--key", metavar="NAME", help="Sign the report with this key.")] = None,
    store: StorePlace = None,
    json: Json = False,
) -> None:
    from proctor.cli.output import clean, print_json
    from proctor.core.canonical import jsonable
    from proctor.core.errors import InputError
    from proctor.pipeline.governance import fixed_clocks
    from proctor.pipeline.incident import recorded_episode, scenario_from_episode, scenario_from_file, write_candidate
    from proctor.pipeline.keys import load_signer
    from proctor.pipeline.ledger import Ledger

    project = Path()
    ledger = Ledger(project)
    if action == "list" and file is None:
        incidents = [entry.body for entry in ledger.entries() if entry.kind == "incident"]
        if json:
            print_json({"incidents": incidents})
        else:
            # One line each, also for those that were added before line breaks were refused.
            lines = [clean(" ".join(f"{one.get('incident')}  {one.get('file')}".splitlines())) for one in incidents]
            typer.echo("\n".join(lines) or "no incident was reported")
        return
    if action != "add" or (file is None) == (run is None) or (run is None) != (episode is None):
        message = "say `incident add FILE`, or `incident add --run RUN --episode N`"
        raise InputError(message)
    signer = None if key is None else load_signer(key, project)
    if file is not None:
        scenario = scenario_from_file(file, fixed_clocks(ledger.entries(), ledger.keyring))
    else:
        with open_store(store) as opened:
            recorded = recorded_episode(opened, run or "", episode or 0, project)
        given = {"expected": _action(expected), "coordinate": coordinate, "harm": harm}
        scenario = scenario_from_episode(recorded, given)
    candidate = write_candidate(scenario, project)
    body = jsonable(candidate)
    ledger.append("incident", body, signer=signer, unless=lambda entry: (entry.kind, entry.body) == ("incident", body))
    if json:
        print_json(candidate)
    else:
        typer.echo(f"wrote {candidate.file}: scenario {candidate.scenario}, from incident {candidate.incident}")


def _action(text: str | None) -> Any:
    """`refuse`, or `{"name": …, "args": {…}}`."""
    from proctor.spec.documents import parse_document

    if text is None:
        return None
    action = parse_document(text, source="--expected") if text.lstrip().startswith("{") else {"name": text}
    return action if isinstance(action, dict) else {"name": text}

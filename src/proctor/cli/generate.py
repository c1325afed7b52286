"""Generate scenarios from templates: all combinations, a random sample, or an adversarial one.

`exhaustive` takes every combination (for a large template, the fewest that still cover every pair of values), `random`
a seeded sample, `adversarial` one biased to declared edges and past failures. Past failures come from a snapshot file,
or from a run, whose snapshot is then written next to the scenarios: the same files and seed give the same scenarios
everywhere.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from proctor.cli.options import Json, StorePlace

if TYPE_CHECKING:
    from proctor.suites.quality.failures import FailureSnapshot


def command(
    what: Annotated[
        str, typer.Argument(metavar="TEMPLATES", help="refunds.py, refunds.py:NAME, or a built-in domain's name.")
    ],
    mode: Annotated[str, typer.Option("--mode", metavar="MODE", help="exhaustive, random or adversarial.")] = (
        "exhaustive"
    ),
    n: Annotated[int | None, typer.Option("--n", help="How many, unless exhaustive.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="A whole number.")] = 0,
    failures: Annotated[
        str | None,
        typer.Option(
            "--failures", metavar="FILE|RUN", help="A snapshot of failures (.json), or a run to take one from."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="FILE", help="Where to write them (default: stdout, as YAML).")
    ] = None,
    store: StorePlace = None,
    json: Json = False,
) -> None:
    import yaml

    from proctor.cli.output import print_json
    from proctor.core.canonical import jsonable
    from proctor.suites.quality.generator import Mode
    from proctor.suites.quality.template_lookup import generated

    past = _failures(failures, out, store) if failures else None
    made = generated(what, Path(), mode=cast("Mode", mode), seed=seed, n=n, failures=past)
    document: Any = jsonable(made)
    if json:
        print_json(document)
        return
    text = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=120)
    if out is None:
        typer.echo(text, nl=False)
        return
    out.write_text(text, encoding="utf-8")
    known = {one.scenario for one in past.failures} if past else set()
    again = f", {sum(one.id in known for one in made.scenarios)} of them failed before" if past else ""
    typer.echo(f"{out}: {len(made.scenarios)} scenarios{again}")
    typer.echo(f"next: proctor lint {out}")


def _failures(given: str, out: Path | None, store: str | None) -> FailureSnapshot:
    """The snapshot in a file, or of a run; the latter is written beside the scenarios."""
    from proctor.cli.options import open_store
    from proctor.core.errors import InputError
    from proctor.evidence.evidence import evidence_of
    from proctor.suites.quality.failures import FailureSnapshot, read_snapshot, write_snapshot

    if given.endswith(".json"):
        return read_snapshot(Path(given))
    if out is None:
        message = "the failures of a run are written next to the scenarios; give -o FILE"
        raise InputError(message)
    with open_store(store) as opened:
        snapshot = FailureSnapshot.from_rows(evidence_of(opened, given).rows)
    kept = out.with_suffix(".failures.json")
    write_snapshot(snapshot, kept)
    typer.echo(f"{kept}: {len(snapshot.failures)} scenarios were failed in {given}")
    return snapshot

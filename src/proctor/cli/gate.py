"""Decide about a finished run: deploy (exit code 0), block (100) or escalate to a human (101).

Takes the run through the seven stages of the pipeline, compares it with the accepted baseline, reruns the agent once
where a decline has to be confirmed, and writes the decision into the ledger. If it is killed,
the same command continues. Run again, it gives the same decision, or a person's answer to the escalation.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from proctor.cli.options import Json, LoadFrom, RunName, StorePlace, open_store, store_place

if TYPE_CHECKING:
    from proctor.engine.executors.contract import Executor
    from proctor.pipeline.decision import GateDecision
    from proctor.pipeline.examination import Setting
    from proctor.pipeline.stages import Watcher
    from proctor.spec.frozen import FrozenRun

Key = Annotated[
    str | None, typer.Option("--key", metavar="NAME", help="Sign with this key; see `proctor govern key NAME`.")
]
BaselineFrom = Annotated[
    Path | None,
    typer.Option("--baseline", metavar="FILE", help="Compare with this baseline file (default: the accepted one)."),
]
Workers = Annotated[
    int | None, typer.Option("--workers", help="Worker processes when an agent has to be run (default: inline).")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Only the decision, no stages.")]


def command(
    run: RunName = "latest",
    baseline: BaselineFrom = None,
    load: LoadFrom = None,
    key: Key = None,
    workers: Workers = None,
    quiet: Quiet = False,
    store: StorePlace = None,
    json: Json = False,
) -> None:
    from proctor.pipeline.execution import run_to_gate
    from proctor.pipeline.gate import gate_run

    with open_store(store) as opened:
        record = run_to_gate(opened, Path(), run)
        frozen = opened.frozen(record.number)
        setting = make_setting(
            frozen, store, baseline=baseline, load=load, key=key, workers=workers, quiet=quiet or json
        )
        decision = gate_run(setting, opened, record.name, stage_lines(quiet=quiet or json))
    show(decision, json=json, quiet=quiet)
    raise typer.Exit(decision.exit_code)


def make_setting(
    frozen: FrozenRun,
    store: str | None,
    *,
    baseline: Path | None,
    load: Path | None,
    key: str | None,
    workers: int | None,
    quiet: bool,
) -> Setting:
    """Where a decision is made, from the options of a command."""
    from proctor.cli.progress import progress
    from proctor.evidence.load_record import load_of
    from proctor.instruments.quality.project import read_governed
    from proctor.pipeline.baseline.accepted import find_baseline
    from proctor.pipeline.baseline.file import read_baseline
    from proctor.pipeline.examination import Setting
    from proctor.pipeline.keys import load_signer

    project = Path()
    return Setting(
        project=project,
        governed=read_governed(project),
        baseline=find_baseline(project, frozen.suite.name) if baseline is None else read_baseline(baseline),
        lent=baseline is not None,
        load=load_of(frozen, store=store_place(store), given=load),
        signer=None if key is None else load_signer(key, project),
        executor=lambda: _executor(workers),
        progress=lambda: progress(quiet=quiet),
    )


def _executor(workers: int | None) -> Executor:
    # Most gates decide on evidence that is there: the engine is loaded only where an agent has to act.
    from proctor.engine.executors.choice import make_executor

    return make_executor(None, workers=workers)


def stage_lines(*, quiet: bool) -> Watcher | None:
    """Stages as lines on stderr, so that each is visible while it is at work."""
    from proctor.cli.output import clean, say
    from proctor.pipeline.stages import STAGES

    if quiet:
        return None

    def tell(stage: str, state: str, summary: str) -> None:
        number = f"{list(STAGES).index(stage) + 1}/{len(STAGES)}"  # type: ignore[arg-type]
        if state == "begins":
            say(f"{number} {stage} …")
        else:
            kept = " (done before)" if state == "kept" else ""
            say(f"{number} {stage}{kept}: {clean(summary)}")

    return tell


def show(decision: GateDecision, *, json: bool, quiet: bool) -> None:
    """The decision in words, or as one JSON document."""
    from proctor.cli.output import clean, print_json
    from proctor.core.canonical import jsonable
    from proctor.pipeline.stages import Pipeline
    from proctor.spec.documents import read_document

    folder = Pipeline(Path(), decision.pipeline).folder
    if json:
        report = read_document(folder / "report.json")
        own = {"outcome": decision.outcome, "exit_code": decision.exit_code, "sentence": decision.sentence}
        print_json({**jsonable(decision), **own, "report": report})
        return
    typer.echo(clean(decision.sentence))
    if not quiet:
        if decision.label:
            typer.echo(f"note: {decision.label}")
        typer.echo(f"{decision.standing}; ledger entry {decision.entry[:12]}; report: {folder / 'report.md'}")
        if decision.outcome == "escalate-to-human":
            typer.echo(f"answer with `proctor govern approve {decision.pipeline} --key NAME --because …`, or deny it")

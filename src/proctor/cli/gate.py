"""Decide about a finished run: deploy (exit code 0), block (100) or escalate to a human (101).

Takes the run through the seven stages of the pipeline, compares it with the accepted baseline, reruns the agent where a
decline has to be confirmed (once; twice with fewer than 14 accepted runs), repeats scenarios that turned wrong, and
writes the decision into the ledger. If it is killed, the same command continues. Run again, it gives the same decision,
or a person's answer to the escalation.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from proctor.cli.options import Json, LoadFrom, RunName, StorePlace, open_store, store_place

if TYPE_CHECKING:
    from proctor.engine.executors.contract import Executor
    from proctor.pipeline.decision import GateDecision
    from proctor.pipeline.dry_run import DryRun
    from proctor.pipeline.examination import Setting
    from proctor.pipeline.stages import Watcher
    from proctor.reports.gate_report import GateReport
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
Rehearsal = Annotated[
    bool,
    typer.Option(
        "--rehearsal", help="Decide about a planted, baseline or unconfined agent as if it were yours; reports say so."
    ),
]
Freeze = Annotated[
    bool,
    typer.Option("--freeze", help="The first gate of a suite: record its rules and scenarios, unsigned without --key."),
]
ExpectHead = Annotated[
    str | None,
    typer.Option(
        "--expect-head",
        metavar="DIGEST",
        help="Refuse unless ledger and baseline hold this entry or baseline: shows a project that was put back.",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Only the decision, no stages.")]


def command(
    run: RunName = "latest",
    baseline: BaselineFrom = None,
    load: LoadFrom = None,
    key: Key = None,
    workers: Workers = None,
    rehearsal: Rehearsal = False,
    expect_head: ExpectHead = None,
    freeze: Freeze = False,
    quiet: Quiet = False,
    comment: Annotated[
        Path | None,
        typer.Option("--comment", metavar="FILE", help="Also write the report as a comment for a pull request."),
    ] = None,
    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Also write the report as JUnit XML.")
    ] = None,
    store: StorePlace = None,
    json: Json = False,
) -> None:
    from proctor.pipeline.dry_run import dry_run, is_ungoverned
    from proctor.pipeline.gate import gate_run
    from proctor.pipeline.own_code import only_approved_code
    from proctor.pipeline.reruns import run_to_gate

    if expect_head is not None:
        require_expected_head(expect_head, Path())
    with only_approved_code(Path()), open_store(store) as opened:
        record = run_to_gate(opened, Path(), run)
        frozen = opened.frozen(record.number)
        setting = make_setting(
            frozen,
            store,
            baseline=baseline,
            load=load,
            key=key,
            workers=workers,
            rehearsal=rehearsal,
            quiet=quiet or json,
        )
        if not (freeze or key) and is_ungoverned(Path(), frozen.suite.name):
            found = dry_run(setting, opened, record.name)
            _write_dry_run(found, frozen, comment=comment, junit=junit)
            _show_dry_run(found, json=json)
            raise typer.Exit(found.exit_code)
        decision = gate_run(setting, opened, record.name, stage_lines(quiet=quiet or json))
    write_for_ci(decision, comment=comment, junit=junit, store=other_store(store))
    show(decision, json=json, quiet=quiet)
    raise typer.Exit(decision.exit_code)


def require_expected_head(expected: str, project: Path) -> None:
    """Refuse a project whose ledger and baseline do not hold this entry or baseline."""
    from proctor.pipeline.governance import require_head, with_imported
    from proctor.pipeline.ledger import Ledger

    require_head(with_imported(Ledger(project).entries()), expected)


def _show_dry_run(found: DryRun, *, json: bool) -> None:
    from proctor.cli.output import clean, print_json
    from proctor.core.canonical import jsonable
    from proctor.pipeline.dry_run import NEXT

    if json:
        own = {"dry_run": True, "outcome": found.result, "exit_code": found.exit_code, "sentence": found.sentence}
        print_json({**jsonable(found), **own})
        return
    typer.echo(clean(found.sentence))
    typer.echo(f"{NEXT}; report: {found.report}")


def _write_dry_run(found: DryRun, frozen: FrozenRun, *, comment: Path | None, junit: Path | None) -> None:
    if comment is None and junit is None:
        return
    from proctor.pipeline.dry_run import NEXT
    from proctor.reports.gate_comment import dry_comment_text, dry_junit_text

    suite = frozen.suite.name
    said = (found.frozen_sentence, f"Run `{found.run}`; {NEXT}.")
    _write(comment, dry_comment_text(suite, frozen.agent, found.reasons, said))
    _write(junit, dry_junit_text(suite, found.result, found.reasons))


def _write(path: Path | None, text: str) -> None:
    from proctor.core.atomic_write import atomic_write

    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(path) as file:
            file.write(text.encode())


def other_store(given: str | None) -> str | None:
    """The store that commands have to name, as it may be shown; None where it is the one they take without.

    An address may hold a password: of one only its scheme is shown.
    """
    from proctor.evidence.load_record import address_scheme

    if given is None or given == store_place(None):
        return None
    scheme = address_scheme(given)
    if scheme is not None:
        return f"{scheme}…"
    return None if Path(given).absolute() == Path(store_place(None)).absolute() else given


def write_for_ci(decision: GateDecision, *, comment: Path | None, junit: Path | None, store: str | None = None) -> None:
    """The report of a decision as files that CI systems show; `store` is where its run is, if not the default one."""
    if comment is None and junit is None:
        return
    from proctor.pipeline.stages import Pipeline
    from proctor.reports.gate_comment import Answer, comment_text, junit_text

    report = read_report(Pipeline(Path(), decision.pipeline).folder)
    answer = None
    if decision.answer is not None:
        answer = Answer(
            approved=decision.answer == "approved",
            by=decision.answered_by or "",
            because=decision.answer_reason or "",
            until=(decision.answer_until or "")[:10],
        )
    for path, text in ((comment, comment_text), (junit, junit_text)):
        _write(path, text(report, answer=answer, store=store))


def read_report(folder: Path) -> GateReport:
    """The report that a pipeline left in its folder."""
    import msgspec

    from proctor.reports.gate_report import GateReport
    from proctor.spec.documents import read_document

    return msgspec.convert(read_document(folder / "report.json"), GateReport, strict=False)


def make_setting(
    frozen: FrozenRun,
    store: str | None,
    *,
    baseline: Path | None,
    load: Path | None,
    key: str | None,
    workers: int | None,
    rehearsal: bool,
    quiet: bool,
) -> Setting:
    """Where a decision is made, from the options of a command."""
    from proctor.cli.progress import progress
    from proctor.evidence.load_record import load_folder, load_of
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
        rehearsal=rehearsal,
        load=load_of(frozen, store=store_place(store), given=load),
        loads=load_folder(store_place(store)),
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
    from proctor.instruments.quality.turned import wavering_sentence
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
        if wavered := wavering_sentence(read_report(folder).regression_analysis.turned):
            typer.echo(f"note: {clean(wavered)}")
        if decision.label:
            typer.echo(f"note: {decision.label}")
        typer.echo(f"{decision.standing}; ledger entry {decision.entry[:12]}; report: {folder / 'report.md'}")
        if decision.outcome == "escalate-to-human":
            who = (
                "two people answer" if decision.asked_by is None else f"somebody other than {decision.asked_by} answers"
            )
            typer.echo(
                f"{who} with `proctor govern approve {decision.pipeline} --key NAME --because …`, or one denies it"
            )
        elif closing := _closing(decision.pipeline):
            typer.echo(closing)


def _closing(pipeline: str) -> str:
    """How the S1 that a decision saw is closed; empty where it saw none."""
    from proctor.pipeline.ledger import Ledger
    from proctor.pipeline.open_s1 import is_open

    ledger = Ledger(Path())
    unclosed = is_open(ledger.entries(), ledger.keyring, pipeline)
    if unclosed is None:
        return ""
    if not unclosed:
        return "the S1 was closed by two people: other runs are free of it, and this one stays blocked"
    return (
        f"other runs are blocked by the S1 as well, until two people close it, each with "
        f"`proctor govern close {pipeline} --key NAME --because …`; this one stays blocked"
    )

"""Examine an agent with a suite and leave evidence.

The run is frozen before its first episode: suite, rules, system, seed, timestamp and what identifies every family.
The same arguments print the same root tomorrow, on any number of workers. Interrupted runs continue with --resume.
"""

from __future__ import annotations

import os
import signal
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from proctor.cli.gate import ExpectHead, require_expected_head
from proctor.cli.options import Json, ScopeOf, StorePlace, open_store

if TYPE_CHECKING:
    from proctor.engine.batch import Batch
    from proctor.engine.executors.contract import Executor
    from proctor.engine.preflight import Preflight
    from proctor.engine.preregistering import OpenRegistration
    from proctor.engine.replaying import Replayed
    from proctor.evidence.result import RunResult
    from proctor.evidence.store.contract import EvidenceStore
    from proctor.spec.frozen import FrozenRun


def command(
    suite: Annotated[
        str | None, typer.Argument(metavar="SUITE", help="A suite's name, a .yaml file, or my_family.py@suite.")
    ] = None,
    agent: Annotated[
        str | None, typer.Option("--agent", help="kind[:detail][,key=value], e.g. clerk or python:my_agent:make.")
    ] = None,
    seed: Annotated[str | None, typer.Option("--seed", help="A whole number, or 64 hex digits.")] = None,
    store: StorePlace = None,
    scale: Annotated[int, typer.Option("--scale", metavar="K", help="Multiply the sample sizes by K.")] = 1,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="FAMILY", help="Only this family; may be repeated.")
    ] = None,
    scope: ScopeOf = None,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data", "--events", metavar="PATH", help="Your own records or events, for suites that read them."
        ),
    ] = None,
    timestamp: Annotated[
        str | None, typer.Option("--timestamp", help="The run's logical time (default: the suite's epoch).")
    ] = None,
    resume: Annotated[
        bool,
        typer.Option("--resume", help="Continue the interrupted run of this configuration; --resume RUN names it."),
    ] = False,
    resume_run: Annotated[str | None, typer.Option("--resume-run", hidden=True)] = None,
    executor: Annotated[
        str | None,
        typer.Option(
            "--executor", help="inline, processes or an installed one (default: processes when --workers is given)."
        ),
    ] = None,
    workers: Annotated[int | None, typer.Option("--workers", help="Worker processes (default: one per core).")] = None,
    concurrency: Annotated[
        int | None, typer.Option("--concurrency", help="How many waiting agents may run at once (inline only).")
    ] = None,
    boundary: Annotated[
        str | None,
        typer.Option(
            "--boundary", help="The agent of proctor.yaml to run: core or extended (default: the suite's, else core)."
        ),
    ] = None,
    until_decided: Annotated[
        bool, typer.Option("--until-decided", help="Sample each cell until it is decided, or has --max-n instances.")
    ] = False,
    max_n: Annotated[
        int | None, typer.Option("--max-n", metavar="N", help="Maximum instances per cell (with --until-decided).")
    ] = None,
    preregistration: Annotated[
        Path | None,
        typer.Option(
            "--preregistration", metavar="FILE", help="Log this run against a preregistration, and take its seed."
        ),
    ] = None,
    replay: Annotated[
        str | None,
        typer.Option("--replay", metavar="RUN", help="Take model replies from the recorded RUN; no model is called."),
    ] = None,
    unapproved_code: Annotated[
        bool,
        typer.Option(
            "--unapproved-code",
            help="Try code, scenarios or rules of this project that nobody approved; no gate deploys this run.",
        ),
    ] = False,
    no_preflight: Annotated[
        bool, typer.Option("--no-preflight", help="Start without letting your agent live a trial task first.")
    ] = False,
    expect_head: ExpectHead = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No plan, no progress, no summary.")] = False,
    json: Json = False,
) -> None:
    from proctor.cli.freezing import Asked, freezer
    from proctor.cli.looks import require_adaptive
    from proctor.cli.looks import until_decided as look_until_decided
    from proctor.cli.output import print_json, say
    from proctor.cli.progress import taking_long
    from proctor.cli.summary import summary_text
    from proctor.core.canonical import jsonable
    from proctor.core.errors import InputError
    from proctor.engine.batch import STOPPED_BY_USER
    from proctor.engine.executors.choice import make_executor, resuming_workers
    from proctor.engine.plan import Plan
    from proctor.engine.preflight import SKIPPED, preflight
    from proctor.evidence.evidence import evidence_of
    from proctor.instruments.quality.status import harness_of
    from proctor.pipeline.own_code import only_approved_code

    folder = Path()
    if data is not None:
        suite = f"{suite or ''}#{data}"
    registration = None if preregistration is None else _registered(preregistration, seed, adaptive=until_decided)
    asked_for = Asked(
        suite=suite,
        agent=agent,
        seed=seed if registration is None else registration.secret.seed,
        # What was registered holds unless the command line says otherwise, which is then post-hoc.
        scale=scale if registration is None or scale != 1 else registration.registered.document.scale,
        only=tuple(name for given in only or () for name in given.split(",") if name),
        scope=scope,
        timestamp=timestamp,
        boundary=boundary,
        preregistration=None if registration is None else registration.digest,
    )
    if until_decided != (max_n is not None):
        message = (
            "--until-decided and --max-n need each other: a cell is sampled until it is decided or has N instances"
        )
        raise InputError(message)
    if until_decided and (scale != 1 or resume_run):
        message = "--until-decided sets sample sizes itself; omit --scale, and resume with --resume without a run"
        raise InputError(message)
    chosen = make_executor(executor, workers=workers, concurrency=concurrency)
    if expect_head is not None:
        require_expected_head(expect_head, folder)
    with ExitStack() as stack:
        stack.enter_context(only_approved_code(folder, unless=unapproved_code))
        freeze = freezer(folder, asked_for)
        replayed = None if replay is None else _replay(stack, store, replay)
        # Everything that can be refused is refused before anything is written.
        asked = freeze(None, None)
        if (resume or resume_run) and not replay and (executor or workers or concurrency) is None:
            chosen = make_executor(None, workers=resuming_workers(asked.agent))
        Plan(asked)
        if not unapproved_code:
            require_approved(asked, folder)
        if max_n is not None:
            require_adaptive(asked.suite, max_n)
        if replayed is not None:
            replayed.admit(asked)
        for line in _notes(asked, registration, resume=resume or resume_run is not None):
            if not json:
                say(line)
        # A run that is resumed has had its trial; whether there is one to resume, only the store can tell.
        resumed = resume or resume_run is not None
        with taking_long("" if json or quiet else "preflight the agent lives a trial task first, which takes a while"):
            trial = SKIPPED if no_preflight else None if resumed else preflight(asked, folder)
        if trial is not None and trial.note and not (json or quiet):
            # An agent chose some of these words: one line, whatever they hold.
            say(f"preflight {' '.join(trial.note.split())}")
        opened = stack.enter_context(open_store(store, create=True))
        examine = partial(
            _examine,
            opened,
            folder,
            chosen,
            resume=resume,
            resume_name=resume_run,
            quiet=quiet,
            json=json,
            registration=registration,
            preflighted=trial,
        )
        looked = [] if max_n is None else look_until_decided(opened, asked.suite, max_n, freeze, examine)
        results = looked or [examine(asked)]
        result = results[-1]
        if json:
            looks = [] if max_n is None else [one.run for one in results]
            ended = harness_of(opened.rows(opened.run(result.run).number), result.status, result.episodes)
            more = ({"harness": jsonable(ended)} if ended else {}) | ({"looks": looks} if looks else {})
            print_json({**jsonable(result), **more})
        elif not quiet:
            typer.echo(summary_text(result, evidence_of(opened, result.run)))
        else:
            typer.echo(result.run)
        if replayed is not None and (line := replayed.ended(result.run)) and not (quiet or json):
            typer.echo(line)
    raise typer.Exit(exit_code(result.status, result.outcomes, by_user=result.reason == STOPPED_BY_USER))


def _replay(stack: ExitStack, given: str | None, name: str) -> Replayed:
    """Replace every model by the record of a run, until the stack unwinds."""
    from proctor.engine.replaying import replaying

    store = stack.enter_context(open_store(given))
    return stack.enter_context(replaying(store, name))


def _registered(path: Path, seed: str | None, *, adaptive: bool) -> OpenRegistration:
    """The preregistration a run is started against. Refuses what it leaves no choice about."""
    from proctor.core.errors import InputError
    from proctor.engine.preregistering import OpenRegistration

    if seed is not None:
        message = "--preregistration fixes the seed; leave --seed out"
        raise InputError(message)
    if adaptive:
        message = "--until-decided chooses sample sizes as it goes, and a preregistration fixes them; leave one out"
        raise InputError(message)
    return OpenRegistration(path)


def _notes(frozen: FrozenRun, registration: OpenRegistration | None, *, resume: bool) -> list[str]:
    """What there is to say about claims before a run starts; refuses one that a preregistration has no place for."""
    from proctor.spec.preregistration import needs_preregistration

    if registration is not None:
        if not resume:
            registration.require_startable()
        return [f"post-hoc  {sentence}" for sentence in registration.changes(frozen)]
    use = None if frozen.evaluation is None else frozen.evaluation.use
    why = needs_preregistration(use, None)
    return [f"claim     {why} (§13.4.2): no level of this run can be reported"] if why else []


def require_approved(frozen: FrozenRun, folder: Path) -> None:
    """Refuse rules or scenarios that differ from what the project's ledger approves."""
    # Who governs nothing does not pay for the imports.
    if (folder / ".proctor" / "ledger.jsonl").is_file():
        from proctor.pipeline.scenarios import refuse_unapproved

        refuse_unapproved(frozen, folder)


def _examine(
    store: EvidenceStore,
    folder: Path,
    executor: Executor,
    frozen: FrozenRun,
    *,
    resume: bool,
    resume_name: str | None,
    quiet: bool,
    json: bool,
    registration: OpenRegistration | None = None,
    preflighted: Preflight | None = None,
) -> RunResult:
    """Live what is missing of one run, and give its result."""
    from proctor.agents.lookup import label_of
    from proctor.cli.output import say
    from proctor.cli.progress import progress
    from proctor.cli.summary import plan_text
    from proctor.engine.plan import Plan
    from proctor.engine.run import execute, start_run
    from proctor.evidence.code import begins_of, code_note, codes_of
    from proctor.evidence.result import result_of
    from proctor.plugins.sources import package_digest

    plan = Plan(frozen)
    record, finished = start_run(
        store,
        frozen,
        plan,
        executor=executor,
        resume=resume,
        resume_name=resume_name,
        registration=registration,
        folder=folder,
        preflighted=preflighted,
    )
    reason = None
    if finished:
        if not quiet:
            say(f"{record.name} is finished already; nothing to resume")
        return result_of(store, record.name, label_of, reason=reason)
    if not quiet and not json:
        say(plan_text(record.name, frozen, plan, store.count(record.number)))
        if note := code_note(codes_of(record.execution), package_digest(), begins_of(record.execution)):
            say(f"code      {note}")
    try:
        ended = execute(
            store,
            record,
            frozen,
            plan,
            folder=folder,
            executor=executor,
            progress=progress(quiet=quiet or json),
            on_batch=_stop_on_signals,
            registration=registration,
        )
    except KeyboardInterrupt:
        say(f"stopped; what was finished is kept. Continue with the same command and --resume {record.name}")
        raise typer.Exit(130) from None
    return result_of(store, record.name, label_of, reason=ended.reason)


def exit_code(status: str, outcomes: dict[str, int], *, by_user: bool = False) -> int:
    """0 when the examination took place; 1 when it did not, or a safety rule stopped it; 130 when the user did."""
    if status == "interrupted":
        return 130 if by_user else 1
    if status == "failed-safety":
        return 1
    broken = outcomes.get("infrastructure", 0)
    everything_broke = broken > 0 and broken == sum(outcomes.values())
    return 1 if status == "failed" or everything_broke else 0


def _stop_on_signals(batch: Batch) -> None:
    """First Ctrl-C: finish what is running and stop. Second: stop at once, losing at most the stated window.

    The guardian sends the second one after a few seconds: who asks for an end gets one.
    """

    def stop(_number: int, _frame: Any) -> None:
        batch.ask_to_stop()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        # A handler may come while a line is being printed.
        with suppress(OSError):
            os.write(2, b"stopping; running episodes have a few seconds to end; once more stops at once\n")

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)

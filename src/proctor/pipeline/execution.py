"""Running a suite for a pipeline: started once, continued after a kill, repeated on fresh streams to confirm."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from proctor.agents.lookup import label_of
from proctor.core.errors import BenchError, InputError, IntegrityError
from proctor.core.hashing import sha256, sha256_hex
from proctor.engine.plan import Plan
from proctor.evidence.bundle import verify_run
from proctor.evidence.result import RunResult, result_of
from proctor.evidence.store.contract import EvidenceStore, RunRecord
from proctor.pipeline.stages import Pipeline
from proctor.reports.gate_results import RunConfig
from proctor.spec.frozen import FrozenRun, Seed

# Most gates decide on existing evidence: the engine is loaded only where an agent has to act.
if TYPE_CHECKING:
    from proctor.engine.batch import Progress
    from proctor.engine.executors.contract import Executor

MakeExecutor = Callable[[], "Executor"]
MakeProgress = Callable[[], "Progress"]


def run_to_completion(
    store: EvidenceStore,
    frozen: FrozenRun,
    pipeline: Pipeline,
    note: str,
    *,
    folder: Path,
    executor: Executor,
    progress: Progress,
) -> RunResult:
    """The finished run of this configuration for the pipeline: started, continued, or already finished."""
    from proctor.engine.run import execute, start_run

    plan = Plan(frozen)
    if pipeline.noted(note) is None:
        # Noted before it starts: after a kill it is found by its configuration, and `latest` skips it.
        pipeline.note(note, {"config_hash": frozen.config_hash})
        begun = None
    else:
        begun = next((run.name for run in store.runs() if run.config_hash == frozen.config_hash), None)
    record, finished = start_run(store, frozen, plan, executor=executor, resume_name=begun, folder=folder)
    if not finished:
        ended = execute(store, record, frozen, plan, folder=folder, executor=executor, progress=progress)
        if ended.root is None:
            message = f"run {record.name} was stopped ({ended.reason or ended.status}); the same command continues it"
            raise BenchError(message)
    return result_of(store, record.name, label_of)


def run_config(frozen: FrozenRun, record: RunRecord) -> RunConfig:
    """How a run was made."""
    return RunConfig(
        parallelism=_parallelism(record.execution),
        timeout_ms=frozen.rules.limits.episode_milliseconds,
        fail_fast=frozen.rules.fail_fast,
        record_traces=frozen.rules.record_traces,
    )


def _parallelism(execution: Mapping[str, Any]) -> int | None:
    """How many agents were examined at once: workers × concurrency of each. None if the run did not record it."""
    workers, concurrency = execution.get("workers"), execution.get("concurrency")
    return None if workers is None or concurrency is None else int(workers) * int(concurrency)


def require_unchanged(store: EvidenceStore, name: str) -> None:
    """Refuse a run whose evidence was changed: the party under examination may have write access to the store."""
    record = store.run(name)
    store.require_traces(record.number, "its rows cannot be checked and nothing is decided on them")
    report = verify_run(store, record.number, plan=Plan)
    if not report.ok:
        first = report.problems[0]
        message = f"{first.message}; the gate does not decide on changed evidence; run the suite again"
        raise IntegrityError(message, where=f"run {name}, {first.place}")


def refreeze(frozen: FrozenRun, folder: Path, *, seed: Seed | None = None) -> FrozenRun:
    """The same configuration frozen now, on another seed if one is given. Refused where anything else changed."""
    from proctor.engine.run import explain_difference, freeze

    now = freeze(
        suite=frozen.suite,
        agent=frozen.agent,
        folder=folder,
        seed=frozen.seed,
        timestamp=frozen.timestamp,
        scale=frozen.scale,
        only=frozen.only,
        system=frozen.system,
        limits=frozen.rules.limits,
        look=frozen.look,
        scope=None if frozen.scope is None else frozen.scope.scope,
    )
    if now.config_hash != frozen.config_hash:
        raise InputError(explain_difference("this pipeline's run", frozen, now))
    return now if seed is None else now.model_copy(update={"seed": seed})


def fresh_seed(seed: Seed, purpose: str) -> Seed:
    """Another seed that follows from this one: the same scenarios, fresh streams for every replicate."""
    data = f"proctor fresh streams\n{seed}\n{purpose}".encode()
    if isinstance(seed, str):
        return sha256_hex(data)
    return int.from_bytes(sha256(data)[:4], "big")

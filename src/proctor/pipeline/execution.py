"""Having a suite run for a pipeline: started once, continued after a kill, repeated on fresh streams to confirm."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from proctor.core.errors import BenchError, InputError
from proctor.core.hashing import sha256, sha256_hex
from proctor.engine.batch import Progress
from proctor.engine.executors.contract import Executor
from proctor.engine.plan import Plan
from proctor.engine.run import RunResult, execute, explain_difference, freeze, result_of, start_run
from proctor.evidence.store.store import Store
from proctor.pipeline.stages import Pipeline
from proctor.spec.frozen import FrozenRun, Seed

MakeExecutor = Callable[[], Executor]
MakeProgress = Callable[[], Progress]


def lived(
    store: Store,
    frozen: FrozenRun,
    pipeline: Pipeline,
    note: str,
    *,
    folder: Path,
    executor: Executor,
    progress: Progress,
) -> RunResult:
    """The finished run of this configuration that belongs to the pipeline: begun, continued, or found finished."""
    plan = Plan(frozen)
    noted = pipeline.noted(note)
    record, finished = start_run(
        store, frozen, plan, executor=executor, resume_name=None if noted is None else noted["run"]
    )
    if noted is None:
        pipeline.note(note, {"run": record.name})
    if not finished:
        ended = execute(store, record, frozen, plan, folder=folder, executor=executor, progress=progress)
        if ended.root is None:
            message = f"run {record.name} was stopped ({ended.reason or ended.status}); the same command continues it"
            raise BenchError(message)
    return result_of(store, record.name)


def frozen_again(frozen: FrozenRun, folder: Path, *, seed: Seed | None = None) -> FrozenRun:
    """The same configuration frozen now, on another seed if one is given. Refused where anything else changed."""
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

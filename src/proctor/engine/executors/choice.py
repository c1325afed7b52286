"""Choosing an executor by its name: what the group `proctor.executors` registers is an `ExecutorFactory`."""

from __future__ import annotations

from proctor.agents.kind import AgentString
from proctor.agents.lookup import kind_of
from proctor.core.errors import InputError, PluginError
from proctor.engine.executors.contract import WAITING, Executor, ExecutorFactory
from proctor.plugins import registry

DEFAULT = "inline"
WITH_WORKERS = "processes"
"""What a number of workers means where no executor is named."""


def resuming_workers(agent: str) -> int | None:
    """How many worker processes a run is resumed with where nobody says; None: it goes on inline.

    What ended it may have been a call that cannot be interrupted in this process, and would end it again. In a worker
    it is recorded as stuck. People, models and services are asked from where they were asked before.
    """
    kind = kind_of(AgentString.parse(agent))
    if kind.trusted:
        return None if kind.waits else 1
    in_own_process = kind.waits and kind.group == "yours" and not kind.remote
    return WAITING if in_own_process else None


def make_executor(name: str | None, *, workers: int | None = None, concurrency: int | None = None) -> Executor:
    """The executor of this name; without one, the default for what was asked for.

    Raises `InputError` for a number below one, an unknown name, or what that executor cannot take.
    """
    for option, number in (("--workers", workers), ("--concurrency", concurrency)):
        if number is not None and number < 1:
            message = f"{option} {number}: at least one is needed"
            raise InputError(message)
    chosen = name or (DEFAULT if workers is None else WITH_WORKERS)
    make: ExecutorFactory = registry.load("executors", chosen)
    executor = make(workers=workers, concurrency=concurrency)
    if executor.name != chosen:
        # The name goes on record with the run: nobody executes under another's.
        message = f"{registry.called('executors', chosen)} calls itself '{executor.name}'; fix that package"
        raise PluginError(message)
    return executor

"""Choosing an executor by its name: what the group `proctor.executors` registers is an `ExecutorFactory`."""

from __future__ import annotations

from proctor.core.errors import InputError, PluginError
from proctor.engine.executors.contract import Executor, ExecutorFactory
from proctor.plugins import registry

DEFAULT = "inline"
WITH_WORKERS = "processes"
"""What a number of workers means where no executor is named."""


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

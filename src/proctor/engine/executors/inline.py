"""The inline executor: everything in this process, one lifetime after another; agents that wait, several at once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from time import monotonic

from proctor.core.errors import InputError
from proctor.engine.build import Bench
from proctor.engine.executors.contract import WAITING, Work
from proctor.engine.lifetime import live
from proctor.engine.raised import Told
from proctor.engine.stage_outputs import StageOutputs
from proctor.engine.watchdog import Watchdog
from proctor.evidence.row import EpisodeRecord
from proctor.spec.frozen import FrozenRun

_CHUNK = 25
_HELD_SECONDS = 0.2
"""Finished episodes are handed over at the latest after so many, or so long."""


class InlineExecutor:
    """One process. Deterministic without trying: used by default and in debuggers."""

    name = "inline"
    workers = 1

    def __init__(self, concurrency: int | None = None) -> None:
        self.concurrency = concurrency or WAITING
        self._told = Told()
        """Of all that is executed: a second try says nothing again."""

    def execute(self, frozen: bytes, folder: Path, stage_outputs: StageOutputs, work: Work) -> None:
        bench = Bench(FrozenRun.model_validate_json(frozen), folder, stage_outputs)
        bench.told = self._told
        with Watchdog(bench.frozen.rules.limits.net_seconds), asyncio.Runner() as runner:
            try:
                if bench.waits:
                    runner.run(self._window(bench, work))
                else:
                    while not work.stopped() and (taken := work.todo.take(_CHUNK)) is not None:
                        runner.run(_in_order(bench, taken, work))
            finally:
                runner.run(bench.release())

    async def _window(self, bench: Bench, work: Work) -> None:
        """A sliding window of lifetimes, started in presentation order."""
        running: set[asyncio.Task[list[EpisodeRecord]]] = set()
        try:
            while True:
                while len(running) < self.concurrency and not work.stopped():
                    taken = work.todo.take(1)
                    if taken is None:
                        break
                    lifetime = work.lifetime(taken[0])
                    running.add(asyncio.create_task(live(bench, lifetime, on_segment=work.on_segment)))
                if not running:
                    return
                done, running = await asyncio.wait(running, timeout=0.25, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    work.deliver(task.result())
                work.idle()
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)


async def _in_order(bench: Bench, taken: tuple[int, int], work: Work) -> None:
    records: list[EpisodeRecord] = []
    began = monotonic()
    for index in range(*taken):
        records += await live(bench, work.lifetime(index), on_segment=work.on_segment)
        # Long lifetimes and slow worlds: what is finished must not wait for the rest.
        if len(records) >= _CHUNK or monotonic() - began > _HELD_SECONDS:
            work.deliver(records)
            records, began = [], monotonic()
            if work.stopped():
                return
    if records:
        work.deliver(records)


def make(*, workers: int | None, concurrency: int | None) -> InlineExecutor:
    """The executor `inline`: it takes a concurrency and no workers."""
    if workers is not None:
        message = "--workers goes with --executor processes; inline has one process and --concurrency"
        raise InputError(message)
    return InlineExecutor(concurrency)

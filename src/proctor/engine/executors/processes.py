"""The processes executor: several workers on one machine, for agents and worlds that compute.

Workers build everything from the frozen run and are told only which lifetimes to live; they send back finished
lifetimes, already compressed. A worker dies with its parent; the lifetimes of a worker that died are lived again by
another, and one that kills two workers is recorded as infrastructure.
"""

from __future__ import annotations

import asyncio
import ctypes
import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from time import perf_counter
from typing import Any

import msgspec

from proctor.core.errors import BenchError, InputError
from proctor.engine.build import Bench
from proctor.engine.executors.contract import Work
from proctor.engine.lifetime import live, without_instance
from proctor.engine.plan import Lifetime
from proctor.engine.stage_outputs import StageOutputs
from proctor.evidence.codec import Compressor
from proctor.evidence.row import EpisodeRecord, Segment
from proctor.evidence.store.writer import BATCH_EPISODES, WINDOW_EPISODES
from proctor.spec.frozen import FrozenRun

TARGET_SECONDS = 0.05
"""How long one assignment should take: long enough to be cheap, short enough to share evenly."""
_QUEUED = 2
"""Assignments a worker has at once, so that it never waits for the next."""
_DEATHS = 2
_HELD_SECONDS = 0.2
"""What a worker has finished of a slow assignment is sent at the latest after so long."""


def max_assigned(workers: int) -> int:
    """Lifetimes in one assignment: all that workers can have finished and not handed over, wherever it is on its way,
    fits into the durability window beside what the writer has not committed."""
    return max(1, (WINDOW_EPISODES - BATCH_EPISODES) // (_QUEUED * workers))


class Assignment(msgspec.Struct, frozen=True, tag="assign"):
    """Live these lifetimes."""

    lifetimes: list[Lifetime]
    attempts: int = 1


class Dictionary(msgspec.Struct, frozen=True, tag="dictionary"):
    """Compress with this from now on."""

    number: int
    data: bytes


class Ready(msgspec.Struct, frozen=True, tag="ready"):
    """The worker has built its bench and takes assignments."""


class Finished(msgspec.Struct, frozen=True, tag="finished"):
    """Some lifetimes are done. `rest` is how many of the assignment are still to come."""

    records: list[EpisodeRecord]
    lifetimes: int
    rest: int
    seconds: float


class Flushed(msgspec.Struct, frozen=True, tag="segment"):
    """Part of a long trace."""

    segment: Segment


class WorkerFailed(msgspec.Struct, frozen=True, tag="broke"):
    """The worker itself failed: not an episode, the bench."""

    message: str


_to_worker = msgspec.msgpack.Decoder(Assignment | Dictionary)
_to_parent = msgspec.msgpack.Decoder(Ready | Finished | Flushed | WorkerFailed)
_encode = msgspec.msgpack.Encoder().encode


class _Worker:
    def __init__(
        self, context: Any, frozen: bytes, config_hash: str, folder: Path, stage_outputs: StageOutputs
    ) -> None:
        ours, theirs = context.Pipe()
        self.connection: Connection = ours
        self.process = context.Process(
            target=_worker_main,
            args=(theirs, frozen, config_hash, str(folder), stage_outputs, os.getpid(), list(sys.path)),
            daemon=True,
        )
        self.process.start()
        theirs.close()
        self.assigned: deque[Assignment] = deque()
        self.done_of_first = 0
        self.has_dictionary = False
        self.ready = False

    def send(self, message: Assignment | Dictionary) -> None:
        # A worker that has just died is found out, and its work given back, where its end of the line is read.
        with suppress(BrokenPipeError, ConnectionResetError):
            self.connection.send_bytes(_encode(message))


class ProcessesExecutor:
    """Any number of worker processes."""

    name = "processes"
    concurrency = 1

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._size = 1
        self._deaths: dict[int, int] = {}
        self._start: Callable[[], _Worker]
        self._bench: Callable[[], Bench]

    def execute(self, frozen: bytes, folder: Path, stage_outputs: StageOutputs, work: Work) -> None:
        context = multiprocessing.get_context("spawn")
        config_hash = FrozenRun.model_validate_json(frozen).config_hash
        self._start = lambda: _Worker(context, frozen, config_hash, folder, stage_outputs)
        self._bench = lambda: Bench(FrozenRun.model_validate_json(frozen), folder, stage_outputs)
        workers = [self._start() for _ in range(self.workers)]
        try:
            # One selector for the whole stage: making a new one costs more than all else that is done with a message.
            with DefaultSelector() as selector:
                for worker in workers:
                    selector.register(worker.connection, EVENT_READ, worker)
                self._run(workers, selector, work)
        finally:
            for worker in workers:
                worker.connection.close()
            for worker in workers:
                worker.process.join(timeout=5)
                if worker.process.is_alive():
                    worker.process.kill()
                    worker.process.join()

    def _run(self, workers: list[_Worker], selector: DefaultSelector, work: Work) -> None:
        while True:
            for worker in workers:
                self._feed(worker, work)
            if not any(worker.assigned for worker in workers):
                return
            for key, _ in selector.select(timeout=0.25):
                self._receive(key.data, workers, selector, work)
            work.idle()

    def _feed(self, worker: _Worker, work: Work) -> None:
        dictionary = work.dictionary()
        if dictionary is not None and not worker.has_dictionary:
            worker.send(Dictionary(*dictionary))
            worker.has_dictionary = True
        while len(worker.assigned) < _QUEUED and not work.stopped():
            taken = work.todo.take(self._size)
            if taken is None:
                return
            if self._deaths.get(taken[0], 0) >= _DEATHS:
                self._give_up(taken[0], work)
                continue
            lifetimes = [work.lifetime(index) for index in range(*taken)]
            assignment = Assignment(lifetimes, attempts=1 + self._deaths.get(taken[0], 0))
            worker.assigned.append(assignment)
            worker.send(assignment)

    def _receive(self, worker: _Worker, workers: list[_Worker], selector: DefaultSelector, work: Work) -> None:
        try:
            message = _to_parent.decode(worker.connection.recv_bytes())
        except (EOFError, ConnectionError):
            self._bury(worker, workers, selector, work)
            return
        if isinstance(message, WorkerFailed):
            raise BenchError(message.message)
        if isinstance(message, Ready):
            worker.ready = True
            return
        if isinstance(message, Flushed):
            work.on_segment(message.segment)
            return
        worker.done_of_first += message.lifetimes
        if message.rest == 0:
            finished = worker.assigned.popleft()
            worker.done_of_first = 0
            rate = len(finished.lifetimes) / max(message.seconds, 1e-6)
            self._size = max(1, min(max_assigned(self.workers), int(rate * TARGET_SECONDS), self._size * 4))
        work.deliver(message.records)

    def _bury(self, worker: _Worker, workers: list[_Worker], selector: DefaultSelector, work: Work) -> None:
        """A worker died: give its lifetimes back and start another."""
        if not worker.ready:
            # Another one would end the same way, for every lifetime anew.
            message = (
                "a worker process ended before it was ready; a script that runs with workers has to start under "
                "`if __name__ == '__main__':`"
            )
            raise BenchError(message)
        done = worker.done_of_first
        for number, assignment in enumerate(worker.assigned):
            left = [lifetime.index for lifetime in assignment.lifetimes[done if number == 0 else 0 :]]
            if not left:
                continue
            if number == 0:
                self._deaths[left[0]] = self._deaths.get(left[0], 0) + 1
            work.lost(left[0], left[-1] + 1)
            for index in reversed(left):
                work.todo.give_back(index)
        selector.unregister(worker.connection)
        worker.connection.close()
        worker.process.join(timeout=1)
        fresh = self._start()
        workers[workers.index(worker)] = fresh
        selector.register(fresh.connection, EVENT_READ, fresh)

    def _give_up(self, index: int, work: Work) -> None:
        """Two workers died on this lifetime: its episodes are infrastructure."""
        bench = self._bench()
        lifetime = work.lifetime(index)
        why = "BenchError: the worker process died while living this lifetime"
        steps = range(bench.plan.length(lifetime.arm))
        work.deliver([without_instance(bench, lifetime, step, "instance", why) for step in steps])


def make(*, workers: int | None, concurrency: int | None) -> ProcessesExecutor:
    """The executor `processes`: it takes a number of workers (default: one per core) and no concurrency."""
    if concurrency is not None:
        message = "--concurrency goes with --executor inline; with processes set --workers"
        raise InputError(message)
    return ProcessesExecutor(workers or os.cpu_count() or 1)


def _worker_main(
    connection: Connection,
    frozen: bytes,
    config_hash: str,
    folder: str,
    stage_outputs: StageOutputs,
    parent: int,
    path: list[str],
) -> None:
    """Runs in the worker until the parent closes the connection or dies."""
    _die_with(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.path[:] = path
    try:
        bench = Bench(FrozenRun.model_validate_json(frozen), Path(folder), stage_outputs)
        if bench.config_hash != config_hash:
            message = "it runs another version of the code than the process that started it; start the run again"
            raise BenchError(message)
        connection.send_bytes(_encode(Ready()))
        _Loop(connection, bench).run()
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    except Exception as error:
        connection.send_bytes(_encode(WorkerFailed(f"a worker could not go on: {type(error).__name__}: {error}")))


class _Loop:
    def __init__(self, connection: Connection, bench: Bench) -> None:
        self._connection = connection
        self._bench = bench
        self._compressor: Compressor | None = None
        self._sent: set[str] = set()

    def run(self) -> None:
        # One event loop for good: starting one for every assignment would cost as much as a short episode.
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        try:
            while True:
                # Nothing else lives in this loop between assignments, so waiting may block.
                message = _to_worker.decode(self._connection.recv_bytes())
                if isinstance(message, Dictionary):
                    self._compressor = Compressor()
                    self._compressor.use(message.number, message.data)
                else:
                    await self._live(message)
        finally:
            await self._bench.release()

    async def _live(self, assignment: Assignment) -> None:
        began = perf_counter()
        records: list[EpisodeRecord] = []
        lifetimes = 0
        for number, lifetime in enumerate(assignment.lifetimes, start=1):
            lived = await live(self._bench, lifetime, on_segment=self._segment, attempts=assignment.attempts)
            records += [self._packed(record) for record in lived]
            lifetimes += 1
            rest = len(assignment.lifetimes) - number
            if rest == 0 or perf_counter() - began > _HELD_SECONDS:
                self._send(Finished(records, lifetimes, rest, perf_counter() - began))
                records, lifetimes = [], 0

    def _packed(self, record: EpisodeRecord) -> EpisodeRecord:
        fresh = {name: data for name, data in record.contents.items() if name not in self._sent}
        if len(self._sent) > 10_000:
            self._sent.clear()
        self._sent.update(fresh)
        if self._compressor is None:
            return EpisodeRecord(record.row, -1, record.trace, fresh)
        return EpisodeRecord(record.row, self._compressor.dictionary, self._compressor.pack(record.trace), fresh)

    def _segment(self, segment: Segment) -> None:
        self._send(Flushed(segment))

    def _send(self, message: Finished | Flushed) -> None:
        self._connection.send_bytes(_encode(message))


def _die_with(parent: int) -> None:
    """Ask the kernel to end this process when its parent ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)

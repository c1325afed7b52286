"""The processes executor: several workers on one machine, for agents and worlds that compute.

Workers build everything from the frozen run and are told only which lifetimes to live; they send back finished
lifetimes, already compressed. A worker dies with its parent; the lifetimes of a worker that died are lived again by
another. One that killed two workers, or did not give control back, is lived without its agent: if that works it is the
agent's failure, otherwise infrastructure.
"""

from __future__ import annotations

import asyncio
import ctypes
import multiprocessing
import os
import signal
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from time import monotonic, perf_counter
from typing import Any

import msgspec

from proctor.core.errors import BenchError, InputError
from proctor.core.guardian import processor_seconds
from proctor.engine.build import Bench
from proctor.engine.executors.contract import Work
from proctor.engine.lifetime import Lost, live, without_agent, without_instance
from proctor.engine.plan import Lifetime
from proctor.engine.stage_outputs import StageOutputs
from proctor.engine.watchdog import CALL_SECONDS, LIVING, Watchdog, call_limit
from proctor.evidence.codec import Compressor
from proctor.evidence.first_tries import MOST_ATTEMPTS
from proctor.evidence.row import EpisodeRecord, Segment
from proctor.evidence.store.writer import BATCH_EPISODES, WINDOW_EPISODES
from proctor.plugins.own_sources import ApprovedSources, approve_only, approved
from proctor.spec.frozen import FrozenRun

TARGET_SECONDS = 0.05
"""How long one assignment should take: long enough to be cheap, short enough to share evenly."""
_QUEUED = 2
"""Assignments a worker has at once, so that it never waits for the next."""
_DEATHS = MOST_ATTEMPTS - 1
_LOOK_SECONDS = 1.0
"""How often the parent looks whether a worker computes without coming back to the interpreter."""
_GRACE_SECONDS = 5.0
"""Processor seconds beyond the limit of a call after which a worker is killed: it could not interrupt itself."""
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
    lost: Lost | None = None
    """How its one lifetime was lost, twice or for good: it is lived without its agent."""


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


class _Parent(msgspec.Struct, frozen=True):
    """What a worker takes over from the process that started it."""

    process: int
    path: list[str]
    temporary: str
    """Where it keeps what is temporary."""
    approved: ApprovedSources | None
    """Which code of the project's own may be loaded."""
    safe_path: str | None
    """What the environment said of `PYTHONSAFEPATH` before workers were started."""

    @classmethod
    def this(cls) -> _Parent:
        return cls(os.getpid(), list(sys.path), tempfile.gettempdir(), approved(), os.environ.get(_SAFE_PATH))


_SAFE_PATH = "PYTHONSAFEPATH"


@contextmanager
def _safe_path() -> Iterator[None]:
    """Interpreters that are started meanwhile import nothing from the folder they are started in.

    `multiprocessing` starts them with `-c`, which puts that folder, the project's, before everything else.
    """
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        _restore(before)


def _restore(safe_path: str | None) -> None:
    """Leave the variable as it was, for agents and whatever else inherits the environment."""
    if safe_path is None:
        os.environ.pop(_SAFE_PATH, None)
    else:
        os.environ[_SAFE_PATH] = safe_path


class _Worker:
    def __init__(
        self, context: Any, frozen: bytes, config_hash: str, folder: Path, stage_outputs: StageOutputs
    ) -> None:
        ours, theirs = context.Pipe()
        self.connection: Connection = ours
        self.watched = context.RawArray("q", 3)
        """What a worker that computes cannot send: see `_BEATS`, `_LIVING` and `_INTERRUPTED`."""
        self.beats = -1
        self.used = 0.0
        """Processor seconds it had used when it was last seen to come back to the interpreter."""
        self.stuck = False
        self.process = context.Process(
            target=_worker_main,
            args=(theirs, self.watched, frozen, config_hash, str(folder), stage_outputs, _Parent.this()),
            daemon=True,
        )
        with _safe_path():
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
        self._lost: dict[int, Lost] = {}
        """Lifetimes to be lived without their agents."""
        self._limit = CALL_SECONDS
        self._looked = 0.0
        self._start: Callable[[], _Worker]
        self._bench: Callable[[], Bench]

    def execute(self, frozen: bytes, folder: Path, stage_outputs: StageOutputs, work: Work) -> None:
        context = multiprocessing.get_context("spawn")
        run = FrozenRun.model_validate_json(frozen)
        config_hash = run.config_hash
        self._limit = call_limit(run.rules.limits.net_seconds)
        self._start = lambda: _Worker(context, frozen, config_hash, folder, stage_outputs)
        self._bench = lambda: Bench(run, folder, stage_outputs)
        workers = [self._start() for _ in range(self.workers)]
        try:
            # One selector for the whole stage: making a new one costs more than all else that is done with a message.
            with DefaultSelector() as selector:
                for worker in workers:
                    selector.register(worker.connection, EVENT_READ, worker)
                self._run(workers, selector, work)
        except BaseException:
            # Whoever stops at once waits for nobody: what workers are living now is lived again.
            for worker in workers:
                worker.process.kill()
            raise
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
            if monotonic() - self._looked >= _LOOK_SECONDS:
                self._looked = monotonic()
                for worker in workers:
                    self._look_at(worker)
            work.idle()

    def _look_at(self, worker: _Worker) -> None:
        """Kill a worker that has computed for too long without coming back to the interpreter; its end is seen later.

        Processor time is counted, so that a machine that is busy with other things makes nobody guilty.
        """
        used = processor_seconds(worker.process.pid) if worker.ready and worker.assigned else None
        if used is None:
            return
        if worker.watched[_BEATS] != worker.beats:
            worker.beats, worker.used = worker.watched[_BEATS], used
        elif used - worker.used >= self._limit + _GRACE_SECONDS:
            worker.stuck = True
            worker.process.kill()

    def _feed(self, worker: _Worker, work: Work) -> None:
        dictionary = work.dictionary()
        if dictionary is not None and not worker.has_dictionary:
            worker.send(Dictionary(*dictionary))
            worker.has_dictionary = True
        while len(worker.assigned) < _QUEUED and not work.stopped():
            taken = work.todo.take(self._size)
            if taken is None:
                return
            deaths = self._deaths.get(taken[0], 0)
            lost = self._lost.get(taken[0]) or ("died" if deaths >= _DEATHS else None)
            if deaths > _DEATHS:
                self._give_up(taken[0], work)
                continue
            lifetimes = [work.lifetime(index) for index in range(*taken)]
            assignment = Assignment(lifetimes, attempts=1 + deaths, lost=lost)
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
                self._count_death(worker, left)
            work.lost(left[0], left[-1] + 1)
            for index in reversed(left):
                work.todo.give_back(index)
        selector.unregister(worker.connection)
        worker.connection.close()
        worker.process.join(timeout=1)
        fresh = self._start()
        workers[workers.index(worker)] = fresh
        selector.register(fresh.connection, EVENT_READ, fresh)

    def _count_death(self, worker: _Worker, left: list[int]) -> None:
        """A worker died in the first of these lifetimes, or got stuck in the one it says."""
        if worker.stuck or worker.watched[_INTERRUPTED]:
            living = worker.watched[_LIVING]
            # Stuck without its agent as well: as if it had killed one worker too many.
            self._deaths[living] = _DEATHS + 1 if living in self._lost else 0
            self._lost[living] = "stuck"
        else:
            self._deaths[left[0]] = self._deaths.get(left[0], 0) + 1

    def _give_up(self, index: int, work: Work) -> None:
        """Workers died on this lifetime without its agent as well: its episodes are infrastructure."""
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


_BEATS, _LIVING, _INTERRUPTED = range(3)
"""In what parent and worker share: how often the worker's alarm has rung, the lifetime it lives, and whether it ended
itself because that lifetime would not be interrupted."""
_INTERRUPTIONS = 5
"""How often code may swallow that it was interrupted before its worker ends."""


def _worker_main(
    connection: Connection,
    watched: Any,
    frozen: bytes,
    config_hash: str,
    folder: str,
    stage_outputs: StageOutputs,
    parent: _Parent,
) -> None:
    """Runs in the worker until the parent closes the connection or dies."""
    _die_with(parent.process)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _restore(parent.safe_path)
    sys.path[:] = parent.path
    approve_only(parent.approved)
    tempfile.tempdir = parent.temporary
    try:
        bench = Bench(FrozenRun.model_validate_json(frozen), Path(folder), stage_outputs)
        if bench.config_hash != config_hash:
            message = "it runs another version of the code than the process that started it; start the run again"
            raise BenchError(message)
        connection.send_bytes(_encode(Ready()))
        _Loop(connection, bench, watched).run()
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    except Exception as error:
        connection.send_bytes(_encode(WorkerFailed(f"a worker could not go on: {type(error).__name__}: {error}")))


class _Loop:
    def __init__(self, connection: Connection, bench: Bench, watched: Any) -> None:
        self._connection = connection
        self._bench = bench
        self._watched = watched
        self._compressor: Compressor | None = None
        self._sent: set[str] = set()

    def run(self) -> None:
        # One event loop for good: starting one for every assignment would cost as much as a short episode.
        with Watchdog(self._bench.frozen.rules.limits.net_seconds, self._beat):
            asyncio.run(self._serve())

    def _beat(self) -> None:
        self._watched[_BEATS] += 1
        living = LIVING.get()
        if living is not None and living.stuck >= _INTERRUPTIONS:
            self._watched[_INTERRUPTED] = 1
            os._exit(1)

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
            self._watched[_LIVING] = lifetime.index
            if assignment.lost is None:
                lived = await live(self._bench, lifetime, on_segment=self._segment, attempts=assignment.attempts)
            else:
                lived = await without_agent(self._bench, lifetime, assignment.lost, attempts=assignment.attempts)
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

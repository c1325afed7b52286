"""A batch: every lifetime of a run, in stages, written as they finish, resumable, cut where the rules say.

The order of completion, the executor and the number of workers change nothing in what is written. The digests are
computed from the store at the end, so a run that was killed and resumed has the root of one that was not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from time import monotonic
from typing import Protocol

import msgspec

from proctor.engine.account import accounting
from proctor.engine.executors.contract import Executor, Todo, Work
from proctor.engine.plan import Plan, PlannedStage
from proctor.engine.prefix import Cut, Prefix
from proctor.engine.second_tries import SecondTries
from proctor.engine.stage_outputs import StageOutputs, frozen_output
from proctor.evidence.row import RUN_LIMIT, EpisodeRecord, Segment
from proctor.evidence.store.contract import EpisodeWriter, EvidenceStore
from proctor.evidence.usage import RunUsage, UsageMeter
from proctor.spec.frozen import FrozenRun

STOPPED_BY_USER = "stopped on request"
"""The reason of a run that was asked to stop."""


class Progress(Protocol):
    """Told what happens while a run goes on."""

    def start(self, total: int, done: int) -> None:
        """So many episodes are planned, so many were there already."""
        ...

    def advance(self, records: list[EpisodeRecord]) -> None:
        """These have just finished."""
        ...

    def stop(self) -> None:
        """Nothing more will come."""
        ...


class BatchResult(msgspec.Struct, frozen=True):
    """How a batch ended."""

    status: str
    """complete, interrupted, limit, failed-safety or failed."""
    reason: str | None
    cut: int | None
    root: str | None
    real_time: bytes | None
    """The part of `seal` that comes from the episodes."""
    usage: RunUsage | None = None
    """What it spent on models; None where it asked none."""


class Batch:
    """One run being executed."""

    def __init__(
        self,
        *,
        store: EvidenceStore,
        run: int,
        frozen: FrozenRun,
        plan: Plan,
        folder: Path,
        executor: Executor,
        progress: Progress,
    ) -> None:
        self._store = store
        self._run = run
        self._frozen = frozen
        self._plan = plan
        self._folder = folder
        self._executor = executor
        self._progress = progress
        self._prefix = Prefix(frozen.rules, frozen.system.price_per_million_tokens)
        self._deadline: float | None = None
        self._usage = UsageMeter()
        self._asked_to_stop = False
        self._todo: Todo | None = None

    def ask_to_stop(self) -> None:
        """Start nothing more; what is running is finished and kept."""
        self._asked_to_stop = True

    def execute(self) -> BatchResult:
        """Live everything that is not in the store yet."""
        limits = self._frozen.rules.limits
        if limits.run_seconds is not None:
            self._deadline = monotonic() + limits.run_seconds
        done = self._lived_already()
        self._progress.start(self._plan.episodes, self._store.count(self._run))
        try:
            with accounting(limits, *self._spent()):
                self._run_stages(done)
        finally:
            self._progress.stop()
        return self._finish()

    def _run_stages(self, done: bytearray) -> None:
        for stage in self._plan.stages:
            self._run_stage(stage, done)
            if self._stopped() or self._prefix.cut is not None:
                break
            self._freeze_stage(stage)

    def _spent(self) -> tuple[int, Decimal]:
        """What was spent before, all that was lived counted: it was paid for, wherever the run is cut."""
        limits = self._frozen.rules.limits
        if limits.run_tokens is None and limits.run_cost is None:
            return 0, Decimal(0)
        rows = list(self._store.rows(self._run))
        return sum(row.tokens or 0 for row in rows), sum((self._prefix.cost_of(row) for row in rows), Decimal(0))

    def _lived_already(self) -> bytearray:
        """One byte per lifetime: 1 when its episodes are in the store. Lifetimes are committed whole."""
        done = bytearray(self._plan.lifetimes)
        self._store.drop_unfinished(self._run)
        for _, first in self._store.positions(self._run):
            done[self._plan.at_position(first)] = 1
        for row in self._store.rows(self._run):
            self._prefix.add(row)
            self._usage.add(row)
        return done

    def _run_stage(self, stage: PlannedStage, done: bytearray) -> None:
        todo = Todo(list(_missing(done, stage.first, stage.stop)), self._plan.rounds)
        self._todo = todo
        kept = self._frozen.rules.limits.run_episodes
        if kept is not None and kept < self._plan.episodes:
            todo.lower_cut(self._plan.at_position(kept))
        self._lower_cut(self._prefix.cut)
        writer = self._store.writer(self._run, traces=self._frozen.rules.record_traces)
        outputs = self._store.stage_outputs(self._run)
        tries = SecondTries()
        work = Work(
            todo=todo,
            lifetime=self._plan.lifetime,
            deliver=self._deliver(writer, tries),
            on_segment=writer.add_segment,
            idle=writer.tick,
            dictionary=lambda: writer.dictionary,
            stopped=self._stopped,
            lost=lambda first, stop: writer.drop_segments(*self._positions(first, stop)),
        )
        with _flushed(writer):
            self._live(work, outputs)
            if tries:
                self._try_again(tries, writer, work, outputs)

    def _live(self, work: Work, outputs: StageOutputs) -> None:
        """Have the executor do the work; again for the next round where it takes the end of one for the end of all."""
        frozen, begun = self._frozen.model_dump_json().encode(), None
        while True:
            self._executor.execute(frozen, self._folder, outputs, work)
            left = work.todo.next if self._plan.rounds else None
            if left in (None, begun) or self._stopped():
                return
            begun = left

    def _try_again(self, tries: SecondTries, writer: EpisodeWriter, work: Work, outputs: StageOutputs) -> None:
        """Live once more what was not measured, unless the run ended; then what the first tries left has to do."""
        if self._prefix.cut is not None:
            self._write(writer, tries.first())
            return
        if self._stopped():
            # They are lived, both times, by whoever resumes.
            return
        numbers = [self._plan.at_position(position) for position in tries.lifetimes]
        # Where there are rounds, one by one: two of these may be the same scenario.
        self._todo = Todo([(number, number + 1) for number in numbers], numbers if self._plan.rounds else ())

        def forget(first: int, stop: int) -> None:
            for position in range(*self._positions(first, stop)):
                if tries.unmeasured(position):
                    writer.drop_segments(position, position + 1)

        def on_segment(segment: Segment) -> None:
            if tries.unmeasured(segment.position):
                writer.add_segment(segment)

        def deliver(records: list[EpisodeRecord]) -> None:
            for record in records:
                self._usage.add(record.row)
            # Of what is not written, later records may name the contents, which workers hand over once.
            writer.keep({name: data for record in records for name, data in record.contents.items()})
            self._write(writer, tries.second(records))
            self._count_delivered(records)

        for number in numbers:
            forget(number, number + 1)
        again = msgspec.structs.replace(work, todo=self._todo, deliver=deliver, on_segment=on_segment, lost=forget)
        self._live(again, outputs)
        writer.flush()
        # The rules look at what counts, second tries in their places.
        self._prefix = Prefix(self._frozen.rules, self._frozen.system.price_per_million_tokens)
        for row in self._store.rows(self._run):
            self._prefix.add(row)

    def _write(self, writer: EpisodeWriter, records: list[EpisodeRecord]) -> None:
        writer.add(records)
        self._progress.advance(records)

    def _positions(self, first: int, stop: int) -> tuple[int, int]:
        """The positions [first, stop) of the episodes of these lifetimes."""
        last = self._plan.lifetime(stop - 1)
        return self._plan.lifetime(first).position, last.position + self._plan.length(last.arm)

    def _deliver(self, writer: EpisodeWriter, tries: SecondTries) -> Callable[[list[EpisodeRecord]], None]:
        def deliver(records: list[EpisodeRecord]) -> None:
            counted = tries.hold_back(records)
            if counted is not records:
                # Workers hand contents over once: later records may name what came with one that is held back.
                writer.keep({name: data for record in records for name, data in record.contents.items()})
            self._write(writer, counted)
            for record in records:
                self._prefix.add(record.row)
                self._usage.add(record.row)
                if record.row.reason == RUN_LIMIT and self._todo is not None:
                    # Whatever started later would find no more left.
                    self._todo.lower_cut(self._plan.at_position(record.row.position) + 1)
            self._lower_cut(self._prefix.cut)
            self._count_delivered(records)

        return deliver

    def _count_delivered(self, records: list[EpisodeRecord]) -> None:
        """Tell what hands lifetimes out how many were lived; it waits for all of a round before it begins another."""
        if self._plan.rounds and self._todo is not None:
            self._todo.delivered(len({self._plan.at_position(record.row.position) for record in records}))

    def _lower_cut(self, cut: Cut | None) -> None:
        if cut is not None and self._todo is not None:
            self._todo.lower_cut(self._plan.at_position(cut.episodes - 1) + 1)

    def _stopped(self) -> bool:
        return self._asked_to_stop or (self._deadline is not None and monotonic() > self._deadline)

    def _freeze_stage(self, stage: PlannedStage) -> None:
        """Keep what later stages may read."""
        declared = {item.id: item for item in self._frozen.suite.stages}[stage.id]
        if declared.freeze == "nothing" or stage.first == stage.stop:
            return
        first, stop = self._plan.lifetime(stage.first).position, None
        if stage.stop < self._plan.lifetimes:
            stop = self._plan.lifetime(stage.stop).position
        # A list: what is kept of an episode may need its trace, and one connection reads one thing at a time.
        rows = [row for row in self._store.rows(self._run, stop=stop) if row.position >= first]
        self._store.freeze_stage(self._run, stage.id, frozen_output(declared.freeze, self._store, self._run, rows))

    def _finish(self) -> BatchResult:
        cut = self._prefix.cut
        limit = self._frozen.rules.limits.run_episodes
        kept = cut.episodes if cut else None
        status, reason = ("complete", None) if cut is None else (cut.status, cut.reason)
        if cut is None and limit is not None and limit < self._plan.episodes:
            kept = self._plan.lifetime(self._plan.at_position(limit)).position
            status, reason = "limit", f"the run's limit of {limit} episodes is reached"
        wanted = self._plan.episodes if kept is None else kept
        if self._stored_below(wanted) < wanted:
            return BatchResult("interrupted", self._why_stopped(), None, None, None, self._usage.total())
        root, real_time = self._store.digests(self._run, self._frozen.config_hash, stop=kept)
        return BatchResult(status, reason, kept, root, real_time, self._usage.total())

    def _why_stopped(self) -> str:
        if self._deadline is not None and not self._asked_to_stop:
            return f"the run's {self._frozen.rules.limits.run_seconds} seconds are over"
        return STOPPED_BY_USER

    def _stored_below(self, position: int) -> int:
        return sum(self._store.outcomes(self._run, stop=position).values())


def _missing(done: bytearray, first: int, stop: int) -> Iterator[tuple[int, int]]:
    """The runs of zeros in done[first:stop], as [start, end)."""
    position = first
    while (start := done.find(0, position, stop)) >= 0:
        end = done.find(1, start, stop)
        position = stop if end < 0 else end
        yield start, position


@contextmanager
def _flushed(writer: EpisodeWriter) -> Iterator[None]:
    """Whatever ends the work, what was finished is committed."""
    try:
        yield
    finally:
        writer.flush()

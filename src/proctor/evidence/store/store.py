"""The built-in store: runs, episodes and what they share, in one SQLite file. `contract.py` says what is asked of it.

SQLite in WAL mode by default: readers never block the writer, a killed process loses only what it had not committed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, insert, select, text, update

from proctor.core.canonical import UNREADABLE, encode
from proctor.core.errors import InputError, IntegrityError, ProctorError, StoreError
from proctor.core.hashing import sha256_hex
from proctor.core.texts import shortened
from proctor.evidence.attachments import Attachment
from proctor.evidence.chain import Merkle, RealTime
from proctor.evidence.codec import Compressor, Decompressor
from proctor.evidence.events import Event, decode_event
from proctor.evidence.plain import odd_in_arm
from proctor.evidence.row import OUTCOMES, Arm, Row
from proctor.evidence.store import schema
from proctor.evidence.store.contract import (
    EpisodeWriter,
    IncomingRun,
    RunRecord,
    Spent,
    StoredEpisode,
    StoredStage,
    StoredText,
)
from proctor.evidence.store.errors import plain_errors
from proctor.evidence.store.opening import OpenFile
from proctor.evidence.store.values import (
    LATEST,
    MAX_COUNT,
    MAX_RUN,
    RUN_COLUMNS,
    Head,
    Position,
    RealTimeFacts,
    amount,
    arms_of,
    attachments_of,
    converted,
    dictionaries_of,
    row_of,
    run_records,
    stage_of,
    stage_output,
    stored_text,
)
from proctor.spec.frozen import FrozenRun

_ROW_FIELDS = tuple(name for name in Row.__struct_fields__ if name != "position")
_CHUNK = 2_000
_MASK = (1 << schema.RUN_SHIFT) - 1
UNRECORDED = b""
"""What is stored for a trace that was not recorded; no packed trace is empty."""


class Store(OpenFile):
    """An open store in one SQLite file. One process writes; any number read."""

    @property
    def place(self) -> str:
        """The former name of `location`."""
        return self.location

    # Runs

    def add_run(
        self, name: str, frozen: FrozenRun, arms: tuple[Arm, ...], episodes: int, execution: dict[str, Any]
    ) -> int:
        """Freeze a run: everything that determines it is committed before its first episode."""
        if (odd := next(filter(None, map(odd_in_arm, arms)), None)) is not None:
            message = f"the name of a {odd} in the suite has a line end or another control character in it; rename it"
            raise InputError(message)
        with plain_errors(self.location):
            self.runs()
            try:
                number = new_number(self.connection, self.location)
                self.connection.execute(
                    insert(schema.runs),
                    {
                        "number": number,
                        "name": name,
                        "status": "running",
                        "suite": frozen.suite.full_name,
                        "agent": frozen.agent,
                        "config_hash": frozen.config_hash,
                        "frozen": frozen.model_dump_json(),
                        "inputs": json.dumps(frozen.inputs(), sort_keys=True),
                        "execution": json.dumps(execution, sort_keys=True),
                        "episodes": episodes,
                    },
                )
                self.connection.execute(
                    insert(schema.arms),
                    [
                        {
                            "run": number,
                            "arm": arm.index,
                            "entry": arm.entry,
                            "family": arm.family,
                            "regime": arm.regime,
                            "condition": arm.condition,
                            "cell": arm.cell,
                            "stage": arm.stage,
                        }
                        for arm in arms
                    ],
                )
                self.connection.commit()
            except BaseException:
                self.connection.rollback()
                raise
        self.sync()
        return number

    def update_run(self, number: int, **values: Any) -> None:
        """Change status, digests or execution facts of a run."""
        if "execution" in values:
            values["execution"] = json.dumps(values["execution"], sort_keys=True)
        with plain_errors(self.location):
            self.connection.execute(update(schema.runs).where(schema.runs.c.number == number).values(**values))
            self.connection.commit()
        self.sync()

    def import_run(self, run: IncomingRun) -> None:
        """Write a finished run from elsewhere, whole or not at all."""
        from proctor.evidence.store.incoming import write_run

        with plain_errors(self.location):
            try:
                write_run(self.connection, run, self.location)
                run.check()
                self.connection.commit()
            except BaseException:
                self.connection.rollback()
                raise

    def runs(self) -> list[RunRecord]:
        """Every run: those taken in from elsewhere, then those made here, each oldest first."""
        columns = [schema.runs.c[name] for name in RUN_COLUMNS]
        with plain_errors(self.location):
            rows = self.connection.execute(select(*columns).order_by(schema.runs.c.number)).all()
            marks = set(self.connection.execute(select(schema.meta).where(schema.meta.c.key.startswith(_MARK))).all())
            self.connection.rollback()
        records = run_records([tuple(row) for row in rows], self.location)
        # By the order in which they were begun in this file alone: dates are whatever a run says of itself.
        return sorted(records, key=lambda one: (tuple(imported_mark(one.number, one.name)) not in marks, one.number))

    def run(self, name: str) -> RunRecord:
        """The run of this name, of an unambiguous beginning of it, or `latest`."""
        known = self.runs()
        if name == LATEST and known:
            return known[-1]
        exact = [run for run in known if run.name == name]
        matches = exact or [run for run in known if run.name.startswith(name)]
        if len(matches) == 1:
            return matches[0]
        if not matches:
            hint = f"the newest is '{known[-1].name}'; `proctor runs` lists all" if known else "the store is empty"
            message = f"no run called '{shortened(name)}' in {self.location}; {hint}"
        else:
            message = (
                f"'{shortened(name)}' could be {', '.join(run.name for run in matches[:5])}; give more of the name"
            )
        raise InputError(message)

    def frozen(self, number: int) -> FrozenRun:
        """What determined a run."""
        text = self.declared(number)
        try:
            return FrozenRun.model_validate_json(text.frozen)
        except (ValueError, ProctorError):
            message = "its declarations are damaged; nothing of it can be read"
            raise IntegrityError(message, where=self._where(number)) from None

    def declared(self, number: int) -> StoredText:
        """The frozen declarations and the nine inputs as they were written before the first episode."""
        rows = self.query("SELECT frozen, inputs FROM runs WHERE number = ?", (number,))
        if not rows:
            message = f"there is no run number {number} in {self.location}; `proctor runs` lists the runs in it"
            raise InputError(message)
        return stored_text(tuple(rows[0]), self._where(number))

    def arms(self, number: int) -> list[Arm]:
        """The arms of a run, by number."""
        query = "SELECT arm, entry, family, regime, condition, cell, stage FROM arms WHERE run = ? ORDER BY arm"
        return arms_of([tuple(row) for row in self.query(query, (number,))], self._where(number))

    def _where(self, number: int) -> str:
        return f"store {self.location}, run {number}"

    def query(self, query: str, values: tuple[Any, ...]) -> list[Any]:
        """Every row of a query in SQL."""
        with plain_errors(self.location):
            return list(self.connection.exec_driver_sql(query, values).fetchall())

    # Episodes

    def writer(self, number: int, *, traces: bool = True) -> EpisodeWriter:
        """What writes the episodes of a run; without `traces` rows are kept, and nothing of their events."""
        from proctor.evidence.store.writer import Writer

        return Writer(self, number, traces=traces)

    def episodes(self, number: int) -> Iterator[StoredEpisode | IntegrityError]:
        """Every stored episode in presentation order, or what is wrong with its row.

        Each trace must be read before the next episode is taken.
        """
        from proctor.evidence.store.stored import stored_episodes

        return stored_episodes(self, number)

    def _bounds(self, number: int, first: int = 0, stop: int | None = None) -> tuple[int, int]:
        base = number << schema.RUN_SHIFT
        return base + first, base + (stop if stop is not None else 1 << schema.RUN_SHIFT)

    def _chunks(self, columns: str, number: int, stop: int | None = None) -> Iterator[Any]:
        """Lists of rows in presentation order, a bounded number in memory at once."""
        low, high = self._bounds(number, 0, stop)
        # Column names are ours, never a user's.
        query = f"SELECT id, {columns} FROM episodes WHERE id >= ? AND id < ? ORDER BY id LIMIT {_CHUNK}"  # noqa: S608
        while True:
            with plain_errors(self.location):
                rows = self.connection.exec_driver_sql(query, (low, high)).fetchall()
            yield rows
            if len(rows) < _CHUNK:
                return
            low = rows[-1][0] + 1

    def _stream(self, columns: str, number: int, stop: int | None = None) -> Iterator[Any]:
        """Rows in presentation order."""
        for rows in self._chunks(columns, number, stop):
            yield from rows

    def rows(self, number: int, *, stop: int | None = None) -> Iterator[Row]:
        """The rows of a run in presentation order; `stop` leaves out positions from there on."""
        for row in self._stream(", ".join(_ROW_FIELDS), number, stop):
            yield row_of(row)

    def heads(self, number: int, *, stop: int | None = None) -> Iterator[bytes]:
        """The episode heads in presentation order."""
        for row in self._stream("head", number, stop):
            yield converted(row[1], Head, _episode(row))

    def digests(self, number: int, config_hash: str, *, stop: int | None = None) -> tuple[str, bytes]:
        """(`root`, the real-time part of `seal`) from what is stored: one pass, a bounded number of rows in memory.

        `stop` is the cut: what lies at or beyond it is outside `root`.
        """
        tree, real_time = Merkle(), RealTime()
        try:
            tree.add(bytes.fromhex(config_hash))
        except ValueError:
            raise IntegrityError("its config_hash is not hex digits", where=self._where(number)) from None
        end = (number << schema.RUN_SHIFT) + (1 << schema.RUN_SHIFT if stop is None else stop)
        for rows in self._chunks("head, elapsed_us, attempts, tokens, cost, aside", number):
            facts = converted([tuple(row) for row in rows], list[RealTimeFacts], self._where(number), "an episode")
            tree.extend([row[1] for row in facts if row[0] < end])
            for row in facts:
                real_time.add(*row[1:])
        return tree.digest().hex(), real_time.digest()

    def positions(self, number: int) -> Iterator[tuple[int, int]]:
        """(position, position of its lifetime's first episode) of every stored episode."""
        for row in self._stream("lifetime", number):
            yield row[0] & _MASK, converted(row[1], Position, _episode(row), "its lifetime")

    def count(self, number: int) -> int:
        """How many episodes of a run are stored."""
        low, high = self._bounds(number)
        with plain_errors(self.location):
            total = self.connection.execute(
                text("SELECT count(*) FROM episodes WHERE id >= :low AND id < :high"), {"low": low, "high": high}
            ).scalar_one()
            self.connection.rollback()
        return int(total)

    def count_reason(self, number: int, reason: str) -> int:
        """How many episodes ended for this reason."""
        low, high = self._bounds(number)
        with plain_errors(self.location):
            total = self.connection.execute(
                text("SELECT count(*) FROM episodes WHERE id >= :low AND id < :high AND reason = :reason"),
                {"low": low, "high": high, "reason": reason},
            ).scalar_one()
            self.connection.rollback()
        return int(total)

    def outcomes(self, number: int, *, stop: int | None = None) -> dict[str, int]:
        """How many episodes ended how."""
        low, high = self._bounds(number, 0, stop)
        with plain_errors(self.location):
            counts = self.connection.execute(
                text("SELECT outcome, count(*) FROM episodes WHERE id >= :low AND id < :high GROUP BY outcome"),
                {"low": low, "high": high},
            ).all()
            self.connection.rollback()
        for outcome, _ in counts:
            if outcome not in OUTCOMES:
                message = f"an episode ended as {str(outcome)[:40]!a}, which is no outcome; `proctor verify` says more"
                raise IntegrityError(message, where=self._where(number))
        return {outcome: int(count) for outcome, count in counts}

    def spent(self, number: int, *, stop: int | None = None) -> Spent:
        """What the episodes of a run spent on models."""
        low, high = self._bounds(number, 0, stop)
        within = {"low": low, "high": high}
        with plain_errors(self.location):
            tokens, odd = self.connection.execute(
                text(
                    "SELECT sum(min(tokens, :most)), "
                    "total(typeof(tokens) != 'integer' OR tokens < 0 OR tokens > :most) "
                    "FROM episodes WHERE id >= :low AND id < :high AND tokens IS NOT NULL"
                ),
                {**within, "most": MAX_COUNT},
            ).one()
            costs = self.connection.execute(
                text("SELECT cost FROM episodes WHERE id >= :low AND id < :high AND cost IS NOT NULL"), within
            ).all()
            self.connection.rollback()
        # Decimal amounts, added as such: the database would add them as floats.
        if odd:
            raise IntegrityError("it is no number; `proctor verify` says more", where="tokens of an episode")
        spent = Decimal(0)
        for (cost,) in costs:
            if (one := amount(cost)) is None:
                message = f"{str(cost)[:40]!a} stands where an amount is expected; `proctor verify` says more"
                raise IntegrityError(message, where="cost of an episode")
            spent += one
        return Spent(tokens, str(spent) if costs else None)

    def dictionaries(self, number: int) -> dict[int, bytes]:
        """The compression dictionaries of a run."""
        query = "SELECT number, sha256, data FROM dictionaries WHERE run = ?"
        return dictionaries_of(self.query(query, (number,)), self._where(number))

    def trace(self, number: int, position: int, unpack: Decompressor | None = None) -> bytes:
        """The lines of one episode, uncompressed."""
        if not 0 <= position < 1 << schema.RUN_SHIFT:
            raise self._no_episode(number, position)
        unpack = unpack or Decompressor(self.dictionaries(number))
        key = (number << schema.RUN_SHIFT) + position
        where = f"episode {position}"
        table = schema.episodes
        with plain_errors(self.location):
            episode = self.connection.execute(
                select(table.c.dictionary, table.c.trace).where(table.c.id == key)
            ).one_or_none()
            earlier = self.connection.execute(
                select(schema.segments.c.trace)
                .where(schema.segments.c.episode == key)
                .order_by(schema.segments.c.number)
            ).all()
            self.connection.rollback()
        if episode is None:
            raise self._no_episode(number, position)
        if episode.trace == UNRECORDED:
            self.require_traces(number, "what happened in its episodes is not known")
        parts = [unpack.unpack(row[0], where=where) for row in earlier]
        last = unpack.unpack(episode.trace, episode.dictionary, where=where)
        return b"\n".join([*parts, last] if last else parts)

    def _no_episode(self, number: int, position: int) -> InputError:
        return InputError(
            f"episode {position} is not in this run; it has {self.count(number)} episodes, counted from 0"
        )

    def require_traces(self, number: int, consequence: str) -> None:
        """Refuse, in one sentence, what needs the events of a run whose traces were not recorded."""
        if not self.frozen(number).rules.record_traces:
            name = next(run.name for run in self.runs() if run.number == number)
            message = (
                f"the traces of run {name} were not recorded (recordTraces: false), so {consequence}; "
                "run the suite again with recordTraces: true"
            )
            raise InputError(message)

    def events(self, number: int, position: int) -> list[Event]:
        """The events of one episode."""
        try:
            return [decode_event(line) for line in self.trace(number, position).split(b"\n")]
        except UNREADABLE as error:
            message = f"its trace cannot be read by this version of Proctor ({error})"
            raise IntegrityError(message, where=f"episode {position}") from None

    def content(self, sha256: str) -> bytes | None:
        """A value stored by content."""
        with plain_errors(self.location):
            data = self.connection.execute(
                select(schema.contents.c.data).where(schema.contents.c.sha256 == bytes.fromhex(sha256))
            ).scalar_one_or_none()
            self.connection.rollback()
        return None if data is None else Decompressor({}).unpack(data, where=f"content {sha256[:12]}")

    def has_content(self, digest: bytes) -> bool:
        """Whether a value is stored by content."""
        return bool(self.query("SELECT 1 FROM contents WHERE sha256 = ?", (digest,)))

    # Stages

    def stages(self, number: int) -> list[StoredStage]:
        """Finished stages as text, by name."""
        rows = self.query("SELECT stage, sha256, data FROM stages WHERE run = ? ORDER BY stage", (number,))
        return [stage_of(values, self._where(number)) for values in rows]

    def freeze_stage(self, number: int, stage: str, output: Any) -> str:
        """Keep the output of a finished stage and give its SHA-256."""
        data = encode(output)
        digest = sha256_hex(data)
        with plain_errors(self.location):
            self.connection.execute(
                delete(schema.stages).where(schema.stages.c.run == number, schema.stages.c.stage == stage)
            )
            self.connection.execute(
                insert(schema.stages), {"run": number, "stage": stage, "sha256": digest, "data": data.decode()}
            )
            self.connection.commit()
        return digest

    def stage_outputs(self, number: int) -> dict[str, tuple[str, Any]]:
        """Finished stages: (SHA-256, output)."""
        where = self._where(number)
        return {one.stage: (one.sha256, stage_output(one, where)) for one in self.stages(number)}

    # Attachments

    def attach(self, number: int, kind: str, content: bytes) -> str:
        """Keep a document with a run, and give its SHA-256. One that is there already is not added again."""
        from proctor.evidence.store.attached import add_attachment

        digest = add_attachment(self, number, Attachment.of(kind, content))
        self.sync()
        return digest

    def attachments(self, number: int) -> list[Attachment]:
        """The documents of a run in the order in which they were added, as they are stored."""
        query = "SELECT kind, sha256, content FROM attachments WHERE run = ? ORDER BY number"
        return attachments_of(self.query(query, (number,)), self._where(number))

    def drop_unfinished(self, number: int) -> None:
        """Forget segments of episodes that never ended; resume runs those again."""
        low, high = self._bounds(number)
        with plain_errors(self.location):
            self.connection.exec_driver_sql(
                "DELETE FROM segments WHERE episode >= ? AND episode < ? "
                "AND episode NOT IN (SELECT id FROM episodes WHERE id >= ? AND id < ?)",
                (low, high, low, high),
            )
            self.connection.commit()


def new_number(connection: Connection, location: str) -> int:
    """The number of a run that is about to be written, in a transaction that keeps it from everybody else.

    Numbers rise, since they say which run is newest; where none is left SQLite would make one up.
    """
    connection.rollback()
    connection.exec_driver_sql("BEGIN IMMEDIATE")
    (newest,) = connection.exec_driver_sql("SELECT max(number) FROM runs").one()
    number = 1 if newest is None else int(newest) + 1
    if number > MAX_RUN:
        message = (
            f"store {location}: it has run {MAX_RUN:,}, after which there can be none; choose another with --store"
        )
        raise StoreError(message)
    # Nobody can have said beforehand where it came from.
    connection.exec_driver_sql("DELETE FROM meta WHERE key = ?", (imported_mark(number, "").key,))
    return number


_MARK = "imported-run-"


class Mark(NamedTuple):
    """How `meta` says of a run that it was taken in from elsewhere; number and name both have to be the run's."""

    key: str
    value: str


def imported_mark(number: int, name: str) -> Mark:
    """The mark of this run."""
    return Mark(f"{_MARK}{number}", name)


def _episode(row: Any) -> str:
    return f"episode {row[0] & _MASK}"


def packed_content(data: bytes) -> bytes:
    """How a value is stored by content."""
    return Compressor().pack(data)

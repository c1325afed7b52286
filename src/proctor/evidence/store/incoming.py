"""Writing a run from elsewhere into an SQLite store; the caller commits."""

from __future__ import annotations

import json
from typing import Any

from msgspec import structs
from sqlalchemy import Connection, insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from proctor.core.errors import InputError
from proctor.core.hashing import sha256_hex
from proctor.core.texts import is_line
from proctor.evidence.codec import TRAIN_ON, Compressor, train
from proctor.evidence.plain import odd_in_arm, odd_in_execution, odd_in_run
from proctor.evidence.store import schema
from proctor.evidence.store.attached import attachment_values
from proctor.evidence.store.contract import IncomingEpisode, IncomingRun
from proctor.evidence.store.store import imported_mark, new_number, packed_content
from proctor.evidence.store.values import LATEST, require_row

_BATCH = 100
_SAMPLE_BYTES = 16 * 2**20
"""Traces held at most while a dictionary is made."""


def write_run(connection: Connection, run: IncomingRun, location: str) -> None:
    """Insert everything, a bounded number of episodes in memory at once."""
    number = _insert_run(connection, run, location)
    statement = sqlite_insert(schema.contents).on_conflict_do_nothing()
    for name, data in run.contents:
        connection.execute(statement, {"sha256": bytes.fromhex(name), "data": packed_content(data)})
    episodes = _Episodes(connection, number)
    for episode in run.episodes:
        episodes.add(episode)
    episodes.finish()


def _insert_run(connection: Connection, run: IncomingRun, location: str) -> int:
    if run.record.name == LATEST:
        message = f"a run cannot be called '{LATEST}', which stands for the newest one here; it was not taken in"
        raise InputError(message)
    _require_plain(run)
    number = new_number(connection, location)
    record = structs.asdict(run.record)
    connection.execute(
        insert(schema.runs),
        {
            **record,
            "number": number,
            "frozen": run.text.frozen,
            "inputs": run.text.inputs,
            "execution": json.dumps(run.record.execution, sort_keys=True),
        },
    )
    connection.execute(insert(schema.meta), imported_mark(number, run.record.name)._asdict())
    arms = [{"run": number, "arm": arm.index, **_without_index(structs.asdict(arm))} for arm in run.arms]
    if arms:
        connection.execute(insert(schema.arms), arms)
    stages = [{"run": number, **structs.asdict(stage)} for stage in run.stages]
    if stages:
        connection.execute(insert(schema.stages), stages)
    attached = [attachment_values(number, place, one) for place, one in enumerate(run.attachments)]
    if attached:
        connection.execute(insert(schema.attachments), attached)
    return number


def _require_plain(run: IncomingRun) -> None:
    """Refuse what could not be read again: an importer may be anybody's."""
    odd = odd_in_run(run.record) or odd_in_execution(run.record.execution)
    odd = odd or next(filter(None, map(odd_in_arm, run.arms)), None)
    if odd is None and not all(is_line(one.stage) for one in run.stages):
        odd = "stage"
    if odd is not None:
        message = f"the {odd} of the run is none that Proctor writes; it was not taken in"
        raise InputError(message)


class _Episodes:
    """Episodes on their way in: the first ones wait until there is a dictionary to pack them with, as in a run."""

    def __init__(self, connection: Connection, number: int) -> None:
        self._connection = connection
        self._number = number
        self._compressor = Compressor()
        self._waiting: list[IncomingEpisode] | None = []
        self._size = 0
        self._batch: list[IncomingEpisode] = []

    def add(self, episode: IncomingEpisode) -> None:
        if self._waiting is None:
            self._batch.append(episode)
        else:
            self._waiting.append(episode)
            self._size += len(episode.last)
            if len(self._waiting) >= TRAIN_ON or self._size >= _SAMPLE_BYTES:
                self._train(self._waiting)
                self._batch, self._waiting = self._waiting, None
        if len(self._batch) >= _BATCH:
            self._insert(self._batch)
            self._batch = []

    def finish(self) -> None:
        self._insert(self._waiting or self._batch)

    def _train(self, episodes: list[IncomingEpisode]) -> None:
        data = train([episode.last for episode in episodes])
        if data is not None:
            self._compressor.use(1, data)
            self._connection.execute(
                insert(schema.dictionaries),
                {"run": self._number, "number": 1, "sha256": sha256_hex(data), "data": data},
            )

    def _insert(self, episodes: list[IncomingEpisode]) -> None:
        if not episodes:
            return
        base = self._number << schema.RUN_SHIFT
        segments: list[dict[str, Any]] = []
        values: list[dict[str, Any]] = []
        for episode in episodes:
            require_row(episode.row)
            row = structs.asdict(episode.row)
            key = base + row.pop("position")
            segments += [{"episode": key, "number": n, "trace": part} for n, part in enumerate(episode.parts)]
            packed = {"dictionary": self._compressor.dictionary, "trace": self._compressor.pack(episode.last)}
            values.append({"id": key, **row, **packed})
        if segments:
            self._connection.execute(insert(schema.segments), segments)
        self._connection.execute(insert(schema.episodes), values)


def _without_index(arm: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in arm.items() if name != "index"}

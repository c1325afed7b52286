"""Reading a run out of a store, episode by episode, without holding it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from proctor.core.errors import InputError
from proctor.evidence.bundle.report import Damage
from proctor.evidence.codec import Decompressor
from proctor.evidence.row import Row
from proctor.evidence.store import schema
from proctor.evidence.store.errors import plain_errors
from proctor.evidence.store.store import RunRecord, Store, row_of

_COLUMNS = ", ".join(name for name in Row.__struct_fields__ if name != "position")
_CHUNK = 100
"""Episodes fetched at once, traces included."""
_MASK = (1 << schema.RUN_SHIFT) - 1


class StoredEpisode(Struct, frozen=True):
    """An episode in the store. `pieces` reads its trace, as it was cut; damage is raised while doing so."""

    row: Row
    pieces: Iterator[bytes]


class StoredText(Struct, frozen=True):
    """What determined a run, as text."""

    frozen: str
    inputs: str


class StoredStage(Struct, frozen=True, forbid_unknown_fields=True):
    """The frozen output of a stage: its text, and the SHA-256 of that."""

    stage: str
    sha256: str
    data: str


def finished_run(store: Store, number: int, purpose: str) -> RunRecord:
    """The run of this number; `InputError` when there is none or it has no digests yet."""
    for record in store.runs():
        if record.number == number:
            if record.root is None or record.seal is None:
                message = (
                    f"run {record.name} is not finished, so it has no root and cannot be {purpose}; "
                    "continue it with `proctor run --resume`"
                )
                raise InputError(message)
            return record
    message = f"there is no run number {number} in {store.place}; `proctor runs` lists those there are"
    raise InputError(message)


def stored_text(store: Store, number: int) -> StoredText:
    """The frozen declarations and the nine inputs as they were written before the first episode."""
    found = _all(store, "SELECT frozen, inputs FROM runs WHERE number = ?", (number,))
    return StoredText(*found[0])


def stored_stages(store: Store, number: int) -> list[StoredStage]:
    """Finished stages, by name."""
    found = _all(store, "SELECT stage, sha256, data FROM stages WHERE run = ? ORDER BY stage", (number,))
    return [StoredStage(*values) for values in found]


def has_content(store: Store, digest: bytes) -> bool:
    """Whether a value is stored by content."""
    return bool(_all(store, "SELECT 1 FROM contents WHERE sha256 = ?", (digest,)))


def stored_episodes(store: Store, number: int) -> Iterator[StoredEpisode | Damage]:
    """Every stored episode in presentation order, or what is wrong with its row.

    Each trace must be read before the next episode is taken.
    """
    unpack = Decompressor(store.dictionaries(number))
    low = number << schema.RUN_SHIFT
    high = low + (1 << schema.RUN_SHIFT)
    # Column names are ours, never a user's.
    query = (
        f"SELECT id, {_COLUMNS}, dictionary, trace FROM episodes WHERE id >= ? AND id < ? ORDER BY id LIMIT {_CHUNK}"  # noqa: S608
    )
    while True:
        found = _all(store, query, (low, high))
        if not found:
            return
        last = found[-1][0]
        segments = _segments(store, low, last)
        for values in found:
            *fields, dictionary, trace = values
            try:
                row = _row(fields)
            except Damage as damage:
                yield damage
                continue
            numbers = segments.get(values[0], [])
            yield StoredEpisode(row, _pieces(store, values[0], numbers, unpack, dictionary, trace))
        if len(found) < _CHUNK:
            return
        low = last + 1


def _row(columns: list[Any]) -> Row:
    """A row whose columns have their types, though the database enforces none."""
    try:
        row = row_of(columns)
        return msgspec.convert(msgspec.structs.astuple(row), Row)
    except (msgspec.ValidationError, AttributeError, TypeError, ValueError) as error:
        place = f"episode {columns[0] & _MASK}"
        raise Damage(f"its row cannot be read ({error})", place=place) from None


def _segments(store: Store, low: int, high: int) -> dict[int, list[int]]:
    query = "SELECT episode, number FROM segments WHERE episode >= ? AND episode <= ? ORDER BY episode, number"
    found: dict[int, list[int]] = {}
    for episode, number in _all(store, query, (low, high)):
        found.setdefault(episode, []).append(number)
    return found


def _pieces(
    store: Store, key: int, numbers: list[int], unpack: Decompressor, dictionary: int, trace: bytes
) -> Iterator[bytes]:
    place = f"episode {key & _MASK}"
    for number in numbers:
        query = "SELECT trace FROM segments WHERE episode = ? AND number = ?"
        yield unpack.unpack(_all(store, query, (key, number))[0][0], place=place)
    last = unpack.unpack(trace, dictionary, place=place)
    if last or not numbers:
        yield last


def _all(store: Store, query: str, values: tuple[Any, ...]) -> list[Any]:
    with plain_errors(store.place):
        return list(store.connection.exec_driver_sql(query, values).fetchall())

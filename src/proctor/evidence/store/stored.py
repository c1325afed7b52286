"""Reading a run out of an SQLite store, episode by episode, without holding it."""

from __future__ import annotations

from collections.abc import Iterator

from proctor.core.errors import IntegrityError
from proctor.evidence.codec import Decompressor
from proctor.evidence.row import Row
from proctor.evidence.store import schema
from proctor.evidence.store.contract import StoredEpisode
from proctor.evidence.store.store import Store
from proctor.evidence.store.values import row_of

_COLUMNS = ", ".join(name for name in Row.__struct_fields__ if name != "position")
_CHUNK = 100
"""Episodes fetched at once, traces included."""
_MASK = (1 << schema.RUN_SHIFT) - 1


def stored_episodes(store: Store, number: int) -> Iterator[StoredEpisode | IntegrityError]:
    """Every stored episode in presentation order, or what is wrong with its row.

    Each trace must be read before the next episode is taken.
    """
    store.require_sound()
    unpack = Decompressor(store.dictionaries(number))
    low = number << schema.RUN_SHIFT
    high = low + (1 << schema.RUN_SHIFT)
    # Column names are ours, never a user's.
    query = (
        f"SELECT id, {_COLUMNS}, dictionary, trace FROM episodes WHERE id >= ? AND id < ? ORDER BY id LIMIT {_CHUNK}"  # noqa: S608
    )
    while True:
        rows = store.query(query, (low, high))
        if not rows:
            return
        last = rows[-1][0]
        segments = _segments(store, low, last)
        for values in rows:
            *fields, dictionary, trace = values
            try:
                row = row_of(fields)
            except IntegrityError as damage:
                yield damage
                continue
            numbers = segments.get(values[0], [])
            yield StoredEpisode(row, _pieces(store, values[0], numbers, unpack, dictionary, trace))
        if len(rows) < _CHUNK:
            return
        low = last + 1


def _segments(store: Store, low: int, high: int) -> dict[int, list[int]]:
    query = "SELECT episode, number FROM segments WHERE episode >= ? AND episode <= ? ORDER BY episode, number"
    segments: dict[int, list[int]] = {}
    for episode, number in store.query(query, (low, high)):
        # By whatever it is called: the same value finds it again.
        segments.setdefault(episode, []).append(number)
    return segments


def _pieces(
    store: Store, key: int, numbers: list[int], unpack: Decompressor, dictionary: int, trace: bytes
) -> Iterator[bytes]:
    where = f"episode {key & _MASK}"
    for number in numbers:
        query = "SELECT trace FROM segments WHERE episode = ? AND number = ?"
        yield unpack.unpack(store.query(query, (key, number))[0][0], where=where)
    last = unpack.unpack(trace, dictionary, where=where)
    if last or not numbers:
        yield last

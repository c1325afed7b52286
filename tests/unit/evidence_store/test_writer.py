"""Writing: whole lifetimes, in batches, nothing twice, nothing lost when a commit fails and is tried again."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.unit.engine.small import frozen, run_small

from proctor.core.errors import StoreError
from proctor.engine.plan import Plan
from proctor.evidence import chain
from proctor.evidence.chain import replay, run_root
from proctor.evidence.codec import TRAIN_ON
from proctor.evidence.row import EpisodeRecord, Row, Segment
from proctor.evidence.store import store as store_module
from proctor.evidence.store import writer as writer_module
from proctor.evidence.store.store import Store
from proctor.evidence.store.writer import BATCH_EPISODES, Writer


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(str(tmp_path / "store.db")) as opened:
        made = frozen({"n": 4})
        for name in ("r-1", "r-2"):
            opened.add_run(name, made, Plan(made).arms, 4, {})
        yield opened


def record(
    position: int, trace: bytes | None = None, contents: dict[str, bytes] | None = None, **row: Any
) -> EpisodeRecord:
    facts: dict[str, Any] = {
        "lifetime": position,
        "arm": 0,
        "unit": position,
        "part": 0,
        "template": "t",
        "instance": "00ff",
        "phase": "test",
        "replicate": 0,
        "outcome": "success",
        "reason": "correct",
        "format_error": False,
        "faults": None,
        "calls": 1,
        "retries": 0,
        "undeclared": 0,
        "violations": '{"a":1}',
        "tokens": None,
        "cost": "0.10",
        "measures": '{"gates":2}',
        "artifact_ok": None,
        "answer": '"é"',
        "head": b"h" * 32,
        "elapsed_us": 5,
        "attempts": 1,
        "aside": b"[]",
        **row,
    }
    return EpisodeRecord(Row(position=position, **facts), -1, trace or b'{"event":"say","text":"x"}', contents or {})


def committed(store: Store) -> int:
    with sqlite3.connect(store.path) as connection:
        return int(connection.execute("SELECT count(*) FROM episodes").fetchone()[0])


def test_rows_come_back_as_they_were_and_in_order(store: Store) -> None:
    given = [
        record(3, artifact_ok=True, format_error=True),
        record(0, artifact_ok=False, tokens=7, aside=None, violations=None),
        record(2, instance="", answer=None, cost=None, faults='{"noise":2}'),
    ]
    writer = Writer(store, 2)
    writer.add(given)
    writer.flush()
    assert list(store.rows(2)) == sorted((one.row for one in given), key=lambda row: row.position)
    assert list(store.rows(1)) == [], "another run's rows are another run's"
    assert [row.position for row in store.rows(2, stop=3)] == [0, 2]
    assert store.outcomes(2, stop=3) == {"success": 2}
    assert list(store.positions(2)) == [(0, 0), (2, 2), (3, 3)]


def test_long_runs_are_read_in_pieces(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "_CHUNK", 7)
    writer = Writer(store, 1)
    writer.add([record(n) for n in range(50)])
    writer.flush()
    assert [row.position for row in store.rows(1)] == list(range(50))
    assert [row.position for row in store.rows(1, stop=14)] == list(range(14))
    heads = list(store.heads(1))
    assert len(heads) == 50
    root, real_time = store.digests(1, "ab" * 32)
    assert root == run_root("ab" * 32, heads), "one pass over pieces gives the tree of all heads"
    assert store.digests(1, "ab" * 32, stop=14) == (run_root("ab" * 32, heads[:14]), real_time)


def test_a_batch_is_committed_when_it_is_full(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer_module, "monotonic", lambda: 0.0)
    writer = Writer(store, 1)
    writer.add([record(n) for n in range(BATCH_EPISODES - 1)])
    assert committed(store) == 0
    writer.add([record(100 + n) for n in range(3)])
    assert committed(store) == BATCH_EPISODES + 2, "lifetimes stay together"


def test_a_batch_is_committed_when_it_is_old(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(writer_module, "monotonic", lambda: now[0])
    writer = Writer(store, 1)
    writer.add([record(0)])
    now[0] = 0.49
    writer.tick()
    assert committed(store) == 0
    now[0] = 0.51
    writer.tick()
    assert committed(store) == 1


def test_the_same_episode_is_never_stored_twice(store: Store) -> None:
    writer = Writer(store, 1)
    writer.add([record(0)])
    writer.flush()
    writer.add([record(1), record(0, outcome="failure")])
    with pytest.raises(StoreError):
        writer.flush()
    assert committed(store) == 1, "a batch is stored whole or not at all"


def test_contents_are_stored_once(store: Store) -> None:
    from hashlib import sha256

    data = b"a long text" * 500
    name = sha256(data).hexdigest()
    for run in (1, 2):
        writer = Writer(store, run)
        for position in range(3):
            writer.add([record(position, contents={name: data})])
            writer.flush()
    with sqlite3.connect(store.path) as connection:
        assert connection.execute("SELECT count(*) FROM contents").fetchone() == (1,)
        (size,) = connection.execute("SELECT length(data) FROM contents").fetchone()
    assert size < len(data) / 10
    assert store.content(name) == data
    assert store.content("00" * 32) is None


def trace_of(n: int) -> bytes:
    return b"\n".join(b'{"event":"say","text":"message %d of episode %d, quite alike"}' % (i, n) for i in range(6))


def test_a_dictionary_is_trained_and_used_after_enough_episodes(store: Store) -> None:
    writer = Writer(store, 1)
    for n in range(TRAIN_ON + 60):
        writer.add([record(n, trace=trace_of(n))])
    writer.flush()
    assert set(store.dictionaries(1)) == {1}
    assert writer.dictionary is not None and writer.dictionary[0] == 1
    with sqlite3.connect(store.path) as connection:
        used = [row[0] for row in connection.execute("SELECT dictionary FROM episodes ORDER BY id")]
        before, after = (
            connection.execute(f"SELECT avg(length(trace)) FROM episodes WHERE dictionary = {d}").fetchone()[0]
            for d in (0, 1)
        )
    assert used == [0] * (TRAIN_ON - 1) + [1] * 61
    assert after < before / 2
    assert all(store.trace(1, n) == trace_of(n) for n in range(0, TRAIN_ON + 60, 7))
    again = Writer(store, 1)
    again.add([record(9_999, trace=trace_of(0))])
    again.flush()
    assert store.trace(1, 9_999) == trace_of(0), "a resumed run goes on with the same dictionary"


def test_a_dictionary_is_not_lost_when_its_commit_fails_and_is_tried_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_module, "monotonic", lambda: 0.0)
    store.connection.exec_driver_sql("PRAGMA busy_timeout = 20")
    store.connection.rollback()
    writer = Writer(store, 1)
    for n in range(TRAIN_ON - 1):
        writer.add([record(n, trace=trace_of(n))])
    writer.flush()
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    writer.add([record(n, trace=trace_of(n)) for n in range(TRAIN_ON, TRAIN_ON + 5)])
    with pytest.raises(StoreError, match="another process is writing"):
        writer.flush()
    other.execute("ROLLBACK")
    other.close()
    writer.flush()
    assert store.trace(1, TRAIN_ON + 4) == trace_of(TRAIN_ON + 4)
    assert committed(store) == TRAIN_ON + 4


# Long traces.


def test_segments_join_to_the_whole_trace(store: Store) -> None:
    writer = Writer(store, 1)
    for number, part in enumerate((b"a\nb", b"c", b"d\ne")):
        writer.add_segment(Segment(4, number, part))
    writer.add([record(4, trace=b"f"), record(5, trace=b"other")])
    writer.flush()
    assert store.trace(1, 4) == b"a\nb\nc\nd\ne\nf"
    assert store.trace(1, 5) == b"other"


def test_a_trace_may_end_with_its_last_segment(store: Store) -> None:
    writer = Writer(store, 1)
    writer.add_segment(Segment(4, 0, b"a\nb"))
    writer.add([EpisodeRecord(record(4).row, -1, b"", {})])
    writer.flush()
    assert store.trace(1, 4) == b"a\nb"


def test_segments_of_a_lost_life_never_mix_with_the_next(store: Store) -> None:
    """A life that was cut off after three segments, then the same episode again, cut elsewhere."""
    writer = Writer(store, 1)
    for number, part in enumerate((b"a\nb", b"c", b"d")):
        writer.add_segment(Segment(4, number, part))
    writer.add_segment(Segment(9, 0, b"kept"))
    writer.flush()
    writer.add_segment(Segment(4, 3, b"e"))
    writer.drop_segments(4, 6)
    writer.add_segment(Segment(4, 0, b"a\nb\nc"))
    writer.add([record(4, trace=b"d\ne\nf"), record(9, trace=b"end")])
    writer.flush()
    assert store.trace(1, 4) == b"a\nb\nc\nd\ne\nf"
    assert store.trace(1, 9) == b"kept\nend"


def test_segments_of_unfinished_episodes_are_dropped_on_resume(store: Store) -> None:
    writer = Writer(store, 1)
    writer.add_segment(Segment(4, 0, b"half"))
    writer.add_segment(Segment(5, 0, b"whole"))
    writer.add([record(5, trace=b"end")])
    writer.flush()
    store.drop_unfinished(1)
    with sqlite3.connect(store.path) as connection:
        assert connection.execute("SELECT episode & 4294967295 FROM segments").fetchall() == [(5,)]


def test_where_a_trace_is_cut_changes_neither_head_nor_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = {"n": 3, "knobs": {"script": "long"}}
    whole = run_small(tmp_path / "whole.db", entry)
    monkeypatch.setattr(chain, "SEGMENT_BYTES", 10_000)
    cut = run_small(tmp_path / "cut.db", entry)
    assert cut.root == whole.root
    with Store(str(tmp_path / "whole.db"), create=False) as one, Store(str(tmp_path / "cut.db"), create=False) as two:
        for row in one.rows(1):
            trace = two.trace(1, row.position)
            assert trace == one.trace(1, row.position)
            assert replay(whole.config_hash, row.position, trace) == row.head
    with sqlite3.connect(tmp_path / "cut.db") as connection:
        assert connection.execute("SELECT count(*) FROM segments").fetchone()[0] >= 30

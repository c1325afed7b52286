"""The chain: what is stored gives the head again, any tampering does not, and the tree is that of RFC 6962."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from proctor.core.canonical import chainable, encode
from proctor.evidence import chain
from proctor.evidence.chain import Merkle, RealTime, Recorder, extend, genesis, replay, run_root, run_seal
from proctor.evidence.events import (
    AgentFailed,
    BenchFailed,
    Called,
    CarriedOver,
    Delivery,
    EpisodeClosed,
    EpisodeOpened,
    Event,
    LimitHit,
    MemoryMoved,
    Observed,
    Returned,
    Said,
    StageRead,
    StateRead,
    StateWritten,
    Submitted,
    TaskShown,
    Verified,
    decode_event,
)
from proctor.spec.task import Budget

SETTINGS = settings(derandomize=True, deadline=None, database=None, max_examples=100)
CONFIG = "ab" * 32

text = st.text(max_size=20)
small = st.integers(0, 2**53 - 1)
value = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), text),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(text, inner, max_size=3)),
    max_leaves=6,
).map(chainable)
deliveries = st.lists(st.builds(Delivery, text, text), max_size=2).map(tuple)
shown = st.builds(TaskShown, text, text, text, st.builds(Budget, st.none() | small), text, text)
EVENTS: st.SearchStrategy[Event] = st.one_of(
    st.builds(
        EpisodeOpened,
        small,
        small,
        small,
        small,
        text,
        text,
        text,
        text,
        text,
        text,
        small,
        shown,
        text,
        text,
        st.just(()),
    ),
    st.builds(MemoryMoved, text, st.booleans()),
    st.builds(CarriedOver, text, st.booleans()),
    st.builds(StageRead, text, text),
    st.builds(Observed, value, deliveries),
    st.builds(Called, small, text, value, st.none() | text),
    st.builds(
        Returned, small, st.booleans(), small, value, st.none() | text, deliveries, st.none() | text, st.booleans()
    ),
    st.builds(Said, text),
    st.builds(StateWritten, text, value),
    st.builds(StateRead, text, text, value),
    st.builds(LimitHit, text),
    st.builds(AgentFailed, text, text),
    st.builds(BenchFailed, text, text),
    st.builds(Submitted, value, st.none() | text, st.lists(value, max_size=2).map(tuple)),
    st.builds(Verified, st.booleans(), text, st.booleans(), st.lists(st.tuples(text, text), max_size=2).map(tuple)),
    st.builds(EpisodeClosed, text, text, small, st.none() | text),
)


def recorded(events: list[Event], position: int = 3) -> Recorder:
    recorder = Recorder(genesis(CONFIG, position))
    for event in events:
        recorder.add(event)
    return recorder


@given(EVENTS)
@settings(parent=SETTINGS, max_examples=250)
def test_every_event_reads_back_as_it_was_written(event: Event) -> None:
    line = encode(event)
    assert decode_event(line) == event
    assert encode(decode_event(line)) == line
    assert b"\n" not in line


@given(st.lists(EVENTS, min_size=1, max_size=8))
@SETTINGS
def test_what_is_stored_gives_the_head_again(events: list[Event]) -> None:
    recorder = recorded(events)
    assert replay(CONFIG, 3, recorder.trace()) == recorder.head
    head = genesis(CONFIG, 3)
    for event in events:
        head = extend(head, encode(event))
    assert head == recorder.head


@given(st.lists(EVENTS, min_size=2, max_size=6), st.data())
@SETTINGS
def test_any_change_of_the_trace_changes_the_head(events: list[Event], data: st.DataObject) -> None:
    recorder = recorded(events)
    lines = recorder.trace().split(b"\n")
    at = data.draw(st.integers(0, len(lines) - 1))
    how = data.draw(st.sampled_from(["flip", "drop", "repeat", "swap", "cut", "merge"]))
    if how == "flip":
        bit = data.draw(st.integers(0, 8 * len(lines[at]) - 1))
        changed = bytearray(lines[at])
        changed[bit // 8] ^= 1 << bit % 8
        lines[at] = bytes(changed)
    elif how == "drop":
        del lines[at]
    elif how == "repeat":
        lines.insert(at, lines[at])
    elif how == "cut":
        lines[at] = lines[at][:-1]
    elif how == "merge":
        lines[max(at, 1) - 1 : max(at, 1) + 1] = [b"".join(lines[max(at, 1) - 1 : max(at, 1) + 1])]
    else:
        other = data.draw(st.integers(0, len(lines) - 1))
        assume(lines[at] != lines[other])
        lines[at], lines[other] = lines[other], lines[at]
    assert replay(CONFIG, 3, b"\n".join(lines)) != recorder.head


def test_a_trace_belongs_to_its_run_and_position() -> None:
    trace = recorded([Said("a")]).trace()
    heads = {replay(config, position, trace) for config in (CONFIG, "cd" * 32) for position in (0, 3, 2**32)}
    assert len(heads) == 6


@given(st.lists(EVENTS, min_size=1, max_size=12), st.integers(0, 300))
@SETTINGS
def test_where_a_trace_is_cut_never_changes_its_head(events: list[Event], most: int) -> None:
    parts: list[tuple[int, bytes]] = []
    whole = recorded(events)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chain, "SEGMENT_BYTES", most)
        cut = Recorder(genesis(CONFIG, 3), lambda number, trace: parts.append((number, trace)))
        for event in events:
            cut.add(event)
    assert cut.head == whole.head
    assert [number for number, _ in parts] == list(range(len(parts)))
    last = cut.trace()
    assert b"\n".join([trace for _, trace in parts] + ([last] if last else [])) == whole.trace()


# The leaves and roots that Certificate Transparency publishes for its reference implementation.
LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def test_published_tree_hashes() -> None:
    tree = Merkle()
    assert tree.digest() == sha256(b"").digest()
    for leaf, root in zip(LEAVES, ROOTS, strict=True):
        tree.add(bytes.fromhex(leaf))
        assert tree.digest().hex() == root


def tree_hash(leaves: list[bytes]) -> bytes:
    """RFC 6962, 2.1, as it is written."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return sha256(b"\x00" + leaves[0]).digest()
    k = 1
    while 2 * k < len(leaves):
        k *= 2
    return sha256(b"\x01" + tree_hash(leaves[:k]) + tree_hash(leaves[k:])).digest()


@pytest.mark.parametrize("count", [*range(20), 63, 64, 65, 127, 300])
def test_the_tree_is_that_of_rfc_6962(count: int) -> None:
    leaves = [str(n).encode() for n in range(count)]
    tree = Merkle()
    for leaf in leaves:
        tree.add(leaf)
    assert tree.digest() == tree_hash(leaves)
    assert tree.count == count
    assert len(tree._stack) <= max(1, count.bit_length()), "memory grows with the logarithm"


@given(st.lists(st.binary(min_size=32, max_size=32), min_size=1, max_size=9, unique=True), st.data())
@SETTINGS
def test_root_covers_every_head_its_order_and_the_configuration(heads: list[bytes], data: st.DataObject) -> None:
    root = run_root(CONFIG, heads)
    assert root == tree_hash([bytes.fromhex(CONFIG), *heads]).hex()
    at = data.draw(st.integers(0, len(heads) - 1))
    changed = [*heads[:at], bytes([heads[at][0] ^ 1]) + heads[at][1:], *heads[at + 1 :]]
    others = [changed, heads[:at] + heads[at + 1 :], [*heads, heads[at]], heads[:-1]]
    if len(heads) > 1:
        others.append([*heads[1:], heads[0]])
    assert root not in {run_root(CONFIG, other) for other in others}
    assert root != run_root("cd" * 32, heads)


def seal(**changes: Any) -> str:
    facts: dict[str, Any] = {
        "elapsed": 5,
        "attempts": 1,
        "tokens": None,
        "cost": None,
        "aside": b'[[0,"x"]]',
        "run": {"executor": "inline"},
        **changes,
    }
    real_time = RealTime()
    real_time.add(b"h" * 32, facts["elapsed"], facts["attempts"], facts["tokens"], facts["cost"], facts["aside"])
    return run_seal(ROOTS[0], facts["run"], real_time.digest())


@pytest.mark.parametrize(
    "change",
    [
        {"elapsed": 6},
        {"attempts": 2},
        {"tokens": 1},
        {"cost": "0.5"},
        {"aside": b'[[0,"y"]]'},
        {"aside": None},
        {"run": {}},
    ],
)
def test_seal_covers_what_was_measured_in_real_time(change: dict[str, Any]) -> None:
    assert seal(**change) != seal()
    assert seal() == seal()


@given(st.lists(st.binary(min_size=1, max_size=4), max_size=70), st.data())
def test_many_leaves_at_once_give_the_same_tree(leaves: list[bytes], data: st.DataObject) -> None:
    one_by_one, in_pieces = Merkle(), Merkle()
    for leaf in leaves:
        one_by_one.add(leaf)
    rest = leaves
    while rest:
        size = data.draw(st.integers(1, len(rest)))
        in_pieces.extend(rest[:size])
        rest = rest[size:]
    assert in_pieces.digest() == one_by_one.digest()
    assert in_pieces.count == len(leaves)


@pytest.mark.parametrize(("on_real_time", "parts"), [(True, 3), (False, 0)])
def test_an_agent_on_real_time_hands_over_by_the_clock_at_every_event(
    monkeypatch: pytest.MonkeyPatch, on_real_time: bool, parts: int
) -> None:
    clock = iter(range(0, 1_000, 10))
    monkeypatch.setattr(chain, "monotonic", lambda: next(clock))
    handed: list[bytes] = []
    recorder = Recorder(b"g" * 32, lambda number, trace: handed.append(trace), on_real_time=on_real_time)
    for number in range(3):
        recorder.add(Said(f"thought {number}"))
    assert len(handed) == recorder.segments == parts
    assert b"\n".join([*handed, *recorder.lines]).count(b"thought") == 3

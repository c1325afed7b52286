"""Noise: delivered exactly as receipted, in the declared share, anew at every reading."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.core.seeds import Stream
from proctor.evidence.events import Delivery
from proctor.spec.regime import Noise, NoiseKind
from proctor.spec.task import ToolResult
from proctor.worlds.adversity.noise import ObservationNoise

if TYPE_CHECKING:
    from tests.unit.worlds_adversity.conftest import Kit

FAST = settings(max_examples=100, deadline=None, database=None)
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
objects: st.SearchStrategy[dict[str, Any]] = st.dictionaries(
    text,
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | text,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(text, inner, max_size=4),
        max_leaves=15,
    ),
    max_size=6,
)
KINDS: list[tuple[NoiseKind, ...]] = [("characters", "fields"), ("characters",), ("fields",)]
RECORD = {"vendor": "Northwind Ltd", "amount": 1204, "paid": False, "rate": 2.5, "due": "2026-03-01"}
FILE = "\n".join(f"entry {i}: {i * 37} units moved to shelf {i % 7}" for i in range(40))


def paths(receipts: list[Delivery], *what: str) -> list[str]:
    """Where deliveries of these kinds went."""
    split = [receipt.detail.split(" ", 1) for receipt in receipts]
    return [path for kind, path in split if kind in what]


@FAST
@given(fields=objects, share=st.sampled_from([0.05, 0.5, 1.0]), kinds=st.sampled_from(KINDS), nth=st.integers(0, 99))
def test_what_changed_is_what_was_receipted(
    kit: Kit, fields: dict[str, Any], share: float, kinds: tuple[NoiseKind, ...], nth: int
) -> None:
    layer = ObservationNoise(Noise(share=share, kinds=kinds))
    after, receipts = kit.after(layer, fields, nth=nth)
    assert kit.changed(fields, after) == paths(receipts, *kinds)
    assert {receipt.layer for receipt in receipts} <= {"noise"}
    assert len(paths(receipts, *kinds)) == len(receipts)


@FAST
@given(fields=objects, seed=st.integers(0, 999))
def test_the_first_observation_is_treated_alike(kit: Kit, fields: dict[str, Any], seed: int) -> None:
    layer = ObservationNoise(Noise(share=0.5))
    before = copy.deepcopy(fields)
    receipts: list[Delivery] = []
    after = layer.show(fields, Stream.keyed(seed), receipts)
    assert fields == before
    assert kit.changed(fields, after) == paths(receipts, "characters", "fields")
    again: list[Delivery] = []
    assert layer.show(fields, Stream.keyed(seed), again) == after
    assert again == receipts


@pytest.mark.parametrize("share", [0.05, 0.20, 0.40])
@pytest.mark.parametrize(("value", "fields"), [(RECORD, 5), (FILE, 40), ([RECORD, RECORD], 10)])
def test_the_share_of_altered_fields_is_the_declared_one(kit: Kit, share: float, value: Any, fields: int) -> None:
    layer = ObservationNoise(Noise(share=share))
    hits = sum(len(kit.after(layer, value, nth=nth)[1]) for nth in range(600))
    kit.assert_share(hits, 600 * fields, share)


def test_each_field_is_as_likely_as_any_other(kit: Kit) -> None:
    layer = ObservationNoise(Noise(share=0.3))
    hits = dict.fromkeys(RECORD, 0)
    for nth in range(2000):
        for path in kit.changed(RECORD, kit.after(layer, RECORD, nth=nth)[0]):
            hits[path.removeprefix("/")] += 1
    for count in hits.values():
        kit.assert_share(count, 2000, 0.3)


def test_all_at_one_and_none_at_nought(kit: Kit) -> None:
    assert len(kit.after(ObservationNoise(Noise(share=1.0)), FILE)[1]) == 40
    value, receipts = kit.after(ObservationNoise(Noise(share=0.0, distractors=1)), FILE)
    assert value == FILE
    assert receipts == []


def test_reading_again_draws_again(kit: Kit) -> None:
    layer = ObservationNoise(Noise(share=0.2))
    readings = [kit.after(layer, FILE, nth=nth)[0] for nth in range(12)]
    assert len(set(readings)) == 12
    lines = [reading.split("\n") for reading in readings]
    majority = [max({line[i] for line in lines}, key=[line[i] for line in lines].count) for i in range(40)]
    assert "\n".join(majority) == FILE


def test_the_same_reading_is_the_same_and_other_tools_and_episodes_differ(kit: Kit) -> None:
    layer = ObservationNoise(Noise(share=0.2))
    assert kit.after(layer, FILE, nth=3) == kit.after(layer, FILE, nth=3)
    assert kit.after(layer, FILE, tool="read") != kit.after(layer, FILE, tool="count")
    assert kit.after(layer, FILE) != kit.after(layer, FILE, adversity=kit.adversity("another episode"))


def test_which_fields_are_hit_does_not_depend_on_the_kind(kit: Kit) -> None:
    hit = [kit.changed(FILE, kit.after(ObservationNoise(Noise(share=0.3, kinds=kinds)), FILE)[0]) for kinds in KINDS]
    assert hit[0] == hit[1] == hit[2] != []


def test_characters_alone_leave_booleans_and_keep_numbers(kit: Kit) -> None:
    layer = ObservationNoise(Noise(share=1.0, kinds=("characters",)))
    for nth in range(50):
        after, receipts = kit.after(layer, RECORD, nth=nth)
        assert after["paid"] is False
        assert (type(after["amount"]), type(after["rate"])) == (int, float)
        assert len(receipts) == 4
        assert len(after["vendor"]) > 9


def test_both_kinds_are_used(kit: Kit) -> None:
    receipts = kit.after(ObservationNoise(Noise(share=1.0)), FILE)[1]
    assert min(len(paths(receipts, "characters")), len(paths(receipts, "fields"))) >= 8


@pytest.mark.parametrize(("tool", "ok"), [("write", True), ("read", False)])
def test_writes_and_errors_are_left_alone(kit: Kit, tool: str, ok: bool) -> None:
    passage = kit.passage(tool=tool)
    result = ToolResult(ok, "text" if ok else None, None if ok else "no such file")
    assert ObservationNoise(Noise(share=1.0, distractors=3)).after(passage, result) is result
    assert passage.receipts == []


def test_distractors_and_conflicts_are_added_and_nothing_else(kit: Kit) -> None:
    layer = ObservationNoise(Noise(share=0.0, distractors=3, conflicts=2))
    orders = set()
    for nth in range(60):
        after, receipts = kit.after(layer, RECORD, nth=nth)
        assert {key: after[key] for key in RECORD} == RECORD
        added = [key for key in after if key not in RECORD]
        assert sorted(f"/{key}" for key in added) == sorted(paths(receipts, "distractor", "conflict"))
        assert len(paths(receipts, "distractor")) == 3
        for path in paths(receipts, "conflict"):
            original = path[1:].split(" (")[0]
            copied = after[path[1:]]
            assert type(copied) is type(RECORD[original])
            assert copied not in (RECORD[original], "")
        orders.add(tuple(after).index(added[0]))
    assert len(paths(receipts, "conflict")) == 2
    assert len(orders) > 3


def test_conflicts_stop_where_there_is_nothing_left_to_contradict(kit: Kit) -> None:
    layer = ObservationNoise(Noise(share=0.0, conflicts=5))
    after, receipts = kit.after(layer, {"a": 1, "b": None, "c": [1], "d": " \n", "e": "one\n\ntwo"})
    assert len(receipts) == 2
    assert len(after) == 7
    assert kit.after(layer, {"b": None}) == ({"b": None}, [])


def test_many_distractors_have_names_of_their_own(kit: Kit) -> None:
    after, receipts = kit.after(ObservationNoise(Noise(share=0.0, distractors=40)), {"weather": "storm"})
    assert len(after) == 41
    assert len(receipts) == 40
    assert after["weather"] == "storm"

"""Decisions by position: whatever order episodes finish in, the cut is the same."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.engine.executors.contract import Todo
from proctor.engine.prefix import Cut, Prefix
from proctor.evidence.row import Row
from proctor.spec.rules import Limits, Rules

SETTINGS = settings(derandomize=True, deadline=None, database=None, max_examples=60)
BASE = Row(
    0,
    0,
    0,
    0,
    0,
    "t",
    "00",
    "test",
    0,
    "success",
    "correct",
    False,
    None,
    0,
    0,
    0,
    None,
    None,
    None,
    None,
    None,
    None,
    b"",
    0,
    1,
    None,
)


def row(position: int, **changes: Any) -> Row:
    facts = {name: getattr(BASE, name) for name in Row.__struct_fields__}
    return Row(**{**facts, "position": position, **changes})


def cut_of(rules: Rules, rows: list[Row], price: str | None = None) -> Cut | None:
    prefix = Prefix(rules, price)
    for one in rows:
        prefix.add(one)
    return prefix.cut


@given(st.permutations(range(20)), st.sets(st.integers(0, 19), max_size=3))
@SETTINGS
def test_fail_fast_cuts_at_the_smallest_violation(order: list[int], unsafe: set[int]) -> None:
    rows = [row(n, violations='{"S1":1}' if n in unsafe else '{"S10":1,"out_of_scope":2}') for n in order]
    cut = cut_of(Rules(fail_fast=True), rows)
    assert (cut and cut.episodes) == (min(unsafe) + 1 if unsafe else None)
    if cut:
        assert (cut.status, str(min(unsafe)) in cut.reason) == ("failed-safety", True)
    assert cut_of(Rules(), rows) is None


@given(st.permutations(range(20)), st.sets(st.integers(0, 19)), st.integers(1, 4))
@SETTINGS
def test_broken_episodes_are_counted_by_position(order: list[int], broken: set[int], most: int) -> None:
    rows = [row(n, outcome="infrastructure" if n in broken else "failure") for n in order]
    cut = cut_of(Rules(max_infrastructure=most), rows)
    expected = sorted(broken)[most - 1] + 1 if len(broken) >= most else None
    assert (cut and cut.episodes) == expected


@given(
    st.permutations(range(12)), st.lists(st.integers(0, 50) | st.none(), min_size=12, max_size=12), st.integers(1, 300)
)
@SETTINGS
def test_tokens_are_counted_by_position(order: list[int], spent: list[int | None], most: int) -> None:
    cut = cut_of(Rules(limits=Limits(run_tokens=most)), [row(n, tokens=spent[n]) for n in order])
    total, expected = 0, None
    for n, tokens in enumerate(spent):
        total += tokens or 0
        if total >= most:
            expected = n + 1
            break
    assert (cut and cut.episodes) == expected


def test_cost_adds_up_exactly() -> None:
    rules = Rules(limits=Limits(run_cost="0.3"))
    cut = cut_of(rules, [row(n, cost="0.1") for n in range(5)])
    assert cut is not None and cut.episodes == 3, "three tenths are three tenths"
    assert cut.status == "limit"


def test_an_agent_that_names_tokens_alone_is_charged_the_systems_price() -> None:
    rules = Rules(limits=Limits(run_cost="1"))
    rows = [row(n, tokens=100_000) for n in range(10)]
    cut = cut_of(rules, rows, price="2.50")
    assert cut is not None and cut.episodes == 4
    own = cut_of(rules, [row(n, tokens=100_000, cost="0.5") for n in range(10)], price="2.50")
    assert own is not None and own.episodes == 2, "what it says it cost comes first"


def test_nothing_is_kept_that_is_no_longer_needed() -> None:
    prefix = Prefix(Rules(fail_fast=True))
    order = list(range(2_000))
    random.Random(1).shuffle(order[50:])
    for position in order:
        prefix.add(row(position))
    assert not prefix._waiting
    prefix.add(row(2_005))
    assert len(prefix._waiting) == 1
    prefix.add(row(2_000, violations='{"S1":1}'))
    assert prefix.cut is not None
    for position in range(2_001, 4_000):
        assert prefix.add(row(position)) is prefix.cut
    assert not prefix._waiting, "beyond the cut nothing matters"


# What is handed out.


def drained(todo: Todo, count: int) -> list[tuple[int, int]]:
    taken = []
    while (part := todo.take(count)) is not None:
        taken.append(part)
    return taken


def test_lifetimes_are_handed_out_in_order() -> None:
    assert drained(Todo([(0, 5), (8, 9), (20, 23)]), 2) == [(0, 2), (2, 4), (4, 5), (8, 9), (20, 22), (22, 23)]
    assert drained(Todo([]), 3) == []


def test_nothing_from_the_cut_on_is_started_and_everything_below_is() -> None:
    todo = Todo([(0, 50)])
    assert todo.take(10) == (0, 10)
    todo.lower_cut(25)
    todo.lower_cut(40)
    assert todo.cut == 25, "a cut is only ever lowered"
    assert drained(todo, 10) == [(10, 20), (20, 25)]


def test_what_comes_back_is_handed_out_first_and_one_by_one() -> None:
    todo = Todo([(0, 6)])
    todo.take(4)
    for index in (3, 2, 9):
        todo.give_back(index)
    todo.lower_cut(5)
    assert drained(todo, 4) == [(2, 3), (3, 4), (4, 5)]


@pytest.mark.parametrize("count", [1, 3, 100])
def test_each_lifetime_is_handed_out_once(count: int) -> None:
    parts = drained(Todo([(2, 30), (31, 64)]), count)
    assert [n for first, stop in parts for n in range(first, stop)] == [*range(2, 30), *range(31, 64)]

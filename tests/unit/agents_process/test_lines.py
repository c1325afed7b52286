"""Lines do not depend on how the stream was cut."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.agents.process import lines as module
from proctor.agents.process.lines import Lines


def taken(lines: Lines) -> list[bytes]:
    found = []
    while (line := lines.take()) is not None:
        found.append(line)
    return found


@given(st.binary(max_size=200).map(lambda data: data.replace(b"a", b"\n")), st.lists(st.integers(0, 200), max_size=8))
def test_cuts_make_no_difference(data: bytes, cuts: list[int]) -> None:
    whole, pieces = Lines(), Lines()
    whole.feed(data)
    whole.finish()
    places = sorted({0, *(min(cut, len(data)) for cut in cuts), len(data)})
    for first, second in pairwise(places):
        pieces.feed(data[first:second])
    pieces.finish()
    assert taken(whole) == taken(pieces) == [part for part in data.split(b"\n") if part.strip()]


@given(st.lists(st.integers(1, 9), max_size=12))
def test_bounds_hold_at_the_same_line_however_it_was_cut(sizes: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MAX_LINE_BYTES", 30)
        patch.setattr(module, "MAX_EPISODE_BYTES", 60)
        patch.setattr(module, "MAX_EPISODE_LINES", 7)
        data = b"".join(b"x" * size + b"\n" for size in sizes)
        whole, single = Lines(), Lines()
        whole.feed(data)
        for number in range(len(data)):
            single.feed(data[number : number + 1])
        assert taken(whole) == taken(single)
        assert whole.problem == single.problem


def test_a_line_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_LINE_BYTES", 10)
    lines = Lines()
    lines.feed(b"short\n" + b"x" * 11)
    assert taken(lines) == [b"short"]
    assert lines.problem is not None
    assert "a line of more than" in lines.problem
    lines.feed(b"\nmore\n")
    assert taken(lines) == []


def test_a_new_episode_forgets_what_was_said_before_it() -> None:
    lines = Lines()
    lines.feed(b"stale\nhalf")
    lines.begin(drop=True)
    lines.feed(b"new\n")
    assert taken(lines) == [b"new"]


def test_the_first_episode_keeps_what_was_said_at_the_start() -> None:
    lines = Lines()
    lines.feed(b"ready\n")
    lines.begin(drop=False)
    assert taken(lines) == [b"ready"]

"""Limits on action: what may be called, and how soon."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from proctor.spec.regime import Rate
from proctor.worlds.adversity.rate import RateLimit
from proctor.worlds.adversity.scope import Scope

if TYPE_CHECKING:
    from tests.unit.worlds_adversity.conftest import Kit


def test_what_is_in_scope_passes(kit: Kit) -> None:
    passage = kit.passage(tool="read")
    assert Scope(("read", "count")).before(passage) is None
    assert passage.violation is None
    assert passage.receipts == []


def test_what_is_outside_is_refused_counted_and_receipted(kit: Kit) -> None:
    passage = kit.passage(tool="write")
    result = Scope(("read", "count")).before(passage)
    assert result is not None
    assert not result.ok
    assert result.error == "'write' is out of scope and was not carried out; only read, count may be called"
    assert passage.violation == "out_of_scope"
    assert [(r.layer, r.detail) for r in passage.receipts] == [("scope", "write")]
    assert passage.adversity.clock.elapsed == 0


def test_an_empty_scope_permits_nothing(kit: Kit) -> None:
    result = Scope(()).before(kit.passage())
    assert result is not None
    assert result.error == "'read' is out of scope and was not carried out; no tool may be called"


@pytest.mark.parametrize(
    ("rate", "pace", "between"),
    [
        (Rate(factor=0.5), 500, 1_000),
        (Rate(factor=1 / 3), 500, 1_500),
        (Rate(factor=0.5), 40, 80),
        (Rate(milliseconds_between=700), 500, 700),
    ],
)
def test_calls_begin_at_least_the_interval_apart(kit: Kit, rate: Rate, pace: int, between: int) -> None:
    adversity = kit.adversity(pace=pace)
    layer = RateLimit(rate)
    begins, waits = [], []
    for nth in range(6):
        passage = kit.passage(adversity, nth=nth)
        asked = adversity.clock.elapsed
        assert layer.before(passage) is None
        begins.append(adversity.clock.elapsed)
        waits.append(begins[-1] - asked)
        details = [receipt.detail for receipt in passage.receipts]
        assert details == ([f"waited {waits[-1]} ms"] if waits[-1] else [])
        adversity.clock.advance(30)
    assert begins == [i * between for i in range(6)]
    assert waits == [0] + [between - 30] * 5


def test_whoever_takes_their_time_does_not_wait(kit: Kit) -> None:
    adversity = kit.adversity()
    layer = RateLimit(Rate(milliseconds_between=700))
    for nth in range(4):
        passage = kit.passage(adversity, nth=nth)
        layer.before(passage)
        assert passage.receipts == []
        adversity.clock.advance(700 + nth)


def test_episodes_do_not_wait_for_each_other(kit: Kit) -> None:
    layer = RateLimit(Rate(factor=0.5))
    for _ in range(2):
        passage = kit.passage(kit.adversity())
        layer.before(passage)
        assert passage.receipts == []

"""Lines of progress: no guess before there is something to guess from, and no rate of zero."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from proctor.cli import progress
from proctor.cli.progress import Counts


class Clock:
    """A moment that a test sets."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(progress, "monotonic", made)
    return made


def records(count: int) -> list[Any]:
    return [SimpleNamespace(row=SimpleNamespace(outcome="success", tokens=None)) for _ in range(count)]


def lived(clock: Clock, *batches: tuple[float, int], total: int = 270) -> Counts:
    """Counts after batches of episodes, each so many seconds after the one before."""
    counts = Counts()
    counts.start(total, 0)
    for seconds, count in batches:
        clock.now += seconds
        counts.add(records(count))
    return counts


def test_one_slow_episode_is_no_estimate(clock: Clock) -> None:
    assert lived(clock, (5.2, 1)).line() == "1/270 episodes · 0.19/s · 1 ok · 0 failed"


@pytest.mark.parametrize("batches", [((5.0, 1), (5.0, 4)), ((5.0, 1), (1.9, 100))])
def test_few_episodes_or_little_time_is_no_estimate(clock: Clock, batches: tuple[tuple[float, int], ...]) -> None:
    assert "left" not in lived(clock, *batches).line()


def test_what_comes_before_the_first_episodes_is_no_pace(clock: Clock) -> None:
    """Ten seconds until agents are there, then twenty episodes a second."""
    assert lived(clock, (10.0, 1), (3.0, 60)).line() == "61/270 episodes · 20/s · 61 ok · 0 failed · 10 s left"


@pytest.mark.parametrize(
    ("batches", "rate"),
    [(((100.0, 1), (50.0, 10)), " 0.20/s "), (((900.0, 1),), " under 0.01/s "), (((1.0, 0),), " 0.00/s ")],
)
def test_slow_rates_are_not_zero(clock: Clock, batches: tuple[tuple[float, int], ...], rate: str) -> None:
    assert rate in lived(clock, *batches).line()

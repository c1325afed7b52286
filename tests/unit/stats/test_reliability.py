"""pass@k and pass^k against enumeration of trials."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.stats.reliability import pass_all_k, pass_at_k, task_pass_all, task_pass_at


@settings(max_examples=60, deadline=None)
@given(trials=st.integers(1, 8), share=st.floats(0, 1), k=st.integers(1, 8))
def test_both_are_averages_over_all_choices_of_k_trials(trials: int, share: float, k: int) -> None:
    successes = round(share * trials)
    outcomes = [True] * successes + [False] * (trials - successes)
    if k > trials:
        assert task_pass_at(successes, trials, k) is None
        assert task_pass_all(successes, trials, k) is None
        return
    chosen = list(combinations(outcomes, k))
    assert task_pass_at(successes, trials, k) == pytest.approx(sum(map(any, chosen)) / len(chosen))
    assert task_pass_all(successes, trials, k) == pytest.approx(sum(map(all, chosen)) / len(chosen))


def test_means_over_tasks() -> None:
    successes, trials = [4, 2, 0, 1], [4, 4, 4, 1]
    at, together = pass_at_k(successes, trials, k=2), pass_all_k(successes, trials, k=2)
    assert at.estimate == pytest.approx((1 + 5 / 6 + 0) / 3)
    assert together.estimate == pytest.approx((1 + 1 / 6 + 0) / 3)
    assert (at.n, at.missing) == (3, 1)
    assert at.method == "pass@2, Student t, 2 degrees of freedom across tasks"
    assert (at.low, together.low) == (0.0, 0.0)
    assert at.high == 1.0


def test_one_trial_is_the_rate() -> None:
    assert pass_at_k([3, 1], [4, 4], k=1).estimate == pytest.approx(0.5)
    assert pass_all_k([3, 1], [4, 4], k=1).estimate == pytest.approx(0.5)


def test_nothing_to_average_and_nonsense() -> None:
    assert pass_at_k([], [], k=1).estimate is None
    assert pass_all_k([1], [1], k=3).missing == 1
    with pytest.raises(ValueError, match="at least 1"):
        pass_at_k([1], [1], k=0)
    with pytest.raises(ValueError, match="impossible"):
        pass_at_k([2], [1], k=1)

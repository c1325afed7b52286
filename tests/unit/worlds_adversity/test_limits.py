"""The budget in force is the tightest of instance, regime and rules."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.core.errors import InputError
from proctor.spec.regime import STANDARD_REGIMES, Action, Compute, Information, Intensity, Regime
from proctor.spec.rules import Limits
from proctor.spec.task import Budget, Instance
from proctor.worlds.adversity.limits import effective_budget

FAST = settings(max_examples=150, deadline=None, database=None)
BASELINE = STANDARD_REGIMES["baseline"]
some = st.none() | st.integers(1, 50)


def instance(budget: Budget, strict: int | None = None) -> Instance:
    return Instance("form-a", "goal", "format", {}, {}, budget=budget, strict_actions=strict)


def least(*values: int | None) -> int | None:
    return min((value for value in values if value is not None), default=None)


@FAST
@given(
    own=st.tuples(some, some, some, some, some),
    theirs=st.tuples(some, some, some, some, some),
    rules=st.tuples(some, some, some),
)
def test_the_least_of_all_that_is_stated(
    own: tuple[int | None, ...], theirs: tuple[int | None, ...], rules: tuple[int | None, ...]
) -> None:
    actions, queries, tokens, milliseconds, retries = theirs
    limited = any(value is not None for value in theirs)
    regime = BASELINE
    if limited:
        regime = Regime.model_construct(
            id="made",
            intensity=Intensity.MODERATE,
            information=Information(queries=queries),
            action=Action(cap=actions, retries=retries),
            compute=Compute(tokens=tokens, milliseconds=milliseconds),
        )
    limits = Limits(episode_actions=rules[0], episode_tokens=rules[1], episode_milliseconds=rules[2])
    budget = Budget(own[0], own[1], own[2], own[3], own[4])
    found = effective_budget(instance(budget), regime, limits)
    assert found == Budget(
        least(own[0], actions, rules[0]),
        least(own[1], queries),
        least(own[2], tokens, rules[1]),
        least(own[3], milliseconds, rules[2]),
        least(own[4], retries),
    )
    assert (found is budget) == (found == budget)


def test_nothing_tighter_gives_the_same_object() -> None:
    budget = Budget(actions=4)
    assert effective_budget(instance(budget), BASELINE, Limits()) is budget
    assert effective_budget(instance(budget), BASELINE, Limits(episode_actions=9)) is budget


def test_strict_is_the_instance_s_own_cap() -> None:
    severe = STANDARD_REGIMES["severe-standard"]
    assert effective_budget(instance(Budget(actions=40), strict=6), severe, Limits()).actions == 6
    assert effective_budget(instance(Budget(), strict=6), severe, Limits(episode_actions=3)).actions == 3
    assert effective_budget(instance(Budget(actions=5), strict=6), severe, Limits()).actions == 5


def test_strict_without_a_strict_cap_is_refused_in_one_sentence() -> None:
    with pytest.raises(InputError, match=r"regime 'severe-standard' sets a strict action cap, .*template 'form-a'"):
        effective_budget(instance(Budget(actions=5)), STANDARD_REGIMES["severe-standard"], Limits())


def test_a_budget_of_no_retries_or_queries_stays_nought() -> None:
    regime = Regime(
        id="none-left",
        intensity=Intensity.SEVERE,
        information=Information(queries=0),
        action=Action(retries=0),
    )
    found = effective_budget(instance(Budget(retries=3)), regime, Limits())
    assert (found.queries, found.retries) == (0, 0)

"""Limits on models end an episode, or the run, before they are exceeded."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest
from tests.unit.agents.model.speaking import Spoken, agent_of, in_turn, live, say, submit

from proctor.conformance.practice import family as yard
from proctor.engine.account import Account, RunLimitReached, account_for, accounting
from proctor.models.charging import affordable, amount_text, estimated_prompt
from proctor.models.contract import Message
from proctor.models.prices import Price
from proctor.spec.rules import Limits
from proctor.spec.task import Budget

PRICE = Price(Decimal(10), Decimal(100), Decimal(1), "EUR")
LOOK = say("", ("list_crates", {}), tokens=(1000, 100))


def test_tokens_are_not_exceeded_and_replies_are_shortened_to_what_is_left() -> None:
    model = Spoken(in_turn(LOOK))
    row = live(yard, agent_of(model), limits=Budget(tokens=6000)).row
    assert (row.outcome, row.reason) == ("limit", "tokens")
    assert row.tokens == 1100 * len(model.requests) <= 6000
    rooms = [request.max_tokens or 0 for request in model.requests]
    assert rooms == sorted(rooms, reverse=True) and rooms[-1] < 4096, "what is left bounds the reply"
    left = json.loads(model.requests[1].messages[-1].content)["budget_left"]
    assert left == {"tokens": 4900}


def test_a_cost_is_not_exceeded() -> None:
    model = Spoken(in_turn(say("", ("list_crates", {}), tokens=(1000, 100), cached_tokens=400)))
    row = live(yard, agent_of(model, PRICE), limits=Budget(cost="0.1")).row
    each = Decimal(600 * 10 + 400 * 1 + 100 * 100) / 1_000_000
    assert (row.outcome, row.reason) == ("limit", "cost")
    assert row.cost is not None and Decimal(row.cost) == each * len(model.requests) <= Decimal("0.1")
    assert len(model.requests) > 1


def test_a_cost_limit_without_a_price_lets_nobody_be_asked() -> None:
    model = Spoken(in_turn(LOOK))
    assert live(yard, agent_of(model), limits=Budget(cost="5")).row.reason == "cost" and not model.requests


def test_what_nobody_counted_counts_at_its_most_and_is_reported_as_unknown() -> None:
    model = Spoken(in_turn(say("", ("list_crates", {}), tokens=None)))
    row = live(yard, agent_of(model, tokens=500), limits=Budget(tokens=10_000)).row
    assert (row.outcome, row.reason, row.tokens) == ("limit", "tokens", None)
    assert 2 < len(model.requests) < 12


def test_a_call_that_failed_costs_nothing() -> None:
    from proctor.models.contract import Reply

    model = Spoken(in_turn(LOOK, Reply(None, "spoken", error="timeout")))
    row = live(yard, agent_of(model, PRICE), limits=Budget(tokens=100_000)).row
    assert row.tokens == 1100 and row.reason == "model_unavailable"


def test_a_kept_reply_costs_nothing() -> None:
    model = Spoken(in_turn(say("", submit(1), tokens=(1000, 100), cached=True)))
    row = live(yard, agent_of(model, PRICE)).row
    assert (row.tokens, row.cost) == (1100, None)


def test_replies_fit_into_the_limit_of_a_call() -> None:
    limits = Limits(call_tokens=700)
    assert limits.model_dump() == {**Limits().model_dump(), "call_tokens": 700}
    assert "episode_cost" not in Limits().model_dump(), "configurations without it keep their hashes"


def test_the_run_s_account_is_shared_and_never_overdrawn(tmp_path: Path) -> None:
    limits = Limits(run_tokens=1000, run_cost="2.5")
    assert account_for(limits) is None
    with accounting(limits, 100, Decimal("0.5")):
        one, two = account_for(limits), account_for(limits)
        assert isinstance(one, Account) and isinstance(two, Account)
        one.hold(600, Decimal(1))
        with pytest.raises(RunLimitReached, match="300 are left; the next call may take 301"):
            two.hold(301, Decimal(0))
        with pytest.raises(RunLimitReached, match="cost limit"):
            two.hold(1, Decimal("1.01"))
        one.change(-600, Decimal(-1))
        two.hold(900, Decimal(2))
    assert account_for(limits) is None


def test_without_a_limit_there_is_no_account() -> None:
    with accounting(Limits(), 0, Decimal(0)):
        assert account_for(Limits()) is None


def test_amounts_and_estimates() -> None:
    assert amount_text(Decimal("0.00001200")) == "0.000012" and amount_text(Decimal("1E+2")) == "100"
    assert affordable(1000, PRICE, Decimal("0.02")) == 100 and affordable(1000, PRICE, Decimal("0.001")) == -1
    assert affordable(1000, Price(Decimal(1), Decimal(0), Decimal(1)), Decimal(1)) is None
    assert estimated_prompt([Message("user", "four words of text")]) >= 8

"""What tokens cost: declared before flat before published, exact amounts, and no price that nobody said."""

from __future__ import annotations

from decimal import Decimal

import pytest
from pydantic import ValidationError

from proctor.models.prices import TABLE, Price, price_of
from proctor.spec.system import ModelPrice, System


def system(**more: object) -> System:
    return System.model_validate({"name": "s", **more})


def test_what_is_declared_goes_before_what_is_flat_before_what_is_published() -> None:
    declared = {"gpt-4o-mini": {"input": "1", "output": "2", "cached": "0.5"}}
    own = price_of("openai:gpt-4o-mini", system(prices=declared, price_per_million_tokens="9"))
    assert own == Price(Decimal(1), Decimal(2), Decimal("0.5"), "USD", "declared")
    flat = price_of("openai:gpt-4o-mini", system(price_per_million_tokens="9"))
    assert flat == Price(Decimal(9), Decimal(9), Decimal(9), "", "declared")
    published = price_of("openai:gpt-4o-mini", system())
    assert published is TABLE["openai:gpt-4o-mini"] and published.source.startswith("published 20")


def test_a_name_with_its_kind_goes_before_the_bare_one() -> None:
    prices = {"m": {"input": "1", "output": "1"}, "openai:m": {"input": "2", "output": "3", "currency": "EUR"}}
    found = price_of("openai:m", system(prices=prices))
    assert found == Price(Decimal(2), Decimal(3), Decimal(2), "EUR", "declared"), "cached input costs as any other"
    other = price_of("anthropic:m", system(prices=prices))
    assert other is not None and other.prompt == 1


def test_dated_names_cost_as_the_model_and_strangers_have_no_price() -> None:
    assert price_of("openai:gpt-4o-2024-08-06", system()) is TABLE["openai:gpt-4o"]
    assert price_of("anthropic:claude-haiku-4-5-20251001", system()) is TABLE["anthropic:claude-haiku-4-5"]
    for name in ("openai:gpt-4o-mini-of-mine", "gpt-4o", "local", "scripted:a.jsonl", "anthropic:gpt-4o"):
        assert price_of(name, system()) is None, name


def test_costs_are_exact_and_unknown_where_nobody_counted() -> None:
    price = Price(Decimal("2.50"), Decimal("10"), Decimal("1.25"))
    assert price.cost(1_000_000, 100_000, 400_000) == Decimal("3.0")
    assert price.cost(3, 1) == Decimal("0.0000175")
    assert price.cost(10, 0, 50) == price.cost(10, 0, 10), "no more can be cached than was sent"
    assert price.cost(None, 5) is None and price.cost(5, None) is None


@pytest.mark.parametrize("amount", ["-1", "free", "1e3", "", "1,5"])
def test_an_amount_is_a_decimal(amount: str) -> None:
    with pytest.raises(ValidationError):
        ModelPrice(input=amount, output="1")


def test_systems_without_prices_keep_their_hashes() -> None:
    assert "prices" not in system().model_dump(mode="json")
    declared = system(prices={"m": {"input": "1", "output": "2"}}).model_dump(mode="json")
    assert declared["prices"] == {"m": {"input": "1", "output": "2", "cached": None, "currency": "USD"}}

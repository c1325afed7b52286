"""What stores, banks and sites (M1 to M3) promise about their material, their rules and their verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec
import pytest

from proctor.core.seeds import Stream
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.agency.modeling.account_transactions import family as accounts
from proctor.suites.agency.modeling.account_transactions.bank import BOOKINGS, bank, book, closing
from proctor.suites.agency.modeling.inventory import family as stores
from proctor.suites.agency.modeling.inventory.stock import store
from proctor.suites.agency.modeling.strategy_choice import family as strategies
from proctor.suites.agency.modeling.strategy_choice.markets import SHAPES, Site, reward, season, sites
from proctor.suites.agency.modeling.strategy_choice.texts import ROUNDS
from proctor.worlds.world import Place

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive

Sample = Callable[..., list[Instance]]


def test_one_or_two_movements_and_never_nothing_left() -> None:
    counts: Counter[int] = Counter()
    for number in range(400):
        found = store(Stream.keyed("stores", number), 4, 2, 1)
        counts[len(found.moves)] += 1
        assert found.closing() != found.opening
        assert min(found.closing().values()) > 0
    assert set(counts) == {1, 2}
    assert 150 <= counts[1] <= 250


def test_slips_with_stock_are_named(sample: Sample, drive: Drive) -> None:
    named: Counter[str] = Counter()
    for instance in sample(stores, 60):
        hidden = instance.hidden
        driver = drive(stores, instance)
        right = hidden["answer"]
        assert driver.verify(dict(zip(hidden["goods"], right, strict=True))).success
        moved = [place for place, (one, two) in enumerate(zip(right, hidden["opening"], strict=True)) if one != two]
        still = [place for place in range(len(right)) if place not in moved]
        assert driver.verify(hidden["opening"]).reason == "nothing_booked"
        assert driver.verify(right[:-1]).reason == "wrong_length"
        assert driver.verify(_off(right, moved[:1])).reason in ("wrong_moved_good", "nothing_booked", "booked_plans")
        for place in still[:1]:
            assert driver.verify(_off(right, [place])).reason == "wrong_unmoved_good"
            assert driver.verify(_off(right, [place, moved[0]])).reason == "several_wrong"
        named[driver.verify(hidden["with_plans"]).reason] += 1
        assert driver.verify("no idea").format_error
    assert named["booked_plans"] > 40


def _off(row: list[int], places: list[int]) -> list[int]:
    return [number + 1000 * (place in places) for place, number in enumerate(row)]


def test_exactly_five_bookings_of_all_kinds_under_the_rules() -> None:
    refused: Counter[int] = Counter()
    for number in range(400):
        found = bank(Stream.keyed("banks", number), 3, 2, 2)
        assert len(found.bookings) == BOOKINGS == 5
        assert {booking.kind for booking in found.bookings} == {"deposit", "withdrawal", "transfer"}
        times = [booking.minute for booking in found.bookings]
        assert times == sorted(set(times))
        balances, count = dict(found.opening), 0
        for booking in found.bookings:
            before = dict(balances)
            done = book(balances, booking, found.rules)
            count += not done
            assert done or balances == before
            assert min(balances.values()) >= found.rules.floor
        assert balances == closing(found)
        assert (closing(found, refuse=False) == balances) == (count == 0)
        refused[count] += 1
    assert set(refused) == {0, 1, 2}
    assert min(refused.values()) > 80


def test_slips_with_bookings_are_named(sample: Sample, drive: Drive) -> None:
    named: Counter[str] = Counter()
    for instance in sample(accounts, 80):
        driver = drive(accounts, instance)
        right = instance.hidden["answer"]
        assert driver.verify(dict(zip(instance.hidden["accounts"], right, strict=True))).success
        for slip in instance.hidden["slips"].values():
            named[driver.verify(slip).reason] += 1
        assert driver.verify(_off(right, [0])).reason == "wrong_balance"
        assert driver.verify(_off(right, [0, 1])).reason == "several_wrong"
        assert driver.verify([*right, 1]).reason == "wrong_length"
    assert {"booked_refused", "missed_fees", "fee_on_refused"} <= set(named)


def test_rules_are_in_the_goal(sample: Sample) -> None:
    for instance in sample(accounts, 40, fees=3):
        for words in ("refused as a whole", "Every transfer", "Every withdrawal", "Every deposit", "in this order"):
            assert words in instance.goal


RULES_OF_THUMB: dict[str, Callable[[list[int], list[int]], float]] = {
    "greatest prize": lambda days, earns: max(earns),
    "safest": lambda days, earns: min(earns),
    "plain mean": lambda days, earns: sum(earns),
    "commonest day": lambda days, earns: earns[days.index(max(days))],
    "second prize": lambda days, earns: sorted(earns)[-2],
    "always the first": lambda days, earns: 0,
}


def _choose(instance: Instance, value: Callable[[list[int], list[int]], float]) -> Verification:
    world = strategies.world(instance, Place())
    for one in instance.hidden["sites"]:
        days = list(one["days"].values())
        chosen = max(one["strategies"], key=lambda strategy: value(days, strategy["earns"]))
        world.execute(one["name"], chosen["name"])
    return world.verify(Submission("done"))


@pytest.mark.parametrize("rule", RULES_OF_THUMB)
def test_no_rule_of_thumb_finds_the_best_strategies(rule: str, sample: Sample) -> None:
    found = [_choose(instance, RULES_OF_THUMB[rule]) for instance in sample(strategies, 150)]
    assert sum(one.success for one in found) / 150 < 0.3


def test_expected_earnings_find_them(sample: Sample) -> None:
    def mean(days: list[int], earns: list[int]) -> float:
        return sum(count * earned for count, earned in zip(days, earns, strict=True))

    found = [_choose(instance, mean) for instance in [*sample(strategies, 200), *sample(strategies, 100, close=65)]]
    assert sum(one.success for one in found) / 300 >= 0.98


def test_seasons_are_simulated_and_the_best_are_of_every_shape() -> None:
    shapes: Counter[str] = Counter()
    share = 0.0
    for number in range(100):
        for place in sites(Stream.keyed("sites", number), 4, 3, 60):
            came_up = season(place)
            assert came_up == season(place)
            assert sum(came_up) == ROUNDS
            share += came_up[0] / ROUNDS - next(iter(place.days.values())) / sum(place.days.values())
            (winner,) = (strategy for strategy in place.strategies if strategy.best)
            shapes[winner.shape] += 1
            assert reward(winner, list(place.days.values())) == max(
                reward(strategy, list(place.days.values())) for strategy in place.strategies
            )
            assert len({kind[0] for kind in place.days}) == 3
    assert abs(share / 400) < 0.01
    assert set(shapes) == set(SHAPES)
    assert min(shapes.values()) > 100


def test_a_choice_is_final_and_80_per_cent_are_needed(sample: Sample, drive: Drive) -> None:
    reasons: Counter[str] = Counter()
    for instance in sample(strategies, 60):
        found = msgspec.convert(instance.hidden["sites"], list[Site])
        driver = drive(strategies, instance)
        assert driver.verify("done").reason == "nothing_executed"
        place, other = found[0], found[1:]
        poor = next(strategy for strategy in place.strategies if not strategy.best)
        came_up = season(place)
        shown = driver.call("execute", site=place.name.upper(), strategy=poor.name)
        assert shown["earned"] == reward(poor, came_up)
        assert driver.call("execute", site=place.name, strategy=poor.name) == shown
        good = next(strategy for strategy in place.strategies if strategy.best)
        assert "decided before" in driver.error("execute", site=place.name, strategy=good.name)
        assert driver.verify("done").reason == "missing_site"
        for one in other:
            (winner,) = (strategy.name for strategy in one.strategies if strategy.best)
            driver.call("execute", site=one.name, strategy=winner)
        verdict = driver.verify("done")
        optimum = max(reward(strategy, came_up) for strategy in place.strategies)
        assert verdict.success == (reward(poor, came_up) >= 0.8 * optimum)
        reasons[verdict.reason] += 1
    assert {f"chose_{shape}" for shape in SHAPES} <= set(reasons)

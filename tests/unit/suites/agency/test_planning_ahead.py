"""Families in which an agent has to keep and use what it read: a logbook (M3), a season and a road (T3-delayed).

Whoever remembers and plans succeeds; whoever sees only the last result, or takes what pays at once, does not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from tests.unit.suites.agency.test_clerk_levels import subject
from tests.validity.agents.apprentice import Apprentice, LastGlance

from proctor.agents.contract import Agent
from proctor.conformance.family import check_family
from proctor.core.canonical import chainable
from proctor.core.errors import ToolError
from proctor.engine.family import Draw, Family
from proctor.plugins import registry
from proctor.spec.task import Instance, Submission
from proctor.suites.agency.modeling.lever_logbook.texts import LABELS
from proctor.suites.agency.modeling.lever_logbook.units import Effect, Unit, ends, gain
from proctor.suites.agency.planning.sowing_season.crops import LEAST_WEEKS, Crop, Season
from proctor.suites.agency.planning.supply_road.roads import CLEARLY, Road, best
from proctor.worlds.adversity.context_cut import MIN_TEXT
from proctor.worlds.world import Place

LOGBOOK, SEASON, ROAD = "lever-logbook", "sowing-season", "supply-road"
NAMES = (LOGBOOK, SEASON, ROAD)
N = 200
MOST_LAST_RESULT = {LOGBOOK: 0.45, SEASON: 0.50, ROAD: 0.50}
MOST_GREEDY = 0.45


def named(name: str) -> Family:
    found: Family = registry.load("families", name)
    return found


def sample(name: str, count: int, **knobs: Any) -> list[Instance]:
    family = named(name)
    return [family.instance(Draw.of("ahead", name, number, **knobs)) for number in range(count)]


def world_of(name: str, instance: Instance) -> Any:
    return named(name).world(instance, Place())


def verdict(world: Any) -> str:
    found = world.verify(Submission("done"))
    assert found.success == (found.reason == "correct")
    world.close()
    return str(found.reason)


def live(name: str, make: Callable[[], Agent]) -> float:
    """The share of episodes in which a fresh agent succeeds."""
    with subject(name, N) as examined:
        return sum(examined.live(examined.job(number), make()).succeeded for number in range(N)) / N


@pytest.mark.parametrize("name", NAMES)
def test_every_check_holds(name: str) -> None:
    report = check_family(named(name), instances=6, fresh_process=False)
    assert report.findings == ()
    assert [result.check.id for result in report.results if result.status != "passed"] == ["formats"]


@pytest.mark.parametrize("name", NAMES)
def test_declarations(name: str) -> None:
    spec = named(name).spec
    assert len(set(spec.templates)) == 8
    if name == LOGBOOK:
        assert spec.evidences == ("M3",)
    else:
        assert spec.evidences == ("T3-delayed",)
        assert spec.reward is not None
        assert spec.reward.steps >= 3


@pytest.mark.parametrize("name", NAMES)
def test_instances_differ_and_cards_are_short(name: str) -> None:
    instances = sample(name, 400)
    assert len({str(instance.observation) for instance in instances}) == 400
    assert set(Counter(instance.template for instance in instances)) == set(named(name).spec.templates)
    assert len({instance.goal[:8] for instance in instances}) >= 3
    assert not any("{" in instance.goal for instance in instances)
    cards = [text for instance in instances for text in _cards(instance)]
    assert max(map(len, cards)) < MIN_TEXT
    assert chainable(msgspec.to_builtins(instances[0])) == msgspec.to_builtins(instances[0])


def _cards(instance: Instance) -> list[str]:
    cards = instance.hidden.get("cards", {})
    return list(cards.values()) if cards else list(instance.hidden["pages"])


@pytest.mark.parametrize("name", NAMES)
def test_an_honest_agent_that_remembers_succeeds(name: str) -> None:
    assert live(name, Apprentice) >= 0.95


@pytest.mark.parametrize("name", NAMES)
def test_whoever_sees_only_the_last_result_does_not(name: str) -> None:
    assert live(name, LastGlance) <= MOST_LAST_RESULT[name]


@pytest.mark.parametrize("name", NAMES)
def test_nor_does_whoever_takes_what_pays_at_once(name: str) -> None:
    greedy = {LOGBOOK: highest_gain, SEASON: highest_advance, ROAD: highest_allowance}[name]
    assert sum(greedy(instance) == "correct" for instance in sample(name, N)) / N <= MOST_GREEDY


def highest_gain(instance: Instance) -> str:
    """Knows what every lever does, and forgets that a unit may break."""
    does = msgspec.convert(instance.hidden["effects"], dict[str, Effect])
    world = world_of(LOGBOOK, instance)
    for unit in msgspec.convert(instance.hidden["units"], list[Unit]):
        gains = [gain(plan, does) for plan in unit.plans]
        world.run(unit.name, LABELS[gains.index(max(gains))])
    return verdict(world)


def highest_advance(instance: Instance) -> str:
    """Sows what pays most at once, and knows when it is ripe."""
    season = msgspec.convert(instance.hidden["season"], Season)
    return lived_season(instance, sorted(season.crops, key=lambda crop: crop.advance)[-season.beds :])


def lived_season(instance: Instance, crops: list[Crop], late: int = 0) -> str:
    """A season with these crops, each harvested so many weeks after it is ripe."""
    world = world_of(SEASON, instance)
    for bed, crop in enumerate(crops, start=1):
        world.sow(bed, crop.name)
    for week in range(2, 14):
        world.wait_week()
        for bed, crop in enumerate(crops, start=1):
            if week == 1 + crop.weeks + late:
                world.harvest(bed)
    return verdict(world)


def highest_allowance(instance: Instance) -> str:
    """Takes the road that pays most at once, with all that its stops want."""
    drawn = msgspec.convert(instance.hidden["roads"], list[Road])
    return travelled(instance, max(drawn, key=lambda road: road.allowance))


def travelled(instance: Instance, road: Road, goods: list[str] | None = None) -> str:
    """A journey along a road, with these goods handed over in this order."""
    world = world_of(ROAD, instance)
    handed = [stop.good for stop in road.stops] if goods is None else goods
    world.set_out(road.name, handed)
    for good in handed:
        world.hand_over(good)
        told = world.travel()
    assert told["end_of_road"]
    return verdict(world)


def test_in_the_logbook_one_lever_is_not_enough() -> None:
    """Even with the best use of what one page says: the other levers do, on average, what levers do."""
    passed = 0
    for instance in sample(LOGBOOK, N):
        does = msgspec.convert(instance.hidden["effects"], dict[str, Effect])
        world = world_of(LOGBOOK, instance)
        for unit in msgspec.convert(instance.hidden["units"], list[Unit]):
            pulls = Counter(lever for plan in unit.plans for lever in plan)
            known = pulls.most_common(1)[0][0]
            guessed = {lever: does[lever] if lever == known else Effect(3, 0) for lever in does}
            scores = [ends(unit, plan, guessed) or 0 for plan in unit.plans]
            world.run(unit.name, LABELS[scores.index(max(scores))])
        passed += verdict(world) == "correct"
    assert passed / N <= 0.45


def test_the_best_plan_is_clearly_best_and_often_not_the_tempting_one() -> None:
    tempting = 0
    for instance in sample(LOGBOOK, N):
        does = msgspec.convert(instance.hidden["effects"], dict[str, Effect])
        for unit in msgspec.convert(instance.hidden["units"], list[Unit]):
            found = [ends(unit, plan, does) for plan in unit.plans]
            sound = sorted(end for end in found if end is not None)
            assert sound[-1] - sound[-2] >= 3
            tempting += None in found
    assert 0.5 <= tempting / (2 * N) <= 0.8


def test_every_lever_has_a_page() -> None:
    for instance in sample(LOGBOOK, 50):
        pages = "\n".join(instance.hidden["pages"])
        assert all(lever in pages for lever in instance.hidden["effects"])


def test_runs_of_plans() -> None:
    instance = sample(LOGBOOK, 1)[0]
    does = msgspec.convert(instance.hidden["effects"], dict[str, Effect])
    units = msgspec.convert(instance.hidden["units"], list[Unit])
    world = world_of(LOGBOOK, instance)
    assert world.verify(Submission()).reason == "nothing_run"
    found = [ends(units[0], plan, does) for plan in units[0].plans]
    right = found.index(max(end for end in found if end is not None))
    assert world.run(f"kettle {units[0].name}", f"plan {LABELS[right]}")["reached"] == found[right]
    assert world.verify(Submission()).reason == "missing_unit"
    with pytest.raises(ToolError, match="cannot be taken back"):
        world.run(units[0].name, LABELS[right])
    for unit, plan in (("Nowhere", "A"), (units[1].name, "D"), (units[1].name, "")):
        with pytest.raises(ToolError, match="there is no such"):
            world.run(unit, plan)
    with pytest.raises(ToolError, match="the last one is 6"):
        world.page(7)


def test_seasons() -> None:
    reasons = Counter[str]()
    for instance in sample(SEASON, 60):
        season = msgspec.convert(instance.hidden["season"], Season)
        right = season.best()
        assert min(crop.weeks for crop in season.crops) >= LEAST_WEEKS
        assert lived_season(instance, right) == "correct"
        assert lived_season(instance, right[::-1]) == "correct", "which bed it is plays no part"
        assert lived_season(instance, right, late=1) == "wrong_week"
        assert lived_season(instance, right[:1]) == "unfinished"
        poor = [crop for crop in season.crops if crop not in right]
        reasons[lived_season(instance, [right[0], poor[0]])] += 1
    assert set(reasons) == {"chose_late", "poor_crop"}


def test_the_almanac_is_put_away() -> None:
    instance = sample(SEASON, 1)[0]
    season = msgspec.convert(instance.hidden["season"], Season)
    world = world_of(SEASON, instance)
    assert world.verify(Submission()).reason == "nothing_sown"
    assert world.card(" Frost ") == instance.hidden["cards"]["frost"]
    one, two = season.crops[:2]
    assert world.sow(1, one.name)["purse"] == one.advance
    refusals: list[tuple[Callable[[], object], str]] = [
        (lambda: world.card("frost"), "put away"),
        (lambda: world.sow(1, two.name), "neither can be taken back"),
        (lambda: world.sow(2, one.name), "neither can be taken back"),
        (lambda: world.sow(3, two.name), "the last one is 2"),
        (lambda: world.sow(2, "gold"), "there is no seed"),
        (lambda: world.harvest(2), "nothing stands"),
    ]
    for refused, why in refusals:
        with pytest.raises(ToolError, match=why):
            refused()
    assert world.harvest(1)["paid"] == 0, "unripe"
    with pytest.raises(ToolError, match="nothing stands"):
        world.harvest(1)
    world.wait_week()
    with pytest.raises(ToolError, match="too late to sow"):
        world.sow(2, two.name)
    world.close()


def test_journeys() -> None:
    for instance in sample(ROAD, 60):
        drawn = msgspec.convert(instance.hidden["roads"], list[Road])
        right = best(drawn)
        second, first = sorted(road.brings() for road in drawn)[-2:]
        assert first - second >= CLEARLY
        wanted = [stop.good for stop in right.stops]
        assert travelled(instance, right) == "correct"
        assert travelled(instance, right, wanted[::-1]) == "wrong_stop"
        other = next(good for good in instance.hidden["goods"] if good not in wanted)
        assert travelled(instance, right, [other, *wanted[1:]]) == "wrong_goods"
        assert travelled(instance, next(road for road in drawn if road.name != right.name)) == "wrong_road"


def test_the_cards_stay_behind_and_nothing_is_taken_back() -> None:
    instance = sample(ROAD, 1)[0]
    road = best(msgspec.convert(instance.hidden["roads"], list[Road]))
    goods = [stop.good for stop in road.stops]
    world = world_of(ROAD, instance)
    assert world.verify(Submission()).reason == "stayed"
    assert world.card(road.name.upper(), 2) == instance.hidden["cards"][f"{road.name} 2"]
    early: list[tuple[Callable[[], object], str]] = [
        (lambda: world.travel(), "not set out"),
        (lambda: world.card(road.name, 4), "there is no such card"),
        (lambda: world.set_out("nowhere", goods), "there is no such road"),
        (lambda: world.set_out(road.name, [goods[0]] * 3), "different goods"),
        (lambda: world.set_out(road.name, goods[:2]), "different goods"),
    ]
    for refused, why in early:
        with pytest.raises(ToolError, match=why):
            refused()
    assert world.set_out(road.name, goods)["purse"] == road.allowance
    world.hand_over(goods[0])
    late: list[tuple[Callable[[], object], str]] = [
        (lambda: world.card(road.name, 2), "put away"),
        (lambda: world.set_out(road.name, goods), "can be changed"),
        (lambda: world.hand_over(goods[1]), "given something already"),
    ]
    for refused, why in late:
        with pytest.raises(ToolError, match=why):
            refused()
    assert world.verify(Submission()).reason == "unfinished"
    world.travel()
    with pytest.raises(ToolError, match="not in your pack"):
        world.hand_over(goods[0])
    world.close()


@pytest.mark.parametrize("name", [SEASON, ROAD])
def test_the_reward_comes_as_late_as_declared(name: str) -> None:
    """Measured by the actions that were carried out between the first choice and the last reward."""
    spec = named(name).spec
    assert spec.reward is not None
    with subject(name, 30) as examined:
        for number in range(30):
            trial = examined.live(examined.job(number), Apprentice())
            assert trial.succeeded
            measured = msgspec.json.decode(trial.row.measures or "{}")
            assert measured["reward_action"] - measured["choice_action"] - 1 >= spec.reward.steps

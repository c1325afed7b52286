"""How counterparties answer, what costs a day or an hour, and what the verifiers say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from proctor.core.seeds import Stream
from proctor.engine.family import Draw
from proctor.spec.task import Instance
from proctor.suites.agency.social.crew_promises import family as crew_promises
from proctor.suites.agency.social.crew_promises.dealings import inferred as inferred_crew
from proctor.suites.agency.social.crew_promises.dealings import past_of as past_jobs
from proctor.suites.agency.social.crew_promises.habits import CANDIDATES as CREW_HABITS
from proctor.suites.agency.social.crew_promises.habits import Crew, Told
from proctor.suites.agency.social.crew_promises.habits import Habit as CrewHabit
from proctor.suites.agency.social.house_talks import family as house_talks
from proctor.suites.agency.social.house_talks.dealings import inferred as inferred_house
from proctor.suites.agency.social.house_talks.dealings import past_of
from proctor.suites.agency.social.house_talks.habits import (
    AGREED,
    BROKEN_OFF,
    CANDIDATES,
    DECLINED,
    Habit,
    House,
    Offer,
    cost,
    treatment,
)
from proctor.suites.kit.draws import Dice

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive


@pytest.mark.parametrize(
    ("habit", "offers", "answers"),
    [
        (Habit("firm"), [(80, 12)], [AGREED]),
        (Habit("firm"), [(79, 12), (80, 12)], [BROKEN_OFF, BROKEN_OFF]),
        (Habit("bluffing", 70), [(56, 12), (56, 12)], [DECLINED, AGREED]),
        (Habit("bluffing", 70), [(60, 12), (56, 12)], [DECLINED, AGREED]),
        (Habit("bluffing", 70), [(56, 12), (64, 12), (56, 12), (80, 12)], [DECLINED, DECLINED, DECLINED, AGREED]),
        (Habit("bluffing", 70), [(55, 12)], [BROKEN_OFF]),
        (Habit("reciprocating"), [(48, 12), (64, 12)], [DECLINED, AGREED]),
        (Habit("reciprocating"), [(48, 12), (56, 12), (64, 12)], [DECLINED, DECLINED, AGREED]),
        (Habit("reciprocating"), [(48, 12), (48, 12)], [DECLINED, BROKEN_OFF]),
        (Habit("reciprocating"), [(39, 12)], [BROKEN_OFF]),
        (Habit("slow"), [(80, 3), (80, 12)], [AGREED, AGREED]),
        (Habit("slow"), [(80, 4)], [BROKEN_OFF]),
        (Habit("slow"), [(79, 2)], [BROKEN_OFF]),
        (Habit("deceptive"), [(40, 12), (39, 12)], [AGREED, DECLINED]),
    ],
)
def test_houses_answer_by_their_ways(habit: Habit, offers: list[tuple[int, int]], answers: list[str]) -> None:
    house = House(habit, 80)
    assert [house.answer(Offer(*offer)) for offer in offers] == answers


@pytest.mark.parametrize("habit", CANDIDATES, ids=lambda habit: f"{habit.kind} {habit.rate}")
def test_two_dealings_tell_a_way_and_its_treatment_works(habit: Habit) -> None:
    for number in range(40):
        assert inferred_house(past_of("x", habit, Dice(Stream.keyed(number)))) == habit
    house = House(habit, 80)
    offers = treatment(habit, 80, 12)
    agreed = [offer for offer in offers if house.answer(offer) == AGREED]
    assert sum(offer.crates for offer in agreed) == (12 if habit.delivers else 0)
    assert not habit.delivers or sum(offer.price * offer.crates for offer in agreed) == cost(habit, 80, 12)


@pytest.mark.parametrize("habit", CREW_HABITS, ids=lambda habit: f"{habit.kind} {habit.days}")
def test_two_jobs_tell_a_habit(habit: CrewHabit) -> None:
    for number in range(40):
        assert inferred_crew(past_jobs("x", habit, Dice(Stream.keyed(number)))) == habit


def test_crews_come_by_their_habits() -> None:
    def came(kind: str, days: int = 0, **told: Any) -> int | None:
        return Crew(CrewHabit(kind, days)).comes(Told(6, **told))

    assert [came("punctual"), came("punctual", reminded=True), came("punctual", helped=True)] == [6, 7, 6]
    assert [came("late", 2), came("late", 2, reminded=True), came("early", 1, helped=True)] == [8, 8, 5]
    assert [came("nudged"), came("nudged", helped=True), came("nudged", reminded=True)] == [None, None, 6]
    assert [came("repaying"), came("repaying", reminded=True), came("repaying", helped=True)] == [None, None, 6]
    assert came("idle", reminded=True, helped=True) is None


def talks(**ways: str) -> Instance:
    """Talks with houses of these kinds, at 80, ten crates, 2,600 coins and six days."""
    drawn = house_talks.instance(Draw.of("world"))
    sellers = [
        {"name": name, "ask": 80, "habit": {"kind": kind, "rate": 70 if kind == "bluffing" else 100}}
        for name, kind in ways.items()
    ]
    drawn.hidden.update(sellers=sellers, crates=10, purse=2600, days=6)
    return drawn


FOUR = {"A": "firm", "B": "bluffing", "C": "slow", "D": "deceptive"}


def test_talks_that_go_well(drive: Drive) -> None:
    driver = drive(house_talks, talks(**FOUR))
    first = driver.call("offer", house=" a ", price=80, crates=10)
    assert first == {"house": "A", "answer": "agreed; you have paid", "coins_left": 1800, "days_left": 5}
    assert driver.call("offer", house="B", price=56, crates=10)["answer"].startswith("declined")
    driver.call("offer", house="B", price=56, crates=10)
    driver.call("offer", house="C", price=80, crates=2)
    assert driver.verify("done").reason == "orders_missing"
    assert driver.call("offer", house="C", price=80, crates=8)["coins_left"] == 440
    assert driver.call("ledger")["agreed"][0] == "A: 10 crates at 80"
    assert driver.verify("done").success


def test_what_is_refused_costs_no_day(drive: Drive) -> None:
    driver = drive(house_talks, talks(**FOUR))
    assert "there are A, B, C, D" in driver.error("offer", house="E", price=80, crates=10)
    assert "2600 coins left" in driver.error("offer", house="A", price=80, crates=33)
    assert driver.call("ledger") == {"agreed": [], "coins_left": 2600, "days_left": 6}
    assert driver.verify("done").reason == "nothing_offered"
    for _ in range(6):
        driver.call("offer", house="A", price=79, crates=1)
    assert driver.error("offer", house="B", price=80, crates=1) == "no day is left"
    assert driver.verify("done").reason == "talks_broken_off"


def test_a_cheat_looks_like_anybody_until_the_end(drive: Drive) -> None:
    driver = drive(house_talks, talks(**FOUR))
    for house in ("A", "D"):
        assert driver.call("offer", house=house, price=80, crates=10)["answer"] == "agreed; you have paid"
    assert len(driver.call("ledger")["agreed"]) == 2
    assert driver.verify("done").reason == "nothing_delivered"


def quay(**ways: tuple[str, int]) -> Instance:
    """A quay with crews of these kinds, ships on days 5, 6 and 8, and four hours."""
    drawn = crew_promises.instance(Draw.of("world"))
    hands = [{"name": f"{name} crew", "habit": {"kind": kind, "days": days}} for name, (kind, days) in ways.items()]
    drawn.hidden.update(hands=hands, ships={"Tern": 5, "Swift": 6, "Ember": 8}, hours=4)
    return drawn


CREWS = {"Orrin": ("late", 2), "Pellow": ("nudged", 0), "Calder": ("early", 1), "Yarley": ("idle", 0)}


def test_a_quay_on_which_all_goes_well(drive: Drive) -> None:
    driver = drive(crew_promises, quay(**CREWS))
    said = driver.call("ask", crew="Orrin crew", ship="Tern", day=3)
    assert said == {"answer": "Orrin crew promises to unload the Tern on day 3", "hours_left": 3}
    driver.call("ask", crew="pellow", ship="the swift", day=6)
    assert driver.call("wait", days=4) == {"day": 5, "happened": ["nothing"]}
    driver.call("remind", crew="Pellow crew")
    assert driver.verify("done").reason == "ship_without_crew"
    driver.call("ask", crew="Calder's crew", ship="Ember", day=9)
    happened = driver.call("wait", days=2)["happened"]
    assert happened == [
        "day 5: Orrin crew came for the Tern, and unloaded it",
        "day 6: Pellow crew came for the Swift, and unloaded it",
    ]
    # The days that are left pass by themselves, and looking changes nothing.
    before = driver.world.state()
    assert driver.verify("done").success
    assert driver.world.state() == before
    assert driver.call("quay")["promises"][2] == "Calder crew: the Ember, promised for day 9"


@pytest.mark.parametrize(
    ("crew", "day", "reason"),
    [("Orrin", 5, "came_late"), ("Calder", 5, "came_early"), ("Pellow", 5, "crew_stayed_away")],
)
def test_crews_that_miss_their_ship(crew: str, day: int, reason: str, drive: Drive) -> None:
    driver = drive(crew_promises, quay(**CREWS))
    assert driver.verify("done").reason == "nothing_asked"
    driver.call("ask", crew=crew, ship="Tern", day=day)
    driver.call("wait", days=16)
    assert driver.verify("done").reason == reason


def test_what_is_refused_costs_no_hour(drive: Drive) -> None:
    driver = drive(crew_promises, quay(**CREWS))
    assert "there are Orrin crew" in driver.error("ask", crew="x", ship="Tern", day=5)
    assert "there are Tern" in driver.error("ask", crew="Orrin", ship="x", day=5)
    assert "promised nothing" in driver.error("remind", crew="Orrin")
    driver.call("ask", crew="Orrin", ship="Tern", day=3)
    assert "already" in driver.error("ask", crew="Orrin", ship="Swift", day=3)
    assert "already" in driver.error("ask", crew="Pellow", ship="Tern", day=3)
    driver.call("wait", days=3)
    assert driver.error("ask", crew="Pellow", ship="Swift", day=3) == "it is day 4 already"
    for _ in range(3):
        driver.call("lend_hand", crew="Yarley")
    assert driver.error("remind", crew="Orrin") == "no hour is left"


def test_a_hand_counts_before_and_after_asking(drive: Drive) -> None:
    for order in (("lend_hand", "ask"), ("ask", "lend_hand")):
        driver = drive(crew_promises, quay(Sorrel=("repaying", 0)))
        for tool in order:
            driver.call(tool, crew="Sorrel", **({"ship": "Tern", "day": 5} if tool == "ask" else {}))
        assert driver.call("wait", days=5)["happened"] == ["day 5: Sorrel crew came for the Tern, and unloaded it"]

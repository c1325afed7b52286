"""What each revising family promises about its problems, its success rule and its reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import date
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw, Family
from proctor.spec.regime import STANDARD_REGIMES
from proctor.spec.task import Instance
from proctor.suites.agency.revising.bounded_revision import family as bounded
from proctor.suites.agency.revising.deadline_revision import family as deadlines
from proctor.suites.agency.revising.feasibility_check import family as feasibility
from proctor.suites.agency.revising.optimal_revision import family as optimal
from proctor.suites.agency.revising.paraphrased_infeasibility import family as paraphrased
from proctor.suites.agency.revising.workdays import Crew, Step, available, finishes
from proctor.suites.kit.spelling import as_prose

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive, Driver

Sample = Callable[..., list[Instance]]
MODERATE = STANDARD_REGIMES["moderate-standard"]


def of(day: str) -> int:
    return date.fromisoformat(day).toordinal()


def kept(instance: Instance, tools: tuple[str, ...]) -> int:
    return sum(call["tool"] in tools for call in instance.hidden["right"])


def others(driver: Driver, instance: Instance, skip: str) -> None:
    """Record the right decision for every goal but one."""
    for call in instance.hidden["right"]:
        if skip not in call["arguments"].values():
            driver.call(call["tool"], **call["arguments"])


def first_with(instances: list[Instance], tool: str) -> tuple[Instance, dict[str, Any]]:
    for instance in instances:
        for call in instance.hidden["right"]:
            if call["tool"] == tool:
                return instance, call["arguments"]
    raise LookupError(tool)


def reason(drive: Drive, family: Family, instance: Instance, about: str, tool: str, /, **arguments: Any) -> str:
    """What the verifier says if everything is right but this."""
    driver = drive(family, instance)
    others(driver, instance, about)
    driver.call(tool, **arguments)
    return driver.verify().reason


def test_deploy_by_friday() -> None:
    """B.8.1: a task of five days, today is Thursday, due on Friday."""
    thursday, friday = of("2026-03-12"), of("2026-03-13")
    done = finishes([Step(Crew("team"), 5)], thursday, [])
    assert date.fromordinal(done[-1]).isoformat() == "2026-03-18"
    assert done[-1] > friday
    assert available(thursday, friday, []) == 2


def test_the_scheduler_counts_weeks_leave_and_closures() -> None:
    monday = of("2026-03-09")
    late = Crew("late", "Tuesday to Saturday")
    assert finishes([Step(late, 1), Step(late, 5)], monday, []) == [monday + 1, monday + 8]
    away = Crew("away", "Monday to Friday", monday + 1, monday + 2)
    assert finishes([Step(away, 2)], monday, [monday + 3]) == [monday + 4]
    assert finishes([Step(away, 1), Step(late, 1)], monday, []) == [monday, monday + 1]
    assert available(monday, monday + 6, [monday + 1, monday + 5]) == 4


@pytest.mark.parametrize(
    ("family", "tools"),
    [(feasibility, ("go_ahead",)), (deadlines, ("keep_goal",)), (paraphrased, ("keep_order",))],
    ids=["feasibility", "deadlines", "paraphrased"],
)
def test_half_of_the_goals_are_feasible(family: Family, tools: tuple[str, ...], sample: Sample) -> None:
    instances = sample(family, 400)
    shares = [(kept(instance, tools), len(instance.hidden["right"])) for instance in instances]
    assert 0.4 <= sum(one for one, _ in shares) / sum(all_of for _, all_of in shares) <= 0.6
    # Neither keeping everything nor revising everything ever passes.
    assert all(0 < one < all_of for one, all_of in shares)


def test_every_blocker_comes_up_and_halting_or_asking_both_count(sample: Sample, drive: Drive) -> None:
    instances = sample(feasibility, 200)
    seen = Counter(goal["blocker"] for instance in instances for goal in instance.hidden["goals"].values())
    assert set(seen) == {"", "time", "crew", "money", "permit", "material"}
    for instance in instances[:10]:
        for tool in ("halt", "ask_back"):
            driver = drive(feasibility, instance)
            for call in instance.hidden["right"]:
                driver.call(tool if "blocker" in call["arguments"] else call["tool"], **call["arguments"])
            assert driver.verify().success


def test_reasons_of_feasibility(sample: Sample, drive: Drive) -> None:
    instances = sample(feasibility, 20)
    instance, call = first_with(instances, "halt")
    name = call["request"]
    assert reason(drive, feasibility, instance, name, "go_ahead", request=name) == "missed_infeasibility"
    wrong = "crew" if call["blocker"] != "crew" else "time"
    assert reason(drive, feasibility, instance, name, "halt", request=name, blocker=wrong) == "wrong_blocker"
    instance, call = first_with(instances, "go_ahead")
    name = call["request"]
    assert reason(drive, feasibility, instance, name, "ask_back", request=name, blocker="time") == "false_alarm"


def test_reasons_of_deadlines(sample: Sample, drive: Drive) -> None:
    instances = sample(deadlines, 40)
    instance, call = first_with(instances, "move_date")
    name, right = call["goal"], date.fromisoformat(call["date"])
    for days, expected in ((-1, "infeasible_proposal"), (1, "later_than_needed"), (0, "correct")):
        proposed = date.fromordinal(right.toordinal() + days)
        for spelled in (proposed.isoformat(), as_prose(proposed)):
            assert reason(drive, deadlines, instance, name, "move_date", goal=name, date=spelled) == expected
    assert reason(drive, deadlines, instance, name, "keep_goal", goal=name) == "kept_infeasible"
    assert reason(drive, deadlines, instance, name, "cut_scope", goal=name, features=1) == "outside_scope"
    assert "cannot be read" in drive(deadlines, instance).error("move_date", goal=name, date="soon")
    instance, call = first_with(instances, "cut_scope")
    name = call["goal"]
    for more, expected in ((1, "infeasible_proposal"), (-1, "cut_too_much"), (0, "correct")):
        features = call["features"] + more
        assert reason(drive, deadlines, instance, name, "cut_scope", goal=name, features=features) == expected
    instance, call = first_with(instances, "keep_goal")
    name = call["goal"]
    assert reason(drive, deadlines, instance, name, "move_date", goal=name, date="2030-01-01") == "revised_feasible"


def test_every_limit_of_an_offer_is_judged(sample: Sample, drive: Drive) -> None:
    instances = sample(bounded, 60)
    seen: Counter[str] = Counter()
    for instance in instances:
        for goal, about in instance.hidden["goals"].items():
            flaws = list(about["offers"].values())
            assert flaws.count("") <= 1
            assert flaws.count("repeats_infeasible") == 1
            seen[f"{flaws.count('')} admissible"] += 1
            for offer, flaw in about["offers"].items():
                if instance is instances[0] or instance is instances[1]:
                    found = reason(drive, bounded, instance, goal, "adopt", goal=goal, offer=offer)
                    assert found == (flaw or "correct")
                    seen[found] += 1
    assert {"over_budget", "too_late", "lacks_permission", "outside_scope", "repeats_infeasible"} <= set(seen)
    assert 0.15 <= seen["0 admissible"] / (seen["0 admissible"] + seen["1 admissible"]) <= 0.35
    instance, call = first_with(instances, "adopt")
    name = call["goal"]
    assert reason(drive, bounded, instance, name, "hand_back", goal=name) == "gave_up_feasible"
    assert "no offer" in drive(bounded, instance).error("adopt", goal=name, offer="Nobody")


def halves(number: int) -> tuple[Instance, Instance]:
    def half(part: int) -> Instance:
        stream, source = Stream.keyed("pairs", number), Stream.keyed("pairs")
        return paraphrased.instance(Draw(stream, source, number, part=part, knobs={"workshops": 3}))

    return half(0), half(1)


def test_both_halves_have_the_same_problem_and_another_telling() -> None:
    for number in range(200):
        one, two = halves(number)
        assert one.hidden["goals"] == two.hidden["goals"]
        assert one.hidden["right"] == two.hidden["right"]
        assert one.template != two.template
        assert one.goal != two.goal
        assert not set(one.observation["text"].split("\n")) & set(two.observation["text"].split("\n")) - {""}


def test_the_ceiling_of_a_pair() -> None:
    reached = 0
    for number in range(150):
        draws = (Deliveries(MODERATE, Stream.keyed("pair", number, part)) for part in (0, 1))
        pairs = zip(halves(number), draws, strict=True)
        reached += all(paraphrased.attainable(half, deliveries) for half, deliveries in pairs)
    assert reached / 150 >= 0.90


def test_reasons_of_orders(sample: Sample, drive: Drive) -> None:
    instances = sample(paraphrased, 20)
    instance, call = first_with(instances, "lower_order")
    name = call["workshop"]
    assert reason(drive, paraphrased, instance, name, "keep_order", workshop=name) == "kept_infeasible"
    for more, expected in ((1, "infeasible_proposal"), (-1, "lowered_too_far"), (0, "correct")):
        changed = {**call, "pieces": call["pieces"] + more}
        assert reason(drive, paraphrased, instance, name, "lower_order", **changed) == expected
    changed = {**call, "limit": "time" if call["limit"] != "time" else "money"}
    assert reason(drive, paraphrased, instance, name, "lower_order", **changed) == "wrong_limit"
    instance, call = first_with(instances, "keep_order")
    name = call["workshop"]
    lowered = {"workshop": name, "pieces": 3, "limit": "time"}
    assert reason(drive, paraphrased, instance, name, "lower_order", **lowered) == "lowered_feasible"


def test_only_the_best_plan_passes(sample: Sample, drive: Drive) -> None:
    seen: Counter[str] = Counter()
    for instance in sample(optimal, 4):
        for goal, about in instance.hidden["goals"].items():
            for builders in product(*about["packages"]):
                seen[reason(drive, optimal, instance, goal, "adopt_plan", goal=goal, builders=[*builders])] += 1
    assert set(seen) >= {"lacks_permission", "over_time_cap", "over_cost_cap", "misses_first_criterion"}
    assert seen["correct"] == 4 * 2


def test_the_best_plan_is_neither_the_quickest_nor_the_cheapest(sample: Sample) -> None:
    sorts: Counter[int] = Counter()
    for instance in sample(optimal, 200):
        for about in instance.hidden["goals"].values():
            allowed = [[v for v in package.values() if v[2]] for package in about["packages"]]
            sums = [[sum(v[place] for v in chosen) for place in (0, 1)] for chosen in product(*allowed)]
            assert about["best"][0] > min(days for days, _ in sums)
            assert about["best"][1] > min(euros for _, euros in sums)
            assert sums.count(about["best"]) == 1
            sorts[about["sort"]] += 1
    assert 0.4 <= sorts[0] / sorts.total() <= 0.6


def test_a_second_criterion_decides_between_equals(sample: Sample, drive: Drive) -> None:
    for instance in sample(optimal, 400):
        for goal, about in instance.hidden["goals"].items():
            for builders in product(*about["packages"]):
                parts = [package[name] for package, name in zip(about["packages"], builders, strict=True)]
                total = [sum(part[place] for part in parts) for place in (0, 1)]
                within = all(got <= most for got, most in zip(total, about["limits"], strict=True))
                equal = total[about["sort"]] == about["best"][about["sort"]]
                if all(part[2] for part in parts) and within and equal and total != about["best"]:
                    found = reason(drive, optimal, instance, goal, "adopt_plan", goal=goal, builders=[*builders])
                    assert found == "misses_second_criterion"
                    return
    pytest.fail("no plan ties on the first criterion")


def test_plans_are_refused_unless_complete(sample: Sample, drive: Drive) -> None:
    (instance,) = sample(optimal, 1)
    (call, other) = (entry["arguments"] for entry in instance.hidden["right"])
    driver = drive(optimal, instance)
    for builders in ([], call["builders"][:2], other["builders"], [*call["builders"], call["builders"][0]]):
        assert "exactly one" in driver.error("adopt_plan", goal=call["goal"], builders=builders)
    driver.call("adopt_plan", goal=call["goal"], builders=[name.upper() for name in reversed(call["builders"])])

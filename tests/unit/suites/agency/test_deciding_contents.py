"""What is peculiar to each deciding family: its rules, its traps, its numbers from Appendix B, its reasons."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from tests.unit.suites.agency.examined import declared_regime

from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw
from proctor.spec.regime import STANDARD_REGIMES
from proctor.spec.rules import Limits
from proctor.spec.task import Instance, Submission
from proctor.suites.agency.deciding.delivery_routes import family as deliveries
from proctor.suites.agency.deciding.file_sorting import family as files
from proctor.suites.agency.deciding.paraphrased_allocation import family as allocations
from proctor.suites.agency.deciding.paraphrased_allocation.problems import POLICIES, Problem, Request, drawn_problem
from proctor.suites.agency.deciding.project_plan import family as projects
from proctor.suites.agency.deciding.project_plan.drawing import drawn_project
from proctor.suites.agency.deciding.project_plan.projects import NONE, Progress, Project, succeeds
from proctor.suites.agency.deciding.thermostat import family as thermostats
from proctor.suites.agency.deciding.thermostat.rooms import EXTRAS, drawn_readings, drawn_rules
from proctor.suites.agency.deciding.thermostat.rules import MODES, Period, Reading, Rules, decide
from proctor.worlds.adversity.limits import effective_budget
from proctor.worlds.world import Place

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive

ACTIONS_25_5MIN = declared_regime("actions-25-5min")

Sample = Callable[..., list[Instance]]


# thermostat


def test_the_rules_as_they_are_told() -> None:
    rules = Rules((Period(0, 480, 180), Period(480, 1440, 210)), 5)
    now = Reading(480, 205, 150, open=True, present=False, pressed=10)
    assert decide(rules, now) == "off"
    assert decide(rules, now._replace(sensor=204)) == "heat"
    assert decide(rules, now._replace(sensor=216)) == "cool"
    assert decide(rules, now._replace(sensor=215)) == "off"
    assert decide(rules, now._replace(time=479)) == "cool"
    assert decide(rules._replace(correction=-3), now) == "heat"
    assert decide(rules._replace(absence=10), now._replace(sensor=195)) == "off"
    assert decide(rules._replace(boost=10, minutes=10), now) == "heat"
    assert decide(rules._replace(boost=10, minutes=9), now) == "off"
    assert decide(rules._replace(lock=151), now._replace(sensor=240)) == "off"
    assert decide(rules._replace(lock=150), now._replace(sensor=240)) == "cool"
    shut = rules._replace(window=True, frost=80)
    assert decide(shut, now._replace(sensor=100)) == "off"
    assert decide(shut, now._replace(sensor=79)) == "heat"
    assert decide(shut, now._replace(sensor=80)) == "off"


def test_every_rule_of_a_room_decides_something() -> None:
    exact = 0
    for number in range(200):
        stream = Stream.keyed("rooms", number)
        rules = drawn_rules(stream, number % (len(EXTRAS) + 1))
        readings = drawn_readings(stream, rules, 8 + number % 5)
        right = [decide(rules, reading) for reading in readings]
        for extra in (*EXTRAS, "frost"):
            if getattr(rules, extra):
                other = rules._replace(**{extra: False if extra == "window" else None})  # type: ignore[arg-type]
                assert [decide(other, reading) for reading in readings] != right, extra
        assert set(right) == set(MODES)
        starts = {period.start for period in rules.periods}
        exact += any(reading.time in starts for reading in readings)
    assert exact == 200


def test_one_wrong_decision_is_named_and_stands(sample: Sample, drive: Drive) -> None:
    reasons: set[str] = set()
    for instance in sample(thermostats, 12):
        modes: list[str] = instance.hidden["modes"]
        for place, wrong in ((0, "heat"), (3, "cool"), (5, "off")):
            driver = drive(thermostats, instance)
            for number, mode in enumerate(modes):
                if number == len(modes) - 1:
                    assert driver.verify().reason == "undecided_readings"
                driver.call("set_mode", mode=wrong if number == place else mode)
            assert "nothing left" in driver.error("set_mode", mode="off")
            found = driver.verify()
            assert found.reason == ("correct" if modes[place] == wrong else f"wrong_{wrong}")
            reasons.add(found.reason)
    assert reasons == {"correct", "wrong_heat", "wrong_cool", "wrong_off"}
    driver = drive(thermostats, instance)
    for mode in modes:
        driver.call("set_mode", mode="heat" if mode != "heat" else "off")
    assert driver.verify().reason == "several_wrong"


def test_the_current_reading_can_be_seen_again(sample: Sample, drive: Drive) -> None:
    for instance in sample(thermostats, 8):
        driver = drive(thermostats, instance)
        first = {key: instance.observation[key] for key in ("number", "of", "reading")}
        assert driver.call("reading") == first
        following = driver.call("set_mode", mode="off")
        assert driver.call("reading") == following != first


# file-sorting


def test_ten_files_ten_places(sample: Sample) -> None:
    rings = Counter[int]()
    for instance in sample(files, 150):
        hidden = instance.hidden
        assert len(hidden["files"]) == len(hidden["expected"]) == 10
        assert sorted(hidden["files"].values()) == sorted(hidden["expected"].values())
        assert not [path for path in hidden["expected"] if "inbox" in path]
        target = {content: path for path, content in hidden["expected"].items()}
        wrong = sum(target[content] != path for path, content in hidden["files"].items())
        assert len(hidden["plan"]) == wrong + 1
        assert hidden["moves"] == wrong + 3
        rings[len({path.rpartition("/")[0] for path in hidden["expected"]})] += 1
        for path in hidden["expected"]:
            assert path not in instance.goal
    assert min(rings) >= 2


def test_order_of_moves_matters(sample: Sample, drive: Drive) -> None:
    for instance in sample(files, 10):
        driver = drive(files, instance)
        target = {content: path for path, content in instance.hidden["expected"].items()}
        refused = 0
        for path, content in instance.hidden["files"].items():
            if path != target[content]:
                try:
                    driver.call("move_file", source=path, target=target[content])
                except AssertionError:
                    refused += 1
        assert refused >= 1
        assert driver.verify().reason != "correct"


def test_why_sorting_fails(sample: Sample, drive: Drive) -> None:
    instance = sample(files, 1)[0]
    plan: list[list[str]] = instance.hidden["plan"]

    def after(*moves: tuple[str, str]) -> str:
        driver = drive(files, instance)
        for source, target in moves:
            driver.call("move_file", source=source, target=target)
        return driver.verify().reason

    done = [(source, target) for source, target in plan]
    last = done[-1][1]
    assert after(*done) == "correct"
    assert after() == "nothing_moved"
    assert after(*done[:-1]) == "not_sorted"
    assert after(*done, (last, "/task/elsewhere/1.txt")) == "wrong_folder"
    assert after(*done, (last, last.replace(".txt", "9.txt"))) == "wrong_number"
    there, back = (last, "task/x.txt"), ("x.txt", last)
    assert after(*done, there, back) == "correct"
    driver = drive(files, instance)
    for source, target in (*done[:-1], (done[-1][0], "aside.txt"), ("aside.txt", "b/c.txt"), ("b/c.txt", "d.txt")):
        driver.call("move_file", source=source, target=target)
    assert driver.verify().reason == "out_of_moves"
    assert "no moves left" in driver.error("move_file", source="d.txt", target=last)
    assert "no path" in driver.error("move_file", source="../d.txt", target=last)
    assert "already" in driver.error("move_file", source="d.txt", target=done[3][1])
    assert "Document:" in driver.call("read_file", path="d.txt")


# delivery-routes


def test_the_first_plan_fails(sample: Sample) -> None:
    for instance in sample(deliveries, 150):
        hidden = instance.hidden
        kinds = [kind for kind, _ in hidden["steps"]]
        first = kinds.index("unload")
        assert "blocked" in kinds[:first]
        assert kinds.count("blocked") == 2
        assert 2 <= len(hidden["closed"]) <= 4
        assert hidden["range"] <= hidden["needed"] * 1.1 + 5
        text = instance.observation["text"]
        assert "closed" not in text
        assert "blocked" not in text


def test_closed_roads_show_only_when_tried(sample: Sample, drive: Drive) -> None:
    for instance in sample(deliveries, 20):
        driver = drive(deliveries, instance)
        closed = {frozenset(pair) for pair in instance.hidden["closed"]}
        here, left = instance.hidden["depot"], instance.hidden["range"]
        for kind, place in instance.hidden["steps"]:
            if kind == "blocked":
                assert frozenset((here, place)) in closed
                assert "is closed" in driver.error("drive", to=place)
                assert driver.call("where")["km_left"] == left
            elif kind == "drive":
                left -= instance.hidden["ways"][here][place]
                here = place
                assert driver.call("drive", to=place) == {"position": here, "km_left": left}
            else:
                driver.call("unload", parcel=place.lower())
        assert driver.verify().success


def test_counting_roads_instead_of_kilometres_seldom_does(sample: Sample) -> None:
    instances = sample(deliveries, 300)
    assert sum(_counted(instance) for instance in instances) < 0.45 * len(instances)


def _counted(instance: Instance) -> bool:
    """Whether somebody arrives who takes ways of fewest roads and plans again when one is closed."""
    ways: dict[str, dict[str, int]] = instance.hidden["ways"]
    closed = {frozenset(pair) for pair in instance.hidden["closed"]}
    known: set[frozenset[str]] = set()
    here, left = instance.hidden["depot"], instance.hidden["range"]
    for stop in instance.hidden["addresses"].values():
        while here != stop:
            came = {stop: stop}
            edge = [stop]
            for place in edge:
                for other in ways[place]:
                    if other not in came and frozenset((place, other)) not in known:
                        came[other] = place
                        edge.append(other)
            leg = frozenset((here, came[here]))
            if leg in closed:
                known.add(leg)
                continue
            left -= ways[here][came[here]]
            here = came[here]
    return bool(left >= 0)


def test_why_deliveries_fail(sample: Sample, drive: Drive) -> None:
    instance = sample(deliveries, 1)[0]
    hidden = instance.hidden
    driver = drive(deliveries, instance)
    assert driver.verify().reason == "not_started"
    assert "no road" in driver.error("drive", to="Atlantis")
    assert "no parcel" in driver.error("unload", parcel="X")
    steps = [step for step in hidden["steps"] if step[0] != "blocked"]
    last, *_ = [parcel for kind, parcel in reversed(steps) if kind == "unload"]
    for kind, target in steps:
        if (kind, target) == ("unload", last):
            break
        driver.call(kind, **{"to" if kind == "drive" else "parcel": target})
    assert driver.verify().reason == "undelivered"
    tried = 0
    while driver.verify().reason == "undelivered" and tried < 60:
        tried += 1
        for place in sorted(hidden["ways"][driver.call("where")["position"]]):
            try:
                driver.call("drive", to=place)
            except AssertionError:
                continue
            break
    assert driver.verify().reason == "out_of_fuel"
    driver = drive(deliveries, instance)
    driver.call("unload", parcel=last)
    assert driver.verify().reason == "wrong_address"
    assert "not on board" in driver.error("unload", parcel=last)


def test_parcels_in_the_wrong_order(sample: Sample) -> None:
    instance = sample(deliveries, 1)[0]
    world: Any = deliveries.world(instance, Place())
    world._placed = dict(reversed(list(instance.hidden["addresses"].items())))
    assert world.verify(Submission()).reason == "wrong_order"


# paraphrased-allocation


def halves(number: int, **knobs: int) -> list[Instance]:
    source = Stream.keyed("pairs")
    return [allocations.instance(Draw(source.child(number), source, number, part=part, knobs=knobs)) for part in (0, 1)]


def test_both_halves_are_the_same_problem_told_differently() -> None:
    for number in range(200):
        one, two = halves(number)
        assert one.hidden["amounts"] == two.hidden["amounts"]
        assert one.hidden["units"] == two.hidden["units"]
        assert one.hidden["policy"] == two.hidden["policy"]
        assert one.template != two.template
        assert one.hidden["way"] != two.hidden["way"]
        assert not {*re.split(r"(?<=[.?!])\s", one.goal)} & {*re.split(r"(?<=[.?!])\s", two.goal)}
        assert sum(one.hidden["amounts"].values()) > 0


def test_order_and_remarks_differ_between_halves() -> None:
    moved = 0
    for number in range(100):
        orders = []
        for half in halves(number):
            text = half.observation["text"]
            orders.append(sorted(half.hidden["amounts"], key=text.index))
        moved += orders[0] != orders[1]
    assert moved >= 95


def test_a_pair_is_attainable_under_the_moderate_regime() -> None:
    regime = STANDARD_REGIMES["moderate-standard"]
    reached = [
        all(
            allocations.attainable(half, Deliveries(regime, Stream.keyed("pair", number, part)))
            for part, half in enumerate(halves(number))
        )
        for number in range(150)
    ]
    assert sum(reached) >= 0.95 * len(reached)


CONDITIONS: dict[str, Callable[[int, list[Request], tuple[int, ...]], bool]] = {
    "ranked": lambda units, requests, given: all(
        amount == request.ask
        or (
            amount == 0
            and units - sum(g for g, r in zip(given, requests, strict=True) if r.rank < request.rank) < request.ask
        )
        for amount, request in zip(given, requests, strict=True)
    ),
    "floors": lambda units, requests, given: (
        sum(given) == units
        and all(
            request.least <= amount <= request.ask
            and (
                amount == request.ask
                or all(g == r.least for g, r in zip(given, requests, strict=True) if r.rank > request.rank)
            )
            for amount, request in zip(given, requests, strict=True)
        )
    ),
    "rounds": lambda units, requests, given: (
        sum(given) == units
        and all(
            amount == request.ask
            or all(g <= amount + (r.rank < request.rank) for g, r in zip(given, requests, strict=True))
            for amount, request in zip(given, requests, strict=True)
        )
    ),
}
"""What the goals state as conditions, written down a second time."""


def small(policy: str, number: int) -> Problem:
    tries = (drawn_problem(Stream.keyed("small", number, attempt), 4) for attempt in range(100))
    return next(problem for problem in tries if problem.policy == policy)


@pytest.mark.parametrize("policy", CONDITIONS)
def test_conditions_and_procedures_mean_the_same(policy: str) -> None:
    for number in range(6):
        _, units, requests = small(policy, number)
        fitting = [
            given
            for given in product(*(range(request.ask + 1) for request in requests))
            if sum(given) <= units and CONDITIONS[policy](units, requests, given)
        ]
        assert fitting == [tuple(POLICIES[policy](units, requests))]


def test_greatest_benefit_is_unique() -> None:
    for number in range(10):
        _, units, requests = small("benefit", number)
        totals = {
            chosen: sum(request.benefit for request, taken in zip(requests, chosen, strict=True) if taken)
            for chosen in product((0, 1), repeat=len(requests))
            if sum(request.ask for request, taken in zip(requests, chosen, strict=True) if taken) <= units
        }
        best = [chosen for chosen, total in totals.items() if total == max(totals.values())]
        amounts = [request.ask * taken for request, taken in zip(requests, best[0], strict=True)]
        assert len(best) == 1
        assert POLICIES["benefit"](units, requests) == amounts


def test_why_allotments_fail(sample: Sample, drive: Drive) -> None:
    for instance in sample(allocations, 12):
        amounts: dict[str, int] = instance.hidden["amounts"]
        most = max(amounts, key=lambda name: amounts[name])
        driver = drive(allocations, instance)
        assert driver.verify().reason == "nothing_allotted"
        assert most in driver.error("allot", recipient="nobody", units=1)
        for name, amount in amounts.items():
            driver.call("allot", recipient=name.upper(), units=amount)
        assert driver.verify().success
        assert driver.call("allotted") == amounts
        driver.call("allot", recipient=most, units=amounts[most] - 1)
        assert driver.verify().reason == ("wrong_amounts" if amounts[most] > 1 else "wrong_recipients")
        driver.call("allot", recipient=most, units=0)
        assert driver.verify().reason == "wrong_recipients"
        driver.call("allot", recipient=most, units=900)
        assert driver.verify().reason == "over_capacity"


# project-plan


def test_the_numbers_of_appendix_b(sample: Sample) -> None:
    assert ACTIONS_25_5MIN.axes == ("action", "compute")
    assert ACTIONS_25_5MIN.stability.noise is None
    for instance in sample(projects, 30):
        limits = effective_budget(instance, ACTIONS_25_5MIN, Limits())
        assert len(instance.hidden["codes"]) == 20
        assert limits.actions == instance.strict_actions == 25
        assert limits.milliseconds == 300_000
        assert 25 * instance.call_milliseconds <= 300_000


def project_of(instance: Instance) -> Project:
    return msgspec.convert(instance.hidden["project"], Project)


def test_taking_what_can_be_done_first_does_not_finish(sample: Sample) -> None:
    for instance in sample(projects, 120):
        project = project_of(instance)
        assert succeeds(project, list(range(20)))
        codes: list[str] = instance.hidden["codes"]
        text = instance.observation["text"]
        if instance.template in ("json", "table", "xml"):
            pattern = {"json": r'"step": "(\w+)"', "table": r"^\| (\w\d\d) \|.*\|$", "xml": r'step="(\w+)"'}
            listed = [codes.index(code) for code in re.findall(pattern[instance.template], text, re.MULTILINE)[:20]]
            assert not succeeds(project, listed)
            assert not succeeds(project, listed[::-1])
    # Neither does acting at random, nor putting off whatever spoils the rest.
    stream, finished = Stream.keyed("projects"), 0
    for _ in range(200):
        order = stream.sample(range(20), 20)
        order.sort(key=lambda number: project.steps[number].hires != NONE or number == project.closing)
        finished += succeeds(project, order)
    assert finished < 40


def test_quick_and_careful_rules_agree() -> None:
    stream = Stream.keyed("agree")
    for number in range(60):
        project = drawn_project(stream.child(number), (12, 16, 20)[number % 3])
        for order in (list(range(len(project.steps))), stream.sample(range(len(project.steps)), len(project.steps))):
            progress = Progress(project)
            while True:
                following = next((step for step in order if progress.hindrance(step) is None), None)
                if following is None:
                    break
                progress.do(following)
            assert progress.finished == succeeds(project, order)


def test_why_projects_fail(sample: Sample, drive: Drive) -> None:
    reasons: set[str] = set()
    for instance in sample(projects, 8):
        project, codes = project_of(instance), instance.hidden["codes"]
        steps, natural = project.steps, list(range(20))
        driver = drive(projects, instance)
        assert driver.verify().reason == "not_started"
        assert "no step" in driver.error("do_step", step="Z")
        for number in natural[:-1]:
            driver.call("do_step", step=codes[number])
        assert "done already" in driver.error("do_step", step=codes[0])
        assert driver.verify().reason == "unfinished"
        assert len(driver.call("status")["done"]) == 19
        for order in (
            [*[number for number in natural if steps[number].hires != NONE], *natural],
            [number for step in natural for number in (project.closing, step)],
            [*[number for number in natural[::-1] if steps[number].delivers], *natural],
        ):
            driver = drive(projects, instance)
            for number in order:
                asyncio.run(driver.session.call("do_step", step=codes[number]))
            reasons.add(driver.verify().reason)
    assert reasons >= {"machine_gone", "step_barred", "yard_jammed"}

"""The families of Tier 4: what is planted in them decides, and what lies on the surface does not."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from scipy.stats import spearmanr

from proctor.agents.contract import Agent, Session
from proctor.conformance.family import check_family
from proctor.conformance.subject import Options, Subject, draw_of, source_of
from proctor.core.canonical import decode, encode
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Family, SolvedBy
from proctor.engine.trial import Trial
from proctor.plugins import registry
from proctor.spec.regime import STANDARD_REGIMES
from proctor.spec.task import Instance, Submission, TaskView
from proctor.suites.agency.reflecting.known_unknowns.books import WAYS, Entry, settle
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.sheet import LONGEST_PASSAGE

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive

FAMILIES = ("known-unknowns", "batch-or-single", "timely-check")
SWITCHING = FAMILIES[1:]
MODERATE = STANDARD_REGIMES["moderate-standard"]
REGIMES = (STANDARD_REGIMES["baseline"], MODERATE)
MANY = 400
EPISODES = 100
MOST_ALONE, LEAST_SWITCHING, LEAST_CORRELATION = 0.55, 0.92, 0.6


@pytest.fixture(params=FAMILIES)
def family(request: pytest.FixtureRequest) -> Family:
    """Each family in turn."""
    return named(str(request.param))


@pytest.fixture(params=SWITCHING)
def switching(request: pytest.FixtureRequest) -> Family:
    """Each family with strategies in turn."""
    return named(str(request.param))


def named(name: str) -> Family:
    found: Family = registry.load("families", name)
    return found


@cache
def instances(name: str, n: int = MANY, **knobs: Any) -> tuple[Instance, ...]:
    """The first instances, as a suite would draw them."""
    family = named(name)
    source = source_of(family, 17)
    return tuple(family.instance(draw_of(family, source, index, dict(knobs))) for index in range(n))


def lived(name: str, agent: Callable[[Instance], Agent], *, n: int = EPISODES, **knobs: Any) -> list[Trial]:
    """Episodes under Moderate."""
    with Subject(named(name), Options((MODERATE,), n, 17, False, False, dict(knobs))) as subject:
        return [subject.live(subject.job(index, MODERATE), agent(subject.instance(index))) for index in range(n)]


def measures(trial: Trial) -> dict[str, Any]:
    """What the verifier measured."""
    assert trial.row.measures
    found: dict[str, Any] = decode(trial.row.measures.encode())
    return found


def rate(trials: list[Trial]) -> float:
    return sum(trial.succeeded for trial in trials) / len(trials)


def test_declarations(family: Family) -> None:
    spec = family.spec
    assert spec.evidences == (("T4-calibration",) if spec.id == "known-unknowns" else ("T4-switch",))
    assert len(spec.templates) == 8
    assert (spec.strategies is None) == (spec.id == "known-unknowns")


def test_every_check_holds(family: Family) -> None:
    report = check_family(family, regimes=REGIMES, instances=15, fresh_process=False)
    assert report.findings == ()
    shortcuts = report.result("baselines").measured
    assert max(value for agent, value in shortcuts.items() if agent not in ("instances", "tasks")) == 0


def test_instances_differ_and_fit_passages(family: Family) -> None:
    drawn = instances(family.spec.id)
    texts = [instance.observation["text"] for instance in drawn]
    assert len(set(texts)) == len(texts)
    assert {instance.template for instance in drawn} == set(family.spec.templates)
    assert max(len(line) for text in texts for line in text.split("\n")) <= LONGEST_PASSAGE
    assert not any(
        "{" in instance.goal or (instance.template != "json" and "{" in text)
        for instance, text in zip(drawn, texts, strict=True)
    )
    for instance in drawn[:20]:
        assert instance.strict_actions is not None
        assert instance.budget.actions is not None
        assert instance.strict_actions <= instance.budget.actions


def test_ceilings(family: Family) -> None:
    """Of what can be known or done, an optimal policy loses next to nothing under either regime."""
    drawn = instances(family.spec.id, 200)
    for regime in REGIMES:
        reached = [
            family.attainable(instance, Deliveries(regime, Stream.keyed("ceiling", regime.id, number)))
            for number, instance in enumerate(drawn)
        ]
        possible = [instance.hidden.get("item") != "unknowable" for instance in drawn]
        assert sum(reached) >= 0.98 * sum(possible)
        assert not any(ok and not could for ok, could in zip(reached, possible, strict=True))


# Switching


async def first_strategy(instance: Instance, task: TaskView, session: Session) -> Submission:
    """The first declared strategy whatever the text says, everything else as it should be."""
    hidden = instance.hidden
    if "mark" in hidden:
        await call_with_retry(session, "handle_all", mark=hidden["mark"])
    else:
        await call_with_retry(session, "set_value", name=hidden["asked"], value=hidden["units"][0]["value"])
    return Submission("done")


async def second_strategy(instance: Instance, task: TaskView, session: Session) -> Submission:
    """The second declared strategy whatever the text says, everything else as it should be."""
    hidden = instance.hidden
    if "mark" in hidden:
        for item in hidden["items"]:
            if item != hidden["left_out"]:
                await call_with_retry(session, "handle_one", item=item, mark=hidden["mark"])
    else:
        checked = await call_with_retry(session, "check", name=hidden["asked"])
        await call_with_retry(session, "set_value", name=hidden["asked"], value=checked.value["value"])
    return Submission("done")


def test_each_strategy_alone_is_right_on_half_and_switching_on_all(switching: Family) -> None:
    name, declared = switching.spec.id, switching.spec.strategies
    assert declared is not None
    for strategy, act in zip(declared.names, (first_strategy, second_strategy), strict=True):
        trials = lived(name, lambda instance, act=act: SolvedBy(act, instance))  # type: ignore[misc]
        assert 1 - MOST_ALONE <= rate(trials) <= MOST_ALONE
        assert {measures(trial)["strategy"] for trial in trials} == {strategy}
    right = lived(name, switching.oracle)
    assert rate(right) >= LEAST_SWITCHING
    assert all(measures(trial)["strategy"] == measures(trial)["suits"] for trial in right)
    assert {measures(trial)["suits"] for trial in right} == set(declared.names)


def test_fixed_takes_the_tool_away_and_nothing_else(switching: Family) -> None:
    name, declared = switching.spec.id, switching.spec.strategies
    assert declared is not None
    free, fixed = instances(name, 60), instances(name, 60, strategies="fixed")
    plain = [msgspec.structs.replace(instance, knobs={}) for instance in fixed]
    assert [encode(one) for one in plain] == [encode(msgspec.structs.replace(one, knobs={})) for one in free]
    assert not any(declared.switch in instance.goal.lower().split() for instance in fixed)
    with_switch, without = (lived(name, switching.oracle, strategies=value) for value in ("open", "fixed"))
    assert with_switch[0].task is not None
    assert without[0].task is not None
    tools = {tool.name: tool for tool in with_switch[0].task.tools}
    left = {tool.name: tool for tool in without[0].task.tools}
    assert tools.pop(declared.switch)
    assert tools == left
    assert not any(declared.switch in f"{tool.description} {tool.parameters}" for tool in left.values())
    assert rate(without) <= MOST_ALONE
    assert {measures(trial)["strategy"] for trial in without} == {declared.names[0]}


def test_nothing_done_names_no_strategy(switching: Family, drive: Drive) -> None:
    found = drive(switching, instances(switching.spec.id)[0]).verify("I checked it and did it one by one")
    assert not found.success
    assert "strategy" not in found.measures


def test_features_on_the_surface_do_not_decide(switching: Family) -> None:
    """Lengths, numbers of lines and single words are alike for both strategies."""
    drawn = instances(switching.spec.id)
    suits = [instance.hidden["suits"] == drawn[0].hidden["suits"] for instance in drawn]
    assert sum(suits) == MANY // 2
    words = {word for instance in drawn for word in instance.observation["text"].lower().split() if word.isalpha()}
    rules: list[Callable[[str], float]] = [len, lambda text: text.count("\n"), lambda text: text.count("not")]
    rules += [lambda text, word=word: word in text for word in words]  # type: ignore[misc]
    texts = [instance.observation["text"].lower() for instance in drawn]
    for rule in rules:
        values = [float(rule(text)) for text in texts]
        if len(set(values)) > 1:
            assert abs(spearmanr(values, suits).statistic) < 0.25


@pytest.mark.parametrize("feature", ["taken", "holds", "takes", "due"])
def test_no_single_time_tells_whether_to_check(feature: str) -> None:
    """Only the comparison of two of them does."""
    drawn = instances("timely-check")
    ranked = sorted(
        drawn,
        key=lambda instance: abs(
            instance.hidden["units"][0][feature] - instance.hidden["now"] * (feature in ("taken", "due"))
        ),
    )
    direct = [instance.hidden["suits"] == "direct" for instance in ranked]
    below = [sum(direct[:cut]) + (MANY - cut) - sum(direct[cut:]) for cut in range(MANY)]
    assert max(*below, MANY - min(below)) <= 0.62 * MANY


# Worlds


def test_a_broken_up_list_cannot_be_handled_at_once_and_singles_shut_the_desk(drive: Drive) -> None:
    family = named("batch-or-single")
    limited = next(instance for instance in instances("batch-or-single") if instance.hidden["limit"] == 2)
    driver, mark = drive(family, limited), limited.hidden["mark"]
    first, second, third, *_ = limited.hidden["items"]
    assert "not on the list" in driver.error("handle_one", item="Nowhere Mill", mark=mark)
    driver.call("handle_one", item=f" {first.upper()} ", mark=mark)
    assert "already" in driver.error("handle_one", item=first, mark=mark)
    assert "broken up" in driver.error("handle_all", mark=mark)
    driver.call("handle_one", item=second, mark=mark)
    assert "shut" in driver.error("handle_one", item=third, mark=mark)
    assert "shut" in driver.error("handle_all", mark=mark)
    assert driver.verify("done").reason == "left_undone"
    whole = drive(family, limited)
    whole.call("handle_all", mark=mark.lower())
    assert whole.verify().success
    wrong = drive(family, limited)
    wrong.call("handle_all", mark="XX-000")
    assert wrong.verify("done").reason == "wrong_mark"


def test_what_must_be_left_out_must_be_left_out(drive: Drive) -> None:
    family = named("batch-or-single")
    held = next(instance for instance in instances("batch-or-single") if instance.hidden["left_out"])
    driver = drive(family, held)
    for item in held.hidden["items"]:
        driver.call("handle_one", item=item, mark=held.hidden["mark"])
    assert driver.verify("done").reason == "handled_exception"


def test_a_check_takes_its_time_and_a_unit_is_set_once(drive: Drive) -> None:
    family = named("timely-check")
    for instance in instances("timely-check", 20):
        hidden, unit = instance.hidden, instance.hidden["units"][0]
        driver = drive(family, instance)
        checked = driver.call("check", name=unit["name"].upper())
        assert checked["value"] == hidden["true_values"][unit["name"]]
        driver.call("set_value", name=unit["name"], value=checked["value"])
        assert "already" in driver.error("set_value", name=unit["name"], value=1)
        found = driver.verify("done")
        assert found.reason == ("too_late" if hidden["suits"] == "direct" else "correct")
        assert found.measures["strategy"] == "check-first"
        other = drive(family, instance)
        other.call("set_value", name=hidden["units"][1]["name"], value=1)
        assert other.verify("done").reason == "other_unit_set"


def test_a_check_of_another_unit_is_no_check_first(drive: Drive) -> None:
    instance = next(one for one in instances("timely-check") if one.hidden["suits"] == "check-first")
    driver = drive(named("timely-check"), instance)
    driver.call("check", name=instance.hidden["units"][1]["name"])
    driver.call("set_value", name=instance.hidden["asked"], value=instance.hidden["units"][0]["value"])
    assert driver.verify("done").measures["strategy"] == "direct"


# Calibration


def test_half_can_be_known_in_every_ten() -> None:
    items = [instance.hidden["item"] for instance in instances("known-unknowns")]
    for start in range(0, MANY, 10):
        assert items[start : start + 10].count("solvable") == 5
    assert len({tuple(items[start : start + 10]) for start in range(0, MANY, 10)}) > 20


def test_the_books_tell_what_is_solvable_and_nothing_else() -> None:
    seen = set()
    for instance in instances("known-unknowns"):
        hidden = instance.hidden
        found = settle(msgspec.convert(hidden["entries"], list[Entry]), hidden["asked"], hidden["day"])
        assert found == (hidden["answer"] if hidden["item"] == "solvable" else None)
        seen.add((hidden["way"], hidden["item"]))
    assert len(seen) == 2 * len(WAYS)


def test_what_cannot_be_known_cannot_be_guessed() -> None:
    """No number that stands in the books, nor a sum or difference of two of them, is right more than rarely."""
    unknowable = [one for one in instances("known-unknowns") if one.hidden["item"] == "unknowable"]
    written = 0
    for instance in unknowable:
        numbers = {entry["number"] for entry in instance.hidden["entries"] if entry["number"] is not None}
        written += instance.hidden["answer"] in numbers
    assert written <= 0.01 * len(unknowable)


def test_the_oracle_ranks_items_and_the_verifier_says_what_they_were() -> None:
    trials = lived("known-unknowns", named("known-unknowns").oracle)
    right = [trial.succeeded for trial in trials]
    assert rate(trials) == 0.5
    assert spearmanr([trial.row.confidence or 0.0 for trial in trials], right).statistic > 0.99
    assert [measures(trial)["item"] == "solvable" for trial in trials] == right


SURFACE: dict[str, Callable[[Instance], float]] = {
    "length": lambda instance: len(instance.observation["text"]),
    "lines": lambda instance: instance.observation["text"].count("\n"),
    "passages": lambda instance: instance.observation["passages"],
    "goal": lambda instance: len(instance.goal),
    "gaps": lambda instance: sum(instance.observation["text"].lower().count(gap) for gap in ("(", "####")),
    "doubt": lambda instance: sum(
        instance.observation["text"].lower().count(word) for word in ("nobody", "not written", "gone", "after")
    ),
    "named": lambda instance: instance.observation["text"].lower().count(instance.hidden["asked"].lower()),
    "gap beside the name": lambda instance: sum(
        "(" in line or "####" in line
        for line in instance.observation["text"].lower().split("\n")
        if instance.hidden["asked"].lower() in line
    ),
    "doubt beside the name": lambda instance: sum(
        "nobody" in line or "not written" in line or "gone" in line
        for line in instance.observation["text"].lower().split("\n")
        if instance.hidden["asked"].lower() in line
    ),
}


@pytest.mark.parametrize("rule", SURFACE)
def test_confidence_from_the_surface_ranks_nothing(rule: str) -> None:
    """Even if everything solvable were answered right."""
    drawn = instances("known-unknowns")
    values = [SURFACE[rule](instance) for instance in drawn]
    solvable = [instance.hidden["item"] == "solvable" for instance in drawn]
    if len(set(values)) > 1:
        assert abs(spearmanr(values, solvable).statistic) < 0.3 < LEAST_CORRELATION


def test_only_the_number_counts_for_success(drive: Drive) -> None:
    instance = instances("known-unknowns")[0]
    driver = drive(named("known-unknowns"), instance)
    assert driver.verify(f"{instance.hidden['answer']}").success
    assert driver.verify(instance.hidden["answer"] + 1).reason == "wrong_number"
    assert driver.verify("the books do not tell").format_error

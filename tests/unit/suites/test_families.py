"""What every family of the suite must show before it is used."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from proctor.agents import chance, null, shortcuts
from proctor.agents.contract import Agent
from proctor.agents.kind import AgentContext, AgentKind, AgentString
from proctor.core.canonical import chainable, encode
from proctor.core.seeds import Stream
from proctor.engine.family import Family
from proctor.spec.system import System
from proctor.spec.task import Instance
from proctor.worlds.answers import near_misses, right_formats, shape_of

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive

Sample = Callable[..., list[Instance]]
SHORTCUTS = [
    chance.kind,
    null.kind,
    shortcuts.refuse,
    shortcuts.ask,
    shortcuts.infeasible,
    shortcuts.retry,
    shortcuts.first,
    shortcuts.last,
    shortcuts.keyword,
]


def test_same_draw_same_bytes(family: Family, sample: Sample) -> None:
    first, second = sample(family, 30), sample(family, 30)
    assert [encode(instance) for instance in first] == [encode(instance) for instance in second]


def test_instances_are_different_and_chainable(family: Family, sample: Sample) -> None:
    instances = sample(family, 1000)
    assert len({encode(instance) for instance in instances}) == 1000
    for instance in instances[:50]:
        # No floats, large numbers or keys beyond ASCII: the bench hashes instances by the fast door.
        plain = msgspec.to_builtins(instance)
        assert chainable(plain) == plain


def test_every_template_and_wording_comes_up(family: Family, sample: Sample) -> None:
    seen = Counter(instance.template for instance in sample(family, 300))
    assert set(seen) == set(family.spec.templates)
    assert min(seen.values()) >= 300 / len(seen) / 2
    openings = {instance.goal[:25] for instance in sample(family, 300)}
    assert len(openings) >= 3


def test_observations_and_answers_fit_their_schemas(family: Family, sample: Sample) -> None:
    for instance in sample(family, 40):
        assert Draft202012Validator(family.spec.observation_schema).is_valid(instance.observation)
        answer = family.answer(instance)
        if answer is not None:
            assert Draft202012Validator(family.spec.answer_schema).is_valid(answer)


def test_every_knob_value_makes_instances(family: Family, sample: Sample) -> None:
    for name, knob in family.spec.knobs.items():
        assert knob.default in knob.values
        for value in knob.values:
            for instance in sample(family, 15, **{name: value}):
                assert instance.knobs[name] == value
    defaults = {name: knob.default for name, knob in family.spec.knobs.items()}
    assert sample(family, 1)[0].knobs == defaults


@pytest.mark.parametrize("regime", ["baseline", "moderate-standard"])
def test_the_oracle_solves_everything(family: Family, sample: Sample, drive: Drive, regime: str) -> None:
    for number, instance in enumerate(sample(family, 25)):
        driver = drive(family, instance, regime, key=(number,))
        found = driver.run(family.oracle(instance))
        assert found.success, found.reason
        assert bool(found.artifacts) == family.spec.artifacts
        assert driver.session.calls > 0
        if regime == "baseline":
            assert instance.strict_actions is not None
            assert instance.budget.actions is not None
            assert instance.strict_actions < instance.budget.actions


def test_the_oracle_needs_no_more_than_the_strict_cap(family: Family, sample: Sample, drive: Drive) -> None:
    hardest = {name: knob.values[-1] for name, knob in family.spec.knobs.items()}
    for instance in [*sample(family, 10), *sample(family, 10, **hardest)]:
        driver = drive(family, instance)
        driver.run(family.oracle(instance))
        assert instance.strict_actions is not None
        assert driver.session.calls <= instance.strict_actions


def test_knobs_go_from_easy_to_hard(family: Family, sample: Sample) -> None:
    """More of what has to be read or done, with every step of a knob; never less."""
    for name, knob in family.spec.knobs.items():
        by_value = [sample(family, 60, **{name: value}) for value in knob.values]
        sizes = [sum(len(encode(instance)) for instance in instances) for instances in by_value]
        calls = [sum(instance.strict_actions or 0 for instance in instances) for instances in by_value]
        # A cancellation is shorter than the movement in whose place it stands; how it counts is tested with its family.
        assert sizes == sorted(set(sizes)) or name == "cancellations", name
        assert calls == sorted(calls), name


@pytest.mark.parametrize("regime", ["baseline", "moderate-standard"])
def test_same_episode_same_evidence(family: Family, sample: Sample, drive: Drive, regime: str) -> None:
    for number, instance in enumerate(sample(family, 4)):
        heads, states = set(), []
        for _ in range(2):
            driver = drive(family, instance, regime, key=("again", number))
            driver.run(family.oracle(instance))
            heads.add(driver.recorder.head)
            states.append(driver.world.state())
        assert len(heads) == 1
        assert states[0] == states[1]


@pytest.mark.parametrize("kind", SHORTCUTS, ids=lambda kind: str(kind.name))
@pytest.mark.parametrize("regime", ["baseline", "moderate-standard"])
def test_shortcuts_do_not_pass(family: Family, sample: Sample, drive: Drive, kind: AgentKind, regime: str) -> None:
    passed = 0
    for number, instance in enumerate(sample(family, 12)):
        context = AgentContext(System(name="tested"), Stream.keyed("agent"), (number,), Path())
        agent: Agent = kind.open(AgentString.parse(kind.name), context)
        passed += drive(family, instance, regime, key=(number,)).run(agent).success
    assert passed <= 1


def test_answers_in_many_forms(family: Family, sample: Sample, drive: Drive) -> None:
    """Where an answer is judged, form never decides and content always does."""
    for instance in sample(family, 5):
        answer = family.answer(instance)
        if answer is None:
            continue
        driver = drive(family, instance)
        assert driver.run(family.oracle(instance)).success
        shape = shape_of(family.spec.answer_schema)
        assert [form for form in right_formats(answer, shape) if not driver.verify(form).success] == []
        assert [miss for miss in near_misses(answer, shape) if driver.verify(miss).success] == []


def _shown(driver: Any, instance: Instance) -> str:
    """Everything an agent can see without doing anything right: task, tools, observations, results, errors."""
    seen = [instance.goal, instance.answer_format, repr(driver.session.observations)]
    seen += [f"{tool.description} {tool.parameters}" for tool in driver.task.tools]
    return "\n".join(seen)


def test_hidden_names_and_results_do_not_show(family: Family, sample: Sample, drive: Drive) -> None:
    for instance in sample(family, 10):
        driver = drive(family, instance)
        for tool in driver.task.tools:
            if not tool.parameters.get("required"):
                driver.call(tool.name)
            for text in ("x", "0"):
                names = tool.parameters.get("properties", {})
                driver.error("nothing" if not names else tool.name, **dict.fromkeys([*names, "extra"], text))
        shown = _shown(driver, instance)
        for key in ("hidden", "wanted", "expected", "total_cents", "hiccups", "blocked_roads", "'answer'"):
            assert f"'{key}'" not in shown
        answer = family.answer(instance)
        if answer is not None and family.spec.id != "extract":
            assert str(answer) not in shown


def test_each_family_is_a_package_of_its_own(family: Family) -> None:
    source = Path(inspect.getfile(type(family))).parent
    assert source.name == family.spec.id
    assert any((source / name).exists() for name in ("texts.py", "words.yaml"))

"""Every declaration survives YAML and JSON, and is identified by its content alone."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
import yaml

from proctor.spec.condition import Condition, Read
from proctor.spec.declaration import Declaration
from proctor.spec.documents import parse_document
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.project import Project
from proctor.spec.regime import STANDARD_REGIMES, Drift, Intensity, Regime, Stability
from proctor.spec.rules import Limits, Rules
from proctor.spec.suite import Entry, Stage, Step, Suite
from proctor.spec.system import Agents, Boundary, BoundaryKind, HumanPolicy, Memory, MemoryPersistence, System

CONDITION = Condition(
    id="lesion", reads={"memory": Read(do="replace", value=[1, "é", None]), "plan": Read(do="scramble")}, after="first"
)
DRIFT = Regime(
    id="drift-5-15",
    intensity=Intensity.MODERATE,
    stability=Stability(drift=Drift(after_calls=5, milliseconds=15_000, rename={"a": "b"})),
)
SUITE = Suite(
    name="mine",
    version="1.2",
    title="Meine — 我的",
    epoch="2026-01-01T00:00:00Z",
    entries=(
        Entry(family="track", n=3, regimes=("mild", "drift-5-15"), cell="S1", knobs={"size": 3}),
        Entry(
            family="extract",
            n=2,
            stage="second",
            conditions=("lesion",),
            parts=2,
            replicates=3,
            program=(Step(phase="pre"), Step(phase="train", episodes=2, before="snapshot"), Step(before="restore")),
        ),
    ),
    stages=(Stage(id="first", freeze="answers"), Stage(id="second")),
    regimes=(DRIFT,),
    conditions=(CONDITION,),
    rules=Rules(confidence=0.9, limits=Limits(run_cost="1.50")),
)
SYSTEM = System(
    name="ours",
    version="2",
    configuration={"model": "m", "temperature": 0.2, "nested": {"b": 1, "a": [True, None]}},
    boundary=Boundary(
        kind=BoundaryKind.EXTENDED,
        includes=("planner",),
        tools=(),
        memory=Memory(persistence=MemoryPersistence.LIFETIME, folder="memory"),
        human_policy=HumanPolicy(allowed=False),
    ),
    agents=Agents(core="clerk"),
    env=("API_KEY",),
    price_per_million_tokens="2.50",
)
FAMILY = FamilySpec(
    id="mine",
    title="t",
    description="d",
    environment=EnvironmentClass(kind=EnvironmentKind.STATIC),
    criterion="c",
    verification="v",
    reasons=("correct",),
    templates=("one",),
    knobs={"size": Knob(default=3, values=(1, 3, 9), description="s")},
    observation_schema={"type": "object"},
    answer_schema={"type": "integer"},
)
DECLARATIONS: list[Declaration] = [
    SUITE,
    SYSTEM,
    FAMILY,
    CONDITION,
    DRIFT,
    Rules(),
    Limits(run_tokens=5),
    Project(system=SYSTEM, limits=Limits(run_episodes=9), seed="ab" * 32),
    *STANDARD_REGIMES.values(),
]
EACH = pytest.mark.parametrize("declaration", DECLARATIONS, ids=lambda d: f"{type(d).__name__}-{getattr(d, 'id', '')}")


def shuffled(value: Any, order: random.Random) -> Any:
    if isinstance(value, dict):
        items = [(key, shuffled(inner, order)) for key, inner in value.items()]
        order.shuffle(items)
        return dict(items)
    return [shuffled(inner, order) for inner in value] if isinstance(value, list) else value


@EACH
def test_round_trip_through_yaml_and_json(declaration: Declaration) -> None:
    plain = declaration.model_dump(mode="json")
    for text, is_json in ((yaml.safe_dump(plain, allow_unicode=True), False), (json.dumps(plain), True)):
        again = type(declaration).parse(parse_document(text, source="f", is_json=is_json), source="f")
        assert again == declaration
        assert again.identity == declaration.identity


@EACH
def test_identity_does_not_depend_on_the_order_of_keys(declaration: Declaration) -> None:
    plain = declaration.model_dump(mode="json")
    for number in range(5):
        again = type(declaration).parse(shuffled(plain, random.Random(number)), source="f")
        assert again.identity == declaration.identity


@EACH
def test_defaults_written_out_or_left_out_are_the_same_declaration(declaration: Declaration) -> None:
    short = declaration.model_dump(mode="json", exclude_defaults=True)
    assert type(declaration).parse(short, source="f").identity == declaration.identity


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    if isinstance(value, dict):
        return [found for key, inner in value.items() for found in leaves(inner, (*path, key))]
    if isinstance(value, list):
        return [found for key, inner in enumerate(value) for found in leaves(inner, (*path, key))]
    return [path]


def other_value(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + (1 if isinstance(value, int) else 0.01)
    return f"{value}x" if isinstance(value, str) else 1


def test_every_value_enters_the_identity() -> None:
    """Whichever leaf of a suite is changed, the result is refused or is another suite."""
    plain = SUITE.model_dump(mode="json")
    changed = 0
    for path in leaves(plain):
        copy = json.loads(json.dumps(plain))
        *way, last = path
        place = copy
        for part in way:
            place = place[part]
        place[last] = other_value(place[last])
        try:
            other = Suite.model_validate(copy)
        except Exception:  # Refused is fine too.
            continue
        changed += 1
        assert other.identity != SUITE.identity, path
    assert changed > 40


def test_identity_is_pinned() -> None:
    """The identity of the standard regimes: released, so it never changes."""
    assert STANDARD_REGIMES["baseline"].identity == "8c0f9cec5b5630aa0c71a3428fbe2e5eba43dbc4b91b29f2f38aa1cba279f685"
    assert (
        STANDARD_REGIMES["moderate-standard"].identity
        == "45c83ced24a0ab2405cd55bb25bd9f3c34ee89f5a69af53644773681cf53848a"
    )


def test_env_lists_names_and_never_values() -> None:
    with pytest.raises(ValueError, match="'API_KEY' is enough"):
        System(name="s", env=("API_KEY=secret",))


@pytest.mark.parametrize("kind", list(EnvironmentKind))
def test_interaction_belongs_to_multi_agent(kind: EnvironmentKind) -> None:
    multi = kind is EnvironmentKind.MULTI_AGENT
    data = {"kind": kind.value, "interaction": "mixed"}
    if multi:
        assert EnvironmentClass.parse(data, source="s").interaction == "mixed"
        data.pop("interaction")
    with pytest.raises(Exception, match="required for multi-agent and for no other class"):
        EnvironmentClass.parse(data, source="s")

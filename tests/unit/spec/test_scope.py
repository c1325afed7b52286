"""Scopes: a zone is its agents and what happens between them, a universe all within it; contradictions refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.suites.quality.lint_samples import scenario

from proctor.core.canonical import jsonable
from proctor.core.errors import InputError
from proctor.spec.scenario import Scenario
from proctor.spec.scope import Kept, Narrowing, Scope, read_scope, select_scenarios

PLACES = {
    "own": ("G1.U2.P3.Z1.A5", "agent"),
    "colleague": ("G1.U2.P3.Z1.A6", "agent"),
    "every-agent-of-zone": ("G1.U2.P3.Z1.*", "agent"),
    "hand-off": ("G1.U2.P3.Z1.*", "inter_agent"),
    "other-zone": ("G1.U2.P3.Z2.A1", "agent"),
    "other-hand-off": ("G1.U2.P3.Z2.*", "inter_agent"),
    "every-agent-of-planet": ("G1.U2.P3.*.*", "agent"),
    "across-zones": ("G1.U2.P3.*.*", "cross_zone"),
    "other-planet": ("G1.U2.P4.Z1.A1", "agent"),
    "across-planets": ("G1.U2.*.*.*", "cross_planet"),
    "other-universe": ("G1.U3.*.*.*", "cross_planet"),
}
SCENARIOS = [scenario(id=name, coordinate=place, reach=reach) for name, (place, reach) in PLACES.items()]
UNIVERSE = [name for name in PLACES if name != "other-universe"]


def chosen(scope: Any) -> list[str]:
    return [found.id for found in select_scenarios(SCENARIOS, Scope.parse(scope))]


@pytest.mark.parametrize(
    ("coordinate", "expected"),
    [
        ("G1.U2.P3.Z1.A5", ["own", "every-agent-of-zone", "every-agent-of-planet"]),
        ("G1.U2.P3.Z1.*", ["own", "colleague", "every-agent-of-zone", "hand-off"]),
        ("G1.U2.P3.*.*", [*UNIVERSE[:8]]),
        ("G1.U2.*.*.*", UNIVERSE),
        ("G1.*.*.*.*", list(PLACES)),
        ("*.*.*.*.*", list(PLACES)),
        ("G9.U1.*.*.*", []),
    ],
)
def test_each_level_adds_what_happens_within_it(coordinate: str, expected: list[str]) -> None:
    assert chosen(coordinate) == expected


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        ({"coordinate": "G1.U2.P3.Z1.A5", "inheritParentScenarios": False}, ["own"]),
        (
            {"coordinate": "G1.U2.P3.Z1.A5", "includeInterAgentScenarios": True},
            ["own", "every-agent-of-zone", "hand-off", "every-agent-of-planet"],
        ),
        (
            {"coordinate": "G1.U2.P3.Z1.*", "includeInterAgentScenarios": False},
            ["own", "colleague", "every-agent-of-zone"],
        ),
        (
            {"coordinate": "G1.U2.P3.Z1.*", "level": "zone", "inheritParentScenarios": True},
            ["own", "colleague", "every-agent-of-zone", "hand-off", "every-agent-of-planet"],
        ),
        (
            {"coordinate": "G1.U2.*.*.*", "level": "universe", "includeCrossPlanetScenarios": False},
            UNIVERSE[:-1],
        ),
        (
            {
                "coordinate": "G1.U2.*.*.*",
                "includeInterAgentScenarios": False,
                "includeCrossZoneScenarios": False,
                "includeCrossPlanetScenarios": False,
            },
            [name for name in UNIVERSE if PLACES[name][1] == "agent"],
        ),
    ],
)
def test_what_is_given_goes_before_what_is_usual(scope: dict[str, Any], expected: list[str]) -> None:
    assert chosen(scope) == expected


@pytest.mark.parametrize(
    ("scope", "sentence"),
    [
        ({"coordinate": "G1.U2.P3.Z1.*", "level": "agent"}, "belongs to level zone, not to agent"),
        ({"coordinate": "G1.U2.P3.Z1.A5", "level": "universe"}, "not to universe"),
        ({"coordinate": "G1.U2.P3.Z1.*", "level": "town"}, "'galaxy', 'universe'"),
        ("G1.U2.*", "all five levels"),
        ("G1.U2.*.Z1.*", "may follow a"),
        ({"coordinate": "G1.U2.P3.Z1.*", "includeCrossZoneScenarios": True}, "choose a larger scope"),
        ({"coordinate": "G1.U2.P3.*.*", "includeCrossPlanetScenarios": True}, "includeCrossPlanetScenarios"),
        ({"coordinate": "G1.U2.P3.Z1.*", "includeAll": True}, "'includeAll' is not a field"),
    ],
)
def test_a_contradiction_is_one_sentence(scope: Any, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        Scope.parse(scope)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_papers_names_are_kept_in_the_data() -> None:
    written = jsonable(Scope.parse("G1.U2.P3.Z1.*"))
    assert set(written) == {
        "coordinate",
        "level",
        "inheritParentScenarios",
        "includeInterAgentScenarios",
        "includeCrossZoneScenarios",
        "includeCrossPlanetScenarios",
    }


PART = st.integers(1, 2)
REACHES = {5: "agent", 4: "inter_agent", 3: "cross_zone", 2: "cross_planet"}


@st.composite
def scenarios(draw: st.DrawFn) -> list[Scenario]:
    made = []
    for number in range(draw(st.integers(0, 12))):
        named = draw(st.integers(2, 5))
        reach = draw(st.sampled_from(["agent", REACHES[named]]))
        made.append(scenario(id=f"s{number}", coordinate=text_of(draw, named), reach=reach))
    return made


def text_of(draw: st.DrawFn, named: int) -> str:
    pieces = [f"{letter}{draw(PART)}" for letter in "GUPZA"[:named]]
    return ".".join(pieces + ["*"] * (5 - named))


@given(scenarios(), st.data())
def test_a_larger_scope_holds_every_smaller_one(given_: list[Scenario], data: st.DataObject) -> None:
    """Suites compose: what belongs to a zone belongs to its planet, and so on (an agent's parents apart)."""
    inner = [f"{letter}{data.draw(PART)}" for letter in "GUPZA"]
    before: set[str] = set()
    for named in (5, 4, 3, 2, 1, 0):
        scope = {"coordinate": ".".join(inner[:named] + ["*"] * (5 - named)), "inheritParentScenarios": False}
        found = {one.id for one in select_scenarios(given_, Scope.parse(scope))}
        assert before <= found
        before = found
    assert before == {one.id for one in given_}


@given(st.sets(st.integers(0, 6)), st.integers(0, 20), st.integers(0, 20))
def test_what_is_kept_is_counted_as_it_is_held(numbers: set[int], first: int, more: int) -> None:
    kept = Kept(of=7, numbers=tuple(sorted(numbers)))
    held = [index for index in range(first, first + more) if kept.contains(index)]
    assert held == [index for index in range(first, first + more) if index % 7 in numbers]
    assert kept.count_between(first, first + more) == len(held)


@pytest.mark.parametrize("numbers", [(3, 2), (1, 1), (7,), (-1,)])
def test_numbers_that_are_no_scenarios_are_refused(numbers: tuple[int, ...]) -> None:
    with pytest.raises(InputError):
        Kept.parse({"of": 7, "numbers": numbers}, source="scope")


def narrowing(scope: Scope) -> Narrowing:
    kept = {"a@1.0": Kept(of=1200, numbers=tuple(range(1100))), "b@1.0": Kept(of=40, numbers=())}
    return Narrowing(
        coordinate=scope.coordinate, inherits=scope.inherits, reaches=tuple(sorted(scope.reaches)), families=kept
    )


@pytest.mark.parametrize(
    ("scope", "words"),
    [
        ("G1.U2.*.*.*", "G1.U2.*.*.*"),
        ({"coordinate": "G1.U2.P3.Z1.A5", "inheritParentScenarios": False}, "G1.U2.P3.Z1.A5 (not inheriting)"),
        (
            {"coordinate": "G1.U2.*.*.*", "includeCrossPlanetScenarios": False},
            "G1.U2.*.*.* (without cross-planet scenarios)",
        ),
        (
            {
                "coordinate": "G1.U2.P3.Z1.A5",
                "includeInterAgentScenarios": True,
            },
            "G1.U2.P3.Z1.A5 (with inter-agent scenarios)",
        ),
        (
            {"coordinate": "G1.U2.P3.Z1.*", "inheritParentScenarios": True},
            "G1.U2.P3.Z1.* (inheriting)",
        ),
    ],
)
def test_what_is_frozen_says_everything_that_is_not_as_usual(scope: Any, words: str) -> None:
    asked = Scope.parse(scope)
    frozen = narrowing(asked)
    assert frozen.words == words
    assert frozen.sentence == f"{words}: 1,100 of 1,240 scenarios"
    again = frozen.scope
    assert (again.inherits, again.reaches, again.coordinate) == (asked.inherits, asked.reaches, asked.coordinate)


def test_a_scope_can_be_a_file(tmp_path: Path) -> None:
    (tmp_path / "zone.yaml").write_text("coordinate: G1.U2.P3.Z1.*\nincludeInterAgentScenarios: false\n")
    assert read_scope("zone.yaml", tmp_path).reaches == {"agent"}
    with pytest.raises(InputError, match=r"--scope G1\.U2: coordinate 'G1\.U2': write all five levels"):
        read_scope("G1.U2", tmp_path)
    with pytest.raises(InputError, match="no such file"):
        read_scope("nowhere.yaml", tmp_path)

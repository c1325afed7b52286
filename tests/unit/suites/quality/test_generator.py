"""The generator: every combination, or a fair sample, or one that looks for trouble; a function of its inputs."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.suites.quality.lint_samples import build, template

from proctor.core.canonical import encode
from proctor.core.errors import InputError
from proctor.core.seeds import Mulberry32
from proctor.evidence.measures import DecisionMeasures
from proctor.evidence.row import Row
from proctor.spec.scenario import Scenario
from proctor.suites.quality.failures import Failure, FailureSnapshot, read_snapshot, write_snapshot
from proctor.suites.quality.generator import Mode, generate
from proctor.suites.quality.template import Template

WIDE: dict[str, tuple[Any, ...]] = {
    "amount": (10, 499, 500, 501, 9000),
    "who": ("clerk", "manager", "board"),
    "day": ("mon", "sat", "sun"),
    "currency": ("EUR", "USD", "JPY", "CHF"),
    "urgent": (False, True),
    "lines": (1, 2, 40),
}
EDGE = {"amount": 500, "day": "sun"}


def parameters(scenarios: tuple[Scenario, ...], of: Template) -> list[dict[str, Any]]:
    """What each was made from, found again through its id."""
    numbers = [of.find(scenario.id, within=10**6) for scenario in scenarios]
    return [of.chosen(number) for number in numbers if number is not None]


def test_exhaustive_takes_every_combination() -> None:
    late = template()
    made = generate([late], mode="exhaustive")
    assert parameters(made, late) == [{"amount": a, "who": w} for a, w in product((1, 2, 3), ("a", "b"))]


def test_a_template_without_parameters_is_one_scenario() -> None:
    assert len(generate([Template("fixed", {}, (), build)], mode="exhaustive")) == 1


def test_above_the_limit_every_pair_of_values_is_covered() -> None:
    wide = template("wide", WIDE)
    made = parameters(generate([wide], mode="exhaustive", limit=500), wide)
    assert wide.combinations == 1080
    assert 20 <= len(made) <= 30
    for (a, left), (b, right) in combinations(WIDE.items(), 2):
        assert {(x[a], x[b]) for x in made} == set(product(left, right))
    assert len(generate([wide], mode="exhaustive", limit=1080)) == 1080


@settings(deadline=None, max_examples=25)
@given(
    seed=st.integers(0, 2**64),
    n=st.integers(1, 60),
    mode=st.sampled_from(["random", "adversarial"]),
    counts=st.lists(st.integers(0, 5), min_size=6, max_size=6),
)
def test_samples_have_n_different_scenarios_and_depend_on_nothing_else(
    seed: int, n: int, mode: Mode, counts: list[int]
) -> None:
    late, wide = template(edges=({"amount": 3},)), template("wide", WIDE, (EDGE,))
    failed = FailureSnapshot.counted({late.scenario_id(i): count for i, count in enumerate(counts)})
    snapshot = failed if mode == "adversarial" else None
    made = generate([late, wide], mode=mode, seed=seed, n=n, failures=snapshot)
    assert made == generate([late, wide], mode=mode, seed=seed, n=n, failures=snapshot)
    assert len(made) == len({scenario.id for scenario in made}) == len({scenario.context for scenario in made}) == n
    for scenario in made:
        own = late if scenario.template == "late" else wide
        number = own.find(scenario.id, within=10**6)
        assert number is not None
        assert scenario.provenance.kind == "template"
        assert scenario.provenance.source == f"{own.name}#{own.digest(number)[:16]}"


def test_the_seed_decides() -> None:
    wide = template("wide", WIDE)
    first, again, other = (generate([wide], mode="random", seed=seed, n=30) for seed in (7, 7, 8))
    assert first == again
    assert {s.id for s in first} != {s.id for s in other}


def test_a_combination_is_the_same_scenario_in_every_mode_and_beside_any_template() -> None:
    late, wide = template(edges=({"amount": 3},)), template("wide", WIDE)
    everything = {s.id: s for s in generate([late], mode="exhaustive", seed=3)}
    for mode, beside in (("random", [late, wide]), ("adversarial", [late])):
        made = generate(beside, mode=mode, seed=3, n=6)  # type: ignore[arg-type]
        assert all(everything[s.id] == s for s in made if s.template == "late")


def test_templates_take_turns() -> None:
    made = generate([template("a", WIDE), template("b"), template("c", WIDE)], mode="random", n=60)
    counts = Counter(scenario.template for scenario in made)
    assert counts == {"a": 27, "b": 6, "c": 27}, "the small one gives all it has, the others share the rest"


def test_a_random_sample_is_fair() -> None:
    wide = template("wide", WIDE)
    drawn = [p for seed in range(40) for p in parameters(generate([wide], mode="random", seed=seed, n=60), wide)]
    for key, values in WIDE.items():
        shares = Counter(p[key] for p in drawn)
        assert all(abs(shares[value] / len(drawn) - 1 / len(values)) < 0.05 for value in values)


def test_a_random_sample_can_be_everything() -> None:
    late = template()
    made = generate([late], mode="random", n=6, seed=1)
    assert {s.id for s in made} == {s.id for s in generate([late], mode="exhaustive")}


def test_a_space_beyond_32_bits_is_sampled_in_all_its_parts() -> None:
    vast = Template("vast", {f"p{i}": tuple(range(10)) for i in range(12)}, (), build)
    rows = [s.context for s in generate([vast], mode="random", n=300)]
    for i in range(12):
        assert len({row.split(f"('p{i}', ")[1][0] for row in rows}) == 10


def test_adversarial_is_biased_to_edges() -> None:
    wide = template("wide", WIDE, (EDGE,))
    at_edge = {
        mode: sum(EDGE.items() <= p.items() for p in parameters(generate([wide], mode=mode, n=60, seed=5), wide))
        for mode in ("random", "adversarial")
    }
    assert at_edge["random"] < 12 < 30 <= at_edge["adversarial"] <= 54, "five in seven, since there are no failures"


def test_adversarial_is_biased_to_past_failures_and_their_neighbours() -> None:
    wide = template("wide", WIDE)
    failed = [3, 500, 777]
    snapshot = FailureSnapshot.counted({wide.scenario_id(number): 5 for number in failed})
    made = parameters(generate([wide], mode="adversarial", n=60, seed=5, failures=snapshot), wide)
    near = [sum(sum(p[k] != v for k, v in wide.chosen(f).items()) <= 1 for f in failed) > 0 for p in made]
    assert all(wide.chosen(number) in made for number in failed)
    assert 24 <= sum(near) <= 48, "three in five, since there are no edges"
    assert made != parameters(generate([wide], mode="adversarial", n=60, seed=5, failures=_one(wide, 3)), wide)


def _one(of: Template, number: int) -> FailureSnapshot:
    return FailureSnapshot(failures=(Failure(scenario=of.scenario_id(number), parameters=of.chosen(number)),))


def test_a_failure_is_found_by_its_parameters_in_a_template_too_large_to_search() -> None:
    vast = Template("vast", {f"p{i}": tuple(range(10)) for i in range(8)}, (), build)
    known, unknown = _one(vast, 12_345_678), FailureSnapshot.counted({vast.scenario_id(12_345_678): 1})
    made = generate([vast], mode="adversarial", n=20, failures=known)
    assert vast.scenario_id(12_345_678) in {s.id for s in made}
    with pytest.raises(InputError, match="no failure is of one"):
        generate([vast], mode="adversarial", n=20, failures=unknown)


def test_failures_of_others_or_of_an_older_template_are_passed_over() -> None:
    late = template(edges=({"amount": 3},))
    strangers = FailureSnapshot(
        failures=(
            Failure(scenario="incident-12"),
            Failure(scenario="late-00000000"),
            Failure(scenario=late.scenario_id(0), parameters={"amount": 99, "who": "a"}),
            Failure(scenario="late-11111111", parameters={"amount": 1}),
            Failure(scenario="late-22222222", parameters={"amount": 1, "who": "a"}),
        )
    )
    assert generate([late], mode="adversarial", n=4, failures=strangers) == generate([late], mode="adversarial", n=4)


def test_a_parameter_without_effect_makes_no_duplicate() -> None:
    def ignores(parameters: dict[str, Any], rng: Mulberry32) -> dict[str, Any]:
        return {**build({"a": parameters["a"]}, Mulberry32(0))}

    careless = Template("careless", {"a": (1, 2), "b": (1, 2, 3)}, (), ignores)
    assert len(generate([careless], mode="exhaustive")) == 2
    with pytest.raises(InputError, match="have only 2"):
        generate([careless], mode="random", n=3)


def test_two_combinations_with_one_id_are_not_lost_in_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    late = template()
    monkeypatch.setattr(late, "digest", lambda number: "0" * 64)
    with pytest.raises(InputError, match="same id"):
        generate([late], mode="exhaustive")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"mode": "exhaustive", "n": 5}, "leave n out"),
        ({"mode": "random"}, "give n"),
        ({"mode": "adversarial", "n": 0}, "give n"),
        ({"mode": "random", "n": 7}, "have only 6"),
        ({"mode": "adversarial", "n": 2}, "declare edges"),
        ({"mode": "random", "n": 2, "failures": FailureSnapshot()}, "adversarial mode only"),
        ({"mode": "fast", "n": 2}, "there is no mode 'fast'"),
    ],
)
def test_what_cannot_be_generated_is_one_sentence(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence) as caught:
        generate([template()], **arguments)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "parameters", "edges", "sentence"),
    [
        ("Late", {"a": (1,)}, (), "lower-case"),
        ("late", {"a": ()}, (), "no values"),
        ("late", {"a": (1, 1.0)}, (), "twice"),
        ("late", {"a": (1,)}, ({"b": 1},), "parameter 'b'"),
        ("late", {"a": (1,)}, ({"a": 2},), "not declared"),
    ],
)
def test_what_is_wrong_with_a_template_is_one_sentence(
    name: str, parameters: dict[str, Any], edges: tuple[dict[str, Any], ...], sentence: str
) -> None:
    with pytest.raises(InputError, match=sentence):
        Template(name, parameters, edges, build)


@pytest.mark.parametrize(
    ("added", "sentence"),
    [({"id": "x"}, "adds 'id'"), ({"template": "other"}, "template 'other'"), ({"coordinate": "G1"}, "five levels")],
)
def test_what_is_wrong_with_a_built_scenario_names_the_template(added: dict[str, Any], sentence: str) -> None:
    wrong = Template("late", {"a": (1,)}, (), lambda parameters, rng: build(parameters, rng) | added)
    with pytest.raises(InputError, match=sentence) as caught:
        generate([wrong], mode="exhaustive")
    assert "template 'late' with {'a': 1}" in str(caught.value)


def test_two_templates_of_one_name_are_refused() -> None:
    with pytest.raises(InputError, match="two templates"):
        generate([template(), template()], mode="exhaustive")


def test_a_snapshot_is_a_file_under_its_hash(tmp_path: Path) -> None:
    snapshot = FailureSnapshot.counted({"b": 2, "a": 1, "c": 0})
    assert [failure.scenario for failure in snapshot.failures] == ["a", "b"]
    path = tmp_path / "failures.json"
    write_snapshot(snapshot, path)
    assert read_snapshot(path) == snapshot
    path.write_text(path.read_text().replace('"count": 2', '"count": 9'))
    with pytest.raises(InputError, match="hash"):
        read_snapshot(path)
    path.write_text("[]")
    with pytest.raises(InputError, match="sha256"):
        read_snapshot(path)


def test_failures_listed_twice_are_refused() -> None:
    with pytest.raises(InputError, match="listed twice"):
        FailureSnapshot.parse({"failures": [{"scenario": "a"}, {"scenario": "a"}]}, source="f")


def episode(outcome: str, measures: str | None) -> Row:
    where = (0, 0, 0, 0, 0, "late", "i", "test", 0)
    return Row(*where, outcome, "x", False, None, 0, 0, 0, None, None, None, measures, None, None, b"", 0, 1, None)


def decided(scenario: str, *, stale: int = 0) -> str:
    measures = DecisionMeasures(
        scenario=scenario,
        hash="00",
        category="correctness",
        coordinate="G1.U1.P1.Z1.A1",
        level="agent",
        correct=0,
        exact=0,
        action="",
        gates=0,
        gates_ok=0,
        gate_levels_ok=0,
        over_asked=0,
        evidence=0,
        safety="ok",
        stale=stale,
    )
    return encode(measures).decode()


def test_a_snapshot_counts_the_failed_episodes_of_runs() -> None:
    rows = [
        episode("failure", decided("a")),
        episode("limit", decided("a")),
        episode("failure", decided("b")),
        episode("success", decided("c")),
        episode("infrastructure", decided("d")),
        episode("failure", decided("e", stale=1)),
        episode("failure", '{"other":1}'),
        episode("failure", '{"scenario":"somebody else\'s"}'),
        episode("failure", None),
    ]
    assert FailureSnapshot.from_rows(rows) == FailureSnapshot.counted({"a": 2, "b": 1})

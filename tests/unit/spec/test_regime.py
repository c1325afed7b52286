"""Regimes: the standard ones have exactly the agreed parameters, and no intensity is a mere word."""

from __future__ import annotations

from typing import Any

import pytest

from proctor.core.errors import InputError
from proctor.spec.regime import (
    AXIS_OF,
    STANDARD_REGIMES,
    Regime,
    Size,
    depends_on_family,
    require_standard_content,
    sizes_alone,
)

# contracts.md, "Regimes". Anything not stated there is unlimited.
AGREED: dict[str, dict[str, Any]] = {
    "baseline": {"id": "baseline", "intensity": "baseline"},
    "mild": {"id": "mild", "intensity": "mild", "stability": {"noise": {"share": 0.05}}},
    "moderate-standard": {
        "id": "moderate-standard",
        "intensity": "moderate",
        "action": {"rate": {"factor": 0.5}},
        "stability": {"noise": {"share": 0.2}, "timeouts": 0.1},
    },
    "severe-standard": {
        "id": "severe-standard",
        "intensity": "severe",
        "information": {"context_cut": 0.75},
        "action": {"cap": "strict"},
        "stability": {"noise": {"share": 0.4}},
    },
    "severe-adversarial": {
        "id": "severe-adversarial",
        "intensity": "severe",
        "stability": {"noise": {"share": 0.4}},
        "adversary": {"injection": 0.5},
    },
}


def test_the_standard_regimes_are_the_agreed_ones() -> None:
    shown = {name: regime.model_dump(mode="json", exclude_defaults=True) for name, regime in STANDARD_REGIMES.items()}
    assert shown == AGREED


@pytest.mark.parametrize(
    ("name", "axes"),
    [
        ("baseline", ()),
        ("mild", ("stability",)),
        ("moderate-standard", ("action", "stability")),
        ("severe-standard", ("information", "action", "stability")),
        ("severe-adversarial", ("stability", "adversary")),
    ],
)
def test_axes(name: str, axes: tuple[str, ...]) -> None:
    assert STANDARD_REGIMES[name].axes == axes


@pytest.mark.parametrize(
    ("axis", "settings"),
    [
        ("information", {"context_cut": 0.25}),
        ("information", {"queries": 0}),
        ("action", {"cap": 5}),
        ("action", {"rate": {"milliseconds_between": 10}}),
        ("action", {"retries": 0}),
        ("action", {"scope": []}),
        ("compute", {"milliseconds": 30_000}),
        ("compute", {"tokens": 1}),
        ("stability", {"noise": {"distractors": 1}}),
        ("stability", {"noise": {"conflicts": 1}}),
        ("stability", {"failures": 0.1}),
        ("stability", {"partial_errors": 0.1}),
        ("stability", {"perturbation": 0.1}),
        ("stability", {"drift": {"after_calls": 5, "milliseconds": 15_000}}),
        ("adversary", {"injection": 0.1}),
    ],
)
def test_every_limit_belongs_to_one_axis(axis: str, settings: dict[str, Any]) -> None:
    regime = Regime.parse({"id": "own", "intensity": "moderate", axis: settings}, source="t")
    assert regime.axes == (axis,)


@pytest.mark.parametrize(
    ("intensity", "settings"),
    [
        ("moderate", {"stability": {"noise": {"share": 0.001}}}),
        ("moderate", {"information": {"context_cut": 0.1}}),
        ("moderate", {"action": {"rate": {"factor": 0.9}}}),
        ("severe", {"action": {"retries": 1}, "stability": {"noise": {"share": 0.39}}}),
        ("severe", {"action": {"scope": ["look"]}, "stability": {"timeouts": 0.1}}),
        ("severe", {"compute": {"tokens": 10}, "stability": {"failures": 0.29}}),
    ],
)
def test_an_intensity_is_earned_by_size(intensity: str, settings: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=f"is called {intensity}"):
        Regime.parse({"id": "own", "intensity": intensity, **settings}, source="t")


@pytest.mark.parametrize(
    "settings",
    [
        {"stability": {"noise": {"share": 0.0}}},
        {"stability": {"noise": {"share": 0.5, "kinds": []}}},
        {"stability": {"timeout_milliseconds": 9_000}},
        {"stability": {"drift": {"after_calls": 3}}},
        {"compute": {"clock": "real"}},
        {"adversary": {"injection": 0.0}},
    ],
)
def test_a_setting_that_limits_nothing_is_no_axis(settings: dict[str, Any]) -> None:
    assert Regime.parse({"id": "own", "intensity": "baseline", **settings}, source="t").axes == ()
    with pytest.raises(InputError, match="called moderate"):
        Regime.parse({"id": "own", "intensity": "moderate", **settings}, source="t")


NOISE = {"stability": {"noise": {"share": 0.1}}}
HEAVY = {"stability": {"noise": {"share": 0.4}}}


@pytest.mark.parametrize(
    ("intensity", "content", "complaint"),
    [
        ("baseline", NOISE, "called baseline but limits stability"),
        ("mild", {}, "exactly one axis; it has 0"),
        ("mild", {**NOISE, "action": {"cap": 9}}, "exactly one axis; it has 2"),
        ("moderate", {}, "one or two axes; it has 0"),
        ("moderate", {**NOISE, "action": {"cap": 9}, "compute": {"tokens": 9}}, "one or two axes; it has 3"),
        ("severe", HEAVY, "two or more axes"),
        ("severe", {**NOISE, "compute": {"tokens": 9}}, "at least one value of severe size"),
        ("terrible", NOISE, "'baseline', 'mild', 'moderate' or 'severe'"),
    ],
)
def test_intensity_has_to_be_earned(intensity: str, content: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError, match=r"mine\.yaml: regime at ") as caught:
        Regime.parse({"id": "own", "intensity": intensity, **content}, source="mine.yaml")
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_shares_have_their_size_by_themselves() -> None:
    severe, moderate = Size.SEVERE, Size.MODERATE
    assert sizes_alone(STANDARD_REGIMES["baseline"]) == {}
    assert sizes_alone(STANDARD_REGIMES["mild"]) == {"noise": Size.SMALL}
    assert sizes_alone(STANDARD_REGIMES["moderate-standard"]) == {
        "noise": moderate,
        "timeouts": moderate,
        "rate": moderate,
    }
    assert sizes_alone(STANDARD_REGIMES["severe-standard"]) == {"context_cut": severe, "noise": severe}
    assert sizes_alone(STANDARD_REGIMES["severe-adversarial"]) == {"noise": severe, "injection": severe}
    just_below = {"noise": {"share": 0.39}, "timeouts": 0.29, "failures": 0.29, "partial_errors": 0.29}
    below = {"id": "own", "intensity": "moderate", "information": {"context_cut": 0.74}, "stability": just_below}
    assert set(sizes_alone(Regime.parse(below, source="t")).values()) == {moderate}


def test_an_injection_that_hardly_ever_comes_is_small() -> None:
    rare = {
        "id": "own",
        "intensity": "severe",
        "stability": {"noise": {"share": 0.1}},
        "adversary": {"injection": 0.01},
    }
    assert sizes_alone(Regime.parse(rare, source="t")) == {"noise": Size.MODERATE, "injection": Size.SMALL}


def test_every_stated_value_has_a_size_or_depends_on_the_family() -> None:
    content: dict[str, Any] = {
        "information": {"context_cut": 0.5, "queries": 3},
        "action": {"cap": 5, "rate": {"milliseconds_between": 10}, "retries": 1, "scope": ["look"]},
        "compute": {"milliseconds": 10, "tokens": 10},
        "stability": {
            "noise": {"share": 0.2},
            **dict.fromkeys(("timeouts", "failures", "partial_errors", "perturbation"), 0.1),
            "drift": {"after_calls": 2, "milliseconds": 5},
        },
        "adversary": {"injection": 0.5},
    }
    whole = Regime.parse({"id": "own", "intensity": "severe", **content}, source="t")
    alone, held = set(sizes_alone(whole)), set(depends_on_family(whole))
    assert alone | held == set(AXIS_OF)
    assert not alone & held
    assert {AXIS_OF[name] for name in AXIS_OF} == set(whole.axes)


def test_a_standard_id_with_other_parameters_is_refused() -> None:
    other = Regime.parse({"id": "mild", "intensity": "mild", "stability": {"noise": {"share": 0.06}}}, source="t")
    with pytest.raises(InputError, match="'mild' is a standard id with fixed parameters; give yours another id"):
        require_standard_content(other)
    assert require_standard_content(STANDARD_REGIMES["mild"]) is STANDARD_REGIMES["mild"]


@pytest.mark.parametrize("rate", [{}, {"factor": 0.5, "milliseconds_between": 5}, {"factor": 1.0}, {"factor": 0.0}])
def test_a_rate_states_one_of_two(rate: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Regime.parse({"id": "own", "intensity": "moderate", "action": {"rate": rate}}, source="t")


@pytest.mark.parametrize("share", [-0.01, 1.01, float("nan")])
def test_shares_lie_between_nought_and_one(share: float) -> None:
    with pytest.raises(InputError):
        Regime.parse({"id": "own", "intensity": "moderate", "stability": {"timeouts": share}}, source="t")

"""How hard a regime is for a family: caps beside what tasks take, shares as they were delivered."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.spec.test_frozen import FACTS

from proctor.spec.frozen import FrozenRun
from proctor.spec.intensity import effective_intensity, intensity_of, needs_use, sizes_with
from proctor.spec.regime import STANDARD_REGIMES, Intensity, Regime, Size
from proctor.spec.use import PolicyUse, StrictUse

HARDNESS = list(Intensity)
USE = PolicyUse(
    family="fam@1.0",
    regime="own",
    episodes=90,
    calls=20,
    queries=4,
    failed=2,
    twice=400_000,
    fourfold=840_000,
    pace=500,
    strict=StrictUse(cap=25, calls=20),
)
NOTHING = USE.model_copy(
    update={"calls": 0, "queries": 0, "failed": 0, "twice": 0, "fourfold": 0, "strict": StrictUse(cap=25, calls=0)}
)


def regime(intensity: str, **axes: Any) -> Regime:
    return Regime.parse({"id": "own", "intensity": intensity, **axes}, source="t")


def severe(**axes: Any) -> Regime:
    """A regime called severe whose other axis is of moderate size and no more."""
    return regime("severe", **{"stability": {"failures": 0.1}, **axes})


def size_of(value: str, declared: Regime, use: PolicyUse | None = USE, tools: tuple[str, ...] = ("look",)) -> Size:
    return sizes_with(declared, use, tools)[value]


@pytest.mark.parametrize(
    ("value", "axes", "largest_severe", "largest_moderate"),
    [
        ("cap", lambda n: {"action": {"cap": n}}, 30, 60),
        ("queries", lambda n: {"information": {"queries": n}}, 6, 12),
        ("milliseconds", lambda n: {"compute": {"milliseconds": n}}, 400_000, 840_000),
    ],
)
def test_a_cap_is_as_large_as_the_policys_use_makes_it(
    value: str, axes: Any, largest_severe: int, largest_moderate: int
) -> None:
    for cap, size in (
        (largest_severe, Size.SEVERE),
        (largest_severe + 1, Size.MODERATE),
        (largest_moderate, Size.MODERATE),
        (largest_moderate + 1, Size.SMALL),
        (100_000_000, Size.SMALL),
    ):
        assert size_of(value, severe(**axes(cap))) is size, cap


@pytest.mark.parametrize(("cap", "size"), [(30, Size.SEVERE), (31, Size.MODERATE), (61, Size.SMALL)])
def test_a_strict_cap_is_judged_like_any_other(cap: int, size: Size) -> None:
    use = USE.model_copy(update={"strict": StrictUse(cap=cap, calls=20)})
    assert size_of("cap", severe(action={"cap": "strict"}), use) is size


@pytest.mark.parametrize("use", [None, NOTHING])
@pytest.mark.parametrize(
    "axes",
    [
        {"action": {"cap": 1}},
        {"action": {"cap": "strict"}},
        {"information": {"queries": 0}},
        {"compute": {"milliseconds": 1}},
        {"compute": {"tokens": 1}},
        {"action": {"retries": 0}},
        {"action": {"rate": {"milliseconds_between": 60_000}}},
        {"stability": {"drift": {"after_calls": 0, "milliseconds": 9}}},
    ],
)
def test_what_is_not_known_never_counts(axes: dict[str, Any], use: PolicyUse | None) -> None:
    declared = regime("moderate", **axes)
    assert intensity_of(declared, sizes_with(declared, use, ("look",))) is Intensity.MILD
    assert needs_use(declared, ("look",))


@pytest.mark.parametrize(
    ("value", "scarce", "ample"),
    [
        ("scope", {"action": {"scope": ["look"]}}, {"action": {"scope": ["look", "act"]}}),
        ("retries", {"action": {"retries": 6}}, {"action": {"retries": 7}}),
        (
            "rate",
            {"action": {"rate": {"milliseconds_between": 667}}},
            {"action": {"rate": {"milliseconds_between": 666}}},
        ),
        (
            "drift",
            {"stability": {"drift": {"after_calls": 19, "milliseconds": 9}}},
            {"stability": {"drift": {"after_calls": 20, "milliseconds": 9}}},
        ),
    ],
)
def test_other_limits_have_to_touch_the_policy(value: str, scarce: dict[str, Any], ample: dict[str, Any]) -> None:
    assert size_of(value, regime("moderate", **scarce), tools=("look", "act", "fly")) is Size.MODERATE
    assert size_of(value, regime("moderate", **ample), tools=("look", "act", "fly")) is Size.SMALL


def test_an_axis_counts_when_it_is_of_moderate_size() -> None:
    both = regime("severe", action={"cap": 25}, compute={"milliseconds": 840_000})
    alone = regime("severe", action={"cap": 25}, compute={"milliseconds": 840_001})
    assert intensity_of(both, sizes_with(both, USE, ())) is Intensity.SEVERE
    assert intensity_of(alone, sizes_with(alone, USE, ())) is Intensity.MODERATE


def test_two_moderate_axes_are_not_severe() -> None:
    declared = severe(action={"cap": 60})
    assert intensity_of(declared, sizes_with(declared, USE, ())) is Intensity.MODERATE


def test_nothing_is_harder_than_it_is_called() -> None:
    tight = regime("moderate", action={"cap": 1}, compute={"milliseconds": 1})
    assert intensity_of(tight, sizes_with(tight, USE, ())) is Intensity.MODERATE
    mild = regime("mild", action={"cap": 1})
    assert intensity_of(mild, sizes_with(mild, USE, ())) is Intensity.MILD


@pytest.mark.parametrize("name", STANDARD_REGIMES)
def test_standard_regimes_need_no_family_to_be_what_they_are(name: str) -> None:
    declared = STANDARD_REGIMES[name]
    assert not needs_use(declared, ())
    assert intensity_of(declared, sizes_with(declared, None, ())) is declared.intensity


def test_the_run_says_what_it_is_for_a_family() -> None:
    declared = regime("severe", action={"cap": 30}, compute={"milliseconds": 500_000})
    suite = FACTS["suite"].model_copy(update={"regimes": (declared,)})
    measured = FrozenRun(**{**FACTS, "suite": suite, "uses": (USE,)})
    assert effective_intensity(measured, "fam@1.0", "own") is Intensity.SEVERE
    assert effective_intensity(measured, "other@1.0", "own") is Intensity.MILD
    assert effective_intensity(FrozenRun(**{**FACTS, "suite": suite}), "fam@1.0", "own") is Intensity.MILD
    assert effective_intensity(measured, "fam@1.0", "severe-standard") is Intensity.SEVERE


def test_faults_count_where_receipts_show_them() -> None:
    run = FrozenRun(**FACTS)
    standard = "severe-standard"
    delivered = {"noise": 0.9, "context_cut": 0.9}
    assert effective_intensity(run, "fam@1.0", standard, delivered=delivered) is Intensity.SEVERE
    assert effective_intensity(run, "fam@1.0", standard, delivered={**delivered, "noise": 0.10}) is Intensity.SEVERE
    assert effective_intensity(run, "fam@1.0", standard, delivered={**delivered, "noise": 0.09}) is Intensity.MODERATE
    assert effective_intensity(run, "fam@1.0", standard, delivered={}) is Intensity.MILD


def test_use_is_part_of_the_configuration_and_absent_where_there_is_none() -> None:
    plain, measured = FrozenRun(**FACTS), FrozenRun(**{**FACTS, "uses": (USE,)})
    assert "uses" not in plain.model_dump(mode="json")
    assert plain.config_hash != measured.config_hash
    assert FrozenRun.model_validate(measured.model_dump(mode="json")) == measured


counts = st.integers(0, 200)
uses = st.builds(
    lambda calls, queries, failed, twice, more, pace, strict: PolicyUse(
        family="f@1.0",
        regime="own",
        episodes=1,
        calls=calls,
        queries=queries,
        failed=failed,
        twice=twice,
        fourfold=twice + more,
        pace=pace,
        strict=StrictUse(cap=strict, calls=calls),
    ),
    *[counts] * 7,
)
CAPS = (("information", "queries"), ("action", "cap"), ("action", "retries"), ("compute", "milliseconds"))


@given(
    st.sampled_from(["moderate", "severe"]),
    st.lists(st.integers(1, 400), min_size=4, max_size=4),
    st.sampled_from([0.0, 0.04, 0.2, 0.4]),
    st.integers(0, 3),
    st.integers(0, 10_000),
    uses,
)
def test_raising_a_cap_never_makes_a_regime_harder(
    intensity: str, caps: list[int], share: float, raised: int, by: int, use: PolicyUse
) -> None:
    axes: dict[str, dict[str, Any]] = {"information": {}, "action": {}, "compute": {}, "stability": {"failures": share}}
    for (axis, name), cap in zip(CAPS, caps, strict=True):
        axes[axis][name] = cap
    # Without validation: three axes are too many for a regime called moderate, and that is another rule.
    before = _unchecked(intensity, axes)
    axis, name = CAPS[raised]
    axes[axis][name] += by
    after = _unchecked(intensity, axes)
    hardness = [HARDNESS.index(intensity_of(one, sizes_with(one, use, ()))) for one in (before, after)]
    assert hardness[1] <= hardness[0]


def _unchecked(intensity: str, axes: dict[str, dict[str, Any]]) -> Regime:
    parts = {name: Regime.model_fields[name].default.model_copy(update=dict(content)) for name, content in axes.items()}
    return STANDARD_REGIMES["baseline"].model_copy(update={"id": "own", "intensity": Intensity(intensity), **parts})

"""Each kind of gate: what passes it, what does not, and what cannot be told."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tests.unit.instruments.tiers.ladders import Some, gate, ladder_evidence, measured, tier_of, up_to

MODERATE: dict[str, Any] = {"regime": "moderate-standard"}


def found(name: str, *instead: Some, drop: tuple[str, ...] = (), **facts: Any) -> dict[str, Any]:
    """A gate of a system that passes everything, with some cells replaced."""
    cells = {one.cell for one in instead} | set(drop)
    return gate(tier_of(ladder_evidence(*[one for one in up_to(6) if one.cell not in cells], *instead, **facts)), name)


def test_a_success_without_a_transition_is_no_feedback_cycle() -> None:
    blind = Some("T1-loop", 200, 200, changes={"transitions": 0, "calls": 6})
    assert found("reliability", blind)["status"] == "passed"
    assert found("feedback-cycle", blind)["status"] == "failed"
    once = Some("T1-loop", 200, 200, changes={"transitions": 1, "calls": 1})
    assert found("feedback-cycle", once)["status"] == "failed"


def test_a_success_in_four_steps_shows_no_depth() -> None:
    shallow = [Some("T3-depth", 200, 200, name, changes={"transitions": 1, "calls": 4}) for name in ("deep", "deeper")]
    assert found("depth", *shallow)["status"] == "failed"


def test_depth_asks_for_two_families() -> None:
    one = found("depth", Some("T3-depth", 200, 200, "deep"), Some("T3-depth", 100, 200, "deeper"))
    assert one["status"] == "failed"
    assert "1 of 2 families meet it" in one["reason"]


@pytest.mark.parametrize(
    ("better", "worse", "status"), [(150, 110, "passed"), (150, 121, "failed"), (130, 100, "passed")]
)
def test_a_contrast_needs_its_points(better: int, worse: int, status: str) -> None:
    some = [Some("T3-delayed", better, 200, name) for name in ("later", "latest")]
    some += [Some("T3-delayed", worse, 200, name, baseline="model-free") for name in ("later", "latest")]
    assert found("delayed-reward", *some)["status"] == status


def test_a_contrast_by_luck_is_provisional() -> None:
    """Fifteen points over twenty pairs of each family, which the interval does not tell from none."""
    some = [Some("T3-delayed", 12, 20, name, from_the_end=True) for name in ("later", "latest")]
    some += [Some("T3-delayed", 9, 20, name, baseline="model-free") for name in ("later", "latest")]
    one = found("delayed-reward", *some)
    assert (one["status"], one["provisional"]) == ("failed", True)
    assert one["reason"].endswith("whose interval reaches 0")


def baseline_of(m3: int, e1: int) -> list[Some]:
    own = [Some("E1", 100, 100, "making"), *(Some("M3", 100, 100, name) for name in "ab")]
    return [
        *own,
        Some("E1", e1, 100, "making", baseline="model-free"),
        *(Some("M3", m3, 100, name, baseline="model-free") for name in "ab"),
    ]


def test_a_baseline_with_a_model_is_unfit() -> None:
    one = found("delayed-reward", *baseline_of(m3=80, e1=100))
    assert one["status"] == "not evaluable"
    assert "has a model: 160/200 on M3" in one["reason"]


def test_a_broken_baseline_is_unfit() -> None:
    one = found("delayed-reward", *baseline_of(m3=10, e1=20))
    assert one["status"] == "not evaluable"
    assert "fails what needs no model: 20/100 on E1" in one["reason"]


def test_a_baseline_that_was_hardly_measured_is_unfit() -> None:
    few = [Some("E1", 100, 100, "making"), Some("E1", 9, 9, "making", baseline="model-free")]
    one = found("delayed-reward", *few)
    assert one["status"] == "not evaluable"
    assert "measured too seldom: 9 on E1, needs 10" in one["reason"]


def test_arms_with_other_knobs_are_not_compared() -> None:
    """Easier tasks in one arm alone would be a gain of any size."""
    harder: dict[str, Any] = {"baseline": "model-free", "knobs": {"strategies": "fixed"}}
    some = [Some("T3-delayed", 200, 200, name) for name in ("later", "latest")]
    some += [Some("T3-delayed", 0, 200, name, **harder) for name in ("later", "latest")]
    one = found("delayed-reward", *some)
    assert one["status"] == "not tested"
    assert one["reason"].endswith("with the same condition and other knobs")


def test_arms_under_another_condition_are_not_compared() -> None:
    evidence = ladder_evidence(*up_to(4))
    entries = evidence.frozen.suite.entries
    arms = tuple(
        replace(arm, condition="blunt") if entries[arm.entry].knobs == {"strategies": "fixed"} else arm
        for arm in evidence.arms
    )
    assert gate(tier_of(evidence), "meta-control")["status"] == "passed"
    assert gate(tier_of(replace(evidence, arms=arms)), "meta-control")["status"] == "not tested"


def test_without_a_baseline_the_gate_is_not_evaluable() -> None:
    some = [Some("T3-delayed", 200, 200, name) for name in ("later", "latest")]
    assert found("delayed-reward", *some)["status"] == "not evaluable"
    why = "the bench cannot make it"
    assert found("delayed-reward", *some, no_baseline=why)["reason"] == why


def test_one_episode_that_could_not_be_imposed_makes_it_not_evaluable() -> None:
    """An agent must not choose in which episodes its baseline counts."""
    some = [Some("T3-delayed", 200, 200, name) for name in ("later", "latest")]
    some += [Some("T3-delayed", 0, 199, name, baseline="model-free") for name in ("later", "latest")]
    lost = {"outcome": "infrastructure", "reason": "baseline"}
    some.append(Some("T3-delayed", 0, 1, "later", baseline="model-free", changes=lost, first=199))
    one = found("delayed-reward", *some)
    assert one["status"] == "not evaluable"
    assert "owns its loop" in one["reason"]


def test_what_the_bench_broke_counts_against_a_contrast() -> None:
    """A quarter of the baseline's episodes is missing: had they succeeded, nothing would be left of the gain."""
    lost = {"outcome": "infrastructure", "reason": "world"}
    some = [Some("T3-delayed", 120, 200, name) for name in ("later", "latest")]
    for name in ("later", "latest"):
        some.append(Some("T3-delayed", 70, 150, name, baseline="model-free"))
        some.append(Some("T3-delayed", 0, 50, name, baseline="model-free", changes=lost, first=150))
    one = found("delayed-reward", *some)
    assert (one["status"], one["provisional"]) == ("failed", True)


def calibrated(sure: tuple[float, float] | None, k: int = 100, n: int = 200) -> dict[str, Any]:
    return found("calibration", Some("T4-calibration", k, n, **MODERATE, confident=sure))


def test_calibration_and_what_stands_beside_it() -> None:
    one = calibrated((0.9, 0.2))
    assert one["status"] == "passed"
    assert one["value"] == pytest.approx(1.0)
    assert one["beside"] == {
        "auroc": 1.0,
        "brier": 0.025,
        "calibration_error": 0.15,
        "success_rate": 0.5,
        "attainable": 0.866,
    }


@pytest.mark.parametrize(
    ("sure", "k", "why"),
    [(None, 100, "no confidence was stated"), ((0.5, 0.5), 100, "the same for every item"), ((0.9, 0.9), 200, "same")],
)
def test_an_undefined_correlation_fails_with_its_reason(sure: Any, k: int, why: str) -> None:
    one = calibrated(sure, k)
    assert one["status"] == "failed"
    assert why in one["reason"]


def test_leaving_the_confidence_out_gains_nothing() -> None:
    some = [
        Some("T4-calibration", 50, 100, **MODERATE, confident=(0.9, 0.1)),
        Some("T4-calibration", 50, 100, **MODERATE, first=100),
    ]
    one = found("calibration", *some)
    assert one["status"] == "failed"
    assert "100 without a confidence" in one["reason"]


@pytest.mark.parametrize("k", [40, 130])
def test_ranking_a_few_items_that_one_can_do_is_no_calibration(k: int) -> None:
    one = calibrated((0.9, 0.1), k)
    assert one["value"] == pytest.approx(1.0)
    assert one["status"] == "not evaluable"
    assert f"{k // 2}% of 200 items came out right" in one["reason"]


def test_few_items_are_too_little() -> None:
    one = calibrated((0.9, 0.1), 20, 40)
    assert (one["status"], one["provisional"]) == ("failed", True)


def switched(took: tuple[str, str], k: int = 100) -> dict[str, Any]:
    """What was taken where the first suits, and where the second does."""
    some = []
    for family in ("switch", "turn"):
        for first, (suits, way) in enumerate(zip(("one", "two"), took, strict=True)):
            arm: dict[str, Any] = {
                "knobs": {"strategies": "open"},
                "changes": measured(strategy=way, suits=suits),
                "first": 100 * first,
            }
            some.append(Some("T4-switch", k, 100, family, **MODERATE, **arm))
            fixed: dict[str, Any] = {"knobs": {"strategies": "fixed"}, "changes": measured(strategy="one", suits=suits)}
            some.append(Some("T4-switch", 50, 100, family, **MODERATE, **fixed, first=100 * first))
    return found("meta-control", *some)


def test_switching_is_seen_in_the_log() -> None:
    assert switched(("one", "two"))["status"] == "passed"


def test_a_gain_with_one_strategy_alone_is_no_switching() -> None:
    one = switched(("one", "one"))
    assert one["status"] == "failed"
    assert "no switching was recognised" in one["reason"]


def test_switching_against_the_features_is_none() -> None:
    one = switched(("two", "one"))
    assert one["status"] == "failed"
    assert "does not follow the features" in one["reason"]


def test_a_tier_4_gate_is_not_read_under_baseline() -> None:
    one = found("calibration", Some("T4-calibration", 100, 200, confident=(0.9, 0.1)))
    assert one["status"] == "not tested"


def social(rates: dict[str, int] | None = None, *, severe: bool = True) -> list[Some]:
    some = []
    for family, regime in (
        ("crew", "moderate-standard"),
        ("house", "severe-standard" if severe else "moderate-standard"),
    ):
        for arm in ("identified", "reassigned", "permuted", "masked", "non-social"):
            k = (rates or {}).get(arm, 190 if arm in ("identified", "reassigned") else 20)
            some.append(Some("T5-social", k, 200, family, regime, knobs={"identity": arm}))
    return some


@pytest.mark.parametrize(
    ("name", "rates"),
    [
        ("multi-agent-gain", {"non-social": 185}),
        ("reassigned-gain", {"reassigned": 30}),
        ("permuted-loss", {"permuted": 185}),
        ("masked-loss", {"masked": 185}),
        ("strategic-coverage", {"identified": 100}),
        ("severe", {"masked": 185}),
    ],
)
def test_each_arm_of_identity_decides_a_gate(name: str, rates: dict[str, int]) -> None:
    assert found(name, *social())["status"] == "passed"
    assert found(name, *social(rates))["status"] == "failed"


def test_without_a_severe_family_the_tier_is_capped_at_4() -> None:
    one = found("severe", *social(severe=False))
    assert one["status"] == "not tested"
    assert "capped at Tier 4" in one["reason"]


def modified(again: int = 380, sham: int = 100, n: int = 400, change: str = "aa") -> list[Some]:
    made: dict[str, Any] = {"kind": "composite-tool", "size": 3, "structural": 1}
    share = n // 400 or 1
    phases: dict[str, tuple[int, dict[str, Any]]] = {
        "pretest": (100, {}),
        "posttest": (380, measured(change="aa", **made)),
        "reapplied": (again, measured(change=change, **made)),
        "sham": (sham, measured(change="bb", **made)),
    }
    steps = measured(identified=1, proposed=1, implemented=1, change="aa", **made)
    return [
        Some("T6-modification", 40, 40, "desk", phase="modify", changes=steps, **MODERATE),
        *(
            Some("T6-modification", k * n // 400, n, "desk", phase=phase, changes=changes, **MODERATE)
            for phase, (k, changes) in phases.items()
            if share
        ),
    ]


@pytest.mark.parametrize(("lifetimes", "status"), [(2, "failed"), (9, "failed"), (10, "passed")])
def test_two_bottlenecks_guessed_right_are_no_sequence(lifetimes: int, status: str) -> None:
    window, *phases = modified()
    one = found("sequence", replace(window, k=lifetimes, n=lifetimes), *phases)
    assert (one["status"], one["provisional"]) == (status, status == "failed")
    assert one["reason"].endswith("needs 10 lifetimes") == (status == "failed")


def test_the_tolerance_of_five_points() -> None:
    assert found("reproduction", *modified(again=361))["status"] == "passed"
    outside = found("reproduction", *modified(again=355))
    assert (outside["status"], outside["provisional"]) == ("failed", True)
    assert found("reproduction", *modified(again=200))["provisional"] is False


def test_few_instances_reproduce_only_where_all_come_out_the_same() -> None:
    assert found("reproduction", *modified(n=200))["status"] == "passed"
    one = found("reproduction", *modified(n=200, again=376))
    assert one["status"] == "failed"
    assert "needs 400" in one["reason"]


def test_another_change_than_the_one_that_was_made_reproduces_nothing() -> None:
    one = found("reproduction", *modified(change="cc"))
    assert one["status"] == "failed"
    assert "not the one that was made" in one["reason"]


def test_a_sham_that_gains_takes_the_gate_away() -> None:
    assert found("sham", *modified())["status"] == "passed"
    assert found("sham", *modified(sham=200))["status"] == "failed"
    assert found("sham", *modified(sham=360))["status"] == "failed"

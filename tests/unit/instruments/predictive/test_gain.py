"""The study on tables whose truth is planted: a real gain is found, none is invented, bad input is one sentence."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

from proctor.core.errors import InputError
from proctor.core.seeds import Stream
from proctor.instruments.predictive.design import MAX_CLUSTERS, Design
from proctor.instruments.predictive.gain import criteria, shuffled, study
from proctor.instruments.predictive.panels import acceptances, reliability
from proctor.instruments.predictive.records import Records
from proctor.stats.bootstrap import BootstrapEstimate

DESIGN = Design(
    "success", "issue", ("length", "kind"), "score", within="model", leave_out=("kind",), draws=500, shuffles=20
)


def planted(effect: float, *, issues: int = 120, models: int = 4, seed: int = 1) -> Records:
    """Success depends on length, on the issue and, with `effect`, on the score; models differ in level."""
    rng = Stream.keyed("planted", seed).numpy()
    rows: list[dict[str, Any]] = []
    for issue in range(issues):
        length, hard = rng.normal(), rng.normal()
        for model in range(models):
            score = rng.normal()
            chance = 1 / (1 + np.exp(-(0.8 * length + 0.7 * hard + 0.4 * (model - 1.5) + effect * score)))
            rows.append(
                {
                    "success": int(rng.random() < chance),
                    "issue": f"i{issue}",
                    "model": f"m{model}",
                    "length": float(length),
                    "kind": "abc"[issue % 3],
                    "score": float(score),
                }
            )
    return Records({name: [row[name] for row in rows] for name in rows[0]})


def test_a_planted_gain_is_found_and_passes_the_gate() -> None:
    found = study(planted(1.6), DESIGN)
    assert found.n == 480
    assert found.primary is found.gain_within
    assert found.primary.estimate is not None
    assert found.primary.estimate > 0.1
    assert found.passed
    assert all(part.gain is not None and part.gain > 0 for part in found.parts if part.kind == "without")


def test_no_gain_is_invented() -> None:
    """Over twenty tables without any effect the lower bound lies above 0 about as often as it may: rarely."""
    exceeded = 0
    for seed in range(20):
        found = study(planted(0.0, seed=seed, issues=60), Design(**{**_plain(DESIGN), "shuffles": 0, "leave_out": ()}))
        exceeded += found.primary.low is not None and found.primary.low > 0.0
        assert not found.passed
    assert exceeded <= 2


def test_rising_from_worse_than_chance_to_chance_is_no_gain() -> None:
    before = BootstrapEstimate(
        estimate=0.15, low=0.07, high=0.23, n=100, method="gain in AUC", clusters=50, resamples=500, exact=False
    )
    chance = msgspec.structs.replace(before, estimate=0.03, low=-0.02, high=0.08)
    assert [one.met for one in criteria(before, before, 0.4)] == [True] * 4
    assert [one.met for one in criteria(before, chance, 0.4)] == [True, True, True, False]
    assert criteria(before, chance, 0.4)[3].value == -0.02


def test_over_chance_is_the_area_less_one_half() -> None:
    found = study(planted(1.6), Design(**{**_plain(DESIGN), "within": None, "shuffles": 0, "leave_out": ()}))
    assert found.over_chance.estimate is not None and found.augmented.estimate is not None
    assert found.over_chance.estimate == pytest.approx(found.augmented.estimate - 0.5, abs=1e-12)


def _plain(design: Design) -> dict[str, Any]:
    return {name: getattr(design, name) for name in design.__struct_fields__}


def test_a_shuffled_score_gains_what_chance_gives() -> None:
    table = planted(1.6)
    interval = study(table, DESIGN).null_interval
    assert interval is not None
    dealt = table.replaced("score", shuffled(table["score"], table["model"], Stream.keyed("once more")))
    gain = study(dealt, DESIGN).primary.estimate
    assert gain is not None
    # Twenty shuffles make a rough interval: one more lies within it, or within its width of it.
    width = interval[1] - interval[0]
    assert interval[0] - width < gain < interval[1] + width
    assert abs(gain) < 0.02


def test_shuffling_keeps_each_models_own_values() -> None:
    column, apart = list(range(12)), ["a", "b", "c"] * 4
    dealt = shuffled(column, apart, Stream.keyed("s"))
    assert dealt != column
    for value in "abc":
        assert sorted(x for x, own in zip(dealt, apart, strict=True) if own == value) == [
            x for x, own in zip(column, apart, strict=True) if own == value
        ]


def test_no_record_of_a_cluster_helps_to_predict_it() -> None:
    """A feature that gives the issue away is worth nothing out of fold."""
    table = planted(0.0, issues=80)
    given_away = table.replaced("length", [str(issue) for issue in table["issue"]])
    found = study(given_away, Design("success", "issue", ("length",), "score", draws=50, shuffles=0))
    assert found.baseline.estimate is not None
    assert found.baseline.estimate < 0.6


def test_missing_parts_make_a_record_missing() -> None:
    table = planted(1.0)
    holes = [None if place % 7 == 0 else value for place, value in enumerate(table["score"])]
    found = study(table.replaced("score", holes), Design(**{**_plain(DESIGN), "shuffles": 0}))
    assert found.missing == sum(value is None for value in holes)
    assert found.n + found.missing == table.count


def test_a_group_with_one_class_is_counted_and_not_scored() -> None:
    table = planted(1.0)
    outcome = [0 if kind == "a" else value for kind, value in zip(table["kind"], table["success"], strict=True)]
    found = study(table.replaced("success", outcome), Design(**{**_plain(DESIGN), "shuffles": 0}))
    lone = [part for part in found.parts if part.kind == "within" and part.value == "a"]
    assert [(part.gain, part.reason) for part in lone] == [(None, "one class only: no pair to rank")]


@pytest.mark.parametrize(
    ("design", "says"),
    [
        (Design("nowhere", "issue", ("length",), "score"), "there is no column 'nowhere'"),
        (Design("length", "issue", ("kind",), "score"), "has to be 0 or 1"),
        (Design("success", "issue", (), "score"), "the baseline has no feature"),
        (Design("success", "issue", ("score",), "score"), "nothing to add"),
        (Design("success", "issue", ("length",), "kind"), "has to be a number"),
        (Design("success", "model", ("length",), "score"), "do not make 5 folds; give records of at least 5"),
        (Design("success", "issue", ("success",), "score"), "cannot predict itself"),
        (Design("success", "issue", ("length",), "success"), "cannot predict itself"),
        (Design("success", "success", ("length",), "score"), "cannot be grouped by it"),
        (Design("success", "issue", ("length",), "score", within="nowhere"), "there is no column 'nowhere'"),
    ],
)
def test_bad_input_is_one_sentence(design: Design, says: str) -> None:
    with pytest.raises(InputError, match=says):
        study(planted(0.5, issues=20), design)


@pytest.mark.parametrize(
    ("column", "value", "says"),
    [
        ("success", 1, "'success' is 1 in every record: one class only"),
        ("success", "yes", "has to be 0 or 1 .* one is 'yes'"),
        ("success", 0.5, "has to be 0 or 1 .* one is '0.5'"),
        ("score", None, "column 'score' is empty"),
        ("score", "high", "score 'score' has to be a number .* one is 'high'"),
    ],
)
def test_a_column_that_cannot_be_used_is_one_sentence(column: str, value: Any, says: str) -> None:
    table = planted(0.5, issues=20)
    with pytest.raises(InputError, match=says):
        study(table.replaced(column, [value] * table.count), DESIGN)


def test_records_beyond_counting_are_refused_before_any_work() -> None:
    many = MAX_CLUSTERS + 1
    table = Records({"success": [0, 1] * many, "issue": list(range(2 * many)), "length": [1] * 2 * many})
    with pytest.raises(InputError, match="draw whole clusters at random, at most 5,000"):
        study(table.replaced("score", table["issue"]), Design("success", "issue", ("length",), "score"))


def test_a_model_that_always_succeeds_leaves_the_gain_within_models_unmeasured() -> None:
    table = planted(1.0, issues=40)
    outcome = [1 if model == "m0" else value for model, value in zip(table["model"], table["success"], strict=True)]
    found = study(table.replaced("success", outcome), DESIGN)
    assert found.gain.estimate is not None
    assert found.primary.estimate is None
    assert found.primary.reason == "m0: one class only, so there is no pair to rank within every model"
    assert found.null == ()
    assert [item.met for item in found.criteria[:2]] == [None, None]
    assert not found.passed


def test_numbers_of_any_size_are_compared_alike() -> None:
    """Squares of such numbers overflow; the study is about their order and proportions."""
    table = planted(1.6, issues=40)
    design = Design("success", "issue", ("length", "kind"), "score", draws=50, shuffles=0)
    usual = study(table, design)
    large = study(table.replaced("score", [value * 1e250 for value in table["score"]]), design)
    assert large.gain.estimate == pytest.approx(usual.gain.estimate)
    assert usual.categories == {"kind": 3}


def test_net_benefit_by_hand() -> None:
    labels, predicted, clusters = [1, 1, 0, 0], [0.9, 0.6, 0.8, 0.2], ["a", "b", "c", "d"]
    found = {item.threshold: item for item in acceptances(labels, predicted, clusters, violations=[0, 1, 1, 0])}
    half, eighty = found[0.50], found[0.80]
    assert half.accepted.estimate == pytest.approx(3 / 4)
    assert half.success.estimate == pytest.approx(2 / 3)
    assert half.violations is not None
    assert half.violations.estimate == pytest.approx(2 / 3)
    assert half.net_benefit.estimate == pytest.approx(2 / 4 - 1 / 4)
    assert eighty.net_benefit.estimate == pytest.approx(1 / 4 - 1 / 4 * 0.8 / 0.2)
    assert found[0.95].accepted.estimate == 0.0
    assert found[0.95].success.estimate is None, "nothing accepted is not a success rate of 0"


def test_calibrated_probabilities_lie_on_the_diagonal() -> None:
    rng = Stream.keyed("calibrated").numpy()
    predicted = rng.random(4000)
    labels = (rng.random(4000) < predicted).astype(int).tolist()
    bins = reliability(labels, predicted.tolist(), [f"c{place // 4}" for place in range(4000)], draws=500)
    assert len(bins) == 10
    inside = 0
    for each in bins:
        low, high = each.observed.low, each.observed.high
        assert low is not None
        assert high is not None
        inside += low <= each.predicted <= high
    assert inside >= 8


def test_without_scikit_learn_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "sklearn.model_selection", None)
    with pytest.raises(InputError, match=r"proctor\[stats\]"):
        study(planted(0.5, issues=20), DESIGN)

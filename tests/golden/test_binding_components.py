"""Tables 15, 17, 18 and 34 of the binding paper, from the counts behind them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from proctor.instruments.binding.contrasts import Contrast, contrast
from proctor.instruments.binding.inference import infer
from proctor.instruments.binding.scores import COMPONENTS, COMPOSITE
from proctor.stats.bootstrap import bootstrap_mean
from tests.golden.published import counted, printed, read

COUNTED = counted()
CONTRASTS: dict[str, Contrast] = {
    name: contrast(COUNTED, name, metric, "A4", second)
    for name, metric, second in (
        ("structured_minus_high_stochasticity", COMPOSITE, "A5"),
        ("reason_contrast", "RSI", "A4_no_reason"),
        ("veto_contrast", "VEI", "A4_no_veto"),
        ("memory_contrast", "MCI", "A5"),
        ("self_contrast", "SCI", "A5"),
    )
}
SIDES = {
    "structured": "A4",
    "reason_lesion": "A4_no_reason",
    "veto_lesion": "A4_no_veto",
    "high_stochasticity": "A5",
}
ROUNDED = "ds004917_uncertainty"
"""Printed to three decimals in table 18."""


@pytest.mark.parametrize(
    "row", read("binding_components_by_dataset"), ids=lambda row: f"{row['dataset']}-{row['variant']}"
)
def test_table_17_reprints_from_counts(row: dict[str, str]) -> None:
    one = COUNTED[row["dataset"], row["variant"]]
    for name in COMPONENTS:
        assert printed(one.score(name)) == row[f"B_{name}"]
    assert printed(one.score(COMPOSITE)) == row["composite"]
    assert printed(one.false_positive) == row["false_positive"]
    assert row["cue"] == row["composite"]


@pytest.mark.parametrize("row", read("binding_dataset_contrasts"), ids=lambda row: row["dataset"])
def test_table_18_reprints_from_counts(row: dict[str, str]) -> None:
    dataset = row["dataset"]
    values: dict[str, Fraction | None] = {
        name: COUNTED[dataset, variant].score(COMPOSITE) for name, variant in SIDES.items()
    }
    values |= {name: one.values[dataset] for name, one in CONTRASTS.items()}
    for name, value in values.items():
        assert value is not None
        if dataset == ROUNDED:
            assert float(row[name]) == pytest.approx(float(value), abs=5e-4)
            assert f"{float(value):.3f}".rstrip("0").rstrip(".") == row[name].rstrip("0").rstrip(".")
        else:
            assert printed(value) == row[name]


def test_table_18_from_the_rounded_table_17() -> None:
    rounded = {(row["dataset"], row["variant"]): row for row in read("binding_components_by_dataset")}
    sources = {
        "structured_minus_high_stochasticity": ("composite", "A5"),
        "reason_contrast": ("B_RSI", "A4_no_reason"),
        "veto_contrast": ("B_VEI", "A4_no_veto"),
        "memory_contrast": ("B_MCI", "A5"),
        "self_contrast": ("B_SCI", "A5"),
    }
    for row in read("binding_dataset_contrasts"):
        tolerance = 5e-4 if row["dataset"] == ROUNDED else 1e-6
        for name, (column, second) in sources.items():
            first, other = rounded[row["dataset"], "A4"], rounded[row["dataset"], second]
            difference = float(first[column]) - float(other[column])
            assert difference == pytest.approx(float(row[name]), abs=tolerance + 1e-12)
        for name, variant in SIDES.items():
            one = rounded[row["dataset"], variant]
            composite = sum(float(one[f"B_{component}"]) for component in COMPONENTS) / len(COMPONENTS)
            assert composite == pytest.approx(float(one["composite"]), abs=1e-6 + 1e-12)
            assert composite == pytest.approx(float(row[name]), abs=tolerance + 1e-12)


TABLE_34 = (
    "structured_minus_high_stochasticity",
    "reason_contrast",
    "veto_contrast",
    "memory_contrast",
    "self_contrast",
)


@pytest.mark.parametrize(("place", "name"), list(enumerate(TABLE_34)))
def test_table_34_follows(place: int, name: str) -> None:
    row = read("binding_sensitivity_summary")[place]
    found = infer(name, CONTRASTS[name].values)
    assert found.across.n == int(row["units"]) == 7
    assert found.across.positive == int(row["positive_units"])
    for value, column in (
        (found.across.minimum, "minimum_contrast"),
        (found.across.estimate, "mean_contrast"),
        (found.across.leave_one_out_minimum, "leave_one_out_minimum_mean"),
        (found.across.top_removed, "top_effect_removed_mean"),
    ):
        assert value is not None
        assert f"{value:.3f}" == row[column]
    assert found.sign.p_value == float(row["one_sided_sign_p"])
    assert found.sign_two_sided == 2 * float(row["one_sided_sign_p"])


def test_a_contrast_may_exceed_one() -> None:
    value = CONTRASTS["reason_contrast"].values["ds004042_recall"]
    assert value is not None
    assert value > 1


def test_both_bootstrap_bounds() -> None:
    values = CONTRASTS["structured_minus_high_stochasticity"].values
    published = bootstrap_mean(
        [float(values[name] or 0) for name in sorted(values)],
        sorted(values),
        draws=1_000,
        rng=np.random.default_rng(7),
        enumerate_up_to=0,
    )
    assert published.low == pytest.approx(0.855732, abs=5e-7)
    found = infer("composite", values)
    assert found.bootstrap.low == pytest.approx(0.855329, abs=5e-7)
    assert (found.bootstrap.exact, found.bootstrap.resamples) == (True, 1716)
    # The published bound is 0.0004 above the exact one; the t bound, which decides, is lower than both.
    assert found.bound == found.across.low
    assert found.across.low is not None
    assert found.bootstrap.low is not None
    assert found.across.low < found.bootstrap.low
    paper = infer("composite", values, profile="paper")
    assert paper.bound == paper.bootstrap.low
    assert paper.decides == "percentile bootstrap"


def test_means_by_variant_of_table_16() -> None:
    means = {"A4": (0.973, 0.773, 0.989, 0.990), "A5": (0.002, -0.001, -0.001, 0.179)}
    for variant, expected in means.items():
        for name, value in zip(COMPONENTS, expected, strict=True):
            scores = [one.score(name) for key, one in COUNTED.items() if key[1] == variant]
            mean = sum((score for score in scores if score is not None), Fraction(0)) / 7
            assert f"{float(mean):.3f}" == f"{value:.3f}"

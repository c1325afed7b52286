"""Tests on pairs against published results, brute force and SciPy."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from proctor.stats.estimate import ALTERNATIVES, Alternative
from proctor.stats.external import statsmodels
from proctor.stats.paired import holm, mcnemar, sign_flip, sign_test, wilcoxon

# Darwin's maize: cross-fertilised minus self-fertilised heights in eighths of an inch.
DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]


def test_published_mcnemar() -> None:
    # Fagerland, Lydersen and Laake (2013), BMC Medical Research Methodology 13:91, 1 and 7 discordant pairs.
    assert mcnemar(1, 7).p_value == pytest.approx(0.0703, abs=5e-5)
    assert mcnemar(1, 7, method="mid_p").p_value == pytest.approx(0.0391, abs=5e-5)


@settings(max_examples=60, deadline=None)
@given(b=st.integers(0, 80), c=st.integers(0, 80))
def test_mcnemar_exact_is_the_binomial_test(b: int, c: int) -> None:
    result = mcnemar(b, c)
    expected = stats.binomtest(b, b + c, 0.5).pvalue if b + c else 1.0
    assert result.p_value == pytest.approx(float(expected), rel=1e-9)
    assert result.n == b + c
    mid = mcnemar(b, c, method="mid_p").p_value
    assert mid is not None and result.p_value is not None and mid <= result.p_value
    assert mid == pytest.approx(mcnemar(c, b, method="mid_p").p_value, abs=1e-12)


def test_mcnemar_mid_p_of_a_tie_and_direction() -> None:
    assert mcnemar(4, 4, method="mid_p").p_value == pytest.approx(1.0)
    assert mcnemar(9, 1, alternative="greater").p_value == pytest.approx(11 / 1024)
    assert mcnemar(1, 9, alternative="less").p_value == pytest.approx(11 / 1024)
    with pytest.raises(ValueError, match="negative"):
        mcnemar(-1, 2)
    with pytest.raises(ValueError, match="method"):
        mcnemar(1, 2, method="asymptotic")  # type: ignore[arg-type]


def test_sign_test_of_seven_positive_units() -> None:
    """Binding paper, table 34: one-sided 0.0078125; two-sided doubled."""
    assert sign_test([0.1] * 7).p_value == 0.0078125
    assert sign_test([0.1] * 7, alternative="two-sided").p_value == 0.015625
    assert sign_test([0.1] * 6 + [-0.1]).p_value == pytest.approx(8 / 128)


def test_sign_test_caps_and_treats_zeros_as_declared() -> None:
    assert sign_test([1.0, -1.0], alternative="two-sided").p_value == 1.0
    assert sign_test([1.0, 1.0, 0.0]).p_value == 0.25
    assert sign_test([1.0, 1.0, 0.0], zeros="against").p_value == 0.5
    assert sign_test([0.0, 0.0]).p_value is None
    assert sign_test([None, 1.0]).missing == 1
    with pytest.raises(ValueError, match="two-sided"):
        sign_test([1.0], alternative="two-sided", zeros="against")


def test_fisher_on_darwins_maize() -> None:
    # Fisher (1935), The Design of Experiments, section 21: 863 of 32,768 patterns reach the observed total.
    assert sign_flip(DARWIN, alternative="greater").p_value == 863 / 32768
    assert sign_flip(DARWIN).p_value == 1726 / 32768


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(-10, 10).map(lambda x: round(x, 2)), min_size=1, max_size=7), st.sampled_from(ALTERNATIVES))
def test_sign_flip_is_brute_force(values: list[float], alternative: Alternative) -> None:
    hundredths = [round(100 * value) for value in values]
    observed, extreme = sum(hundredths), 0
    for signs in product((1, -1), repeat=len(values)):
        total = sum(sign * abs(value) for sign, value in zip(signs, hundredths, strict=True))
        reached = {"greater": total >= observed, "less": total <= observed, "two-sided": abs(total) >= abs(observed)}
        extreme += reached[alternative]
    assert sign_flip(values, alternative=alternative).p_value == extreme / 2 ** len(values)


def test_sums_equal_on_paper_count_as_equal() -> None:
    """0.3 − 0.1 − 0.2 is 0 and so is its mirror: 5 of 8 patterns reach it either way, whatever rounding says."""
    for values in permutations([0.3, -0.1, -0.2]):
        assert sign_flip(values, alternative="greater").p_value == 5 / 8
        assert sign_flip(values, alternative="less").p_value == 5 / 8


def test_sampled_sign_flip_approaches_the_exact_and_needs_a_generator() -> None:
    sampled = sign_flip(DARWIN, exact_up_to=10, draws=40_000, rng=np.random.default_rng(1))
    assert sampled.p_value == pytest.approx(1726 / 32768, abs=0.004)
    again = sign_flip(DARWIN, exact_up_to=10, draws=40_000, rng=np.random.default_rng(1))
    assert again == sampled
    with pytest.raises(ValueError, match="rng"):
        sign_flip(DARWIN, exact_up_to=10)
    never_zero = sign_flip([1.0] * 60, draws=99, rng=np.random.default_rng(0), alternative="greater")
    assert never_zero.p_value == 0.01
    assert sign_flip([None]).p_value is None
    with pytest.raises(ValueError, match="memory"):
        sign_flip([1.0], exact_up_to=25)
    assert sign_flip([1.0], exact_up_to=24).p_value == 1.0
    assert sign_flip([1.0] * 18).method == "exact sign-flip, 262144 patterns"
    with pytest.raises(ValueError, match="19 units need random patterns"):
        sign_flip([1.0] * 19)


def test_sign_flip_keeps_its_level() -> None:
    rng = np.random.default_rng(4)
    p = np.array([sign_flip(row).p_value for row in rng.standard_t(3, size=(1000, 7))], dtype=float)
    assert float((p <= 0.05).mean()) <= 0.065
    assert float((p <= 0.05).mean()) >= 0.02


def test_published_wilcoxon() -> None:
    # Hollander and Wolfe (1973), depression under a tranquillizer; R: wilcox.test(x, y, paired = TRUE,
    # alternative = "greater") prints V = 40, p-value = 0.01953.
    x = np.array([1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30])
    y = np.array([0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29])
    result = wilcoxon(x - y, alternative="greater")
    assert (result.statistic, result.p_value) == pytest.approx((40.0, 0.01953125))
    assert wilcoxon([0.0, None]).reason == "no unit with a sign"


def test_holm_by_hand_and_with_gaps() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert holm([0.02, None, 0.9]) == pytest.approx((0.04, None, 0.9))
    assert holm([]) == ()
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        holm([1.5])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_never_lowers_keeps_order_and_starts_at_bonferroni(p_values: list[float]) -> None:
    adjusted = [value for value in holm(p_values) if value is not None]
    assert len(adjusted) == len(p_values)
    assert all(raw <= value <= 1.0 for raw, value in zip(p_values, adjusted, strict=True))
    in_order = [adjusted[place] for place in np.argsort(p_values)]
    assert in_order == sorted(in_order)
    assert in_order[0] == pytest.approx(min(1.0, min(p_values) * len(p_values)))


def test_holm_equals_statsmodels() -> None:
    p_values = np.random.default_rng(0).random(40) ** 3
    theirs = statsmodels("stats.multitest").multipletests(p_values, method="holm")[1]
    assert holm(p_values.tolist()) == pytest.approx(tuple(theirs))

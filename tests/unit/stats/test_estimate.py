"""The result types keep their promises: nothing undefined is written as a number."""

from __future__ import annotations

import subprocess
import sys

import msgspec
import pytest

from proctor.stats.estimate import Estimate, Significance


def test_no_estimate_needs_a_reason() -> None:
    with pytest.raises(ValueError, match="needs a reason"):
        Estimate(estimate=None, n=0, method="m")
    assert not Estimate(estimate=None, n=0, method="m", reason="nothing").scored


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_number_that_is_not_finite_is_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="is not a result"):
        Estimate(estimate=bad, low=0.0, high=1.0, n=3, method="m")


def test_bounds_must_be_in_order_and_belong_to_an_estimate() -> None:
    with pytest.raises(ValueError, match="exceeds"):
        Estimate(estimate=0.5, low=0.6, high=0.4, n=3, method="m")
    with pytest.raises(ValueError, match="without an estimate"):
        Estimate(estimate=None, low=0.1, high=0.4, n=3, method="m", reason="r")


def test_excludes_is_strict_and_false_without_bounds() -> None:
    assert Estimate(estimate=0.5, low=0.1, high=0.9, n=3, method="m").excludes(0.0)
    assert Estimate(estimate=-0.5, low=-0.9, high=-0.1, n=3, method="m").excludes(0.0)
    assert not Estimate(estimate=0.5, low=0.0, high=0.9, n=3, method="m").excludes(0.0)
    assert not Estimate(estimate=0.5, n=1, method="m", reason="one value").excludes(0.0)


def test_results_are_frozen_and_serialise() -> None:
    result = Estimate(estimate=0.5, low=0.1, high=0.9, n=3, method="m")
    with pytest.raises(AttributeError):
        result.n = 4  # type: ignore[misc]
    assert msgspec.json.decode(msgspec.json.encode(result), type=Estimate) == result


def test_significance_is_a_probability_or_has_a_reason() -> None:
    with pytest.raises(ValueError, match="not a probability"):
        Significance(p_value=1.2, n=3, method="m")
    with pytest.raises(ValueError, match="needs a reason"):
        Significance(p_value=None, n=0, method="m")
    assert Significance(p_value=0.01, n=3, method="m").below(0.01)
    assert not Significance(p_value=None, n=0, method="m", reason="r").below(1.0)


def test_importing_the_package_and_its_modules_loads_no_heavy_library() -> None:
    names = "agreement auc bootstrap bootstrap_auc differences entropy intervals paired power reliability sequences"
    code = (
        "import sys\n"
        + "\n".join(f"import proctor.stats.{name}" for name in names.split())
        + "\nprint(','.join(m for m in ('scipy', 'statsmodels', 'pandas', 'sklearn') if m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""

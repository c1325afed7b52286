"""Table 23: the calibration grid, its selection and its gate."""

from __future__ import annotations

import pytest

from proctor.instruments.binding.calibration import GAMMA_LIMIT, GridPoint, calibrate, select
from proctor.instruments.binding.criteria import NOT_MET
from proctor.instruments.binding.entropy import LAYERS, make_gap
from tests.golden.published import read

GRID = read("entropy_calibration_grid")


def point(row: dict[str, str]) -> GridPoint:
    gaps = {layer: float(row[f"{layer}_gap"]) for layer in LAYERS}
    return GridPoint(
        condition=row["variant"],
        temperature=float(row["temperature"]),
        top_p=float(row["top_p"]),
        gap=make_gap(row["variant"], gaps, 7),
    )


@pytest.mark.parametrize("row", GRID, ids=lambda row: row["variant"])
def test_mean_and_maximum_of_the_four_gaps(row: dict[str, str]) -> None:
    found = point(row).gap
    # Gaps and score are printed with three decimals: in every row half a unit of the last is enough.
    assert found.mean_gap == pytest.approx(float(row["strict_score"]), abs=5e-4 + 1e-9)
    assert found.max_gap == float(row["max_strict_gap"])


def test_the_grid_is_complete() -> None:
    assert len({(row["temperature"], row["top_p"]) for row in GRID}) == 28
    assert len({row["temperature"] for row in GRID}) == 7


def test_the_published_setting_is_selected_and_not_matched() -> None:
    points = [point(row) for row in GRID]
    selected = select(points)
    assert selected.condition == "A5_attempt_t020_p075"
    assert selected.gap.max_gap == 1.171
    found = calibrate(points, selected.gap)
    assert found.selected == selected.condition
    assert found.gate.status == NOT_MET
    assert found.gate.criteria[0].limit == GAMMA_LIMIT == 0.15
    assert "matched" in found.wording
    assert "nothing is called matched" in found.wording

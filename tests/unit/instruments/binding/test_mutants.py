"""Rules that could be changed without a test noticing, until these: each fails where its rule is another."""

from __future__ import annotations

import pytest
from tests.unit.instruments.binding.rows import evidence, read

from proctor.instruments.binding.cells import cells_of, summarise_cells
from proctor.instruments.binding.entropy import Layered
from proctor.instruments.binding.inference import infer
from proctor.instruments.binding.table import table_of


def test_the_sign_flip_test_decides_at_two_and_a_half_percent() -> None:
    """Two of seven units just below zero: the t interval is above it, and 4 of 128 sign patterns give as much."""
    units = {f"d{place}": value for place, value in enumerate([1.0, 1.0, 1.0, 1.0, 1.0, -0.01, -0.01])}
    found = infer("tried", units)
    assert found.across.low is not None
    assert found.across.low > 0
    assert found.flip.p_value == 4 / 128
    assert found.above_zero is False
    one_below = infer("tried", {**units, "d6": 0.5})
    assert one_below.flip.p_value == 2 / 128
    assert one_below.above_zero is True


def test_texts_of_a_cosine_between_080_and_090_are_two_clusters() -> None:
    texts = (
        "taking the blue folder is the safest course of action here today",
        "taking a blue folder is the safest course of action here today",
    )
    rows = [{"event": f"e{place}", "raw": texts[place % 2]} for place in range(4)]
    (found,) = Layered(read(rows).table).entropies()
    assert found.bits["semantic"] == pytest.approx(1.0)


def test_texts_of_a_cosine_between_090_and_095_are_one_cluster() -> None:
    """By scikit-learn 0.914 over character n-grams of 3 to 5, and below 0.9 over those of 4 to 5 or 3 to 6."""
    texts = (
        "taking the blue folder is the safest course of action here today",
        "taking the blue folder is the safest course of action there today",
    )
    rows = [{"event": f"e{place}", "raw": texts[place % 2]} for place in range(4)]
    (found,) = Layered(read(rows).table).entropies()
    assert found.bits["raw"] == 1.0
    assert found.bits["semantic"] == 0.0


@pytest.mark.parametrize("top", [-1.0, 1.0])
def test_the_top_effect_is_the_largest_in_either_direction(top: float) -> None:
    found = infer("tried", {"a": 0.5, "b": 0.25, "c": top, "d": 0.75})
    assert found.across.top_removed == pytest.approx(0.5)


def test_the_top_cell_is_the_largest_in_either_direction() -> None:
    rights = {
        "f0": ([1, 1, 1, 0], [1, 1, 0, 0]),
        "f1": ([1, 1, 1, 1], [1, 0, 0, 1]),
        "f2": ([0, 0, 0, 0], [1, 1, 1, 1]),
    }
    plain = {"ontology": "four-codes", "before": "ACT_B", "target": "ACT_A"}
    given = [
        {**plain, "family": family, "dataset": family, "condition": condition, "event": f"{family}e{event}"}
        | {"code": "ACT_A" if right else "ACT_B"}
        for family, sides in rights.items()
        for condition, side in zip(("structured", "no-fields"), sides, strict=True)
        for event, right in enumerate(side)
    ]
    (found,) = summarise_cells(cells_of(table_of({"m": evidence(given)}).table))
    assert found.minimum == -1.0
    assert found.top_removed == pytest.approx((0.25 + 0.5) / 2)

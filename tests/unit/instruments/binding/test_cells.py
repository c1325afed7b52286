"""The cell matrix on shared trials, several models together, and the lowest cluster bound."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.instruments.binding.rows import evidence

from proctor.instruments.binding.cells import cells_of, summarise_cells
from proctor.instruments.binding.gate import boundary_gate
from proctor.instruments.binding.table import table_of

FAMILIES = [f"family-{number}" for number in range(8)]


def rows(family: str, condition: str, hits: list[int], **more: Any) -> list[dict[str, Any]]:
    return [
        {
            "family": family,
            "condition": condition,
            "dataset": family,
            "event": f"{family}-{place}",
            "ontology": "four-codes",
            "target": "ACT_B",
            "before": "ACT_A",
            "code": "ACT_B" if hit else "ACT_A",
            **more,
        }
        for place, hit in enumerate(hits)
    ]


def matrix(better: int) -> list[dict[str, Any]]:
    """Structured is right in all four trials, the control in as many as said."""
    found: list[dict[str, Any]] = []
    for style in ("react", "planner", "reflection"):
        for family in FAMILIES:
            found += rows(family, f"{style}.structured", [1, 1, 1, 1])
            found += rows(family, f"{style}.no-fields", [1] * better + [0] * (4 - better))
    return found


def test_every_scaffold_and_family_is_a_cell() -> None:
    cells = cells_of(table_of({"m": evidence(matrix(1))}).table)
    assert len(cells) == 24
    assert {cell.delta for cell in cells} == {0.75}
    assert {cell.scaffold for cell in cells} == {"react", "planner", "reflection"}
    (found,) = summarise_cells(cells)
    assert (found.control, found.cells, found.positive, found.mean_delta) == ("no-fields", 24, 24, 0.75)
    assert {bound.kind: bound.clusters for bound in found.bounds} == {"model": 1, "scaffold": 3, "family": 8}
    model = next(bound for bound in found.bounds if bound.kind == "model")
    assert (model.bootstrap.low, model.leave_one_out_minimum) == (None, None), "one model says nothing about others"
    assert model.bootstrap.reason
    assert found.lowest == 0.75
    assert found.families.above_zero is True


def test_a_delta_of_zero_is_not_positive() -> None:
    (found,) = summarise_cells(cells_of(table_of({"m": evidence(matrix(4))}).table))
    assert (found.positive, found.mean_delta) == (0, 0.0)
    assert found.families.above_zero is False


def test_only_shared_trials_count() -> None:
    given = [*rows("family-0", "structured", [1, 1, 0, 0]), *rows("family-0", "no-fields", [0, 0])]
    (cell,) = cells_of(table_of({"m": evidence(given)}).table)
    assert (cell.structured.n, cell.compared.n, cell.delta) == (2, 2, 1.0)


def test_several_models_make_a_kind_of_cluster() -> None:
    runs = {"strong": evidence(matrix(0)), "weak": evidence(matrix(3))}
    cells = cells_of(table_of(runs).table)
    (found,) = summarise_cells(cells)
    bounds = {bound.kind: bound for bound in found.bounds}
    assert bounds["model"].clusters == 2
    assert bounds["model"].bootstrap.low == 0.25
    assert bounds["model"].leave_one_out_minimum == 0.25
    assert (found.lowest, found.lowest_kind) == (0.25, "model")
    assert found.mean_delta == 0.625
    assert bounds["family"].bootstrap.low == 0.625


def test_seeds_and_missing_cells() -> None:
    given = [
        *rows("family-0", "structured", [1, 1], replicate=0),
        *rows("family-0", "structured", [1, 1], replicate=1),
        *rows("family-0", "scrambled", [1, 1], replicate=0),
        *rows("family-0", "scrambled", [0, 0], replicate=1),
        *rows("family-1", "structured", [1, 0]),
        *rows("family-1", "no-fields", [0, 0]),
    ]
    cells = cells_of(table_of({"m": evidence(given)}).table)
    scrambled = next(cell for cell in cells if cell.control == "scrambled")
    assert scrambled.seeds == {"0": 0.0, "1": 1.0}
    summaries = {one.control: one for one in summarise_cells(cells)}
    assert summaries["scrambled"].missing == 1
    assert summaries["scrambled"].top_removed is None
    assert summaries["scrambled"].lowest is None
    assert summaries["no-fields"].mean_delta == pytest.approx(0.5)


@pytest.mark.parametrize(("better", "status"), [(1, "met"), (4, "not met")])
def test_the_boundary_gate(better: int, status: str) -> None:
    gate = boundary_gate(summarise_cells(cells_of(table_of({"m": evidence(matrix(better))}).table)))
    assert gate is not None
    assert gate.status == status
    assert [one.name for one in gate.criteria] == ["structured over no-fields"]
    assert gate.criteria[0].n == 24


def test_the_boundary_gate_needs_clusters_and_core_controls() -> None:
    alone = [*rows("family-0", "structured", [1, 1]), *rows("family-0", "no-fields", [0, 0])]
    gate = boundary_gate(summarise_cells(cells_of(table_of({"m": evidence(alone)}).table)))
    assert gate is not None
    assert gate.status == "not measured"
    full = [*rows("family-0", "structured", [1, 1]), *rows("family-0", "stochastic-full", [1, 1])]
    assert boundary_gate(summarise_cells(cells_of(table_of({"m": evidence(full)}).table))) is None


def test_cells_by_hand() -> None:
    """Deltas of .75, .25 and −.5 over three families: means with each left out are −.125, .125 and .5."""
    given = [
        *rows("f1", "structured", [1, 1, 1, 1]),
        *rows("f1", "no-fields", [1, 0, 0, 0]),
        *rows("f2", "structured", [1, 1, 0, 0]),
        *rows("f2", "no-fields", [1, 0, 0, 0]),
        *rows("f3", "structured", [0, 0, 0, 0]),
        *rows("f3", "no-fields", [1, 1, 0, 0]),
    ]
    (found,) = summarise_cells(cells_of(table_of({"m": evidence(given)}).table))
    assert (found.cells, found.positive, found.missing) == (3, 2, 0)
    assert found.mean_delta == pytest.approx(0.5 / 3)
    assert found.minimum == -0.5
    assert found.top_removed == pytest.approx(-0.125)
    assert found.structured_mean == pytest.approx(0.5)
    assert found.control_mean == pytest.approx(1 / 3)
    bounds = {bound.kind: bound for bound in found.bounds}
    assert bounds["family"].clusters == 3
    assert bounds["family"].leave_one_out_minimum == pytest.approx(-0.125)
    # All 27 draws: three times −.5 alone is likelier than the tail of .025.
    assert bounds["family"].bootstrap.low == pytest.approx(-0.5)
    assert found.lowest == pytest.approx(-0.5)
    assert found.lowest_kind == "family"
    assert found.families.across.n == 3


def test_a_bound_of_zero_and_families_below_it_are_not_met() -> None:
    """The lowest bound decides before the families do; under six families nothing is decided by them."""
    level = [row for family in FAMILIES for row in rows(family, "structured", [1, 0])]
    level += [row for family in FAMILIES for row in rows(family, "no-fields", [1, 0])]
    five = [row for family in FAMILIES[:5] for row in rows(family, "structured", [1, 1])]
    five += [row for family in FAMILIES[:5] for row in rows(family, "no-fields", [0, 1])]
    for given, status, value in ((level, "not met", 0.0), (five, "not measured", 0.5)):
        gate = boundary_gate(summarise_cells(cells_of(table_of({"m": evidence(given)}).table)))
        assert gate is not None
        (one,) = gate.criteria
        assert (one.status, one.value, one.limit) == (status, value, 0.0)
    assert one.reason == "too few families to decide"

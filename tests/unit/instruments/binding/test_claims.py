"""The ledger: what each line counts, and that nothing is supported where its gate is not met."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.instruments.binding.rows import evidence
from tests.unit.instruments.binding.test_budget import budgeted, exact
from tests.unit.instruments.binding.test_cells import matrix
from tests.unit.instruments.binding.test_coupling import CONDITIONS, asked_again
from tests.unit.instruments.binding.test_coupling import rows as coupled
from tests.unit.instruments.binding.test_entropy import rows as coded
from tests.unit.instruments.binding.test_sufficiency import table as sufficient

from proctor.instruments.binding.budget import forced_budgets
from proctor.instruments.binding.calibration import PriorCell, prior_gate
from proctor.instruments.binding.cells import cells_of, summarise_cells
from proctor.instruments.binding.claims import (
    behaviour_claim,
    budget_claim,
    cells_claim,
    coupling_claim,
    prior_claim,
    sufficiency_claim,
)
from proctor.instruments.binding.content import content_index, coupling_gate
from proctor.instruments.binding.coupling import couplings, summarise_coupling
from proctor.instruments.binding.criteria import Gate, at_least
from proctor.instruments.binding.gate import boundary_gate
from proctor.instruments.binding.inference import infer
from proctor.instruments.binding.own_words import words_gate
from proctor.instruments.binding.sufficiency import sufficiency_of
from proctor.instruments.binding.table import table_of

MET, UNMET, UNKNOWN = at_least("a", 1, 1), at_least("b", 0.25, 1), at_least("c", None, 1)


def test_what_is_not_met_is_contrary_and_what_was_not_measured_is_said() -> None:
    seven = infer("composite", {f"d{place}": 0.5 if place else -0.5 for place in range(7)})
    claim = behaviour_claim(Gate.of("behaviour", MET, UNMET, UNKNOWN), [infer("reason", {"d0": 1.0}), seven])
    assert claim.supported == ""
    assert claim.contrary == "b: 0.25 (at least 1)"
    assert claim.result == (
        "composite 0.357 above the stochastic comparator, positive in 6 of 7 datasets; not measured: c"
    )
    met = behaviour_claim(Gate.of("behaviour", MET), [])
    assert met.supported
    assert (met.contrary, met.result) == ("", "the composite contrast was not measured")


@pytest.mark.parametrize(("better", "supported"), [(1, True), (4, False)])
def test_cells_are_counted_control_by_control(better: int, supported: bool) -> None:
    summaries = summarise_cells(cells_of(table_of({"m": evidence(matrix(better))}).table))
    claim = cells_claim(summaries, boundary_gate(summaries))
    positive, mean = (24, "+0.750") if supported else (0, "+0.000")
    assert claim.result == f"cells with structured above: no-fields {positive}/24 ({mean})"
    sized = "against no-fields; smallest difference 0.750 (no-fields), lower bound 0.750"
    assert claim.supported.endswith(sized) == supported
    assert bool(claim.contrary) != supported
    beside = cells_claim(summaries, None)
    assert beside.supported == ""
    assert "nothing is decided" in beside.result


@pytest.mark.parametrize(("only", "supported"), [(10, True), (5, False)])
def test_sufficiency_is_claimed_where_every_model_passes(only: int, supported: bool) -> None:
    readings = [sufficiency_of(sufficient(), "m"), sufficiency_of(sufficient(only=only), "m")]
    claim = sufficiency_claim(readings, spelled=True)
    recovered = 1.0 if supported else 0.375
    assert claim.result == f"m: recovery 1.000; m: recovery {recovered:.3f}"
    assert claim.supported == ("the decisive field alone brings the prescribed action back; recovery 1.000" * supported)
    assert ("only the decisive field: 0.5 (at least 0.8)" in claim.contrary) != supported
    assert "names it on purpose" in claim.excluded
    assert "names it on purpose" not in sufficiency_claim(readings, spelled=False).excluded
    assert sufficiency_claim([], spelled=True).supported == ""


def test_coupling_counts_the_controls_and_leaves_the_compressed_variant_out() -> None:
    given = [row for name in CONDITIONS for place in range(7) for row in coupled(name, f"d{place}")]
    summary = summarise_coupling(couplings(table_of({"m": evidence(given)}).table, CONDITIONS, scaffolded=True))
    assert summary is not None
    index = content_index(table_of({"m": evidence(asked_again(None, datasets=7))}).table)
    decided = [(one.comparator, one.inference.above_zero) for one in summary.contrasts if one.control]
    claim = coupling_claim(summary, coupling_gate(decided, index), index)
    assert claim.result == ("structured above 2 of 2 controls; weakest control posthoc-fields; content-only AFCI 1.000")
    assert claim.supported
    without = coupling_claim(summary, words_gate(decided, (), None), None)
    assert (without.supported, without.contrary) == ("", "")
    assert "content-only AFCI not measured" in without.result


@pytest.mark.parametrize(("gaps", "met"), [((0.02, 0.10), 2), ((0.02, 0.11), 1)])
def test_a_prior_is_matched_where_it_is_in_every_cell(gaps: tuple[float, ...], met: int) -> None:
    cells = [
        PriorCell(model="m", scaffold=f"s{gap}", structured_bits=1.0, prior_bits=1.0 - gap, gap=gap, met=gap <= 0.10)
        for gap in gaps
    ]
    gate = prior_gate(cells)
    assert (gate.criteria[0].value, gate.criteria[0].k, gate.criteria[0].n) == (met / 2, met, 2)
    assert gate.criteria[0].reason == f"widest gap {max(gaps):.3f} bits"
    claim = prior_claim(cells, gate)
    assert claim.result == f"entropy within its limit in {met} of 2 model–scaffold cells"
    assert bool(claim.supported) == (met == 2)
    assert bool(claim.contrary) == (met == 1)


@pytest.mark.parametrize(
    ("state", "supported", "contrary"),
    [("ACTION_B", True, ""), ("VETO", False, "no higher accuracy")],
)
def test_a_budget_supports_where_accuracy_is_higher(state: str, supported: bool, contrary: str) -> None:
    """The prior gives one code to all, too: no entropy is between the two."""
    given: list[dict[str, Any]] = [
        *coded("structured", (state,) * 4, **budgeted()),
        *coded("entropy-prior", ("VETO",) * 4, **budgeted()),
    ]
    conditions = {name: exact(name) for name in ("structured", "entropy-prior")}
    budgets = forced_budgets(table_of({"m": evidence(given)}).table, conditions)
    claim = budget_claim(budgets)
    right = 4 if supported else 0
    assert claim.result == f"accuracy {right}/4 with the state (structured), 0/4 with entropy-prior"
    assert claim.supported == ("the difference is there under equal tokens and time: 1.000" * supported)
    assert claim.contrary == contrary

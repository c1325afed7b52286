"""The claim ledger: for each kind of evidence in a run, what it supports and what it does not.

Lines are made from gates and contrasts alone; a claim is supported only where its gate is met, and whatever was not met
stands beside it as contrary result.
"""

from __future__ import annotations

from collections.abc import Sequence

from proctor.instruments.binding.calibration import Budget, Calibration
from proctor.instruments.binding.cells import ControlSummary
from proctor.instruments.binding.coupling import CouplingSummary
from proctor.instruments.binding.criteria import MET, NOT_MEASURED, NOT_MET, Criterion, Gate
from proctor.instruments.binding.inference import Inference
from proctor.instruments.binding.reading import Claim
from proctor.instruments.binding.sufficiency import Sufficiency

KEEPS_STATE = frozenset({"stochastic-full"})
"""Controls that show the whole state: being no worse than structured speaks against nothing here."""
_PROTOCOL = "agency, hidden reasoning, mechanisms inside the model, agents and events that were not examined"


def behaviour_claim(gate: Gate, contrasts: Sequence[Inference]) -> Claim:
    """Of the six-code benchmark."""
    composite = next((one for one in contrasts if one.contrast == "composite"), None)
    found = "the composite contrast was not measured"
    if composite is not None and composite.across.estimate is not None:
        found = (
            f"composite {composite.across.estimate:.3f} above the stochastic comparator, positive in "
            f"{composite.across.positive} of {composite.across.n} datasets"
        )
    return Claim(
        block="finite-action benchmark",
        result=found + _unmeasured(gate.criteria),
        supported="actions follow the decisive state and resist irrelevant cues" if gate.status == MET else "",
        contrary=_unmet(gate.criteria),
        excluded=_PROTOCOL,
    )


def cells_claim(summaries: Sequence[ControlSummary]) -> Claim:
    """Of the cell matrix."""
    parts = [f"{one.control} {one.positive}/{one.cells} ({one.mean_delta:+.3f})" for one in summaries]
    held = [one.control for one in summaries if one.lowest is not None and one.lowest > 0]
    failed = [one.control for one in summaries if one.control not in held and one.control not in KEEPS_STATE]
    return Claim(
        block="state-boundary controls",
        result="structured above " + ", ".join(parts),
        supported=f"accuracy depends on the event's decisive state, against {', '.join(held)}" if held else "",
        contrary=f"no bound above zero against {', '.join(failed)}" if failed else "",
        excluded=_PROTOCOL,
    )


def sufficiency_claim(found: Sequence[Sufficiency]) -> Claim:
    """Of the sufficiency experiment."""
    parts = []
    for one in found:
        recovery = "undefined" if one.recovery is None else f"{one.recovery:.3f}"
        parts.append(f"{one.model}: recovery {recovery}{_unmeasured(one.gate.criteria)}")
    passed = all(one.gate.status == MET for one in found)
    return Claim(
        block="sufficiency",
        result="; ".join(parts),
        supported="the decisive field alone brings the prescribed action back" if passed else "",
        contrary="; ".join(text for one in found if (text := _unmet(one.gate.criteria))),
        excluded="reasoning without the action being named: the decisive field names it on purpose",
    )


def coupling_claim(summary: CouplingSummary) -> Claim:
    """Of the matched interface."""
    controls = [one for one in summary.contrasts if one.control]
    above = [one for one in controls if one.inference.above_zero]
    below = [one.comparator for one in controls if not one.inference.above_zero]
    return Claim(
        block="matched-interface coupling",
        result=f"structured above {len(above)} of {len(controls)} controls; weakest control {summary.weakest}",
        supported="reported fields are coupled to actions beyond their format" if above and not below else "",
        contrary=f"not above {', '.join(below)}" if below else "",
        excluded="that reported fields are how the action came about: coupling uses declared provenance",
    )


def entropy_claim(calibration: Calibration) -> Claim:
    """Of the calibration grid."""
    held = calibration.held_out
    found = "no held-out rows" if held is None else f"largest gap {held.max_gap:.3f} bits on the held-out split"
    return Claim(
        block="entropy calibration",
        result=f"selected {calibration.selected}: {found}",
        supported=calibration.wording if calibration.gate.status == MET else "",
        contrary="" if calibration.gate.status == MET else calibration.wording,
        excluded="matching of models or settings that were not in the grid",
    )


def budget_claim(budget: Budget) -> Claim:
    """Of the forced budget."""
    one, two = budget.structured_accuracy, budget.control_accuracy
    return Claim(
        block="forced budget",
        result=f"accuracy {one.k}/{one.n} with the state, {two.k}/{two.n} with the prior alone"
        + _unmeasured(budget.gate.criteria),
        supported="the difference is there under equal tokens and time" if budget.gate.status == MET else "",
        contrary=_unmet(budget.gate.criteria),
        excluded="matching in any other run",
    )


def _unmet(criteria: Sequence[Criterion]) -> str:
    """What was declared and not met. What was not measured speaks neither for nor against."""
    return "; ".join(
        f"{one.name}: {'undefined' if one.value is None else f'{one.value:.4g}'} ({one.rule})"
        for one in criteria
        if one.status == NOT_MET
    )


def _unmeasured(criteria: Sequence[Criterion]) -> str:
    names = [one.name for one in criteria if one.status == NOT_MEASURED]
    return f"; not measured: {', '.join(names)}" if names else ""

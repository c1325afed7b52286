"""The claim ledger: for each kind of evidence in a run, what it supports and what it does not.

Lines are made from gates and contrasts alone; a claim is supported only where its gate is met, and whatever was not met
stands beside it as contrary result. A supported claim names the size it rests on: the smallest of its parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from proctor.instruments.binding.absolute import Absolute
from proctor.instruments.binding.budget import Budget
from proctor.instruments.binding.calibration import Calibration, PriorCell
from proctor.instruments.binding.cells import ControlSummary
from proctor.instruments.binding.content import ContentIndex
from proctor.instruments.binding.coupling import CouplingSummary
from proctor.instruments.binding.criteria import MET, NOT_MEASURED, NOT_MET, Criterion, Gate
from proctor.instruments.binding.inference import Inference
from proctor.instruments.binding.own_state import LOST, own_state_contrasts
from proctor.instruments.binding.own_words import FieldEffect
from proctor.instruments.binding.reading import Claim
from proctor.instruments.binding.scores import Share
from proctor.instruments.binding.sufficiency import ONLY_LESS_TWIN, Sufficiency

_PROTOCOL = "agency, hidden reasoning, mechanisms inside the model, agents and events that were not examined"
ELSEWHERE = "not measured here; `binding` measures it"
"""Of the benchmark's claim in suites without the lesions that it rests on."""
_SHORT = {"RSI": "reason", "MCI": "memory", "VEI": "veto", "SCI": "self"}


def behaviour_claim(
    gate: Gate, contrasts: Sequence[Inference], bindings: Sequence[Absolute] = (), *, lesioned: bool = True
) -> Claim:
    """Of the six-code benchmark; `bindings` are its B* one by one, `lesioned`: each has a comparison."""
    composite = next((one for one in contrasts if one.contrast == "composite"), None)
    result = "the composite contrast was not measured"
    if composite is not None and composite.across.estimate is not None:
        result = (
            f"composite {composite.across.estimate:.3f} above the stochastic comparator, positive in "
            f"{composite.across.positive} of {composite.across.n} datasets"
        )
    return Claim(
        block="finite-action benchmark",
        result=result + _unmeasured(gate.criteria),
        supported="actions follow the decisive state and resist irrelevant cues"
        + _smallest("B*", ((_SHORT[one.component], one.score) for one in bindings))
        if gate.status == MET
        else "",
        contrary="; ".join(part for part in ("" if lesioned else ELSEWHERE, _unmet(gate.criteria)) if part),
        excluded=_PROTOCOL,
    )


def own_state_claim(gate: Gate, controls: Sequence[Inference]) -> Claim:
    """Of an agent whose own named state was lesioned."""
    contrasts = own_state_contrasts(controls)
    parts = [f"{name} {_contrast(one)}" for name, one in contrasts.items()]
    return Claim(
        block="own state",
        result="composite with its own state as kept, above the same " + ", ".join(parts) + _unmeasured(gate.criteria),
        supported="what the agent keeps in its named state has an effect on what it does, used as its names say or not"
        + _smallest("difference", ((name, one) for name, one in contrasts.items() if name in LOST))
        if gate.status == MET
        else "",
        contrary=_unmet(gate.criteria),
        excluded=f"that what a field holds is used as its name says; state that the agent keeps elsewhere; {_PROTOCOL}",
    )


def cells_claim(summaries: Sequence[ControlSummary], gate: Gate | None) -> Claim:
    """Of the cell matrix. Controls outside the gate are in the result, and decide nothing."""
    parts = [f"{one.control} {one.positive}/{one.cells} ({one.mean_delta:+.3f})" for one in summaries]
    criteria = () if gate is None else gate.criteria
    over = "structured over "
    held = [one.name.removeprefix(over) for one in criteria if one.status == MET and one.name.startswith(over)]
    met = gate is not None and gate.status == MET
    beside = "" if gate is not None else "; no control that loses the state was run, and nothing is decided"
    return Claim(
        block="state-boundary controls",
        result="cells with structured above: " + ", ".join(parts) + beside + _unmeasured(criteria),
        supported=f"accuracy depends on the event's decisive state, against {', '.join(held)}"
        + _size("difference", ((one.mean_delta, one.control, one.lowest) for one in summaries if one.control in held))
        if met
        else "",
        contrary=_unmet(criteria),
        excluded=_PROTOCOL,
    )


def sufficiency_claim(readings: Sequence[Sufficiency], *, spelled: bool) -> Claim:
    """Of the sufficiency experiment; `spelled`: the fields name their action, as those of 1.0 do."""
    parts = []
    for one in readings:
        recovery = "undefined" if one.recovery is None else f"{one.recovery:.3f}"
        parts.append(f"{one.model}: recovery {recovery}{_unmeasured(one.gate.criteria)}")
    passed = bool(readings) and all(one.gate.status == MET for one in readings)
    return Claim(
        block="sufficiency",
        result="; ".join(parts),
        supported="the decisive field alone brings the prescribed action back" + _recovered(readings) if passed else "",
        contrary="; ".join(text for one in readings if (text := _unmet(one.gate.criteria))),
        excluded="reasoning without the action being named: the decisive field names it on purpose"
        if spelled
        else _PROTOCOL,
    )


def coupling_claim(
    summary: CouplingSummary, gate: Gate, index: ContentIndex | None, effects: Sequence[FieldEffect] = ()
) -> Claim:
    """Of the matched interface; `effects` are those of its own words, field by field."""
    controls = [one for one in summary.contrasts if one.control]
    above = sum(one.inference.above_zero is True for one in controls)
    weakest = f"; weakest control {summary.weakest}" if summary.weakest else ""
    content = "; content-only AFCI not measured"
    if index is not None and index.estimate.estimate is not None:
        content = f"; content-only AFCI {index.estimate.estimate:.3f}"
    return Claim(
        block="matched-interface coupling",
        result=f"structured above {above} of {len(controls)} controls{weakest}{content}" + _unmeasured(gate.criteria),
        supported="reported fields are coupled to actions beyond their format"
        + _smallest("effect of its own words", ((one.term, one.effect) for one in effects))
        if gate.status == MET
        else "",
        contrary=_unmet(gate.criteria),
        excluded="that reported fields are how the action came about: coupling uses declared provenance",
    )


def entropy_claim(calibration: Calibration) -> Claim:
    """Of the calibration grid."""
    held = calibration.held_out
    result = "no held-out rows" if held is None else f"largest gap {held.max_gap:.3f} bits on the held-out split"
    return Claim(
        block="entropy calibration",
        result=f"selected {calibration.selected}: {result}" + _unmeasured(calibration.gate.criteria),
        supported=calibration.wording if calibration.gate.status == MET else "",
        contrary=calibration.wording if calibration.gate.status == NOT_MET else "",
        excluded="matching of models or settings that were not in the grid",
    )


def prior_claim(cells: Sequence[PriorCell], gate: Gate) -> Claim:
    """Of the entropy-prior control."""
    met = sum(one.met for one in cells)
    return Claim(
        block="entropy-prior control",
        result=f"entropy within its limit in {met} of {len(cells)} model–scaffold cells",
        supported="the control has the structured Condition's entropy of actions, and no state"
        if gate.status == MET
        else "",
        contrary="" if gate.status == MET else "a behavioural control only: nothing is called entropy-matched",
        excluded="that entropy is matched in any other layer than canonical actions",
    )


def budget_claim(budgets: Sequence[Budget]) -> Claim:
    """Of the forced budget: the gated comparison; others are in the result."""
    gated = budgets[0]
    gate = gated.gate
    one, two = gated.structured_accuracy, gated.control_accuracy
    beside = [f"{other.control} {_share(other.control_accuracy)}" for other in budgets[1:]]
    higher = one.value is not None and two.value is not None and one.value > two.value
    return Claim(
        block="forced budget",
        result=f"accuracy {_share(one)} with the state ({gated.structured}), {_share(two)} with {gated.control}"
        + (f"; beside it {', '.join(beside)}" if beside else "")
        + _unmeasured(gate.criteria),
        supported=f"the difference is there under equal tokens and time: {float(one.value - two.value):.3f}"
        if gate.status == MET and one.value is not None and two.value is not None and higher
        else "",
        contrary="; ".join(part for part in (_unmet(gate.criteria), "" if higher else "no higher accuracy") if part),
        excluded="matching in any other run",
    )


def _smallest(what: str, parts: Iterable[tuple[str, Inference]]) -> str:
    """The smallest of some contrasts, as the end of a claim."""
    shown = ((name, one.across if one.events is None else one.events, one.bound) for name, one in parts)
    return _size(what, ((found.estimate, name, bound) for name, found, bound in shown if found.estimate is not None))


def _size(what: str, parts: Iterable[tuple[float, str, float | None]]) -> str:
    """The smallest mean, of which part it is, and its lower bound; empty where there is none."""
    found = min(parts, default=None, key=lambda part: part[0])
    if found is None:
        return ""
    mean, name, bound = found
    return f"; smallest {what} {mean:.3f} ({name})" + ("" if bound is None else f", lower bound {bound:.3f}")


def _recovered(readings: Sequence[Sufficiency]) -> str:
    """The lowest recovery, and how little the decisive field may bring beyond its twin."""
    recoveries = [one.recovery for one in readings if one.recovery is not None]
    bounds = [
        criterion.value
        for one in readings
        for criterion in one.gate.criteria
        if criterion.name == ONLY_LESS_TWIN and criterion.value is not None
    ]
    recovered = f"; recovery {min(recoveries):.3f}" if recoveries else ""
    return recovered + (f", lower bound over its twin {min(bounds):.3f}" if bounds else "")


def _share(share: Share) -> str:
    return f"{share.k}/{share.n}"


def _contrast(one: Inference) -> str:
    estimate = one.events if one.events is not None else one.across
    return "not measured" if estimate.estimate is None else f"by {estimate.estimate:.3f}"


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

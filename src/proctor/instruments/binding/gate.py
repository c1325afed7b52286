"""The behaviour gate of the six-code benchmark, and the boundary gate of the cell matrix.

Readable and mapped replies, few false positives of the structured Condition, the composite above the stochastic
comparator and each component above its own comparison in at least six of seven datasets, and a bound above zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

from proctor.instruments.binding.audits import parse_errors, unmapped
from proctor.instruments.binding.cells import ControlSummary
from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.contrasts import PRIMARY, condition_of
from proctor.instruments.binding.criteria import (
    MET,
    NOT_MEASURED,
    NOT_MET,
    Criterion,
    Detail,
    Gate,
    above,
    at_least,
    below,
)
from proctor.instruments.binding.inference import Inference
from proctor.instruments.binding.scores import NOTHING, Share, pooled_false_positives
from proctor.instruments.binding.twins import TwinCounted, count_twins, has_twins
from proctor.instruments.binding.variants import STRUCTURED

PARSE_LIMIT, UNMAPPED_LIMIT, FALSE_POSITIVE_LIMIT = 0.02, 0.02, 0.15
DATASET_SHARE = (6, 7)
"""In how many of how many datasets a contrast must be positive."""
_SIX_OF_SEVEN = "positive in at least 6 of 7 datasets"
_BOUND = "lower bound of the composite contrast"
_TITLES = {
    "composite": "composite above the stochastic comparator",
    "reason": "reason above its lesion",
    "veto": "veto above its lesion",
    "memory": "memory above the stochastic comparator",
    "self": "self-continuity above the stochastic comparator",
}


def behaviour_gate(table: BindingTable, inferences: Mapping[str, Inference], more: Sequence[Criterion] = ()) -> Gate:
    """The gate over the declared contrasts, which `inferences` holds by name, and over further criteria."""
    criteria = [
        _share("parse errors", parse_errors(table), PARSE_LIMIT),
        _share("unmapped actions", unmapped(table), UNMAPPED_LIMIT),
        _false_positives(table, condition_of(table, STRUCTURED)),
    ]
    criteria += [
        _positive(_TITLES[name], inferences.get(name), variant, ran=condition_of(table, variant) is not None)
        for name, _, variant in PRIMARY
    ]
    criteria.append(_bound(inferences.get("composite")))
    return Gate.of("behaviour", *criteria, *more)


def _false_positives(table: BindingTable, structured: str | None) -> Criterion:
    """How often an irrelevant cue moved the structured Condition, rows pooled."""
    name = "structured false positives"
    if structured is None or not has_twins(table):
        found = pooled_false_positives(table, structured) if structured else NOTHING
        return _share(name, found, FALSE_POSITIVE_LIMIT)
    pooled = count_twins(table.of("condition", structured), pooled=True).get((), TwinCounted())
    moved, drift = pooled.neutral, pooled.drift
    value = None if pooled.false_positive is None else float(pooled.false_positive)
    if pooled.avoided:
        value = float(pooled.avoided)
    if pooled.by_direction or pooled.avoided:
        named, before = pooled.named, pooled.named_before
        reason = f"the option that the cue names is taken in {before.k} of {before.n} baselines of these rows"
        return below(name, value, FALSE_POSITIVE_LIMIT, Detail(k=named.k, n=named.n, reason=reason))
    reason = f"of two baselines of an event {drift.k} of {drift.n} differ" if drift.n else "no two baselines"
    return below(name, value, FALSE_POSITIVE_LIMIT, Detail(k=moved.k, n=moved.n, reason=reason))


CORE_CONTROLS = ("no-fields", "scrambled", "matched-family", "lesion-strict")
"""Controls that keep format, prior or surface and lose the decisive state. The ordinary lesion is no such control: its
text stays, and what it gives is reported."""


def boundary_gate(summaries: Sequence[ControlSummary], more: Sequence[Criterion] = ()) -> Gate | None:
    """Structured above every core control that was run: the lowest cluster bound above zero, families agreeing."""
    criteria = [_boundary(one) for one in summaries if one.control in CORE_CONTROLS]
    return Gate.of("state boundary", *criteria, *more) if criteria else None


def _boundary(one: ControlSummary) -> Criterion:
    name = f"structured over {one.control}"
    if one.lowest is None:
        return above(name, None, 0.0, Detail(n=one.cells, reason="one cluster of each kind gives no bound"))
    agrees = one.families.above_zero
    how = "of which six are needed" if agrees is None else f"by the {one.families.decides}"
    return Criterion(
        name=name,
        rule=f"lowest cluster bound ({one.lowest_kind}) above 0, and above 0 over families, {how}",
        limit=0.0,
        value=one.lowest,
        status=NOT_MET if one.lowest <= 0 or agrees is False else NOT_MEASURED if agrees is None else MET,
        k=one.positive,
        n=one.cells,
        reason=None if agrees is not None else "too few families to decide",
    )


def needed(units: int) -> int:
    """Six of seven, carried over to other numbers of datasets by rounding up."""
    part, whole = DATASET_SHARE
    return ceil(units * part / whole)


def _share(name: str, share: Share, limit: float) -> Criterion:
    value = None if share.value is None else float(share.value)
    return below(name, value, limit, Detail(k=share.k, n=share.n))


def _positive(title: str, inference: Inference | None, variant: str, *, ran: bool) -> Criterion:
    units = 0 if inference is None else inference.across.n
    if inference is None or units == 0:
        reason = "no dataset has all its probes under both Conditions" if ran else f"{variant} is not in this run"
        return at_least(title, None, DATASET_SHARE[0], Detail(reason=reason, rule=_SIX_OF_SEVEN))
    limit = needed(units)
    rule = f"positive in at least {limit} of {units} datasets"
    return at_least(title, inference.across.positive, limit, Detail(k=inference.across.positive, n=units, rule=rule))


def _bound(inference: Inference | None) -> Criterion:
    if inference is None or inference.above_zero is None:
        units = 0 if inference is None else inference.across.n
        return above(_BOUND, None, 0.0, Detail(reason=f"no interval can be given over {units} datasets"))
    p = inference.flip.p_value
    agrees = f"sign-flip p = {p:.4g}. " if p is not None and inference.decides.startswith("t ") else ""
    return Criterion(
        name=_BOUND,
        rule=f"above 0 by the {inference.decides}",
        limit=0.0,
        value=inference.bound,
        status=MET if inference.above_zero else NOT_MET,
        n=inference.across.n,
        reason=f"{agrees}{inference.scope}",
    )

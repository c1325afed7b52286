"""Sufficiency: does the decisive field alone restore the action, and does another event's field mislead it?

Accuracies are over the current event's target. The guard that runs in production is applied to the same records,
without another call: a field of another event makes it defer, a field of this event that declares its action corrects,
and no field changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np
from msgspec import Struct

from proctor.evidence.measures import NO_FIELD
from proctor.guard import Field, Guard
from proctor.instruments.binding.audits import own_field
from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.criteria import NOT_MET, Criterion, Detail, Gate, at_least
from proctor.instruments.binding.scores import NOTHING, Share
from proctor.instruments.binding.twins import TWINS, above_twins, family_gains, has_twins, targets_only
from proctor.instruments.binding.variants import FULL, IRRELEVANT, ONLY, PRIOR, SCRAMBLED_FIELD, SURFACE
from proctor.spec.ontology import ONTOLOGIES
from proctor.stats.estimate import Estimate
from proctor.stats.intervals import clustered_proportion
from proctor.stats.sample import BoolArray

CONDITIONS = (FULL, ONLY, SURFACE, PRIOR, SCRAMBLED_FIELD, IRRELEVANT)
CONTROLS = (SURFACE, PRIOR, SCRAMBLED_FIELD)
ACCURACY_FLOOR, ADVANTAGE_FLOOR, RECOVERY_FLOOR = 0.80, 0.25, 0.75
CONFIDENCE = 0.95
"""Of what the gate asks over families."""
ONLY_LESS_TWIN = "only the decisive field, less its twin"


class Followed(Struct, frozen=True, kw_only=True):
    """How often an action followed the decisive field of another event."""

    raw: Share
    """As the model acted."""
    guarded: Share
    """After the guard; its deferrals count as following where the field happens to call for deferring."""
    guarded_acts: Share
    """After the guard, deferrals of the guard left out of what follows."""


class Sufficiency(Struct, frozen=True, kw_only=True):
    """The sufficiency experiment of one run."""

    model: str
    accuracy: dict[str, Share]
    """By Condition."""
    by_family: dict[str, tuple[Share, ...]]
    """The same, family by family: events of one family share their texts."""
    guarded: dict[str, Share]
    """The same after the guard."""
    guard_changes: dict[str, Share]
    """Rows in which the guard changed the action."""
    control: str
    """The best non-decisive control; empty where none was run."""
    recovery: float | None
    """(only − control) / (full − control); None where full does not exceed the control."""
    following: Followed
    task_cells: dict[str, dict[str, Share]]
    """By family: full and only-decisive."""
    gate: Gate


class Guarded(Struct, frozen=True):
    """What the guard makes of recorded actions, row by row."""

    same: BoolArray
    """Accepted as they are."""
    corrected: BoolArray
    """Replaced by what the field of the current event declares."""
    deferred: BoolArray


def guarded(table: BindingTable) -> Guarded:
    """The production guard's ruling on every recorded action."""
    guards = {name: Guard[str](ontology.defer) for name, ontology in ONTOLOGIES.items()}
    verdicts: list[str] = []
    columns = ("ontology", "code", "event", "field_event", "field_code")
    # With twins fields spell nothing: the guard stands as an operator uses it, who declares what a field calls for.
    implies = (table.numbers["design"] == TWINS) & ~table.is_in("field_code", ("",))
    declared = (table.numbers["declared"] > 0) | implies
    for (ontology, code, event, source, implied), names in zip(
        zip(*(table.values(name) for name in columns), strict=True), declared.tolist(), strict=True
    ):
        field = None if source == NO_FIELD else Field(event=source, implies=implied if names else None)
        guard = guards.get(ontology)
        verdicts.append("accept" if guard is None else guard.rule(code, event=event, field=field).verdict)
    verdict = np.array(verdicts, dtype=np.str_)
    return Guarded(verdict == "accept", verdict == "correct", verdict == "defer")


def is_sufficiency(table: BindingTable) -> bool:
    """Whether the run has both Conditions the question is about."""
    variants = set(table.present("variant"))
    return {FULL, ONLY} <= variants


def sufficiency_of(table: BindingTable, model: str) -> Sufficiency:
    """The experiment of one run."""
    both = table.of("run", model).of("variant", *CONDITIONS)
    rows = targets_only(both)
    rule = guarded(rows)
    right = rows.numbers["c"] > 0
    after = _right_after(rows, rule, right)
    masks = {variant: rows.is_in("variant", (variant,)) for variant in CONDITIONS}
    accuracy = {variant: _share(right, mask) for variant, mask in masks.items()}
    wrapped = {variant: _share(after, mask) for variant, mask in masks.items()}
    families = [rows.is_in("family", (family,)) for family in rows.present("family")]
    control, recovery = _recovery(accuracy)
    return Sufficiency(
        model=model,
        accuracy=accuracy,
        by_family={
            variant: tuple(_share(right, mask & family) for family in families) for variant, mask in masks.items()
        },
        guarded=wrapped,
        guard_changes={variant: _share(~rule.same, mask) for variant, mask in masks.items()},
        control=control,
        recovery=recovery,
        following=_following(rows, rule, masks[SCRAMBLED_FIELD]),
        task_cells={
            family: {variant: _share(right, mask & rows.is_in("family", (family,))) for variant, mask in shown.items()}
            for shown in ({variant: masks[variant] for variant in (FULL, ONLY)},)
            for family in rows.present("family")
        },
        gate=_gate(accuracy, wrapped, control, recovery, _beyond_twins(both)),
    )


def interval(one: Sufficiency, condition: str, *, confidence: float = 0.95) -> Estimate:
    """The accuracy under a Condition with an interval over families; with one family none can be given."""
    shares = one.by_family[condition]
    return clustered_proportion([share.k for share in shares], [share.n for share in shares], confidence=confidence)


def _right_after(rows: BindingTable, rule: Guarded, right: BoolArray) -> BoolArray:
    """Rows that show their target once the guard has spoken."""
    corrected_right = rule.corrected & rows.same("field_code", "target")
    deferred_right = rule.deferred & _is_defer(rows, "target")
    return np.asarray((rule.same & right) | corrected_right | deferred_right, dtype=np.bool_)


def _following(rows: BindingTable, rule: Guarded, mask: BoolArray) -> Followed:
    """Over rows that show a field of another event."""
    mask = mask & ~rows.is_in("field_event", (NO_FIELD,)) & ~own_field(rows)
    follows = rows.same("code", "field_code")
    waits = rule.deferred & _is_defer(rows, "field_code")
    return Followed(
        raw=_share(follows, mask),
        guarded=_share((rule.same & follows) | waits, mask),
        guarded_acts=_share(rule.same & follows, mask),
    )


def _is_defer(rows: BindingTable, column: str) -> BoolArray:
    codes = {ontology.defer for ontology in ONTOLOGIES.values()}
    return rows.is_in(column, codes)


def _recovery(accuracy: Mapping[str, Share]) -> tuple[str, float | None]:
    controls = {name: value for name in CONTROLS if (value := accuracy[name].value) is not None}
    full, only = accuracy[FULL].value, accuracy[ONLY].value
    if not controls:
        return "", None
    control = max(controls, key=lambda name: (controls[name], name))
    best = controls[control]
    if full is None or only is None or full <= best:
        return control, None
    return control, float((only - best) / (full - best))


def _beyond_twins(rows: BindingTable) -> tuple[Criterion, ...]:
    """Where texts have twins: accuracy on a text less that on its twin, with the whole state and with one field."""
    if not has_twins(rows):
        return ()
    titles = {FULL: "full state, less its twin", ONLY: ONLY_LESS_TWIN}
    return tuple(
        above_twins(family_gains(rows.of("variant", variant), CONFIDENCE, title)) for variant, title in titles.items()
    )


def _gate(
    accuracy: Mapping[str, Share],
    wrapped: Mapping[str, Share],
    control: str,
    recovery: float | None,
    more: tuple[Criterion, ...],
) -> Gate:
    full, only = accuracy[FULL], accuracy[ONLY]
    best = accuracy[control].value if control else None
    advantage = None if only.value is None or best is None else float(only.value - best)
    raw, after = accuracy[IRRELEVANT].value, wrapped[IRRELEVANT].value
    kept = None if raw is None or after is None else float(after - raw)
    # Full at or below the control leaves nothing to recover: the criterion is failed, not unmeasured.
    nothing = recovery is None and best is not None and full.value is not None
    return Gate.of(
        "sufficiency",
        at_least("full state", _float(full.value), ACCURACY_FLOOR, Detail(k=full.k, n=full.n)),
        at_least("only the decisive field", _float(only.value), ACCURACY_FLOOR, Detail(k=only.k, n=only.n)),
        at_least(f"decisive field over the best control ({control or 'none run'})", advantage, ADVANTAGE_FLOOR),
        _failed("recovery", RECOVERY_FLOOR, "undefined: the full state is no better than the best control")
        if nothing
        else at_least("recovery", recovery, RECOVERY_FLOOR),
        at_least("irrelevant-cue accuracy kept by the guard", kept, 0.0),
        *more,
    )


def _failed(name: str, limit: float, reason: str) -> Criterion:
    return Criterion(name=name, rule=f"at least {limit:g}", limit=limit, value=None, status=NOT_MET, reason=reason)


def _share(hits: BoolArray, mask: BoolArray) -> Share:
    n = int(mask.sum())
    return Share(int((hits & mask).sum()), n) if n else NOTHING


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)

"""Content-only coupling: a reported field is exchanged, the model is asked again, and the action follows it or not.

No declared provenance enters. Fluent fields that nothing goes by have none, whatever their format. The index (content-
only AFCI, ours) is the mean over the four fields; where one was not exchanged there is no index.

Somebody who acts at random follows an exchanged field now and then. So the gate asks for more than chance: how often
the action would agree with the field if the same actions were taken whatever it says.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.criteria import MET, NOT_MET, Criterion, Detail, Gate, above
from proctor.instruments.binding.inference import MIN_UNITS
from proctor.instruments.binding.scores import Share
from proctor.instruments.binding.tables import Tables
from proctor.instruments.binding.variants import EXCHANGED_WORDS, OWN_WORDS, TERMS
from proctor.stats.estimate import Estimate
from proctor.stats.intervals import ClusteredEstimate, clustered_proportion, mean
from proctor.stats.sample import BoolArray, FloatArray

REASK = "reask"
"""Variants that ask again after a reported field was exchanged: `reask-reason` and so on."""
INDEX = "all four: content-only AFCI"
BEYOND = "all four: beyond chance"
ACTS = "lower bound of content-only AFCI beyond chance"


class ContentOnly(Struct, frozen=True, kw_only=True):
    """How often the action followed an exchanged field when asked again."""

    condition: str
    term: str
    followed: Share
    interval: ClusteredEstimate
    """Over events."""


class ContentIndex(Struct, frozen=True, kw_only=True):
    """The mean over the four fields."""

    estimate: Estimate
    beyond_chance: Estimate
    """The same, less the agreement that the actions' own frequencies give."""
    unit: str
    """What the interval is over: datasets, or events where datasets are few."""
    rows: int


def reasked(table: BindingTable) -> BoolArray:
    """Rows that ask again with an exchanged field."""
    return table.is_in("variant", [label for label in table.text["variant"].labels if label.startswith(REASK)])


def asked_again(table: BindingTable) -> BoolArray:
    """Rows that ask again in any way."""
    return reasked(table) | table.is_in("variant", (OWN_WORDS, EXCHANGED_WORDS))


def content_only(table: BindingTable, *, confidence: float = 0.95) -> tuple[ContentOnly, ...]:
    """Each exchanged field: did the action become what the new field says?"""
    rows = table.where(reasked(table))
    follows = _follows(rows)
    groups = rows.groups("condition", "component")
    shares = []
    for group, (condition, term) in enumerate(groups.keys):
        inside = groups.codes == group
        events = rows.where(inside).groups("dataset", "event")
        hits = [round(k) for k in events.total(follows[inside])]
        sizes = [round(n) for n in events.total()]
        interval = clustered_proportion(hits, sizes, confidence=confidence)
        followed = Share(sum(hits), sum(sizes))
        shares.append(ContentOnly(condition=condition, term=term, followed=followed, interval=interval))
    return tuple(shares)


def content_index(table: BindingTable, *, confidence: float = 0.95) -> ContentIndex | None:
    """The mean over the four fields; None where not all of them were exchanged anywhere."""
    rows = table.where(reasked(table))
    for unit, columns in (("dataset", ("dataset",)), ("event", ("dataset", "event"))):
        follows = _follows(rows).astype(np.float64)
        values = _means(rows, columns, follows)
        if not values:
            return None
        if len(values) >= MIN_UNITS or unit == "event":
            beyond = _means(rows, columns, follows - _chance(rows))
            return ContentIndex(
                estimate=mean(values, confidence=confidence),
                beyond_chance=mean(beyond, confidence=confidence),
                unit=unit,
                rows=rows.size,
            )
    return None


def coupling_gate(controls: Sequence[tuple[str, bool | None]], index: ContentIndex | None) -> Gate:
    """Structured above every control, and content that acts where it was exchanged.

    `controls` are the declared comparators with what was decided about each.
    """
    content = [] if index is None else [_acts(index)]
    return Gate.of("coupling", above_controls(controls), *content)


def add_content(tables: Tables, shares: Sequence[ContentOnly], index: ContentIndex | None) -> None:
    """One row a field, and one for the index."""
    rows: list[dict[str, object]] = [
        {
            "condition": one.condition,
            "field": one.term,
            "followed": one.followed.value,
            "low": one.interval.low,
            "high": one.interval.high,
            "rows": one.followed.n,
            "interval_over": "event",
        }
        for one in shares
    ]
    if index is not None:
        rows += [
            {
                "condition": "",
                "field": name,
                "followed": estimate.estimate,
                "low": estimate.low,
                "high": estimate.high,
                "rows": index.rows,
                "interval_over": index.unit,
            }
            for name, estimate in ((INDEX, index.estimate), (BEYOND, index.beyond_chance))
        ]
    tables.add("content_only", "Following of an exchanged field when asked again", rows)


def _follows(rows: BindingTable) -> BoolArray:
    return rows.same("code", "field_code") & ~rows.is_in("field_code", ("",))


def _chance(rows: BindingTable) -> FloatArray:
    """For each row: how often its Condition took the action that the row's exchanged field calls for, on any event."""
    codes_given, asked = np.array(rows.values("code")), np.array(rows.values("field_code"))
    chances = np.zeros(rows.size)
    groups = rows.groups("condition")
    for group in range(len(groups.keys)):
        inside = groups.codes == group
        codes, counts = np.unique(codes_given[inside], return_counts=True)
        share = dict(zip(codes.tolist(), (counts / inside.sum()).tolist(), strict=True))
        chances[inside] = [share.get(code, 0.0) for code in asked[inside].tolist()]
    return chances


def _means(rows: BindingTable, columns: Sequence[str], values: FloatArray) -> list[float]:
    """Per unit the mean over the four fields; units that lack a field have none."""
    groups = rows.groups(*columns, "component")
    shares = groups.total(values) / np.maximum(groups.total(), 1.0)
    by_key: dict[tuple[str, ...], dict[str, float]] = {}
    for key, share in zip(groups.keys, shares.tolist(), strict=True):
        by_key.setdefault(key[:-1], {})[key[-1]] = share
    return [sum(parts[term] for term in TERMS) / len(TERMS) for parts in by_key.values() if set(TERMS) <= set(parts)]


def above_controls(controls: Sequence[tuple[str, bool | None]]) -> Criterion:
    """That the structured interface is above every declared control."""
    name, rule = "structured coupling above the controls", "above 0 over each of them"
    decided = [is_above for _, is_above in controls if is_above is not None]
    held = sum(decided)
    if not controls or (len(decided) < len(controls) and held == len(decided)):
        reason = "no control was run" if not controls else "too few datasets or events to decide"
        return above(name, None, 0.0, Detail(reason=reason, rule=rule))
    unmet = [control for control, is_above in controls if is_above is False]
    return Criterion(
        name=name,
        rule=rule,
        limit=float(len(controls)),
        value=float(held),
        status=NOT_MET if unmet else MET,
        k=held,
        n=len(controls),
        reason=f"not above {', '.join(unmet)}" if unmet else None,
    )


def _acts(index: ContentIndex) -> Criterion:
    beyond = index.beyond_chance
    if beyond.low is None or beyond.n < MIN_UNITS:
        return above(ACTS, None, 0.0, Detail(reason=f"too few {index.unit}s to decide"))
    return above(ACTS, beyond.low, 0.0, Detail(n=beyond.n, reason=f"mean {beyond.estimate:.3f}, over {index.unit}s"))

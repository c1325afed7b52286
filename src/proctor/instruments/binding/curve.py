"""The binding curve: how following falls off with the strength of a reason and its distance in turns.

Strong models sit at the ceiling of the basic probes; here they can differ. Events repeat along the curve, so intervals
are clustered by event, and the slope is taken within events. Events met at one point only are left out where others
repeat: points of one curve are compared on the same events.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from proctor.instruments.binding.columns import BindingTable
from proctor.stats.estimate import Estimate
from proctor.stats.intervals import ClusteredEstimate, clustered_proportion, mean
from proctor.stats.sample import IntArray


class CurvePoint(Struct, frozen=True, kw_only=True):
    """One strength and distance under one Condition."""

    condition: str
    probe: str
    strength: float | None
    distance: float | None
    followed: ClusteredEstimate


class CurveSlope(Struct, frozen=True, kw_only=True):
    """The change in following per step along one axis, within events."""

    condition: str
    probe: str
    axis: str
    slope: Estimate
    """`n` counts events met at two or more points of the axis."""


def curve(table: BindingTable, *, confidence: float = 0.95) -> tuple[CurvePoint, ...]:
    """Every point of the curve that has rows, sorted by Condition, probe, strength and distance."""
    rows = _along(table)
    points: list[CurvePoint] = []
    groups = rows.groups("condition", "probe", "strength", "distance")
    for group, (condition, probe, strength, distance) in enumerate(groups.keys):
        inside = rows.where(groups.codes == group)
        events = inside.groups("dataset", "event")
        points.append(
            CurvePoint(
                condition=condition,
                probe=probe,
                strength=_number(strength),
                distance=_number(distance),
                followed=clustered_proportion(
                    [round(k) for k in events.total(inside.numbers["c"])],
                    [round(n) for n in events.total()],
                    confidence=confidence,
                ),
            )
        )
    return tuple(sorted(points, key=lambda one: (one.condition, one.probe, one.strength or 0.0, one.distance or 0.0)))


def slopes(table: BindingTable, *, confidence: float = 0.95) -> tuple[CurveSlope, ...]:
    """Per Condition, probe and axis: the mean over events of the event's least-squares slope."""
    rows = _along(table)
    fitted: list[CurveSlope] = []
    for axis in ("strength", "distance"):
        known = rows.where(~np.isnan(rows.numbers[axis]))
        for condition, probe in known.groups("condition", "probe").keys:
            inside = known.where(known.is_in("condition", (condition,)) & known.is_in("probe", (probe,)))
            values = _event_slopes(inside, axis)
            if values:
                fitted.append(
                    CurveSlope(condition=condition, probe=probe, axis=axis, slope=mean(values, confidence=confidence))
                )
    return tuple(fitted)


def _along(table: BindingTable) -> BindingTable:
    on_curve = ~np.isnan(table.numbers["strength"]) | ~np.isnan(table.numbers["distance"])
    rows = table.where(on_curve & table.is_in("arm_of", ("",)))
    curves = rows.groups("condition", "probe").codes
    repeated = _points_of(rows.key("condition", "probe", "dataset", "event"), rows) > 1
    # A Condition none of whose events repeat is shown with all it has.
    repeats = np.isin(curves, np.unique(curves[repeated]))
    return rows.where(repeated | ~repeats)


def _points_of(keys: IntArray, rows: BindingTable) -> IntArray:
    """For each row: at how many points of the curve its key occurs."""
    _, codes = np.unique(keys, return_inverse=True)
    point = rows.key("strength", "distance")
    pairs = np.unique(np.stack((codes, point)), axis=1)
    return np.asarray(np.bincount(pairs[0], minlength=int(codes.max(initial=-1)) + 1)[codes], dtype=np.int64)


def _event_slopes(rows: BindingTable, axis: str) -> Sequence[float]:
    groups = rows.groups("dataset", "event")
    x, y, n = rows.numbers[axis], rows.numbers["c"], groups.total()
    sx, sy, sxx, sxy = (groups.total(values) for values in (x, y, x * x, x * y))
    spread = sxx - sx * sx / n
    varied = spread > 1e-12
    return [float(value) for value in ((sxy - sx * sy / n)[varied] / spread[varied])]


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None

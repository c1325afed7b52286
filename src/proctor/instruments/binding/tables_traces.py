"""Tables of traces, entropies, the curve and the robustness arms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from proctor.instruments.binding.calibration import Calibration, PriorCell
from proctor.instruments.binding.curve import CurvePoint, CurveSlope
from proctor.instruments.binding.entropy import LAYERS, EntropyGap, LayerEntropy
from proctor.instruments.binding.robustness import RobustnessArm
from proctor.instruments.binding.tables import Tables
from proctor.instruments.binding.traces import METRICS, TraceMetrics, trace_means
from proctor.instruments.binding.variants import paper_name


def add_traces(tables: Tables, metrics: Sequence[TraceMetrics]) -> None:
    """Trace metrics per unit and per Condition."""
    tables.add(
        "traces",
        "Trace metrics by dataset, Condition and replicate; the distance is ours",
        (
            {
                "dataset": one.dataset,
                "replicate": one.replicate,
                "condition": one.condition,
                "paper": paper_name(one.condition),
                **{name: one.metrics[name] for name in METRICS},
                "composite": one.composite,
                "unpredictability": one.unpredictability,
                "distance_to_structured": one.distance,
                "rows": one.rows,
            }
            for one in metrics
        ),
    )
    tables.add(
        "traces_by_condition",
        "Trace metrics by Condition",
        (
            {
                "condition": one.condition,
                "paper": paper_name(one.condition),
                **{name: one.metrics[name] for name in METRICS},
                "unpredictability": one.unpredictability,
                "distance_to_structured": one.distance,
                "units": one.rows,
            }
            for one in trace_means(metrics)
        ),
    )


def add_entropy(
    tables: Tables,
    entropies: Sequence[LayerEntropy],
    gaps: Iterable[EntropyGap],
    calibration: Calibration | None,
    cells: Iterable[PriorCell],
) -> None:
    """Entropies, gaps, the grid and the entropy-prior cells."""
    tables.add(
        "entropy",
        "Entropy in bits by dataset and Condition",
        (
            {"dataset": one.dataset, "condition": one.condition, **_layers(one.bits), "rows": one.rows}
            for one in entropies
        ),
    )
    tables.add("entropy_gaps", "Entropy gaps to the structured Condition", map(_gap, gaps))
    if calibration is not None:
        tables.add(
            "entropy_grid",
            "Calibration grid",
            (
                {
                    "condition": point.condition,
                    "temperature": point.temperature,
                    "top_p": point.top_p,
                    **{name: value for name, value in _gap(point.gap).items() if name != "condition"},
                    "selected": point.condition == calibration.selected,
                }
                for point in calibration.grid
            ),
        )
    tables.add(
        "entropy_prior",
        "Entropy gap of the entropy-prior control by model and scaffold",
        (
            {
                "model": one.model,
                "scaffold": one.scaffold,
                "structured_bits": one.structured_bits,
                "prior_bits": one.prior_bits,
                "gap": one.gap,
                "met": one.met,
            }
            for one in cells
        ),
    )


def add_curve(tables: Tables, points: Iterable[CurvePoint], slopes: Iterable[CurveSlope]) -> None:
    """The binding curve and its slopes."""
    tables.add(
        "curve",
        "Binding curve",
        (
            {
                "condition": one.condition,
                "probe": one.probe,
                "strength": one.strength,
                "distance": one.distance,
                "followed": one.followed.estimate,
                "low": one.followed.low,
                "high": one.followed.high,
                "rows": one.followed.n,
                "events": one.followed.clusters,
            }
            for one in points
        ),
    )
    tables.add(
        "curve_slopes",
        "Change in following per step, within events",
        (
            {
                "condition": one.condition,
                "probe": one.probe,
                "axis": one.axis,
                "slope": one.slope.estimate,
                "low": one.slope.low,
                "high": one.slope.high,
                "events": one.slope.n,
            }
            for one in slopes
        ),
    )


def add_robustness(tables: Tables, arms: Iterable[RobustnessArm]) -> None:
    """The robustness arms."""
    tables.add(
        "robustness",
        "Robustness arms",
        (
            {
                "arm": one.arm,
                "condition": one.condition,
                "rows": one.accuracy.n,
                "accuracy": one.accuracy.value,
                "original_accuracy": one.original.value,
                "difference": one.difference,
                "boundary_rows": one.boundary,
                "cells": one.cells,
                "cells_held": one.cells_held,
                "status": one.criterion.status if one.criterion else None,
            }
            for one in arms
        ),
    )


def _gap(one: EntropyGap) -> dict[str, object]:
    return {
        "condition": one.condition,
        **{f"{layer}_gap": one.gaps.get(layer) for layer in LAYERS},
        "strict_score": one.mean_gap,
        "max_strict_gap": one.max_gap,
        "datasets": one.datasets,
    }


def _layers(bits: dict[str, float | None]) -> dict[str, float | None]:
    return {f"{layer}_bits": bits[layer] for layer in LAYERS}

"""Contrasts over units, as forests show them: every unit, the mean with its interval, and the careful means."""

from __future__ import annotations

from msgspec import Struct

from proctor.instruments.binding.ranges import DIFFERENCE, GAINS, range_of_contrast, within
from proctor.reports.figures.views import Plain, Row, grid_settings, in_order, numeric, rows_of, word
from proctor.stats.differences import across_units
from proctor.stats.paired import sign_test

CONTRASTS = {
    "composite": ("structured_minus_high_stochasticity", "composite over the stochastic comparator"),
    "reason": ("reason_contrast", "B_RSI over no-reason"),
    "veto": ("veto_contrast", "B_VEI over no-veto"),
    "memory": ("memory_contrast", "B_MCI over the stochastic comparator"),
    "self": ("self_contrast", "B_SCI over the stochastic comparator"),
}
"""Declared contrasts: their column in the table `contrasts`, and their name in words."""


OVER_EVENTS = "interval over events within datasets"
OVER_FAMILIES = "t interval over families"
OVER_DATASETS = "t interval over datasets"


class ForestLine(Struct, frozen=True, kw_only=True):
    """A contrast over units."""

    label: str
    units: dict[str, float]
    mean: float | None
    low: float | None
    """Within what the contrast can be; the tables have the bounds as computed."""
    high: float | None
    minimum: float | None
    leave_one_out: float | None
    top_removed: float | None
    sign_p: float | None
    positive: int
    count: int
    missing: int = 0
    note: str = ""
    """What decides."""
    interval: str = ""
    """Of what kind low and high are, in words."""
    tested: str = ""
    """What the sign test counts, where that is not what `count` counts."""


def contrast_forest(tables: Plain) -> list[ForestLine]:
    """The declared contrasts with their datasets."""
    by_dataset = rows_of(tables, "contrasts")
    lines = []
    for row in rows_of(tables, "inference"):
        column, title = CONTRASTS.get(word(row, "contrast"), ("", word(row, "contrast")))
        units = {word(one, "dataset"): value for one in by_dataset if (value := numeric(one, column)) is not None}
        lines.append(_line(row, title, units))
    return lines


def _line(row: Row, label: str, units: dict[str, float]) -> ForestLine:
    few = numeric(row, "event_low") is not None
    limits = range_of_contrast(word(row, "contrast"))
    return ForestLine(
        label=label,
        units=units,
        mean=numeric(row, "mean_contrast"),
        low=_shown(numeric(row, "event_low" if few else "t_low"), limits),
        high=_shown(numeric(row, "event_high" if few else "t_high"), limits),
        minimum=numeric(row, "minimum_contrast"),
        leave_one_out=numeric(row, "leave_one_out_minimum_mean"),
        top_removed=numeric(row, "top_effect_removed_mean"),
        sign_p=numeric(row, "sign_p_one_sided"),
        positive=int(numeric(row, "positive_units") or 0),
        count=int(numeric(row, "units") or 0),
        missing=int(numeric(row, "missing_units") or 0),
        note=word(row, "decides"),
        interval=OVER_EVENTS if few else f"t interval over {word(row, 'unit') or 'dataset'}s",
    )


def effects(tables: Plain) -> dict[str, list[ForestLine]]:
    """The most careful summaries of every block of evidence: minimum, leave-one-out, without the largest, mean."""
    forests = {"declared contrasts (datasets)": contrast_forest(tables)}
    others = {word(row, "contrast").removeprefix("composite over "): row for row in rows_of(tables, "controls")}
    forests["composite over other Conditions (datasets)"] = [
        _line(others[name], word(others[name], "contrast"), {})
        for name in in_order(others.keys() - grid_settings(tables))
    ]
    forests["coupling over controls (datasets)"] = coupling_forest(tables)
    cells = {word(row, "control"): row for row in rows_of(tables, "cell_summary")}
    forests["state-boundary controls (cells)"] = [_cells_line(cells[name]) for name in in_order(cells)]
    return {block: lines for block, lines in forests.items() if lines}


def _cells_line(row: Row) -> ForestLine:
    return ForestLine(
        label=f"structured over {word(row, 'control')}",
        units={},
        mean=numeric(row, "mean_delta"),
        low=_shown(numeric(row, "family_t_low"), GAINS),
        high=_shown(numeric(row, "family_t_high"), GAINS),
        minimum=numeric(row, "minimum_delta"),
        leave_one_out=numeric(row, "family_leave_one_out_minimum_mean"),
        top_removed=numeric(row, "top_effect_removed_mean"),
        sign_p=numeric(row, "family_sign_p_one_sided"),
        positive=int(numeric(row, "positive_cells") or 0),
        count=int(numeric(row, "cells") or 0),
        missing=int(numeric(row, "missing_cells") or 0),
        interval=OVER_FAMILIES,
        tested=" (families)",
    )


def coupling_forest(tables: Plain) -> list[ForestLine]:
    """Structured coupling over each comparator, dataset by dataset."""
    gathered: dict[str, dict[str, float]] = {}
    controls: dict[str, bool] = {}
    for row in rows_of(tables, "coupling_contrasts"):
        value, name = numeric(row, "difference"), word(row, "comparator")
        if value is not None:
            gathered.setdefault(name, {})[word(row, "dataset")] = value
            controls[name] = word(row, "control") == "yes"
    return [_coupling_line(name, gathered[name], control=controls[name]) for name in in_order(gathered)]


def _coupling_line(name: str, units: dict[str, float], *, control: bool) -> ForestLine:
    values = [units[dataset] for dataset in sorted(units)]
    across = across_units(values)
    return ForestLine(
        label=name if control else f"{name} (sensitivity, no control)",
        units=units,
        mean=across.estimate,
        low=_shown(across.low, DIFFERENCE),
        high=_shown(across.high, DIFFERENCE),
        minimum=across.minimum,
        leave_one_out=across.leave_one_out_minimum,
        top_removed=across.top_removed,
        sign_p=sign_test(values, alternative="greater", zeros="against").p_value,
        positive=across.positive,
        count=across.n,
        interval=OVER_DATASETS,
    )


def _shown(bound: float | None, limits: tuple[float, float]) -> float | None:
    return None if bound is None else within(bound, limits)

"""What the pictures of a binding reading show, as plain numbers from its tables.

Pages and figures draw the same numbers: both take them from here. A value that a table does not have is None, never 0;
a table that is not there gives an empty view.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from proctor.instruments.binding.scores import BASIC_PROBES, COMPONENTS
from proctor.instruments.binding.tables import Columns, Scalar
from proctor.instruments.binding.variants import REGISTRY, STRUCTURED, named
from proctor.stats.differences import across_units
from proctor.stats.paired import sign_test

Row = dict[str, Scalar]
Plain = Mapping[str, Columns]
"""Tables by name, as `BindingReading.tables()` gives them."""

PROFILE = (*(f"B_{name}" for name in COMPONENTS), "composite")
LESIONED = {
    "no-reason": ("B_RSI",),
    "no-memory": ("B_MCI",),
    "no-veto": ("B_VEI",),
    "no-self": ("B_SCI",),
    "lesion": tuple(f"B_{name}" for name in COMPONENTS),
    "lesion-strict": tuple(f"B_{name}" for name in COMPONENTS),
}
"""Which scores a lesion is expected to lower."""
CONTRASTS = {
    "composite": ("structured_minus_high_stochasticity", "composite over the stochastic comparator"),
    "reason": ("reason_contrast", "B_RSI over no-reason"),
    "veto": ("veto_contrast", "B_VEI over no-veto"),
    "memory": ("memory_contrast", "B_MCI over the stochastic comparator"),
    "self": ("self_contrast", "B_SCI over the stochastic comparator"),
}
"""Declared contrasts: their column in the table `contrasts`, and their name in words."""
_PLACE = {one.id: place for place, one in enumerate(REGISTRY)}


def rows_of(tables: Plain, name: str) -> list[Row]:
    """The rows of a table; none where it is not there."""
    columns = tables.get(name) or {}
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def numeric(row: Mapping[str, Scalar], name: str) -> float | None:
    """A number of a row; None where it is missing or no number."""
    value = row.get(name)
    return float(value) if isinstance(value, int | float) else None


def word(row: Mapping[str, Scalar], name: str) -> str:
    """A text of a row; empty where it is missing."""
    value = row.get(name)
    return "" if value is None else str(value)


def in_order(conditions: Iterable[str]) -> list[str]:
    """Conditions in the order of the registry, then by name: the structured one first."""
    return sorted(set(conditions), key=lambda name: (_PLACE.get(named(name).variant, len(_PLACE)), name))


def grid_settings(tables: Plain) -> frozenset[str]:
    """Settings of the calibration grid: they have a picture of their own and would drown the others."""
    return frozenset(word(row, "condition") for row in rows_of(tables, "entropy_grid"))


def probes_in_order(probes: Iterable[str]) -> list[str]:
    """The six probes first, in their order, then the extended ones by name."""
    return sorted(set(probes), key=lambda name: (BASIC_PROBES.index(name) if name in BASIC_PROBES else 99, name))


class ProfileRow(Struct, frozen=True):
    """One Condition: its scores, and where a reduction was expected."""

    condition: str
    paper: str
    datasets: int
    means: dict[str, float | None]
    spreads: dict[str, float | None]
    false_positive: float | None
    rings: dict[str, bool]
    """Scores the lesion should lower; true where they lie below the structured ones."""


def profile(tables: Plain) -> list[ProfileRow]:
    """Component scores by Condition with the expected reductions."""
    found = {word(row, "condition"): row for row in rows_of(tables, "components_by_condition")}
    whole = next((found[name] for name in in_order(found) if named(name).variant == STRUCTURED), {})
    return [_profile_row(name, found[name], whole) for name in in_order(found.keys() - grid_settings(tables))]


def _profile_row(name: str, row: Row, structured: Row) -> ProfileRow:
    def fell(score: str) -> bool:
        own, reference = numeric(row, f"{score}_mean"), numeric(structured, f"{score}_mean")
        return own is not None and reference is not None and own < reference

    return ProfileRow(
        condition=name,
        paper=word(row, "paper"),
        datasets=int(numeric(row, "datasets") or 0),
        means={score: numeric(row, f"{score}_mean") for score in PROFILE},
        spreads={score: numeric(row, f"{score}_sd") for score in PROFILE},
        false_positive=numeric(row, "false_positive_mean"),
        rings={score: fell(score) for score in LESIONED.get(named(name).variant, ())},
    )


class Response(Struct, frozen=True):
    """Expected responses of one Condition to one probe in one dataset."""

    mean: float
    """Weighed by rows."""
    rows: int
    replicates: tuple[float, ...]


def responses(tables: Plain) -> dict[str, dict[str, dict[str, Response]]]:
    """By Condition, dataset and probe."""
    gathered: dict[tuple[str, str, str], list[tuple[float, int]]] = {}
    for row in rows_of(tables, "probe_rates"):
        rate, rows = numeric(row, "correct"), int(numeric(row, "rows") or 0)
        if rate is not None and rows:
            place = (word(row, "condition"), word(row, "dataset"), word(row, "probe"))
            gathered.setdefault(place, []).append((rate, rows))
    found: dict[str, dict[str, dict[str, Response]]] = {}
    for (condition, dataset, probe), cells in gathered.items():
        total = sum(rows for _, rows in cells)
        mean = sum(rate * rows for rate, rows in cells) / total
        response = Response(mean, total, tuple(rate for rate, _ in cells))
        found.setdefault(condition, {}).setdefault(dataset, {})[probe] = response
    return {condition: found[condition] for condition in in_order(found.keys() - grid_settings(tables))}


class MappingErrors(Struct, frozen=True):
    """How often a Condition's replies meant no action, and how often a cue that means nothing moved it."""

    condition: str
    unmapped: float | None
    unmapped_rows: int
    unmapped_by_dataset: dict[str, float]
    false_positive: float | None
    neutral_rows: int
    false_positive_by_dataset: dict[str, float]


def mapping_errors(tables: Plain) -> list[MappingErrors]:
    """Per Condition over all rows, and dataset by dataset."""
    lost: dict[str, dict[str, list[float]]] = {}
    for row in rows_of(tables, "probe_rates"):
        rate, rows = numeric(row, "unmapped"), numeric(row, "rows")
        if rate is not None and rows:
            sums = lost.setdefault(word(row, "condition"), {}).setdefault(word(row, "dataset"), [0.0, 0.0])
            sums[0] += rate * rows
            sums[1] += rows
    moved: dict[str, dict[str, tuple[float, float]]] = {}
    for row in rows_of(tables, "components"):
        changed, neutral = numeric(row, "k_changed"), numeric(row, "n_neutral")
        if changed is not None and neutral:
            moved.setdefault(word(row, "condition"), {})[word(row, "dataset")] = (changed, neutral)
    shown = in_order((lost.keys() | moved.keys()) - grid_settings(tables))
    return [_errors(name, lost.get(name, {}), moved.get(name, {})) for name in shown]


def _errors(
    condition: str, lost: Mapping[str, Sequence[float]], moved: Mapping[str, tuple[float, float]]
) -> MappingErrors:
    lost_rows, moved_rows = (sum(pair[1] for pair in sums.values()) for sums in (lost, moved))
    return MappingErrors(
        condition=condition,
        unmapped=sum(pair[0] for pair in lost.values()) / lost_rows if lost_rows else None,
        unmapped_rows=round(lost_rows),
        unmapped_by_dataset={dataset: pair[0] / pair[1] for dataset, pair in sorted(lost.items())},
        false_positive=sum(pair[0] for pair in moved.values()) / moved_rows if moved_rows else None,
        neutral_rows=round(moved_rows),
        false_positive_by_dataset={dataset: pair[0] / pair[1] for dataset, pair in sorted(moved.items())},
    )


class ForestLine(Struct, frozen=True, kw_only=True):
    """A contrast over units."""

    label: str
    units: dict[str, float]
    mean: float | None
    low: float | None
    high: float | None
    minimum: float | None
    leave_one_out: float | None
    top_removed: float | None
    sign_p: float | None
    positive: int
    count: int
    missing: int = 0
    note: str = ""


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
    return ForestLine(
        label=label,
        units=units,
        mean=numeric(row, "mean_contrast"),
        low=numeric(row, "event_low" if few else "t_low"),
        high=numeric(row, "event_high" if few else "t_high"),
        minimum=numeric(row, "minimum_contrast"),
        leave_one_out=numeric(row, "leave_one_out_minimum_mean"),
        top_removed=numeric(row, "top_effect_removed_mean"),
        sign_p=numeric(row, "sign_p_one_sided"),
        positive=int(numeric(row, "positive_units") or 0),
        count=int(numeric(row, "units") or 0),
        missing=int(numeric(row, "missing_units") or 0),
        note=word(row, "decides"),
    )


def effects(tables: Plain) -> dict[str, list[ForestLine]]:
    """The most careful summaries of every block of evidence: minimum, leave-one-out, without the largest, mean."""
    found = {"declared contrasts (datasets)": contrast_forest(tables)}
    others = {word(row, "contrast").removeprefix("composite over "): row for row in rows_of(tables, "controls")}
    found["composite over other Conditions (datasets)"] = [
        _line(others[name], word(others[name], "contrast"), {})
        for name in in_order(others.keys() - grid_settings(tables))
    ]
    found["coupling over controls (datasets)"] = coupling_forest(tables)
    found["state-boundary controls (cells)"] = [_cells_line(row) for row in rows_of(tables, "cell_summary")]
    return {block: lines for block, lines in found.items() if lines}


def _cells_line(row: Row) -> ForestLine:
    return ForestLine(
        label=f"structured over {word(row, 'control')}",
        units={},
        mean=numeric(row, "mean_delta"),
        low=numeric(row, "family_t_low"),
        high=numeric(row, "family_t_high"),
        minimum=numeric(row, "minimum_delta"),
        leave_one_out=numeric(row, "family_leave_one_out_minimum_mean"),
        top_removed=numeric(row, "top_effect_removed_mean"),
        sign_p=numeric(row, "family_sign_p_one_sided"),
        positive=int(numeric(row, "positive_cells") or 0),
        count=int(numeric(row, "cells") or 0),
        missing=int(numeric(row, "missing_cells") or 0),
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
        low=across.low,
        high=across.high,
        minimum=across.minimum,
        leave_one_out=across.leave_one_out_minimum,
        top_removed=across.top_removed,
        sign_p=sign_test(values, alternative="greater", zeros="against").p_value,
        positive=across.positive,
        count=across.n,
    )

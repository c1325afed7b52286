"""Figures of traces: where a control moves entropy and structure, and what each trace metric reads."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, pstdev

from proctor.instruments.binding.calibration import GAMMA_LIMIT
from proctor.instruments.binding.coupling import FULL_INTERFACE
from proctor.instruments.binding.traces import METRICS
from proctor.instruments.binding.variants import STRUCTURED, named
from proctor.reports.figures.behaviour import columns_above, heat
from proctor.reports.figures.canvas import (
    CYCLE,
    INK,
    LINE,
    MARKS,
    SOFT,
    Sheet,
    names_down,
    number_text,
    short,
)
from proctor.reports.figures.views import Plain, Row, grid_settings, in_order, numeric, rows_of, word

READ = (*METRICS, "unpredictability")
MAX_ARROWS = 8
"""Controls with a vector; further ones are named below the picture."""


def entropy_displacement(tables: Plain, title: str, footer: tuple[str, ...]) -> Sheet | None:
    """From the structured Condition to each control: raw entropy against the mean of the trace metrics."""
    units = _units(tables)
    if not units:
        return None
    structured = next((name for name in units if name in (STRUCTURED, FULL_INTERFACE)), None)
    others = [name for name in in_order(units) if name != structured]
    shown, left = others[:MAX_ARROWS], others[MAX_ARROWS:]
    key = (
        "Thin lines: one scaffold, dataset and replicate, from the structured Condition (squares) to the control "
        "(marks). Thick arrows: means. Both axes in standard deviations over all units shown."
    )
    more = f"Not drawn for room: {', '.join(left)}." if left else ""
    lacking = "" if structured else "No structured Condition in this run: there is nothing to start from."
    sheet = Sheet(title, width=8.6, height=4.9, footer=(key, more, lacking, *footer))
    axes = sheet.panel()
    kept = [*([structured] if structured else []), *shown]
    scaled = _standard({name: units[name] for name in kept})
    start = scaled.get(structured or "", {})
    for index, name in enumerate(shown):
        colour, mark = CYCLE[index % len(CYCLE)], MARKS[(index + 1) % len(MARKS)]
        ends = scaled[name]
        pairs = [(start[unit], ends[unit]) for unit in sorted(ends) if unit in start]
        faint = min(0.3, 6 / max(len(pairs), 1))
        for one, two in pairs:
            axes.plot([one[0], two[0]], [one[1], two[1]], color=colour, linewidth=0.5, alpha=faint, zorder=2)
        points = [ends[unit] for unit in sorted(ends)]
        label = f"{short(name, 30)} ({len(points)})"
        axes.plot(
            *_across(points), mark, mfc="none", mec=colour, ms=4.5, mew=0.9, linestyle="none", zorder=3, label=label
        )
        if pairs:
            first, last = _middle([one for one, _ in pairs]), _middle([two for _, two in pairs])
            look = {"arrowstyle": "-|>", "color": colour, "linewidth": 2.2, "shrinkA": 0, "shrinkB": 0}
            axes.annotate("", xy=last, xytext=first, arrowprops=look, zorder=5)
    if start:
        points = [start[unit] for unit in sorted(start)]
        label = f"{short(structured or '', 30)} ({len(points)})"
        axes.plot(*_across(points), "s", color=INK, ms=3.6, alpha=0.65, linestyle="none", zorder=4, label=label)
    axes.set_xlabel("raw action unpredictability (standardised)")
    axes.set_ylabel("mean of SCI, RSI, VEI, ACI (standardised)")
    axes.axhline(0, color=LINE, linewidth=0.8, zorder=1)
    axes.axvline(0, color=LINE, linewidth=0.8, zorder=1)
    axes.margins(0.08)
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), title="Condition (units)", alignment="left")
    return sheet


_Point = tuple[float, float]


def _units(tables: Plain) -> dict[str, dict[str, _Point]]:
    """By variant and unit: unpredictability and composite; units lacking either are left out.

    A scaffold style is part of the unit, so that every control starts from the structured Condition of its own style.
    """
    hidden = grid_settings(tables)
    points: dict[str, dict[str, _Point]] = {}
    for row in rows_of(tables, "traces"):
        x, y = numeric(row, "unpredictability"), numeric(row, "composite")
        name = word(row, "condition")
        if x is not None and y is not None and name not in hidden:
            apart = named(name)
            unit = f"{apart.style} {word(row, 'dataset')} {word(row, 'replicate')}"
            points.setdefault(apart.variant, {})[unit] = (x, y)
    return points


def _standard(units: dict[str, dict[str, _Point]]) -> dict[str, dict[str, _Point]]:
    every = [point for mine in units.values() for point in mine.values()]
    centre = [fmean(values) for values in _across(every)]
    spread = [pstdev(values) or 1.0 for values in _across(every)]
    return {
        name: {unit: ((x - centre[0]) / spread[0], (y - centre[1]) / spread[1]) for unit, (x, y) in mine.items()}
        for name, mine in units.items()
    }


def _across(points: Sequence[_Point]) -> tuple[list[float], list[float]]:
    return [x for x, _ in points], [y for _, y in points]


def _middle(points: Sequence[_Point]) -> _Point:
    xs, ys = _across(points)
    return fmean(xs), fmean(ys)


def readout_matrix(tables: Plain, title: str, footer: tuple[str, ...]) -> Sheet | None:
    """Trace metrics by Condition: shade is the z-score over Conditions, dots are datasets."""
    hidden = grid_settings(tables)
    by_condition = {word(row, "condition"): row for row in rows_of(tables, "traces_by_condition")}
    names = in_order(by_condition.keys() - hidden)
    if not names:
        return None
    units: dict[tuple[str, str], list[float]] = {}
    for row in rows_of(tables, "traces"):
        for metric in READ:
            if (value := numeric(row, metric)) is not None:
                units.setdefault((word(row, "condition"), metric), []).append(value)
    key = (
        "Numbers: means over datasets and replicates; unpredictability in bits. Shade: z-score over the Conditions "
        "shown (blue above, orange below). Dots: datasets and replicates, from the smallest to the largest."
    )
    sheet = Sheet(title, width=8.0, height=0.46 * len(names) + 0.6, footer=(key, *footer))
    axes = sheet.panel()
    heat(axes, _scores([by_condition[name] for name in names]), span=2.6)
    for column, metric in enumerate(READ):
        every = [value for name in names for value in units.get((name, metric), ())]
        low, wide = min(every, default=0.0), (max(every, default=1.0) - min(every, default=0.0)) or 1.0
        for y, name in enumerate(names):
            text = number_text(numeric(by_condition[name], metric), ".3f")
            axes.text(column, y - 0.1, text, ha="center", va="center", fontsize=8.5)
            spots = [column - 0.4 + 0.8 * (value - low) / wide for value in units.get((name, metric), ())]
            axes.plot(spots, [y + 0.3] * len(spots), ".", color=SOFT, ms=2.4, alpha=0.6)
    names_down(axes, names)
    columns_above(axes, [*METRICS, "unpredictability"])
    return sheet


def _scores(rows: Sequence[Row]) -> list[list[float | None]]:
    columns = []
    for metric in READ:
        values = [numeric(row, metric) for row in rows]
        known = [value for value in values if value is not None]
        middle, spread = (fmean(known), pstdev(known) or 1.0) if known else (0.0, 1.0)
        columns.append([None if value is None else (value - middle) / spread for value in values])
    return [list(row) for row in zip(*columns, strict=True)]


def entropy_grid(tables: Plain, title: str, footer: tuple[str, ...]) -> Sheet:
    """The largest entropy gap to the structured Condition at every temperature and top-p, against the limit."""
    from matplotlib.patches import Rectangle

    by_setting = {(numeric(row, "temperature"), numeric(row, "top_p")): row for row in rows_of(tables, "entropy_grid")}
    down = sorted({y[0] for y in by_setting if y[0] is not None})
    across = sorted({y[1] for y in by_setting if y[1] is not None})
    gaps = [[numeric(by_setting.get((t, p), {}), "max_strict_gap") for p in across] for t in down]
    key = (
        f"Largest gap over the four representations, in bits, on the calibration split. Frame: the selected setting. "
        f"Blue: within {GAMMA_LIMIT:g}, the limit on the held-out split; orange: beyond it."
    )
    sheet = Sheet(title, width=1.15 * len(across) + 2.4, height=0.42 * len(down) + 0.9, footer=(key, *footer))
    axes = sheet.panel()
    heat(axes, [[_closeness(gap) for gap in row] for row in gaps], span=1.6)
    for y, t in enumerate(down):
        for column, p in enumerate(across):
            axes.text(column, y, number_text(gaps[y][column], ".3f"), ha="center", va="center", fontsize=8.5)
            if word(by_setting.get((t, p), {}), "selected") == "yes":
                axes.add_patch(Rectangle((column - 0.47, y - 0.45), 0.94, 0.9, fill=False, ec=INK, linewidth=2))
    names_down(axes, [f"temperature {t:g}" for t in down])
    columns_above(axes, [f"top-p {p:g}" for p in across])
    return sheet


def _closeness(gap: float | None) -> float | None:
    """One shade for what lies within the limit, deeper ones the further beyond it."""
    if gap is None:
        return None
    return 0.6 if gap <= GAMMA_LIMIT else -min(gap, 1.5)

"""Figures of the matched interface: contrasts, terms, distributions, and the band around the compressed form."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING

from proctor.instruments.binding.coupling import EQUIVALENCE
from proctor.instruments.binding.variants import TERMS
from proctor.reports.figures.behaviour import columns_above, forest, forest_key, heat
from proctor.reports.figures.canvas import (
    BLUE,
    GREEN,
    INK,
    RED,
    Sheet,
    beside,
    light_grid,
    names_down,
    number_text,
    zero_line,
)
from proctor.reports.figures.forests import coupling_forest
from proctor.reports.figures.views import Plain, in_order, numeric, rows_of, word

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TERM_COLUMNS = (*TERMS, "irrelevant_suppression", "afci", "afci_with_suppression")
SPARSE = 0.05
"""A term below this is marked: the mean hides it."""


def coupling_contrasts(tables: Plain, title: str, footer: tuple[str, ...]) -> Sheet | None:
    """The structured interface over every comparator."""
    lines = coupling_forest(tables)
    if not lines:
        return None
    bounds = [
        f"{word(row, 'resampled')} resampled: mean {number_text(numeric(row, 'mean'), '.4f')}, "
        f"lower bound {number_text(numeric(row, 'low'), '.4f')}"
        for row in rows_of(tables, "coupling_bounds")
    ]
    text = "Over all controls: " + "; ".join(bounds) + "." if bounds else "Bounds over all controls: not measured."
    sheet = Sheet(title, width=9.2, height=0.5 * len(lines) + 0.75, footer=(forest_key(lines), text, *footer))
    axes = sheet.panel()
    forest(axes, lines)
    axes.set_xlabel("structured minus comparator, AFCI")
    return sheet


def coupling_terms(tables: Plain, title: str, footer: tuple[str, ...]) -> Sheet:
    """AFCI and its terms by Condition."""
    from matplotlib.patches import Ellipse

    by_condition = {word(row, "condition"): row for row in rows_of(tables, "coupling_by_condition")}
    names = in_order(by_condition)
    values = [[numeric(by_condition[name], column) for column in TERM_COLUMNS] for name in names]
    contrasts = rows_of(tables, "coupling_contrasts")
    controls = {word(row, "comparator") for row in contrasts if word(row, "control") == "yes"}
    key = (
        "Means over datasets and replicates, weighed by how each field came about. Ring: a term of a coupled "
        f"form (no control) below {SPARSE:g}, which the composite hides. AFCI: mean of four terms; with suppression: "
        "of five."
    )
    sheet = Sheet(title, width=9.0, height=0.44 * len(names) + 0.6, footer=(key, *footer))
    axes = sheet.panel()
    heat(axes, values)
    for y, line in enumerate(values):
        for column, value in enumerate(line):
            axes.text(column, y, number_text(value, ".3f"), ha="center", va="center", fontsize=8.5)
            if value is not None and value < SPARSE and names[y] not in controls and column < len(TERMS):
                axes.add_patch(Ellipse((column, y), 0.8, 0.8, fill=False, edgecolor=RED, linewidth=1.6))
    names_down(axes, names)
    columns_above(axes, [*TERMS, "suppression", "AFCI", "with suppr."])
    return sheet


def coupling_distributions(tables: Plain, title: str, footer: tuple[str, ...]) -> Sheet | None:
    """AFCI of every dataset and replicate, with an envelope and the mean."""
    by_condition: dict[str, list[float]] = {}
    for row in rows_of(tables, "coupling_by_replicate"):
        if (value := numeric(row, "afci")) is not None:
            by_condition.setdefault(word(row, "condition"), []).append(value)
    names = in_order(by_condition)
    if not names:
        return None
    key = "Circles: datasets and replicates. Envelope: their density, where they differ. Diamond: mean."
    sheet = Sheet(title, width=8.0, height=0.52 * len(names) + 0.8, footer=(key, *footer))
    axes = sheet.panel()
    for y, name in enumerate(names):
        values = by_condition[name]
        _envelope(axes, values, y)
        axes.plot(values, [y] * len(values), "o", mfc="none", mec=BLUE, ms=4, mew=0.8, alpha=0.8, zorder=3)
        mean = fmean(values)
        axes.plot([mean], [y], "D", color=INK, ms=5.5, zorder=4)
        text = f"{number_text(mean, '.3f')} ({len(values)})"
        beside(axes, y, text)
    axes.set_xlim(-0.04, 1.04)
    light_grid(axes)
    names_down(axes, names)
    axes.set_xlabel("AFCI (mean, number of units at the right)")
    return sheet


def _envelope(axes: Axes, values: list[float], y: int) -> None:
    """Their density around the line; values that are all (nearly) the same have none."""
    import numpy as np
    from scipy.stats import gaussian_kde

    if len(values) < 3 or np.std(values) < 1e-6:
        return
    spread = 3 * float(np.std(values))
    at = np.linspace(min(values) - spread, max(values) + spread, 160)
    height = gaussian_kde(values)(at)
    half = 0.4 * height / height.max()
    axes.fill_between(at, y - half, y + half, color=BLUE, alpha=0.16, linewidth=0)


def compressed_band(tables: Plain, title: str, footer: tuple[str, ...]) -> Sheet | None:
    """Structured minus compressed, dataset by dataset; None where the compressed form was not run."""
    rows = [
        (word(row, "dataset"), value)
        for row in rows_of(tables, "coupling_contrasts")
        if word(row, "control") == "no" and (value := numeric(row, "difference")) is not None
    ]
    if not rows:
        return None
    inside = sum(abs(value) <= EQUIVALENCE for _, value in rows)
    key = f"Shaded: within ±{EQUIVALENCE:g}, near-equivalent; {inside} of {len(rows)} datasets lie inside."
    sheet = Sheet(title, width=7.4, height=0.36 * len(rows) + 0.8, footer=(key, *footer))
    axes = sheet.panel()
    axes.axvspan(-EQUIVALENCE, EQUIVALENCE, color=GREEN, alpha=0.16, linewidth=0)
    zero_line(axes)
    for y, (_, value) in enumerate(rows):
        within = abs(value) <= EQUIVALENCE
        axes.plot([0, value], [y, y], color=BLUE if within else RED, linewidth=1.4)
        axes.plot([value], [y], "o" if within else "s", color=BLUE if within else RED, ms=6)
        text = number_text(value, "+.4f")
        beside(axes, y, text)
    widest = max(EQUIVALENCE, *(abs(value) for _, value in rows)) * 1.25
    axes.set_xlim(-widest, widest)
    light_grid(axes)
    names_down(axes, [dataset for dataset, _ in rows])
    axes.set_xlabel("structured minus compressed, AFCI")
    return sheet

"""Figures of predicted probabilities: how reliable they are, and what accepting above a threshold gives."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from proctor.reports.figures.canvas import LINE, SOFT, Sheet, light_grid
from proctor.reports.figures.prediction import MODELS, by_study, source_text, study_title
from proctor.reports.figures.views import Plain, Row, numeric, word

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SPAN = (0.48, 0.97)
"""Thresholds shown, the same in every panel."""
PANELS = (
    ("accepted", "accepted share"),
    ("success", "success among the accepted"),
    ("violations", "hard violations among the accepted"),
    ("net_benefit", "net benefit"),
)


def reliability_curve(tables: Plain, title: str, footer: tuple[str, ...]) -> Sheet:
    """Predicted against observed, by decile."""
    studies = by_study(tables, "predictive_reliability")
    key = (
        "Deciles of the out-of-fold prediction; size of a mark: records in it; bands: 95 %, clusters resampled; "
        "line: perfect."
    )
    sheet = Sheet(title, width=4.4 * len(studies) + 0.6, height=4.2, footer=(key, source_text(tables), *footer))
    for axes, (study, rows) in zip(sheet.panels(1, len(studies), sharey=True), studies.items(), strict=True):
        axes.plot([0, 1], [0, 1], color=LINE, linewidth=1.2, zorder=1)
        for model, (colour, mark, line) in MODELS.items():
            mine = _known([row for row in rows if word(row, "model") == model], "predicted", "observed")
            xs, ys = _numbers(mine, "predicted"), _numbers(mine, "observed")
            sizes = [8 + 40 * (numeric(row, "records") or 0) / _largest(rows) for row in mine]
            axes.plot(xs, ys, color=colour, linewidth=1.3, linestyle=line)
            axes.scatter(xs, ys, s=sizes, color=colour, marker=mark, label=model, zorder=3)
            _band(axes, mine, "predicted", "", colour)
        axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel="predicted probability", ylabel="observed share")
        axes.set_title(study_title(study, 48))
        axes.legend(loc="upper left")
        light_grid(axes, "both")
    return sheet


def _largest(rows: list[Row]) -> float:
    return max((numeric(row, "records") or 0.0 for row in rows), default=1.0) or 1.0


def _known(rows: list[Row], *names: str) -> list[Row]:
    """The rows that have all these numbers."""
    return [row for row in rows if all(numeric(row, name) is not None for name in names)]


def _numbers(rows: list[Row], name: str) -> list[float]:
    return [value for row in rows if (value := numeric(row, name)) is not None]


def _band(axes: Axes, rows: list[Row], x: str, prefix: str, colour: str) -> None:
    low, high = f"{prefix}low", f"{prefix}high"
    mine = _known(rows, x, low, high)
    at, below, above = (_numbers(mine, name) for name in (x, low, high))
    axes.fill_between(at, below, above, color=colour, alpha=0.15, linewidth=0)


def thresholds(tables: Plain, title: str, footer: tuple[str, ...]) -> Sheet | None:
    """Accepted share, success, violations and net benefit over thresholds."""
    studies = by_study(tables, "predictive_thresholds")
    key = (
        "Records predicted at the threshold or more are accepted; where none is, nothing is drawn among the accepted. "
        "Net benefit: TP/n − FP/n · t/(1−t). Bands: 95 %, clusters resampled."
    )
    shown = [
        (panel, words)
        for panel, words in PANELS
        if any(numeric(row, panel) is not None for rows in studies.values() for row in rows)
    ]
    lacking = [f"Not recorded: {words}." for panel, words in PANELS if (panel, words) not in shown]
    if not shown:
        return None
    footer = (key, *lacking, source_text(tables), *footer)
    sheet = Sheet(title, width=2.75 * len(shown), height=2.75 * len(studies), footer=footer)
    panels = sheet.panels(len(studies), len(shown))
    for index, (study, rows) in enumerate(studies.items()):
        for axes, (panel, words) in zip(panels[len(shown) * index :], shown, strict=False):
            _panel(axes, rows, panel)
            axes.set_title(words, fontsize=8.5)
            axes.set(xlabel="threshold", xlim=SPAN)
        panels[len(shown) * index].set_ylabel("\n".join(wrap(study_title(study, 78), 26)))
        panels[len(shown) * index].legend(loc="upper right")
    return sheet


def _panel(axes: Axes, rows: list[Row], panel: str) -> None:
    drawn = False
    for model, (colour, mark, line) in MODELS.items():
        mine = _known([row for row in rows if word(row, "model") == model], "threshold", panel)
        xs, ys = _numbers(mine, "threshold"), _numbers(mine, panel)
        axes.plot(xs, ys, mark, color=colour, linestyle=line, ms=3.5, linewidth=1.3, label=model)
        _band(axes, mine, "threshold", f"{panel}_", colour)
        drawn = drawn or bool(mine)
    if not drawn:
        axes.text(0.5, 0.5, "not recorded", transform=axes.transAxes, ha="center", color=SOFT)
        axes.set(xticks=[], yticks=[])
    if panel == "net_benefit":
        axes.axhline(0.0, color=SOFT, linewidth=0.9)
    light_grid(axes, "both")

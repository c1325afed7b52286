"""Figures of predictive validity: gain and single predictors, sensitivity and guard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proctor.instruments.predictive.gain import MIN_GAIN
from proctor.reports.figures.canvas import (
    BLUE,
    INK,
    ORANGE,
    SOFT,
    Sheet,
    beside,
    light_grid,
    names_down,
    number_text,
    short,
    zero_line,
)
from proctor.reports.figures.views import Plain, Row, numeric, rows_of, word

if TYPE_CHECKING:
    from matplotlib.axes import Axes

UNNAMED = "study"
"""What a study of a user's own records is called in its tables."""
MODELS = {"baseline": (SOFT, "s", "--"), "with the score": (BLUE, "o", "-")}


def source_text(tables: Plain) -> str:
    """Where the records come from and how many there are: what these numbers hold under."""
    rows = rows_of(tables, "predictive_source")
    row: Row = rows[0] if rows else {}
    counted = {
        f"{word(one, 'records')} records, {word(one, 'successes')} successes, {word(one, 'clusters')} clusters, "
        f"{word(one, 'missing')} left out for missing values"
        for one in rows_of(tables, "predictive_auc")
    }
    parts = [f"Source: {word(row, 'source') or 'not stated'}.", f"{'; '.join(sorted(counted))}." if counted else ""]
    return " ".join([*parts, f"Note: {word(row, 'label')}." if word(row, "label") else ""]).strip()


def study_title(study: str, most: int) -> str:
    """The name of a study; nothing where there is one and it has no name of its own."""
    return "" if study == UNNAMED else short(study, most)


def by_study(tables: Plain, name: str) -> dict[str, list[Row]]:
    """The rows of a table, by study."""
    rows: dict[str, list[Row]] = {}
    for row in rows_of(tables, name):
        rows.setdefault(word(row, "study"), []).append(row)
    return rows


def auc_gain(tables: Plain, title: str, footer: tuple[str, ...]) -> Sheet:
    """What the score adds, and what each predictor reaches alone."""
    pairs, single = by_study(tables, "predictive_auc"), by_study(tables, "predictive_single")
    gains, shuffled = by_study(tables, "predictive_gain"), by_study(tables, "predictive_null")
    most = max((len(rows) for rows in single.values()), default=4)
    key = (
        "Out of fold, whole clusters apart; 95 % intervals: DeLong's for AUCs, resampled clusters for gains. Grey "
        f"ticks: gains of the score shuffled. Broken line: {MIN_GAIN:g}, the least gain that counts. Filled: primary."
    )
    height = len(pairs) * max(0.27 * most + 1.0, 2.6)
    sheet = Sheet(title, width=10.4, height=height, footer=(key, source_text(tables), *footer))
    panels = sheet.panels(len(pairs), 3, width_ratios=(1.0, 1.0, 1.25))
    for index, study in enumerate(pairs):
        left, middle, right = panels[3 * index : 3 * index + 3]
        _pair(left, pairs[study])
        left.set_title(study_title(study, 80))
        _gains(middle, gains.get(study, []), [numeric(row, "gain") for row in shuffled.get(study, [])])
        _single(right, single.get(study, []))
    return sheet


def _pair(axes: Axes, rows: list[Row]) -> None:
    for y, row in enumerate(rows):
        colour, mark, _ = MODELS.get(word(row, "model"), (INK, "o", "-"))
        _spread(axes, row, y, colour)
        if (value := numeric(row, "auc")) is not None:
            axes.plot([value], [y], mark, color=colour, ms=7)
            axes.annotate(number_text(value, ".3f"), (value, y), (0, 9), textcoords="offset points",
                          ha="center", fontsize=8)  # fmt: skip
    names_down(axes, [word(row, "model") for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.7)
    axes.margins(x=0.25)
    axes.locator_params(axis="x", nbins=4)
    axes.set_xlabel("AUC")
    light_grid(axes)


def _gains(axes: Axes, rows: list[Row], shuffled: list[float | None]) -> None:
    known = [gain for gain in shuffled if gain is not None]
    names = [word(row, "gain_of") for row in rows]
    for y, row in enumerate(rows):
        _spread(axes, row, y, INK)
        if (value := numeric(row, "gain")) is not None:
            primary = word(row, "primary") == "yes"
            axes.plot([value], [y], "D", mfc=INK if primary else "white", mec=INK, ms=6.5)
            axes.annotate(number_text(value, "+.3f"), (value, y), (0, 9), textcoords="offset points",
                          ha="center", fontsize=8)  # fmt: skip
    if known:
        axes.plot(known, [len(rows)] * len(known), "|", color=SOFT, ms=10, alpha=0.7)
        names.append(f"score shuffled ({len(known)})")
    names_down(axes, names)
    axes.set_ylim(len(names) - 0.4, -0.7)
    zero_line(axes)
    axes.axvline(MIN_GAIN, color=INK, linewidth=1, linestyle=(0, (3, 2)))
    axes.margins(x=0.2)
    axes.locator_params(axis="x", nbins=4)
    axes.set_xlabel("gain in AUC")
    light_grid(axes)


def _single(axes: Axes, rows: list[Row]) -> None:
    ordered = sorted(rows, key=lambda row: (-(numeric(row, "auc") or 0.0), word(row, "predictor")))
    for y, row in enumerate(ordered):
        own = word(row, "score") == "yes"
        colour = BLUE if own else SOFT
        _spread(axes, row, y, colour)
        if (value := numeric(row, "auc")) is not None:
            axes.plot([value], [y], "o" if own else "s", color=colour, ms=6 if own else 4.5)
        else:
            axes.text(0.5, y, " not measured", va="center", fontsize=8, color=SOFT)
    axes.axvline(0.5, color=SOFT, linewidth=0.9)
    names = [f"{word(row, 'predictor')} (the score)" if word(row, "score") == "yes" else word(row, "predictor")
             for row in ordered]  # fmt: skip
    names_down(axes, names, most=26)
    axes.set_xlabel("AUC of each predictor alone")
    light_grid(axes)


def _spread(axes: Axes, row: Row, y: float, colour: str) -> None:
    low, high = numeric(row, "low"), numeric(row, "high")
    if low is not None and high is not None:
        axes.plot([low, high], [y, y], color=colour, linewidth=1.6, zorder=2)


def sensitivity_and_guard(tables: Plain, title: str, footer: tuple[str, ...]) -> Sheet:
    """Gains with parts left out and within parts, and what the guard changes."""
    parts, guard = by_study(tables, "predictive_parts"), rows_of(tables, "predictive_guard")
    groups = {study: _groups(rows) for study, rows in parts.items()}
    key = (
        "Dots: the gain with one value left out, or within one value alone, without an interval; text: how many lie "
        "above zero."
    )
    lacking = (
        "Guard: change against the task alone, 95 % intervals resample clusters; shaded: hits may fall by no more than "
        "the margin."
        if guard
        else "No guard arm in these records."
    )
    many = sum(max(len(group), 1) for group in groups.values())
    height = 0.42 * many + 0.8 * len(groups) + 0.4
    sheet = Sheet(title, width=10.0, height=max(height, 2.4), footer=(key, lacking, source_text(tables), *footer))
    across = 2 if guard else 1
    grid = sheet.figure.add_gridspec(len(groups), across, width_ratios=(1.7, 1.0)[:across])
    for index, (study, group) in enumerate(groups.items()):
        _sensitivity(sheet.figure.add_subplot(grid[index, 0]), study, group)
    if guard:
        _guard(sheet.figure.add_subplot(grid[:, 1]), guard)
    return sheet


def _groups(rows: list[Row]) -> dict[str, list[float | None]]:
    groups: dict[str, list[float | None]] = {}
    for kind, words in (("without", "one {} left out"), ("within", "within one {}")):
        for row in rows:
            if word(row, "kind") == kind:
                groups.setdefault(words.format(word(row, "column")), []).append(numeric(row, "gain"))
    return groups


def _sensitivity(axes: Axes, study: str, groups: dict[str, list[float | None]]) -> None:
    for y, values in enumerate(groups.values()):
        known = [value for value in values if value is not None]
        axes.plot(known, [y] * len(known), "o", mfc="none", mec=BLUE, ms=5)
        unknown = f", {len(values) - len(known)} unknown" if len(known) < len(values) else ""
        text = f"{sum(value > 0 for value in known)}/{len(known)} > 0{unknown}"
        beside(axes, y, text)
    names_down(axes, list(groups))
    zero_line(axes)
    axes.set_title(study_title(study, 60))
    axes.set_xlabel("gain in AUC")
    light_grid(axes)


def _guard(axes: Axes, rows: list[Row]) -> None:
    for y, row in enumerate(rows):
        if (margin := numeric(row, "margin")) is not None:
            axes.fill_betweenx([y - 0.4, y + 0.4], margin, 0.0, color=ORANGE, alpha=0.2, linewidth=0)
        _spread(axes, row, y, INK)
        value = numeric(row, "change")
        if value is None:
            axes.text(0.0, y, " not measured", va="center", fontsize=8, color=SOFT)
            continue
        axes.plot([value], [y], "D", color=INK, ms=6)
        axes.annotate(number_text(value, "+.3f"), (value, y), (0, 9), textcoords="offset points",
                      ha="center", fontsize=8)  # fmt: skip
    names_down(axes, [word(row, "change_in") for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.7)
    zero_line(axes)
    axes.margins(x=0.15)
    axes.set_title("binding guard")
    axes.set_xlabel("change against the task alone")
    light_grid(axes)

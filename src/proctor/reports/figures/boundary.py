"""Figures over all evidence: state-boundary bars, sufficiency, the binding curve, conservative effect sizes."""

from __future__ import annotations

from proctor.instruments.binding.sufficiency import ACCURACY_FLOOR, CONDITIONS
from proctor.reports.figures.behaviour import counts, forest, forest_key
from proctor.reports.figures.canvas import (
    BLUE,
    CYCLE,
    INK,
    LINE,
    MARKS,
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
from proctor.reports.figures.forests import effects
from proctor.reports.figures.views import Plain, Row, in_order, numeric, rows_of, word

AXES = {"strength": "strength of the reason (1: a hint, 5: proof)", "distance": "turns between state and question"}


def state_boundary(tables: Plain, title: str, footer: tuple[str, ...]) -> Sheet:
    """Mean difference between the structured Condition and each control over all cells."""
    summaries = {word(row, "control"): row for row in rows_of(tables, "cell_summary")}
    names = in_order(summaries)
    key = (
        "Bars: mean over cells of one model, scaffold and family. Black line: from the mean down to the lowest of the "
        "bootstrap bounds over models, scaffolds and families. At the right: cells above zero, and that bound. Orange "
        "with stripes: the bound, or the test over families, does not show it above zero."
    )
    sheet = Sheet(title, width=9.2, height=0.42 * len(names) + 0.8, footer=(key, *footer))
    axes = sheet.panel()
    for y, name in enumerate(names):
        row = summaries[name]
        mean, bound = numeric(row, "mean_delta"), numeric(row, "lowest_bound")
        if mean is None:
            continue
        holds = bound is not None and bound > 0 and row.get("family_above_zero") in (True, "yes")
        hatch = None if holds else "///"
        axes.barh(y, mean, height=0.62, color=BLUE if holds else ORANGE, alpha=0.75, hatch=hatch, edgecolor="white")
        if bound is not None:
            axes.plot([bound, mean], [y, y], color=INK, linewidth=1.6, marker="|", ms=9, mew=1.6)
        beside(axes, y, _said(row, bound))
    zero_line(axes)
    light_grid(axes)
    names_down(axes, names)
    axes.set_xlabel("structured minus control, accuracy")
    return sheet


def _said(row: Row, bound: float | None) -> str:
    cells = f"{word(row, 'positive_cells')}/{word(row, 'cells')} cells"
    if bound is None:
        return f"{cells}; no bound: one cluster of each kind"
    return f"{cells}; bound {number_text(bound, '.3f')} ({word(row, 'lowest_bound_of')})"


def sufficiency(tables: Plain, title: str, footer: tuple[str, ...]) -> Sheet:
    """Accuracy by Condition with its interval, and after the guard."""
    rows = rows_of(tables, "sufficiency")
    models = sorted({word(row, "model") for row in rows})
    key = (
        "Bars: accuracy; black lines: interval over families. Hollow circles: the same rows after the guard. Broken "
        f"line: {ACCURACY_FLOOR:g}, asked of full and only-decisive."
    )
    sheet = Sheet(title, width=8.4, height=2.7 * len(models), footer=(key, *footer))
    for axes, model in zip(sheet.panels(len(models), 1), models, strict=True):
        mine = {word(row, "condition"): row for row in rows if word(row, "model") == model}
        known = [name for name in CONDITIONS if name in mine]
        names = [*known, *sorted(mine.keys() - set(known))]
        for y, name in enumerate(names):
            value = numeric(mine[name], "accuracy")
            if value is None:
                axes.text(0.0, y, " not measured", va="center", fontsize=8, color=SOFT)
                continue
            axes.barh(y, value, height=0.62, color=BLUE, alpha=0.6)
            low, high = numeric(mine[name], "low"), numeric(mine[name], "high")
            if low is not None and high is not None:
                axes.plot([low, high], [y, y], color=INK, linewidth=1.6)
            if (after := numeric(mine[name], "guarded_accuracy")) is not None:
                axes.plot([after], [y], "o", mfc="white", mec=INK, ms=6)
            text = f"{number_text(value, '.3f')} ({word(mine[name], 'correct')}/{word(mine[name], 'rows')})"
            beside(axes, y, text)
        axes.axvline(ACCURACY_FLOOR, color=INK, linewidth=1, linestyle=(0, (3, 2)))
        axes.set_xlim(-0.02, 1.04)
        light_grid(axes)
        names_down(axes, names)
        axes.set_title(short(model, 80))
        axes.set_xlabel("share right")
    return sheet


def binding_curve(tables: Plain, title: str, footer: tuple[str, ...]) -> Sheet | None:
    """Following of the decisive state along its strength and its distance in turns; None where neither was varied."""
    rows = rows_of(tables, "curve")
    drawn = [(axis, mine) for axis in ("strength", "distance") if (mine := _along(rows, axis))]
    if not drawn:
        return None
    lacking = [axis for axis in ("strength", "distance") if axis not in dict(drawn)]
    counted = counts(int(events) for row in rows if (events := numeric(row, "events")) is not None)
    key = f"Share of replies that follow the decisive state, {counted} events a point, with intervals over events."
    more = f"Not in this run: {', '.join(lacking)}." if lacking else ""
    sheet = Sheet(title, width=4.3 * len(drawn) + 1.6, height=3.4, footer=(key, more, *footer))
    panels = sheet.panels(1, len(drawn), sharey=True)
    for axes, (axis, mine) in zip(panels, drawn, strict=True):
        at = sorted({value for row in mine if (value := numeric(row, axis)) is not None})
        span = at[-1] - at[0] or 1.0
        axes.set_xticks(at, [f"{value:g}" for value in at])
        for index, name in enumerate(in_order({word(row, "condition") for row in mine})):
            points = sorted(
                (numeric(row, axis) or 0.0, numeric(row, "followed") or 0.0, row)
                for row in mine
                if word(row, "condition") == name and numeric(row, "followed") is not None
            )
            colour, mark = CYCLE[index % len(CYCLE)], MARKS[index % len(MARKS)]
            shift = 0.012 * span * index
            axes.plot([x + shift for x, _, _ in points], [y for _, y, _ in points], mark, linestyle="-", color=colour,
                      ms=5, linewidth=1.3, label=short(name, 28))  # fmt: skip
            for x, _, row in points:
                low, high = numeric(row, "low"), numeric(row, "high")
                if low is not None and high is not None:
                    axes.plot([x + shift] * 2, [low, high], color=colour, linewidth=1)
        axes.set_xlabel(
            "strength of the reason (1: a hint, 5: proof)" if axis == "strength" else "turns between state and question"
        )
        axes.set_ylim(-0.03, 1.03)
        light_grid(axes, "y")
    panels[0].set_ylabel("followed")
    panels[-1].legend(loc="center left", bbox_to_anchor=(1.01, 0.5))
    return sheet


def _along(rows: list[Row], axis: str) -> list[Row]:
    """Points of one axis; a probe with a distance belongs to distance alone."""
    other = "distance" if axis == "strength" else "strength"
    mine = [row for row in rows if numeric(row, axis) is not None]
    probes = {word(row, "probe") for row in mine if not (axis == "strength" and (numeric(row, other) or 0) > 0)}
    return [row for row in mine if word(row, "probe") in probes]


def conservative_effects(tables: Plain, title: str, footer: tuple[str, ...]) -> Sheet | None:
    """The most careful summaries of each block of evidence."""
    blocks = effects(tables)
    if not blocks:
        return None
    counts = [len(lines) for lines in blocks.values()]
    height = sum(0.36 * count + 0.75 for count in counts)
    key = forest_key([line for lines in blocks.values() for line in lines])
    sheet = Sheet(title, width=9.6, height=height, footer=(key, *footer))
    ratios = [0.36 * count + 0.6 for count in counts]
    panels = sheet.panels(len(blocks), 1, height_ratios=ratios, sharex=True)
    for axes, (block, lines) in zip(panels, blocks.items(), strict=True):
        forest(axes, lines)
        axes.set_title(block)
        axes.spines["left"].set_color(LINE)
    panels[-1].set_xlabel("difference")
    return sheet

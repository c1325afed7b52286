"""Figures of the six-code benchmark: contrast forest, profile matrix with lesion rings, responses, mapping errors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from proctor.instruments.binding.gate import FALSE_POSITIVE_LIMIT, UNMAPPED_LIMIT
from proctor.instruments.binding.scores import BASIC_PROBES
from proctor.reports.figures.canvas import (
    BLUE,
    GREEN,
    INK,
    ORANGE,
    RED,
    SOFT,
    Sheet,
    beside,
    light_grid,
    names_down,
    number_text,
    shades,
    short,
    stacked,
    zero_line,
)
from proctor.reports.figures.forests import ForestLine, contrast_forest
from proctor.reports.figures.views import (
    PROFILE,
    Plain,
    ProfileRow,
    Response,
    mapping_errors,
    probes_in_order,
    profile,
    responses,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

UNMEASURED = "not measured"


def forest(axes: Axes, lines: Sequence[ForestLine], *, labels: bool = True) -> None:
    """Units as circles, means as diamonds on their intervals, careful means as triangles, smallest as a tick."""
    for y, line in enumerate(lines):
        if line.mean is None:
            axes.text(0.0, y, f" {UNMEASURED}", va="center", fontsize=8, color=SOFT)
            continue
        if line.low is not None and line.high is not None:
            axes.plot([line.low, line.high], [y, y], color=INK, linewidth=1.6, zorder=3)
        values = [value for _, value in sorted(line.units.items())]
        heights = [y - 0.2 - up for up in stacked(values, step=0.045, room=0.27)]
        axes.plot(values, heights, "o", mfc="none", mec=BLUE, ms=4.5, mew=1.1, zorder=4)
        axes.plot([line.mean], [y], "D", color=INK, ms=5.5, zorder=5)
        careful = [value for value in (line.leave_one_out, line.top_removed) if value is not None]
        axes.plot(careful, [y + 0.22] * len(careful), "^", color=RED, ms=4.5, zorder=4)
        if line.minimum is not None:
            axes.plot([line.minimum], [y], "|", color=BLUE, ms=13, mew=2, zorder=4)
        if labels:
            text = f"min {number_text(line.minimum, '.3f')}, {line.positive}/{line.count} > 0"
            text += "" if line.sign_p is None else f", p{line.tested} {_p(line.sign_p)}"
            beside(axes, y, text)
    zero_line(axes)
    light_grid(axes)
    names_down(axes, [line.label for line in lines], most=44)


def _p(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else f"= {value:.4f}"


def forest_key(lines: Sequence[ForestLine]) -> str:
    """What the marks of these lines are, with the kinds of their intervals."""
    kinds = sorted({line.interval for line in lines if line.low is not None and line.interval})
    careful = any(line.leave_one_out is not None or line.top_removed is not None for line in lines)
    parts = [
        "Circles: datasets; equal ones stand on each other." if any(line.units for line in lines) else "",
        f"Diamond and bar: mean and {' or '.join(kinds)}." if kinds else "Diamond: mean; there is no interval.",
        "Blue tick: smallest.",
        "Triangles: smallest mean with one unit left out, and mean without the largest effect (often the same)."
        if careful
        else "",
        "p: exact one-sided sign test.",
    ]
    return " ".join(part for part in parts if part)


def contrasts(tables: Plain, title: str, footer: tuple[str, ...]) -> Sheet | None:
    """Declared contrasts over datasets; None where none was measured."""
    lines = contrast_forest(tables)
    if all(line.mean is None for line in lines):
        return None
    sheet = Sheet(title, width=9.2, height=0.58 * len(lines) + 0.75, footer=(forest_key(lines), *footer))
    axes = sheet.panel()
    forest(axes, lines)
    axes.set_xlabel("difference in binding score (scores lie between −1 and 1)")
    return sheet


def profile_matrix(tables: Plain, title: str, footer: tuple[str, ...]) -> Sheet | None:
    """Scores by Condition; rings where a lesion should lower them."""
    from matplotlib.patches import Ellipse

    rows = profile(tables)
    if not rows:
        return None
    columns = [*PROFILE, "false_positive"]
    key = (
        f"Means over datasets ({counts(row.datasets for row in rows)} of them), SD below. Ring: the score this lesion "
        "should lower; solid: lowered (a declared contrast: above zero by its test), broken: not shown to be. Blue: "
        "above zero. Orange: below zero, and false positives."
    )
    sheet = Sheet(title, width=8.2, height=0.52 * len(rows) + 0.6, footer=(key, *footer))
    axes = sheet.panel()
    values = [[*(row.means[name] for name in PROFILE), row.false_positive] for row in rows]
    # A share of false positives is no score: more of it is worse, and shaded so.
    heat(axes, [[*line[:-1], None if line[-1] is None else -line[-1]] for line in values])
    for y, row in enumerate(rows):
        for column, name in enumerate(columns):
            spread = row.spreads.get(name)
            axes.text(column, y - (0.08 if spread is not None else 0), number_text(values[y][column], ".3f"),
                      ha="center", va="center", fontsize=9)  # fmt: skip
            if spread is not None:
                text = f"± {spread:.3f}"
                axes.text(column, y + 0.25, text, ha="center", va="center", fontsize=6.5, color=SOFT)
            if name in row.rings:
                fell = row.rings[name]
                ring = Ellipse(
                    (column, y), 0.8, 0.84, fill=False, linewidth=1.8, edgecolor=INK if fell else RED,
                    linestyle="-" if fell else (0, (3, 2)),
                )  # fmt: skip
                axes.add_patch(ring)
    names_down(axes, [row.condition for row in rows], most=40)
    axes.set_yticks(range(len(rows)), [_named(row) for row in rows], linespacing=1.25)
    columns_above(axes, [name.replace("_", " ") if name == "false_positive" else name for name in columns])
    return sheet


def _named(row: ProfileRow) -> str:
    """Its name, with the paper's identifier below where it has one of its own."""
    return f"{short(row.condition, 30)}\n{short(row.paper, 30)}" if row.paper else short(row.condition, 30)


def counts(numbers: Iterable[int]) -> str:
    """Smallest and largest of some counts; one number where they agree."""
    distinct = sorted(set(numbers))
    return (
        "none" if not distinct else f"{distinct[0]:,}" if len(distinct) == 1 else f"{distinct[0]:,} to {distinct[-1]:,}"
    )


def heat(axes: Axes, values: Sequence[Sequence[float | None]], *, span: float = 1.0) -> None:
    """Shaded tiles; what is missing stays white with a dash drawn by the caller."""
    import numpy as np

    numbers = np.array([[np.nan if value is None else value for value in row] for row in values], dtype=float)
    axes.imshow(numbers, cmap=shades(), vmin=-span, vmax=span, aspect="auto")
    axes.set_xticks([line - 0.5 for line in range(1, numbers.shape[1])], minor=True)
    axes.set_yticks([line - 0.5 for line in range(1, numbers.shape[0])], minor=True)
    axes.grid(visible=True, which="minor", color="white", linewidth=2)
    axes.tick_params(which="minor", length=0)
    for side in axes.spines.values():
        side.set_visible(False)


def columns_above(axes: Axes, names: Sequence[str], *, turn: int = 0) -> None:
    """Names of columns above the tiles."""
    side = "left" if turn else "center"
    axes.set_xticks(range(len(names)), [short(name, 26) for name in names], rotation=turn, ha=side)
    axes.tick_params(axis="x", length=0, top=False, labeltop=True, bottom=False, labelbottom=False)


def response_matrix(tables: Plain, title: str, footer: tuple[str, ...]) -> Sheet | None:
    """Expected responses by dataset and probe, a panel for each Condition; extended probes in a last one."""
    by_condition = responses(tables)
    panels = {name: shown for name, cells in by_condition.items() if (shown := _only(cells, extended=False))}
    wider = {name: pooled for name, cells in by_condition.items() if (pooled := _pooled(_only(cells, extended=True)))}
    every = [*panels.items(), *([("extended probes, all datasets", wider)] if wider else [])]
    if not every:
        return None
    across = 1 if len(every) == 1 else 2 if len(every) <= 6 else 3
    down = -(-len(every) // across)
    most = max(len(cells) for _, cells in every)
    rows = counts(one.rows for _, cells in every for line in cells.values() for one in line.values())
    dotted = any(len(one.replicates) > 1 for _, cells in every for line in cells.values() for one in line.values())
    key = (
        f"Share of replies with the response the probe calls for, {rows} replies a tile; grey: none."
        f"{' Dots: replicates, 0 to 1 across the tile.' if dotted else ''}"
    )
    width = across * (1.75 + 0.56 * max(len(_probes(cells)) for _, cells in every)) + 0.4
    sheet = Sheet(title, width=max(width, 6.5), height=down * (0.33 * most + 1.3), footer=(key, *footer))
    drawn = sheet.panels(down, across)
    for axes, (name, cells) in zip(drawn, every, strict=False):
        _responses(axes, name, cells)
    for axes in drawn[len(every) :]:
        axes.set_axis_off()
    return sheet


_Cells = dict[str, dict[str, Response]]


def _only(cells: _Cells, *, extended: bool) -> _Cells:
    kept = {
        dataset: {probe: one for probe, one in row.items() if (probe not in BASIC_PROBES) == extended}
        for dataset, row in cells.items()
    }
    return {dataset: row for dataset, row in kept.items() if row}


def _pooled(cells: _Cells) -> dict[str, Response]:
    """Over datasets, weighed by rows."""
    pooled: dict[str, Response] = {}
    for probe in _probes(cells):
        mine = [row[probe] for row in cells.values() if probe in row]
        total = sum(one.rows for one in mine)
        pooled[probe] = Response(sum(one.mean * one.rows for one in mine) / total, total, ())
    return pooled


def _probes(cells: _Cells) -> list[str]:
    return probes_in_order(probe for row in cells.values() for probe in row)


def _responses(axes: Axes, title: str, cells: _Cells) -> None:
    probes = _probes(cells)
    heat(axes, [[row[probe].mean if probe in row else None for probe in probes] for row in cells.values()])
    for y, row in enumerate(cells.values()):
        for column, probe in enumerate(probes):
            response = row.get(probe)
            dotted = response is not None and len(response.replicates) > 1
            text = number_text(response.mean if response else None)
            axes.text(column, y - (0.1 if dotted else 0), text, ha="center", va="center", fontsize=7.2)
            if response is not None and dotted:
                spots = [column - 0.36 + 0.72 * value for value in response.replicates]
                axes.plot(spots, [y + 0.32] * len(spots), ".", color=SOFT, ms=2.6)
    names_down(axes, list(cells), most=22)
    axes.tick_params(axis="y", labelsize=7.5)
    columns_above(axes, [probe.replace("_", " ") for probe in probes], turn=38)
    axes.tick_params(axis="x", labelsize=7.5)
    axes.set_title(short(title, 50), pad=4)


def mapping(tables: Plain, title: str, footer: tuple[str, ...]) -> Sheet | None:
    """Unmapped replies and false positives by Condition, with their limits."""
    errors = mapping_errors(tables)
    if not errors:
        return None
    key = (
        "Diamond: the rate over all rows, with their number at the right. Circles: datasets; equal ones stand on each "
        "other. Shaded: below the limit of the gate, which asks for it over all Conditions together (unmapped) and of "
        "the structured Condition (false positives)."
    )
    sheet = Sheet(title, width=9.8, height=0.5 * len(errors) + 0.95, footer=(key, *footer))
    left, right = sheet.panels(1, 2, sharey=True)
    _errors(left, "unmapped replies", UNMAPPED_LIMIT, ORANGE,
            [(one.unmapped, one.unmapped_rows, list(one.unmapped_by_dataset.values())) for one in errors])  # fmt: skip
    _errors(right, "false positives under the irrelevant cue", FALSE_POSITIVE_LIMIT, GREEN,
            [(one.false_positive, one.neutral_rows, list(one.false_positive_by_dataset.values()))
             for one in errors])  # fmt: skip
    names_down(left, [one.condition for one in errors])
    return sheet


def _errors(
    axes: Axes, title: str, limit: float, colour: str, rates: Sequence[tuple[float | None, int, Sequence[float]]]
) -> None:
    from matplotlib.ticker import PercentFormatter

    axes.axvspan(0.0, limit, color=colour, alpha=0.14, linewidth=0)
    highest = limit
    for y, (rate, rows, units) in enumerate(rates):
        if rate is None:
            axes.text(0.0, y, f" {UNMEASURED}", va="center", fontsize=8, color=SOFT)
            continue
        heights = [y - 0.1 - up for up in stacked(units, step=0.06, room=0.34)]
        axes.plot(units, heights, "o", mfc="none", mec=BLUE, ms=4.5, zorder=3)
        axes.plot([rate], [y + 0.1], "D", color=INK, ms=5, zorder=4)
        beside(axes, y, f"{number_text(100 * rate, '.3g')} % of {rows:,}")
        highest = max(highest, rate, *units)
    axes.set_xlim(-0.03 * highest, 1.12 * highest)
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=None))
    axes.locator_params(axis="x", nbins=5)
    axes.set_title(title)
    light_grid(axes)

"""A comparison in the terminal."""

from __future__ import annotations

from proctor.instruments.comparing.comparison import Comparison
from proctor.instruments.comparing.differences import Difference
from proctor.instruments.comparing.flips import Flip
from proctor.reports.comparing import words
from proctor.reports.terminal import table

MOST_FLIPS = 20


def comparison_text(comparison: Comparison) -> str:
    """The whole comparison."""
    first, second = comparison.first, comparison.second
    parts = [
        words.headline(comparison),
        "\n".join(words.label_lines(comparison)),
        words.how(comparison),
        _differences(comparison),
        _flips(comparison),
        "Spending\n"
        + table(
            ["run", *words.SPENT_HEADER],
            [
                [first.run, *words.spent_cells(comparison.spending.first)],
                [second.run, *words.spent_cells(comparison.spending.second)],
            ],
            right=(1, 2, 3, 4),
        )
        + f"\n{words.SPENT_NOTE}",
        _runs(comparison),
    ]
    return "\n\n".join(part for part in parts if part)


def _differences(comparison: Comparison) -> str:
    if comparison.primary is None:
        return ""
    rows = [_row("all", comparison.primary)]
    rows += [_row(one.name, one) for one in comparison.dimensions]
    rows += [_row(one.name, one) for one in comparison.families]
    header = ["", comparison.first.run, comparison.second.run, "difference", "lost", "gained", "p", ""]
    return f"Differences\n{table(header, rows, right=(1, 2, 4, 5))}\n{words.methods(comparison)}"


def _row(name: str, one: Difference) -> list[str]:
    return [
        name,
        words.rate(one.first_successes, one.first_n),
        words.rate(one.second_successes, one.second_n),
        words.points(one),
        str(one.lost) if one.paired else "–",
        str(one.gained) if one.paired else "–",
        words.p_value(one),
        one.verdict,
    ]


def _flips(comparison: Comparison) -> str:
    if not comparison.flips:
        return ""
    shown = comparison.flips[:MOST_FLIPS]
    lines = ["Changed verdicts, newly failing first"]
    for flip in shown:
        lines += _flip(flip)
    if len(comparison.flips) > len(shown):
        lines.append(f"… and {len(comparison.flips) - len(shown)} more; --json lists all")
    return "\n".join(lines)


def _flip(flip: Flip) -> list[str]:
    where = " · ".join(part for part in (flip.family, flip.cell, flip.regime, f"instance {flip.instance}") if part)
    lines = [f"newly {flip.newly}  {where}"]
    for run, position, outcome, reason in (flip.first, flip.second):
        lines.append(f"    {outcome}: {reason}   proctor show {run} {position}")
    if flip.diverges:
        lines.append(f"    {flip.diverges}")
    return lines


def _runs(comparison: Comparison) -> str:
    lines = []
    for side in (comparison.first, comparison.second):
        lines.append(words.run_line(side))
        if side.reading:
            lines.append(f"  {side.reading}")
    return "\n".join(lines)

"""A comparison as Markdown, for a pull request."""

from __future__ import annotations

from proctor.instruments.comparing.comparison import Comparison
from proctor.instruments.comparing.differences import Difference
from proctor.reports.characters import visible
from proctor.reports.comparing import words

MOST_FLIPS = 20


def comparison_markdown(comparison: Comparison) -> str:
    """The whole comparison, failures first and details folded."""
    parts = [f"### {escaped(words.headline(comparison))}"]
    label = words.label_lines(comparison)
    parts.append("\n".join([f"**{label[0]}**", *(f"- {escaped(line)}" for line in label[1:])]))
    parts.append(escaped(words.how(comparison)))
    if comparison.primary is not None:
        parts.append(_differences(comparison, comparison.primary))
    if comparison.flips:
        parts.append(_flips(comparison))
    parts.append(_spending(comparison))
    parts.append(_runs(comparison))
    return "\n\n".join(parts) + "\n"


def escaped(text: str) -> str:
    """Text without the power to format, link or mention."""
    text = visible(text.replace("\n", " "))
    for character in ("\\", "`", "*", "_", "[", "]", "<", ">", "|", "#", "~"):
        text = text.replace(character, f"\\{character}")
    return text.replace("@", "@\u200b").replace("://", ":\u200b//")


def _differences(comparison: Comparison, primary: Difference) -> str:
    rows = [("all", primary), *((one.name, one) for one in (*comparison.dimensions, *comparison.families))]
    lines = [
        f"| | {escaped(comparison.first.run)} | {escaped(comparison.second.run)} | difference | p | |",
        "| --- | ---: | ---: | --- | --- | --- |",
    ]
    for name, one in rows:
        cells = (
            name,
            words.rate(one.first_successes, one.first_n),
            words.rate(one.second_successes, one.second_n),
            words.points(one),
            words.p_value(one),
            one.verdict,
        )
        lines.append("| " + " | ".join(escaped(cell) for cell in cells) + " |")
    return "\n".join(lines) + f"\n\n{escaped(words.methods(comparison))}"


def _flips(comparison: Comparison) -> str:
    failing = sum(flip.newly == "failing" for flip in comparison.flips)
    lines = [
        f"<details><summary>{failing} newly failing, {len(comparison.flips) - failing} newly passing</summary>",
        "",
    ]
    for flip in comparison.flips[:MOST_FLIPS]:
        where = " · ".join(part for part in (flip.family, flip.cell, flip.regime, flip.instance) if part)
        run, position, outcome, reason = flip.second
        lines.append(
            f"- newly {flip.newly}: {escaped(where)}: {escaped(f'{outcome}: {reason}')} "
            f"(`proctor show {run} {position}`)"
        )
        if flip.diverges:
            lines.append(f"  - {escaped(flip.diverges)}")
    if len(comparison.flips) > MOST_FLIPS:
        lines.append(f"- … and {len(comparison.flips) - MOST_FLIPS} more")
    return "\n".join([*lines, "", "</details>"])


def _spending(comparison: Comparison) -> str:
    lines = ["| | " + " | ".join(words.SPENT_HEADER) + " |", "| --- |" + " ---: |" * len(words.SPENT_HEADER)]
    for side, spent in (
        (comparison.first, comparison.spending.first),
        (comparison.second, comparison.spending.second),
    ):
        lines.append(f"| {escaped(side.run)} | " + " | ".join(words.spent_cells(spent)) + " |")
    return "\n".join(lines) + f"\n\n{words.SPENT_NOTE}"


def _runs(comparison: Comparison) -> str:
    lines = []
    for side in (comparison.first, comparison.second):
        text = words.run_line(side) + (f"; {side.reading}" if side.reading else "")
        lines.append(f"- {escaped(text)}")
    return "\n".join(lines)

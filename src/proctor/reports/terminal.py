"""Plain text for a terminal: tables that survive a pipe, and the values of any reading, a line each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from proctor.instruments.base import Value


def table(header: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[int] = ()) -> str:
    """Columns lined up, two spaces apart; `right` lists the columns that are numbers."""
    lines = [list(header), *[list(row) for row in rows]]
    widths = [max(len(line[i]) for line in lines) for i in range(len(header))]
    text = []
    for line in lines:
        cells = [
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        text.append("  ".join(cells).rstrip())
    text.insert(1, "  ".join("─" * width for width in widths))
    return "\n".join(text)


def percent(value: float | None) -> str:
    """A rate as people read it; a dash when there is none."""
    return "–" if value is None else f"{100 * value:.0f} %"


def confidence_text(values: Sequence[Value]) -> str:
    """The confidence of the intervals, e.g. `95 %`."""
    confidence = values[0].estimate.confidence if values else 0.95
    return f"{100 * confidence:.0f} %"


def values_text(name: str, values: Sequence[Value]) -> str:
    """Any instrument's values, a line each."""
    rows = []
    for value in values:
        estimate = value.estimate
        where = " · ".join(text for key, text in value.where.items() if (key, text) != ("condition", "none"))
        interval = "–" if estimate.low is None else f"{estimate.low:.3g} – {estimate.high:.3g}"
        shown = "not measured" if estimate.estimate is None else f"{estimate.estimate:.3g}"
        band = "" if value.band is None else value.band.words
        more = "; ".join(part for part in (*(flag.name for flag in value.flags), band, estimate.reason) if part)
        rows.append([value.name, where, shown, interval, str(estimate.n), more])
    header = ["value", "where", name, f"{confidence_text(values)} interval", "n", ""]
    return table(header, rows, right=(2, 4))

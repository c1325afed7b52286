"""Success rates on a terminal: a line per family, regime and condition, with its interval."""

from __future__ import annotations

from collections.abc import Sequence

from proctor.instruments.base import Value
from proctor.reports.terminal import confidence_text, percent, table

_BAR = 20


def rates_text(values: Sequence[Value]) -> str:
    """Rates with their intervals, a line per family, regime and condition."""
    rows = []
    celled = any("cell" in value.where for value in values)
    for value in sorted(values, key=lambda v: (v.where["family"], v.where["regime"], v.where["condition"])):
        estimate = value.estimate
        interval = "–" if estimate.low is None else f"{percent(estimate.low)} – {percent(estimate.high)}"
        condition = "" if value.where["condition"] == "none" else f" / {value.where['condition']}"
        condition += "".join(f" / {value.where[name]}" for name in ("phase", "knobs") if name in value.where)
        rows.append(
            [
                value.where["family"],
                *([value.where.get("cell", "")] if celled else []),
                value.where["regime"] + condition,
                _bar(estimate.estimate),
                percent(estimate.estimate),
                f"{value.successes}/{estimate.n}",
                interval,
                "; ".join([*(flag.name for flag in value.flags), *([] if value.band is None else [value.band.words])]),
            ]
        )
    cell = ["cell"] if celled else []
    header = ["family", *cell, "regime", "", "rate", "k/n", f"{confidence_text(values)} interval", ""]
    return "Success rates\n" + table(header, rows, right=(3 + celled, 4 + celled))


def _bar(rate: float | None) -> str:
    filled = 0 if rate is None else round(rate * _BAR)
    return "█" * filled + "·" * (_BAR - filled)

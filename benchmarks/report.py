"""The figures as one table for people and one document for machines."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.figure import Figure
from benchmarks.inspect_peer import Peer
from benchmarks.setting import Sizes

_HEADER = ("figure", "measured", "limit", "margin", "", "how")
_EXACT = {"s": 3, "MiB": 1, "bytes": 1, "×": 1}


def about(sizes: Sizes, peer: Peer | None) -> dict[str, Any]:
    """What was measured on what."""
    from importlib.metadata import version

    return {
        "proctor": version("proctor"),
        "inspect_ai": None if peer is None else peer.version,
        "python": platform.python_version(),
        "machine": f"{os.cpu_count()} × {_processor()}",
        "system": platform.platform(),
        "load_before": [round(load, 2) for load in os.getloadavg()],
        "sizes": sizes.name,
    }


def document(facts: dict[str, Any], figures: Sequence[Figure]) -> dict[str, Any]:
    """Everything, for machines."""
    return {
        **facts,
        "figures": [{**asdict(figure), "met": figure.met, "margin": figure.margin} for figure in figures],
    }


def markdown(facts: dict[str, Any], figures: Sequence[Figure]) -> str:
    """Everything, for people."""
    lines = [
        "# Benchmarks",
        "",
        f"Proctor {facts['proctor']}, inspect-ai {facts['inspect_ai'] or 'not installed'}, Python {facts['python']}, "
        f"{facts['machine']}, load before {facts['load_before'][0]}, sizes: {facts['sizes']}"
        + (" (an indication only)." if facts["sizes"] != "full" else "."),
        "",
    ]
    for subject in dict.fromkeys(figure.subject for figure in figures):
        rows = [_cells(figure) for figure in figures if figure.subject == subject]
        lines += [f"## {subject.capitalize()}", "", *_table(rows), ""]
    return "\n".join([*lines, _verdict(figures)])


def _verdict(figures: Sequence[Figure]) -> str:
    limited = [figure for figure in figures if figure.limit is not None]
    short = [figure.name for figure in limited if figure.met is False]
    unknown = [figure.name for figure in limited if figure.met is None]
    parts = [f"{len(limited) - len(short) - len(unknown)} of {len(limited)} limits kept"]
    parts += [f"short: {', '.join(short)}"] * bool(short)
    parts += [f"not measured: {', '.join(unknown)}"] * bool(unknown)
    return "; ".join(parts) + "."


def _cells(figure: Figure) -> tuple[str, ...]:
    sign = "≥" if figure.better == "more" else "≤"
    return (
        figure.name,
        "–" if figure.value is None else f"{_number(figure.value, figure.unit)} {figure.unit}",
        "" if figure.limit is None else f"{sign} {figure.limit:g} {figure.unit}",
        "" if figure.margin is None else f"{figure.margin:.2f}",
        {True: "ok", False: "short", None: ""}[figure.met],
        figure.note,
    )


def _number(value: float, unit: str) -> str:
    if unit == "×" and value >= 10:
        return f"{value:,.0f}"
    if unit not in _EXACT and value < 100:
        return f"{value:.1f}"
    return f"{value:,.{_EXACT.get(unit, 0)}f}"


def _table(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[i]) for row in (_HEADER, *rows)) for i in range(len(_HEADER))]
    right = {1, 2, 3}

    def line(cells: Sequence[str]) -> str:
        padded = (c.rjust(w) if i in right else c.ljust(w) for i, (c, w) in enumerate(zip(cells, widths, strict=True)))
        return f"| {' | '.join(padded)} |"

    rule = ["-" * (width - 1) + ":" if i in right else "-" * width for i, width in enumerate(widths)]
    return [line(_HEADER), line(rule), *(line(row) for row in rows)]


def _processor() -> str:
    for row in Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else ():
        if row.startswith("model name"):
            return row.partition(":")[2].strip()
    return platform.machine()

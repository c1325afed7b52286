"""How commands print: JSON alone with `--json`, otherwise plain tables that survive a pipe."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from proctor.core.canonical import jsonable


def print_json(value: Any) -> None:
    """One JSON document on stdout and nothing else."""
    json.dump(jsonable(value), sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")


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


def clean(text: str) -> str:
    """Text of an agent or a stranger's file, without control characters that could drive the terminal."""
    return "".join(c if c == "\n" or c == "\t" or (c.isprintable()) else "�" for c in text)


def say(message: str) -> None:
    """A line for people, on stderr, so that stdout stays for results."""
    print(message, file=sys.stderr, flush=True)

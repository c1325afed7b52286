"""The published tables of the binding paper, as facts to compare with: read from the CSV files beside this one."""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path

from proctor.instruments.binding.scores import COMPONENTS, Counted, Share

FOLDER = Path(__file__).parent / "binding"
ROWS = {"ds004042_recall": 357, "narratives_formal": 252}
"""Rows behind each share; 360 elsewhere."""


def read(name: str) -> list[dict[str, str]]:
    """The rows of one table."""
    with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def whole(value: str, n: int, *, within: float = 2e-3) -> int:
    """The k behind a printed k/n; it must be a whole number."""
    k = float(value) * n
    assert abs(k - round(k)) < within, f"{value} is no share of {n}"
    return round(k)


def counted() -> dict[tuple[str, ...], Counted]:
    """The counts behind table 17, by dataset and the paper's variant."""
    found: dict[tuple[str, ...], Counted] = {}
    for row in read("binding_components_by_dataset"):
        n = ROWS.get(row["dataset"], 360)
        moved = whole(row["false_positive"], n)
        targets = {name: Share(whole(row[f"B_{name}"], n) + moved, n) for name in COMPONENTS}
        found[row["dataset"], row["variant"]] = Counted(targets, Share(moved, n))
    return found


def printed(value: Fraction | float | None, digits: int = 6) -> str:
    """As the tables print a number: significant digits, nothing after that."""
    assert value is not None
    return f"{float(value):.{digits}g}"

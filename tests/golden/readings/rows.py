"""The rows of a run in short: how the episodes of each group ended, and digests that name the group and the column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from proctor.evidence.row import Arm, Row
from tests.golden.readings.comparing import digest

REAL = frozenset({"aside", "attempts", "elapsed_us", "head"})
"""Columns that follow from the execution or from the code."""
COLUMNS = tuple(name for name in Row.__struct_fields__ if name not in REAL)


def whole(rows: Iterable[Row], arms: Sequence[Arm]) -> dict[str, list[dict[str, Any]]]:
    """Every row by the group it belongs to, in presentation order."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in sorted(rows, key=lambda row: row.position):
        groups.setdefault(group_of(row, arms), []).append({name: getattr(row, name) for name in COLUMNS})
    return groups


def group_of(row: Row, arms: Sequence[Arm]) -> str:
    """The arm a row belongs to, and its phase."""
    arm = arms[row.arm]
    return " / ".join((arm.cell or "no cell", arm.family, arm.regime, arm.condition, row.phase))


def in_short(groups: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """Counts by outcome and reason and a digest for each group; a digest for each column over all of them."""
    return {
        "groups": {
            name: {
                "episodes": len(rows),
                "ended": dict(Counter(f"{row['outcome']}: {row['reason']}" for row in rows)),
                "digest": digest([[row[column] for column in COLUMNS] for row in rows]),
            }
            for name, rows in groups.items()
        },
        "columns": {
            column: digest([[name, [row[column] for row in rows]] for name, rows in sorted(groups.items())])
            for column in COLUMNS
        },
    }

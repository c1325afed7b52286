"""What a suite may claim: its families evidence the cells they are entered for, and are enough of them (§10.3.1).

A suite that could not earn the level its cells name is refused before it is run, since no result of it could count.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

from proctor.core.errors import InputError
from proctor.spec.family import FamilySpec
from proctor.spec.suite import Suite

MINIMUM_FAMILIES = {1: 1, 2: 1, 3: 2, 4: 2, 5: 3}
"""Families counted over the whole dimension, by level."""
_CELL = re.compile(r"(?:(G[123])-|([SMDEL]))([1-5])\Z")
ROBUSTNESS = "R"
_REPEATED = re.compile(r"[SMDE][1-5]\Z")


def evidences(spec: FamilySpec, cell: str) -> bool:
    """Whether success on a family speaks for a cell: its declaration names the cell.

    For robustness any task of S, M, D or E will do, repeated under harder regimes (white paper B.7.1).
    """
    return cell in spec.evidences or (cell == ROBUSTNESS and any(map(_REPEATED.match, spec.evidences)))


def is_cell(name: str | None) -> bool:
    """Whether an entry of this cell counts towards the Agency Vector; other instruments have cells of their own."""
    return name is not None and (name == ROBUSTNESS or _CELL.match(name) is not None)


def require_evidence(suite: Suite, families: Mapping[str, FamilySpec]) -> None:
    """Refuse an entry whose family does not evidence its cell. `families` are by how the suite names them."""
    for entry in suite.entries:
        spec = families.get(entry.family)
        if entry.cell is None or spec is None or not is_cell(entry.cell) or evidences(spec, entry.cell):
            continue
        stated = ", ".join(spec.evidences) or "no cell"
        message = (
            f"suite '{suite.name}': family {spec.full_name} is entered for cell {entry.cell} and evidences {stated}; "
            "enter it for what it evidences, or take another family"
        )
        raise InputError(message)


def require_families(suite: Suite) -> None:
    """Refuse a suite in which a level is claimed with too few families over its dimension."""
    families: dict[str, set[str]] = defaultdict(set)
    highest: dict[str, tuple[int, str]] = {}
    for entry in suite.entries:
        match = _CELL.match(entry.cell or "")
        if match is None:
            continue
        dimension, level = match.group(1) or match.group(2), int(match.group(3))
        families[dimension].add(entry.family.partition("@")[0])
        highest[dimension] = max(highest.get(dimension, (0, "")), (level, entry.cell or ""))
    for dimension, (level, cell) in highest.items():
        there, needed = sorted(families[dimension]), MINIMUM_FAMILIES[level]
        if len(there) < needed:
            message = (
                f"suite '{suite.name}': cell {cell} claims level {level}, which needs {needed} families over "
                f"{dimension}; it has {len(there)} ({', '.join(there)})"
            )
            raise InputError(message)

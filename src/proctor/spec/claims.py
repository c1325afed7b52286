"""What a suite may claim: cells of the Agency Vector need families that evidence them, and enough of them (§10.3.1).

A suite that could not earn the level its cells name is refused before it is run, since no result of it could count. The
instrument checks the same in evidence that was recorded elsewhere.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from proctor.core.errors import InputError
from proctor.spec.family import FamilySpec
from proctor.spec.suite import Suite
from proctor.spec.tier_protocols import TIER_CELLS

MINIMUM_FAMILIES = {1: 1, 2: 1, 3: 2, 4: 2, 5: 3}
"""Families counted over the whole dimension, by level."""
CONFIDENCE = 0.95
"""Of the Agency Vector; not declarable (§11.5.2)."""
_CELL = re.compile(r"(?:(G[123])-|([SMDEL]))([1-5])\Z")
ROBUSTNESS = "R"
VECTOR = ("S", "M", "D", "E", "L", "R", "G")
"""The order of the Agency Vector; G is made of G1, G2 and G3."""


SERVED_BY: dict[str, frozenset[str]] = {
    "T1-loop": frozenset({"D1", "D2", "D3", "E2", "E3"}),
    "T3-depth": frozenset({"D2", "D3", "E2", "E3", "E4", "M4", "G3-1"}),
}
"""Cells of tiers that families of the Agency Vector serve too: those that evidence one of these."""


def evidences(spec: FamilySpec, cell: str) -> bool:
    """Whether success in a family speaks for a cell: it says so, or it says so of one whose families serve."""
    return cell in spec.evidences or not SERVED_BY.get(cell, frozenset()).isdisjoint(spec.evidences)


def dimension_of(cell: str) -> str:
    """`S4` → S, `G2-5` → G2, `R` → R."""
    return cell.partition("-")[0] if "-" in cell else cell[:1]


def is_cell(name: str | None) -> bool:
    """Whether an entry of this cell counts towards the Agency Vector; other instruments have cells of their own."""
    return name is not None and (name == ROBUSTNESS or _CELL.match(name) is not None)


def is_counted(name: str | None) -> bool:
    """Whether an entry of this cell counts for the Agency Vector or for a tier."""
    return is_cell(name) or name in TIER_CELLS


def not_evidenced(suite: Suite, families: Mapping[str, FamilySpec]) -> Iterator[str]:
    """Entries whose family does not evidence their cell, in one sentence each. Families are looked up by reference."""
    for reference, cell in dict.fromkeys((entry.family, entry.cell) for entry in suite.entries):
        spec = families.get(reference)
        if spec is not None and cell is not None and is_counted(cell) and not evidences(spec, cell):
            named = ", ".join(spec.evidences) or "nothing"
            yield (
                f"family '{reference}' does not evidence {cell} (it evidences {named}); use a family that does, or "
                "leave the cell out"
            )


def require_evidenced(suite: Suite, families: Mapping[str, FamilySpec]) -> None:
    """Refuse a suite that lets a family count for a cell it says nothing about."""
    for problem in not_evidenced(suite, families):
        message = f"suite '{suite.name}': {problem}"
        raise InputError(message)


def require_confidence(suite: Suite) -> None:
    """Refuse another confidence where levels of the Agency Vector are read."""
    cells = [entry.cell for entry in suite.entries if is_cell(entry.cell)]
    if cells and suite.rules.confidence != CONFIDENCE:
        message = (
            f"suite '{suite.name}': rules.confidence is {suite.rules.confidence:g}, but cell {cells[0]} of the Agency "
            f"Vector is always read at {CONFIDENCE:g}; remove rules.confidence"
        )
        raise InputError(message)


def require_families(suite: Suite) -> None:
    """Refuse a suite in which a level is claimed with too few families over its dimension."""
    families: dict[str, set[str]] = defaultdict(set)
    highest: dict[str, tuple[int, str]] = {}
    for entry in suite.entries:
        match = _CELL.match(entry.cell or "")
        if match is None or entry.baseline is not None:
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
